package import MediaCore

/// Tells from a coded sample's own bytes whether decoding can start there.
///
/// A container's keyframe flag is a claim: files without a sync-sample table
/// flag every sample, and H.264 files flag recovery points, which start a
/// decoder but do not promise a clean picture.
package struct EntryClassifier: Sendable {
    package enum Entry: Sendable, Equatable {
        /// Every picture shown from this one on decodes as in a linear pass.
        case clean
        /// An intra picture that does not reset the decoder: pictures shown from
        /// it on should be clean, which has to be proved.
        case recovery
        /// Pictures become whole in the course of the next ones (intra refresh).
        case gradual
        /// Decoding cannot start here.
        case none
    }

    private let codec: Codec
    private let units: NALUnits
    private let isIntraOnly: Bool

    /// Makes a classifier for one stream's packets.
    ///
    /// - Parameter isIntraOnly: Whether each picture is coded on its own.
    package init(codec: Codec, extradata: [UInt8], isIntraOnly: Bool = false) {
        self.codec = codec
        self.isIntraOnly = isIntraOnly
        units = NALUnits(codec: codec, extradata: extradata)
    }

    private static let codecs: Set<Codec> = [
        .h264, .hevc, .mpeg4, .mpeg1Video, .mpeg2Video, .vp8, .vp9, .av1, .theora, .h263, .h263Plus, .sorensonSpark,
        .msMPEG4v2, .msMPEG4v3, .wmv1, .wmv2, .sorensonVideo,
    ]

    /// Whether the pictures of a codec are looked into, rather than the container believed.
    package static func readsPictures(of codec: Codec) -> Bool {
        Self.codecs.contains(codec)
    }

    /// What a sample that the container flags as a keyframe really is.
    ///
    /// - Parameter bytes: The whole coded sample.
    package func classify(_ bytes: UnsafeRawBufferPointer) -> Entry {
        switch codec {
        case .h264: Self.h264 { units.forEach(in: bytes, $0) }.entry
        case .hevc: Self.hevc { units.forEach(in: bytes, $0) }
        case .mpeg4: mpeg4(bytes)
        case .mpeg1Video, .mpeg2Video: mpegVideo(bytes)
        case .vp8: bytes.first.map { $0 & 1 == 0 } ?? false ? .clean : .none
        case .vp9: vp9(bytes)
        case .av1: av1(bytes)
        case .h263, .h263Plus: h263(bytes)
        case .sorensonSpark: sorensonSpark(bytes)
        case .sorensonVideo: startsWithBits(bytes, skip: 30, count: 2)
        case .theora, .msMPEG4v2, .msMPEG4v3, .wmv1: startsWithBits(bytes, skip: 0, count: 2)
        case .wmv2: startsWithBits(bytes, skip: 0, count: 1)
        // The container's word, which has to be proved.
        default: isIntraOnly ? .clean : .recovery
        }
    }

    /// Whether a sample brings along what its stream's pictures are decoded by, as far as that lies among them.
    ///
    /// A decoder that begins elsewhere may know that of another part of the stream.
    package func holdsParameters(_ bytes: UnsafeRawBufferPointer) -> Bool {
        switch codec {
        case .h264: holdsUnit(bytes) { $0 & 0x1f == 7 }
        case .hevc: holdsUnit(bytes) { $0 >> 1 & 0x3f == 33 }
        case .mpeg1Video, .mpeg2Video: holdsUnit(bytes) { $0 == 0xb3 }
        case .mpeg4: holdsUnit(bytes) { $0 >> 4 == 2 }
        default: true
        }
    }

    private func holdsUnit(_ bytes: UnsafeRawBufferPointer, _ isWanted: (UInt8) -> Bool) -> Bool {
        var isThere = false
        units.forEach(in: bytes) { unit in
            isThere = isWanted(unit[unit.startIndex])
            return !isThere
        }
        return isThere
    }

    // MARK: H.264 and HEVC

    /// Hands out NAL units, their header first, until told to stop; the beginning of each is enough.
    typealias UnitWalk = ((Slice<UnsafeRawBufferPointer>) -> Bool) -> Void

    /// What a picture of H.264 is, by its units up to the first slice, which stands for the others.
    ///
    /// - Returns: Besides, after how many frames pictures are whole, `nil` where no message says that.
    static func h264(_ forEachUnit: UnitWalk) -> (entry: Entry, recoveryFrames: UInt32?) {
        var entry = Entry.none
        var frames: UInt32?
        forEachUnit { unit in
            switch unit[unit.startIndex] & 0x1f {
            case 5:
                entry = .clean
                return false
            case 6:
                frames = recoveryFrames(unit) ?? frames
                if frames != nil { entry = .gradual }
                return true
            case 1:
                if isIntraSlice(unit) { entry = .recovery }
                return false
            default: return true
            }
        }
        return (entry, frames)
    }

    /// What a picture of HEVC is; types 22 and 23 are reserved, and decoders pass over them.
    static func hevc(_ forEachUnit: UnitWalk) -> Entry {
        var entry = Entry.none
        forEachUnit { unit in
            let type = (unit[unit.startIndex] >> 1) & 0x3f
            if (16...21).contains(type) { entry = .clean }
            return type > 31
        }
        return entry
    }

    /// After how many frames pictures are whole, by the message for recovery points of an SEI unit.
    private static func recoveryFrames(_ unit: Slice<UnsafeRawBufferPointer>) -> UInt32? {
        for message in SEIMessages(unit.dropFirst()) where message.type == 6 {
            var bits = BitReader(bytes: UnsafeRawBufferPointer(rebasing: unit[message.payload.lowerBound...]))
            return bits.readExpGolomb() ?? .max
        }
        return nil
    }

    /// Whether a slice header says I or SI (ISO/IEC 14496-10, 7.3.3).
    private static func isIntraSlice(_ unit: Slice<UnsafeRawBufferPointer>) -> Bool {
        var bits = BitReader(bytes: UnsafeRawBufferPointer(rebasing: unit.dropFirst().prefix(16)))
        guard bits.readExpGolomb() != nil, let type = bits.readExpGolomb() else { return false }
        return type % 5 == 2 || type % 5 == 4
    }

    // MARK: Others

    private func mpeg4(_ bytes: UnsafeRawBufferPointer) -> Entry {
        // Packed streams hold places with pictures of a few bytes that are not coded at all.
        guard bytes.count > 20 else { return .none }
        var position = 0
        while let start = NALUnits.startCode(in: bytes, from: position) {
            guard start + 1 < bytes.count else { return .none }
            if bytes[start] == 0xb6 { return bytes[start + 1] >> 6 == 0 ? .clean : .none }
            position = start
        }
        return .none
    }

    private func mpegVideo(_ bytes: UnsafeRawBufferPointer) -> Entry {
        var position = 0
        while let start = NALUnits.startCode(in: bytes, from: position) {
            guard start + 2 < bytes.count else { return .none }
            if bytes[start] == 0 { return (bytes[start + 2] >> 3) & 7 == 1 ? .clean : .none }
            position = start
        }
        return .none
    }

    /// Whether the first frame header says keyframe (AV1 specification, 5.9).
    private func av1(_ bytes: UnsafeRawBufferPointer) -> Entry {
        var result = Entry.none
        AV1Units.forEach(in: bytes) { type, _, payload in
            guard type == 3 || type == 6 else { return true }
            if let first = payload.first, first & 0xe0 == 0 { result = .clean }
            return false
        }
        return result
    }

    /// Where zero at one place in a picture's header says that it is predicted from nothing.
    private func startsWithBits(_ bytes: UnsafeRawBufferPointer, skip: Int, count: Int) -> Entry {
        var bits = BitReader(bytes: bytes)
        return bits.read(skip) != nil && bits.read(count) == 0 ? .clean : .none
    }

    /// Whether the picture type says intra (ITU-T H.263, 5.1).
    private func h263(_ bytes: UnsafeRawBufferPointer) -> Entry {
        var bits = BitReader(bytes: bytes)
        // The start code, the temporal reference, and five bits of the type.
        guard bits.read(22) == 0x20, bits.read(13) != nil, let format = bits.read(3) else { return .none }
        guard format == 7 else { return bits.read(1) == 0 ? .clean : .none }
        // The extended type has its optional part first.
        guard let update = bits.read(3), update == 0 || bits.read(18) != nil else { return .none }
        return bits.read(3) == 0 ? .clean : .none
    }

    /// Whether the picture type says intra (Adobe Flash Video File Format Specification, annex A).
    private func sorensonSpark(_ bytes: UnsafeRawBufferPointer) -> Entry {
        var bits = BitReader(bytes: bytes)
        guard bits.read(17) == 1, bits.read(13) != nil, let size = bits.read(3) else { return .none }
        if size < 2, bits.read(size == 0 ? 16 : 32) == nil { return .none }
        return bits.read(2) == 0 ? .clean : .none
    }

    private func vp9(_ bytes: UnsafeRawBufferPointer) -> Entry {
        var bits = BitReader(bytes: bytes)
        guard bits.read(2) == 2, let low = bits.read(1), let high = bits.read(1) else { return .none }
        if low == 1, high == 1 { _ = bits.read(1) }
        return bits.read(1) == 0 && bits.read(1) == 0 ? .clean : .none
    }
}

/// What the headers of a coded picture of MPEG video tell.
package struct CodedPicture: Equatable {
    /// Whether it is predicted from a later picture too, and no other picture from it.
    package var isBidirectional: Bool

    /// MPEG-1 and MPEG-2 (ISO/IEC 13818-2, 6.2.3): the type of the first picture.
    package static func mpegVideo(_ bytes: UnsafeRawBufferPointer) -> CodedPicture? {
        var position = 0
        while let start = NALUnits.startCode(in: bytes, from: position) {
            guard start + 2 < bytes.count else { return nil }
            if bytes[start] == 0 {
                return CodedPicture(isBidirectional: (bytes[start + 2] >> 3) & 7 == 3)
            }
            position = start
        }
        return nil
    }
}
