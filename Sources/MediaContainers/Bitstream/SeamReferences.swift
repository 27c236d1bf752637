package import MediaCore

/// Tells by headers whether the pieces of a join can be decoded where they meet.
///
/// It takes the coded pictures around a seam in decoding order, from one that decoding can start with on.
package struct SeamReferences {
    package enum Fault: Sendable, Equatable {
        /// What follows the seam is decoded with the pictures before it.
        case continues
        /// Pictures are shown that refer to what came before their piece.
        case leadingPictures
        /// Pictures that others refer to are missing.
        case missingPictures
    }

    /// The pictures from one that resets decoders up to the next.
    private struct Group {
        let entryTicks: Int64
        /// Whether those shown before the entry are decoded without any that come before it.
        let isClosed: Bool
        var firstShown: Int64?
        var count = 0
        var lacksPictures = false
        var hasForeignPictures = false
    }

    private let codec: Codec
    private let units: NALUnits
    private let classifier: EntryClassifier
    private var references: (any PictureReferences)?
    private var groups: [Group] = []
    private var number: Int64 = 0
    private var isIntraOnly = true
    private var earliest: Int64?

    /// - Returns: `nil` for codecs whose pictures are not looked into.
    package init?(codec: Codec, extradata: [UInt8]) {
        guard EntryClassifier.readsPictures(of: codec) else { return nil }
        self.codec = codec
        units = NALUnits(codec: codec, extradata: extradata)
        classifier = EntryClassifier(codec: codec, extradata: extradata)
        references = PictureReferencesReader.make(codec: codec, extradata: extradata)
    }

    /// Takes the next coded picture in decoding order.
    ///
    /// - Parameters:
    ///   - isKey: Whether the container says that decoding can start with it.
    ///   - ticks: When it is shown.
    ///   - isShown: Whether no edit list hides it.
    package mutating func add(_ bytes: UnsafeRawBufferPointer, isKey: Bool, ticks: Int64, isShown: Bool) {
        number += 1
        let entry = isKey ? classifier.classify(bytes) : .none
        isIntraOnly = isIntraOnly && entry != .none
        if isShown { earliest = min(earliest ?? ticks, ticks) }
        if entry == .clean { groups.append(Group(entryTicks: ticks, isClosed: isClosed(bytes))) }
        _ = references?.add(bytes, number: number)
        guard let last = groups.indices.last else { return }
        groups[last].count += 1
        // Right behind the entry, those may be missing that were shown before it.
        if references?.lacksPictures == true, groups[last].count > 2 { groups[last].lacksPictures = true }
        guard isShown else { return }
        groups[last].firstShown = min(groups[last].firstShown ?? ticks, ticks)
        if ticks < groups[last].entryTicks, refersBack(bytes, isClosed: groups[last].isClosed) {
            groups[last].hasForeignPictures = true
        }
    }

    /// What is wrong at a seam, `nil` if nothing is.
    ///
    /// - Parameters:
    ///   - ticks: When the later piece begins.
    ///   - tolerance: How far from there its first picture may be shown.
    package func fault(at ticks: Int64, tolerance: Int64) -> Fault? {
        // Pictures that refer to nothing, and a seam at the very beginning.
        guard !isIntraOnly, let earliest, earliest.distance(to: ticks) > tolerance else { return nil }
        // An earlier piece may end with a group of which little is shown.
        let near = groups.enumerated().compactMap { index, group in
            group.firstShown.map { (index, $0.distance(to: ticks).magnitude) }
        }
        guard let (index, distance) = near.min(by: { $0.1 < $1.1 }), distance <= tolerance.magnitude else {
            return .continues
        }
        if groups[index].hasForeignPictures { return .leadingPictures }
        let lacks = groups[index].lacksPictures || index > 0 && groups[index - 1].lacksPictures
        return lacks ? .missingPictures : nil
    }

    /// Whether a group of pictures of MPEG video is closed, by its header (ISO/IEC 13818-2, 6.2.2.6).
    private func isClosed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard [.mpeg1Video, .mpeg2Video].contains(codec) else { return true }
        var position = 0
        while let start = NALUnits.startCode(in: bytes, from: position), start < bytes.count, bytes[start] != 0 {
            // Behind the time code of 25 bits.
            if bytes[start] == 0xb8 { return start + 4 < bytes.count && bytes[start + 4] & 0x40 != 0 }
            position = start
        }
        return false
    }

    /// Whether a picture that is shown before the one that resets decoders refers to what came before that.
    private func refersBack(_ bytes: UnsafeRawBufferPointer, isClosed: Bool) -> Bool {
        guard codec == .hevc else { return !isClosed }
        var isSkipped = false
        units.forEach(in: bytes) { unit in
            let type = unit[unit.startIndex] >> 1 & 0x3f
            // Leading pictures that decoders skip after random access (ITU-T H.265, 7.4.2.2).
            isSkipped = type == 8 || type == 9
            return type >= 32
        }
        return isSkipped
    }
}
