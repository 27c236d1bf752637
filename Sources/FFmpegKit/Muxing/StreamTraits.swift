internal import CFFmpeg

/// What a stream says of itself besides its codec: what has to be carried over
/// when it is copied, and most of it when it is encoded anew.
package struct StreamTraits: Sendable, Equatable {
    /// Title, language, handler and the like, by FFmpeg's keys.
    package var metadata: [String: String] = [:]
    package var disposition: Disposition = []
    package var sideData: [SideData] = []
    package var averageFrameRate: Ratio?
    package var sampleAspectRatio: Ratio?
    /// The four-character code to write; `nil` leaves the choice to the muxer.
    package var codecTag: String?
    /// What decoders get first, in place of the stream's own, and as long as that; `nil` for the stream's own.
    package var configuration: [UInt8]?
    /// How the movie that the stream comes from describes its pictures, which Matroska wants of some codecs.
    package var imageDescription: [UInt8]?

    package init() {}

    package var language: String? {
        get { metadata["language"] }
        set { metadata["language"] = newValue }
    }

    /// Nine fixed-point values as in ISO/IEC 14496-12, `nil` for upright.
    package var displayMatrix: [Int32]? {
        get {
            sideData.first { $0.kind == .displayMatrix }.map { data in
                data.bytes.withUnsafeBytes { bytes in
                    (0..<9).compactMap { index in
                        index * 4 + 4 <= bytes.count
                            ? bytes.loadUnaligned(fromByteOffset: index * 4, as: Int32.self) : nil
                    }
                }
            }
        }
        set {
            sideData.removeAll { $0.kind == .displayMatrix }
            guard let newValue, newValue.count == 9 else { return }
            sideData.append(SideData(kind: .displayMatrix, bytes: newValue.withUnsafeBytes { Array($0) }))
        }
    }

    /// The profile of Dolby Vision, `nil` for other pictures.
    ///
    /// Profile 5 has no colours but its own; others can be seen without it.
    package var dolbyVisionProfile: Int? {
        sideData.first { $0.kind == .dolbyVision }.flatMap { $0.bytes.count > 2 ? Int($0.bytes[2]) : nil }
    }

    /// Whether pictures are one half of a stereo pair, or on a sphere.
    package var hasProjection: Bool { sideData.contains { [.spherical, .stereo3D].contains($0.kind) } }

    /// What is still true of a stream after its pictures or sound went through
    /// a decoder and an encoder.
    ///
    /// The display matrix stays; whoever turns the pictures has to remove it.
    package var forEncoding: StreamTraits {
        var traits = self
        traits.sideData.removeAll { !SideData.Kind.ofContent.contains($0.kind) }
        for key in Self.keysOfCoding { traits.metadata[key] = nil }
        traits.metadata = traits.metadata.filter { key, _ in !key.hasPrefix("_STATISTICS") && !key.hasPrefix("BPS") }
        traits.codecTag = nil
        return traits
    }

    private static let keysOfCoding = [
        "encoder", "vendor_id", "DURATION", "NUMBER_OF_FRAMES", "NUMBER_OF_BYTES", "alpha_mode",
    ]
}

/// What a stream is for.
package struct Disposition: OptionSet, Sendable, Hashable {
    package let rawValue: Int32
    package init(rawValue: Int32) { self.rawValue = rawValue }

    static let attachedPicture = Disposition(rawValue: AV_DISPOSITION_ATTACHED_PIC)
    package static let forced = Disposition(rawValue: AV_DISPOSITION_FORCED)
    package static let hearingImpaired = Disposition(rawValue: AV_DISPOSITION_HEARING_IMPAIRED)
    package static let visualImpaired = Disposition(rawValue: AV_DISPOSITION_VISUAL_IMPAIRED)
    package static let commentary = Disposition(rawValue: AV_DISPOSITION_COMMENT)
    package static let original = Disposition(rawValue: AV_DISPOSITION_ORIGINAL)
    package static let dub = Disposition(rawValue: AV_DISPOSITION_DUB)
    /// The one to play where nobody chooses; of movies, one that is enabled.
    package static let `default` = Disposition(rawValue: AV_DISPOSITION_DEFAULT)
    /// Text of what is spoken and heard.
    package static let captions = Disposition(rawValue: AV_DISPOSITION_CAPTIONS)
    /// Text that describes the pictures.
    package static let textDescriptions = Disposition(rawValue: AV_DISPOSITION_DESCRIPTIONS)
}

/// A piece of a stream's side data, in FFmpeg's own layout.
package struct SideData: Sendable, Equatable {
    package struct Kind: Sendable, Hashable {
        var rawValue: UInt32
        init(_ type: AVPacketSideDataType) { rawValue = type.rawValue }
        var type: AVPacketSideDataType { AVPacketSideDataType(rawValue: rawValue) }

        static let displayMatrix = Kind(AV_PKT_DATA_DISPLAYMATRIX)
        package static let stereo3D = Kind(AV_PKT_DATA_STEREO3D)
        package static let spherical = Kind(AV_PKT_DATA_SPHERICAL)
        package static let masteringDisplay = Kind(AV_PKT_DATA_MASTERING_DISPLAY_METADATA)
        package static let contentLight = Kind(AV_PKT_DATA_CONTENT_LIGHT_LEVEL)
        static let dolbyVision = Kind(AV_PKT_DATA_DOVI_CONF)

        /// What describes the content rather than how it is coded.
        static let ofContent: Set<Kind> = [.displayMatrix, .stereo3D, .spherical, .masteringDisplay, .contentLight]
    }

    package var kind: Kind
    var bytes: [UInt8]
}

extension Demuxer {
    /// What a stream is for.
    package func disposition(ofStream index: Int) -> Disposition {
        Disposition(rawValue: avStream(index)?.pointee.disposition ?? 0)
    }

    /// What a stream says of itself besides its codec.
    package func traits(ofStream index: Int) -> StreamTraits {
        var traits = StreamTraits()
        guard let stream = avStream(index) else { return traits }
        traits.metadata = Dictionary(cDictionary: stream.pointee.metadata)
        traits.disposition = disposition(ofStream: index)
        var count: Int32 = 0
        let list = oav_stream_side_data_list(stream, &count)
        traits.sideData = UnsafeBufferPointer(start: list, count: Int(max(0, count))).map {
            SideData(kind: .init($0.type), bytes: Array(UnsafeBufferPointer(start: $0.data, count: Int($0.size))))
        }
        traits.averageFrameRate = Ratio(positive: stream.pointee.avg_frame_rate)
        traits.sampleAspectRatio = Ratio(
            positive: stream.pointee.sample_aspect_ratio.num > 0
                ? stream.pointee.sample_aspect_ratio : stream.pointee.codecpar.pointee.sample_aspect_ratio)
        return traits
    }
}

extension StreamTraits {
    /// Makes a stream that is to be written say all this.
    func apply(to stream: UnsafeMutablePointer<AVStream>) throws(FFmpegError) {
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            av_dict_set(&stream.pointee.metadata, key, value, 0)
        }
        stream.pointee.disposition = disposition.rawValue
        for piece in sideData {
            guard let room = oav_stream_new_side_data(stream, piece.kind.type, piece.bytes.count) else {
                throw FFmpegError(kind: .limit, operation: .write, reason: "not enough memory")
            }
            piece.bytes.withUnsafeBytes { bytes in
                UnsafeMutableRawBufferPointer(start: room, count: bytes.count).copyMemory(from: bytes)
            }
        }
        if let configuration, let parameters = stream.pointee.codecpar,
            let target = parameters.pointee.extradata, Int(parameters.pointee.extradata_size) == configuration.count
        {
            for (index, byte) in configuration.enumerated() { target[index] = byte }
        }
        if let averageFrameRate { stream.pointee.avg_frame_rate = AVRational(averageFrameRate) }
        if let sampleAspectRatio {
            stream.pointee.sample_aspect_ratio = AVRational(sampleAspectRatio)
            stream.pointee.codecpar.pointee.sample_aspect_ratio = AVRational(sampleAspectRatio)
        }
    }
}

extension AVRational {
    init(_ ratio: Ratio) { self.init(num: ratio.numerator, den: ratio.denominator) }
    init(_ timeBase: TimeBase) { self.init(num: timeBase.numerator, den: timeBase.denominator) }
}

extension Dictionary where Key == String, Value == String {
    init(cDictionary: OpaquePointer?) {
        self.init()
        var entry: UnsafeMutablePointer<AVDictionaryEntry>?
        while true {
            entry = av_dict_get(cDictionary, "", entry, AV_DICT_IGNORE_SUFFIX)
            guard let entry, let key = entry.pointee.key, let value = entry.pointee.value else { return }
            self[String(cString: key)] = String(cString: value)
        }
    }

    /// Runs a call that takes options and leaves those it does not know; these are an error.
    func asOptions(
        for what: String, operation: FFmpegError.Operation, _ body: (inout OpaquePointer?) throws(FFmpegError) -> Void
    ) throws(FFmpegError) {
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        for (key, value) in self { av_dict_set(&options, key, value, 0) }
        try body(&options)
        guard let unknown = Dictionary(cDictionary: options).keys.min() else { return }
        throw FFmpegError(
            kind: .unsupported, operation: operation, reason: "\(what) has no option \(unknown)")
    }
}
