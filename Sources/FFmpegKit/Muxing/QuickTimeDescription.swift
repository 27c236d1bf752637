internal import CFFmpeg
internal import MediaCore

/// QuickTime's description of a track's pictures, which is what Matroska files hold of codecs that have no name of
/// their own there.
///
/// FFmpeg's muxer writes one that is empty but for the codec. Decoders of such codecs know by its depth alone whether
/// there is alpha, or a palette, and by its table the colours of that.
///
/// Source: QuickTime File Format, video sample description; Matroska codec specifications, `V_QUICKTIME`.
struct QuickTimeDescription {
    private static let byteCount = 86
    private static let depthOffset = 82
    private static let colorTableOffset = 84

    /// All of it, with its length first.
    let bytes: [UInt8]

    /// - Parameters:
    ///   - parameters: The stream's, with the tag that it is to have.
    ///   - original: The description in the movie that the stream comes from, `nil` for another source.
    /// - Returns: `nil` for codecs that Matroska has a name for, and for what has such a description already.
    init?(_ parameters: AVCodecParameters, original: [UInt8]?) {
        guard Self.codecs.contains(Codec(parameters).rawValue), let tag = Self.tag(of: parameters) else {
            return nil
        }
        let own = parameters.extradata.map {
            Array(UnsafeBufferPointer(start: $0, count: Int(max(0, parameters.extradata_size))))
        }
        if let own, own.count >= Self.byteCount, own[4..<8].elementsEqual(tag) { return nil }
        var fields = Self.fields(of: parameters, tag)
        if let original, original.count >= Self.byteCount, original[4..<8].elementsEqual(tag) {
            fields.replaceSubrange(Self.depthOffset..<Self.colorTableOffset, with: original[82..<84])
            fields.replaceSubrange(Self.colorTableOffset..., with: Self.colors(in: original))
        }
        fields += own ?? []
        guard let count = UInt32(exactly: fields.count) else { return nil }
        fields.replaceSubrange(0..<4, with: Self.number(count))
        bytes = fields
    }

    /// What FFmpeg's muxer puts under QuickTime's name, but for what its decoders look for settings at fixed places.
    private static let codecs: Set<String> = [
        "8bps", "aic", "cinepak", "dnxhd", "dxv", "exr", "hap", "mjpegb", "pixlet", "qdraw", "qtrle", "sgi", "sgirle",
        "sheervideo", "smc", "svq1", "targa_y216", "tiff",
    ]

    private static func tag(of parameters: AVCodecParameters) -> [UInt8]? {
        var lists: [OpaquePointer?] = [avformat_get_mov_video_tags(), nil]
        var tag = parameters.codec_tag
        if av_codec_get_id(&lists, tag) != parameters.codec_id {
            guard av_codec_get_tag2(&lists, parameters.codec_id, &tag) != 0 else { return nil }
        }
        return withUnsafeBytes(of: tag.littleEndian) { Array($0) }
    }

    private static func fields(of parameters: AVCodecParameters, _ tag: [UInt8]) -> [UInt8] {
        let isDepthKnown = (1...40).contains(parameters.bits_per_coded_sample)
        let resolution = number(UInt32(72 << 16))
        return number(UInt32(byteCount)) + tag
            // Six bytes that mean nothing, then the first of the data references.
            + [0, 0, 0, 0, 0, 0, 0, 1]
            // Version, revision, vendor and two qualities.
            + [UInt8](repeating: 0, count: 16)
            + number(UInt16(clamping: parameters.width)) + number(UInt16(clamping: parameters.height))
            + resolution + resolution + [0, 0, 0, 0]
            // One picture in each sample; a compressor without a name.
            + number(UInt16(1)) + [UInt8](repeating: 0, count: 32)
            + number(UInt16(isDepthKnown ? parameters.bits_per_coded_sample : 24)) + noTable
    }

    /// Colours of the system, or none.
    private static let noTable: [UInt8] = [0xff, 0xff]

    /// The number of the table of colours, and the table where it is the movie's own.
    private static func colors(in original: [UInt8]) -> [UInt8] {
        // The bit beside the depth stands for shades of grey.
        let hasPalette = [1, 2, 4, 8].contains(original[depthOffset + 1])
        let table = original[byteCount...]
        guard original[colorTableOffset..<byteCount].elementsEqual([0, 0]), hasPalette else {
            return hasPalette ? Array(original[colorTableOffset..<byteCount]) : noTable
        }
        guard table.count >= 8 else { return noTable }
        let last = Int(table[byteCount + 6]) << 8 | Int(table[byteCount + 7])
        let length = 8 + 8 * (last + 1)
        guard last < 256, table.count >= length else { return noTable }
        return [0, 0] + table.prefix(length)
    }

    private static func number(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
}

extension QuickTimeDescription {
    /// Has a stream that is to be written begin with this.
    func apply(to parameters: UnsafeMutablePointer<AVCodecParameters>) throws(FFmpegError) {
        guard let room = av_mallocz(bytes.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else {
            throw FFmpegError(kind: .limit, operation: .write, reason: "not enough memory")
        }
        UnsafeMutableRawBufferPointer(start: room, count: bytes.count).copyBytes(from: bytes)
        av_freep(&parameters.pointee.extradata)
        parameters.pointee.extradata = room.assumingMemoryBound(to: UInt8.self)
        parameters.pointee.extradata_size = Int32(clamping: bytes.count)
    }
}
