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
        /// Whether decoders show no pictures that come behind the entry and before it in time, or need none before it.
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
    /// What is shown, and in which group it is decoded.
    private var shown: [(ticks: Int64, group: Int?)] = []

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
        if entry == .clean { groups.append(Group(entryTicks: ticks, isClosed: isClosed(bytes))) }
        _ = references?.add(bytes, number: number)
        if isShown { shown.append((ticks, groups.indices.last)) }
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
        guard !isIntraOnly, let earliest = shown.map(\.ticks).min(), earliest.distance(to: ticks) > tolerance,
            shown.contains(where: { $0.ticks.distance(to: ticks) <= tolerance })
        else { return nil }
        guard let index = later(at: ticks, tolerance: tolerance) else { return .continues }
        if groups[index].hasForeignPictures { return .leadingPictures }
        return lacksPictures(from: max(0, index - 1), through: index) ? .missingPictures : nil
    }

    /// Whether pictures that others refer to are missing anywhere.
    package var lacksPictures: Bool { groups.contains(where: \.lacksPictures) }

    private func lacksPictures(from first: Int, through last: Int) -> Bool {
        groups[first...last].contains(where: \.lacksPictures)
    }

    /// The group that the later piece begins with; `nil` if frames before it are shown there.
    private func later(at ticks: Int64, tolerance: Int64) -> Int? {
        let starts = groups.enumerated().compactMap { index, group in group.firstShown.map { (index, $0) } }
        // An earlier piece may end with a group of which little is shown.
        let near = starts.min { $0.1.distance(to: ticks).magnitude < $1.1.distance(to: ticks).magnitude }
        if let near, near.1.distance(to: ticks).magnitude <= tolerance.magnitude { return near.0 }
        // It may begin with something else than pictures.
        let next = starts.filter { ticks.distance(to: $0.1) > tolerance }.min { $0.1 < $1.1 }
        guard let next else { return nil }
        let isBetween = shown.contains {
            ticks.distance(to: $0.ticks) > tolerance && $0.ticks < next.1 && $0.group ?? -1 < next.0
        }
        return isBetween ? nil : next.0
    }

    /// Whether a GOP of MPEG video is closed, by its header (ISO/IEC 13818-2, 6.2.2.6), and whether the
    /// entry of one of HEVC has decoders leave out what refers to pictures before it.
    private func isClosed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if codec == .hevc { return type(of: bytes) != Self.cleanRandomAccess }
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
        guard codec == .hevc, !isClosed else { return !isClosed }
        // Leading pictures that decoders skip after random access (ITU-T H.265, 7.4.2.2).
        return [8, 9].contains(type(of: bytes))
    }

    private static let cleanRandomAccess: UInt8 = 21

    /// The type of the first unit of an HEVC picture that is a slice.
    private func type(of bytes: UnsafeRawBufferPointer) -> UInt8? {
        var found: UInt8?
        units.forEach(in: bytes) { unit in
            let type = unit[unit.startIndex] >> 1 & 0x3f
            if type < 32 { found = type }
            return type >= 32
        }
        return found
    }
}
