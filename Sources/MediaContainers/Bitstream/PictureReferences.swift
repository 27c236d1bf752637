package import MediaCore

/// Follows which earlier pictures each picture of a stream refers to, from
/// headers alone.
///
/// Each entry point that resets the decoder starts it anew.
package protocol PictureReferences: Sendable {
    /// Takes the next sample in decoding order.
    ///
    /// - Returns: `nil` if its references cannot be told; then those of no
    ///   later picture can be, up to the next such entry point.
    mutating func add(_ bytes: UnsafeRawBufferPointer, number: Int64) -> ReferringPicture?

    /// A sample's headers and next to nothing of its data, for
    /// a decoder that has to know of a picture that nobody needs; `nil` where
    /// the decoder need not know.
    func hollow(_ bytes: UnsafeRawBufferPointer, _ picture: ReferringPicture) -> [UInt8]?

    /// Whether headers show that pictures before the sample taken last are missing.
    var lacksPictures: Bool { get }
}

extension PictureReferences {
    var lacksPictures: Bool { false }
}

/// One picture's place in the web of references.
package struct ReferringPicture: Sendable {
    /// Whether later pictures may refer to it.
    package let isReference: Bool
    /// The numbers of the samples whose pictures it may be predicted from.
    package let refersTo: Set<Int64>
    /// The bits of each slice's header after the unit's first byte, and how its data are coded.
    var slices: [(headerBits: Int, usesCABAC: Bool)] = []
}

/// Readers of references by codec.
package enum PictureReferencesReader {
    /// - Returns: `nil` for codecs whose references are not followed.
    package static func make(codec: Codec, extradata: [UInt8]) -> (any PictureReferences)? {
        switch codec {
        case .h264: H264References(extradata: extradata)
        case .hevc: HEVCReferences(extradata: extradata)
        case .av1: AV1References(extradata: extradata)
        default: nil
        }
    }
}

/// Tells which coded pictures no other picture is predicted from.
///
/// Where that cannot be told, a picture counts as one that others need.
package struct DisposablePictures: Sendable {
    private let codec: Codec
    private let units: NALUnits
    private let isIntraOnly: Bool
    /// The highest temporal layer of HEVC, whose pictures alone have none above them that may refer to them.
    private let highestLayer: Int?

    package init(codec: Codec, extradata: [UInt8], isIntraOnly: Bool) {
        (self.codec, self.isIntraOnly) = (codec, isIntraOnly)
        units = NALUnits(codec: codec, extradata: extradata)
        // numTemporalLayers of the configuration record (ISO/IEC 14496-15, 8.3.3.1); zero for not known.
        let layers = codec == .hevc && units.lengthSize != nil ? Int(extradata[21] >> 3 & 7) : 0
        highestLayer = layers > 0 ? layers - 1 : nil
    }

    package func contains(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if isIntraOnly { return true }
        switch codec {
        case .h264: return isDisposable(h264: bytes)
        case .hevc: return isDisposable(hevc: bytes)
        case .mpeg1Video, .mpeg2Video: return CodedPicture.mpegVideo(bytes)?.isBidirectional ?? false
        default: return false
        }
    }

    /// A reference count of zero says so in each slice (ISO/IEC 14496-10, 7.4.1).
    private func isDisposable(h264 bytes: UnsafeRawBufferPointer) -> Bool {
        var result = false
        units.forEach(in: bytes) { unit in
            let header = unit[unit.startIndex]
            guard (1...5).contains(header & 0x1f) else { return true }
            result = header & 0x60 == 0
            return result
        }
        return result
    }

    /// Even types below 16 are not referred to from their own layer (ITU-T H.265, 7.4.2.2).
    private func isDisposable(hevc bytes: UnsafeRawBufferPointer) -> Bool {
        guard let highestLayer else { return false }
        var result = false
        units.forEach(in: bytes) { unit in
            let type = unit[unit.startIndex] >> 1 & 0x3f
            guard type < 32, unit.count > 1 else { return true }
            let layer = Int(unit[unit.startIndex + 1] & 7) - 1
            result = type < 16 && type % 2 == 0 && layer >= highestLayer
            return false
        }
        return result
    }
}

/// Reads the headers of pictures of MPEG-4 part 2 (ISO/IEC 14496-2, 6.2.3 and 6.2.5).
package struct MPEG4PictureReader {
    /// The bits of a picture's time within its second, from the layer's header.
    private var timeBits: Int?
    /// Pictures that came in the packet of an earlier one.
    ///
    /// Some files for AVI put two pictures into a packet, and after a row of such
    /// a packet without any: each packet then has the decoder take the next picture.
    private var packed: [CodedPicture] = []
    /// Bytes of a packet that decoders take a picture of an earlier one for.
    private static let longestPlaceholder = 19

    /// - Parameter extradata: The stream's headers, where the container has them.
    package init(extradata: [UInt8] = []) {
        _ = extradata.withUnsafeBytes { pictures(in: $0) }
    }

    /// The picture that is decoded when the decoder gets the next packet, `nil` if there is none.
    package mutating func next(_ bytes: UnsafeRawBufferPointer) -> CodedPicture? {
        // What stands in for a picture that came before may say of itself that it is coded.
        if packed.isEmpty || bytes.count > Self.longestPlaceholder { packed += pictures(in: bytes) }
        guard !packed.isEmpty else { return nil }
        return packed.removeFirst()
    }

    /// Forgets what came before a jump.
    package mutating func restart() { packed = [] }

    /// The coded pictures of a packet; there are places for pictures that are not coded, too.
    private mutating func pictures(in bytes: UnsafeRawBufferPointer) -> [CodedPicture] {
        var pictures: [CodedPicture] = []
        var position = 0
        while pictures.count < 8, let start = NALUnits.startCode(in: bytes, from: position) {
            guard start + 1 < bytes.count else { break }
            let unit = UnsafeRawBufferPointer(rebasing: bytes[(start + 1)...])
            switch bytes[start] {
            case 0x20...0x2f: timeBits = Self.timeBits(ofLayer: unit) ?? timeBits
            case 0xb6 where isCoded(unit) ?? true: pictures.append(CodedPicture(isBidirectional: unit[0] >> 6 == 2))
            default: break
            }
            position = start
        }
        return pictures
    }

    private func isCoded(_ picture: UnsafeRawBufferPointer) -> Bool? {
        guard let timeBits else { return nil }
        var bits = BitReader(bytes: picture)
        guard bits.read(2) != nil else { return nil }
        while let isSecond = bits.readFlag(), isSecond {}
        guard bits.read(1) != nil, bits.read(timeBits) != nil, bits.read(1) != nil else { return nil }
        return bits.readFlag()
    }

    private static func timeBits(ofLayer layer: UnsafeRawBufferPointer) -> Int? {
        var bits = BitReader(bytes: layer)
        guard bits.read(9) != nil, let hasIdentifier = bits.readFlag() else { return nil }
        if hasIdentifier, bits.read(7) == nil { return nil }
        guard let aspect = bits.read(4) else { return nil }
        if aspect == 15, bits.read(16) == nil { return nil }
        guard let hasControl = bits.readFlag() else { return nil }
        if hasControl {
            guard bits.read(3) != nil, let hasBuffer = bits.readFlag() else { return nil }
            if hasBuffer, bits.read(32) == nil || bits.read(32) == nil || bits.read(15) == nil { return nil }
        }
        guard bits.read(2) != nil, bits.read(1) != nil, let resolution = bits.read(16), resolution > 0 else {
            return nil
        }
        return max(1, 16 - UInt16(truncatingIfNeeded: resolution - 1).leadingZeroBitCount)
    }
}
