internal import MediaMetadata

/// What a stream of an Ogg file holds, as far as its comments can be read.
enum OggCodec: Hashable, CaseIterable {
    case vorbis
    case opus
    case flac
    case speex
    case theora
    case vp8

    /// The codec of a stream's first packet, `nil` if it is none of these.
    init?(firstPacket: [UInt8]) {
        guard let codec = Self.allCases.first(where: { firstPacket.starts(with: $0.firstSign) }) else { return nil }
        self = codec
    }

    private var firstSign: [UInt8] {
        switch self {
        case .vorbis: [1] + Array("vorbis".utf8)
        case .opus: Array("OpusHead".utf8)
        case .flac: [0x7F] + Array("FLAC".utf8)
        case .speex: Array("Speex   ".utf8)
        case .theora: [0x80] + Array("theora".utf8)
        case .vp8: Array("OVP80".utf8) + [1]
        }
    }

    /// What the packet of comments begins with; not known of FLAC's, which has blocks.
    var commentSign: [UInt8] {
        switch self {
        case .vorbis: [3] + Array("vorbis".utf8)
        case .opus: Array("OpusTags".utf8)
        case .flac, .speex: []
        case .theora: [0x81] + Array("theora".utf8)
        case .vp8: Array("OVP80".utf8) + [2, 0x20]
        }
    }

    /// The largest packet of comments, or block of metadata, that can be written.
    var packetLimit: Int {
        switch self {
        case .flac: FLACChain.maximumContent
        // FFmpeg keeps the lengths of Theora's headers in 16 bits, and plays nothing of files with longer ones.
        case .theora: 0xFFFF
        case .vorbis, .opus, .speex, .vp8: OggHeaders.contentLimit
        }
    }

    var isAudio: Bool { self != .theora && self != .vp8 }

    /// Whether a set bit must follow the comments.
    private var hasFramingBit: Bool { self == .vorbis }

    /// What follows the comments at the least, and whether padding may follow that.
    ///
    /// - Parameter tail: What follows them in the file.
    func ending(after tail: ArraySlice<UInt8>) -> (bytes: [UInt8], mayBePadded: Bool) {
        let framing: [UInt8] = hasFramingBit ? [1] : []
        let rest = tail.dropFirst(framing.count)
        // RFC 7845, section 5.2: data whose first bit is set is to be kept, all other is padding.
        let isPadding = self == .opus ? (rest.first ?? 0) & 1 == 0 : rest.allSatisfy { $0 == 0 }
        return isPadding ? (framing, true) : (framing + rest, false)
    }
}
