package import FFmpegKit
internal import MediaAsset
package import MediaCore
internal import Synchronization

/// What pictures become that clients bring one by one.
package struct PictureTarget: Sendable {
    /// How pictures of another shape come into the size.
    package enum Scaling: Sendable {
        /// All is seen, with black beside it.
        case fit
        /// All of the size is filled, and edges are lost.
        case fill
        /// Pictures are stretched.
        case stretch
    }

    /// The encoder, its options and what bounds the amount of data.
    package var encoding: VideoEncoding
    /// In pixels; even, where the encoder's chroma has half as many.
    var width: Int
    /// In pixels.
    var height: Int
    package var scaling = Scaling.fit
    /// What the file is to say of colours; `nil` for what the first picture says.
    package var color: ColorInfo?
    /// Width to height of a pixel of the new pictures.
    package var sampleAspect = Ratio(1, 1)
    /// Ticks in a second; `nil` for those in which the first two times are whole, at least 10,000.
    package var timescale: Int32?
    /// Pictures in a second, for the encoder's sake; `nil` for what the first two tell.
    package var frameRate: Double?
    /// The most pictures between two keyframes; `nil` for what the encoding says.
    package var keyframeInterval: Int?
    package var traits = StreamTraits()

    package init(encoding: VideoEncoding, width: Int, height: Int) {
        (self.encoding, self.width, self.height) = (encoding, width, height)
    }
}

/// Encodes the pictures of one track of an assembly, filtering and encoding on threads of their own.
///
/// One thread at a time may bring pictures.
package final class PictureAssembly {
    private let assembly: SampleAssembly
    private let track: Int
    private let target: PictureTarget
    /// Those that wait until the encoder is there.
    private var early: [(frame: Frame, time: CMTime)] = []
    private var filtering: BoundedChannel<EncodeStage.Item>?
    private var timeBase = TimeBase(numerator: 1, denominator: 1)
    private var last: Int64?
    private var lastByteCount = 0

    package init(_ assembly: SampleAssembly, track: Int, target: PictureTarget) {
        (self.assembly, self.track, self.target) = (assembly, track, target)
    }

    /// Whether a picture would be taken without waiting.
    package var hasRoom: Bool { filtering?.hasRoom(forBytes: lastByteCount) ?? true }

    /// Says that the track lasts until a time of the new file.
    package func note(end: CMTime) { assembly.note(end: end) }

    /// Brings a picture; blocks while there are too many.
    ///
    /// - Parameter time: From the new file's zero on, later than that of the picture before.
    package func append(_ frame: Frame, at time: CMTime) throws {
        try assembly.cancellation.check()
        guard filtering == nil else { return try send(frame, at: time) }
        early.append((frame, time))
        // The first two tell in which ticks times are whole, and how many pictures there are in a second.
        if early.count > 1 { try start() }
    }

    /// There are no more pictures.
    ///
    /// - Parameter end: When the last one ends; `nil` for after as long as the one before it.
    package func finish(at end: CMTime?) throws {
        if filtering == nil, !early.isEmpty { try start(end: end) }
        guard let filtering else { return try assembly.finish(track: track) }
        _ = try filtering.send(.end(end.map { timeBase.ticks(nearest: $0) }))
        filtering.finish()
    }

    private func send(_ frame: Frame, at time: CMTime) throws {
        let ticks = timeBase.ticks(nearest: time)
        if let last, ticks <= last {
            throw FFmpegError(
                kind: .other, operation: .write,
                reason:
                    "a picture at \(time.secondsText(decimals: 6)) s does not come after the one before it, in ticks "
                    + "of 1/\(timeBase.denominator) s")
        }
        last = ticks
        lastByteCount = frame.byteCount
        _ = try filtering?.send(.frame(frame, ticks), bytes: lastByteCount)
    }

    private func start(end: CMTime? = nil) throws {
        guard let first = early.first else { return }
        let times = early.map(\.time) + (end.map { [$0] } ?? [])
        timeBase = TimeBase(numerator: 1, denominator: target.timescale ?? Self.ticks(for: times))
        let settings = try PictureEncoderSettings(
            target, first.frame, timeBase: timeBase, frameRate: frameRate, usesGlobalHeader: assembly.wantsGlobalHeader)
        let encoder = try Encoder.open(settings.encoder)
        try assembly.declare(CodedStream(from: encoder, traits: settings.traits), track: track)
        let cancellation = assembly.cancellation
        // Clients that skip what is not taken at once bring a second of frames before the encoder runs.
        let raw: BoundedChannel<EncodeStage.Item> = cancellation.channel(
            capacity: Self.longestWait, byteCapacity: Self.largestWait)
        let filtered: BoundedChannel<EncodeStage.Item> = cancellation.channel(capacity: 3, byteCapacity: 64 << 20)
        let filters = settings.filters
        assembly.encoding.start(
            "filter",
            FilterStage(filters, frameRate: nil, timeBase: timeBase, input: raw, output: filtered))
        assembly.encoding.start(
            "encode",
            AssemblyStage(
                EncodeStage(
                    encoder, track: track, input: filtered, target: .file(assembly.encodingPort),
                    count: assembly.encodedFrames, effects: TrackEffects()), assembly, track))
        filtering = raw
        for picture in early { try send(picture.frame, at: picture.time) }
        early.removeAll()
    }

    private var frameRate: Ratio {
        if let rate = target.frameRate { return Ratio(Int32((min(max(rate, 0.01), 1000) * 1000).rounded()), 1000) }
        guard early.count > 1 else { return Ratio(30, 1) }
        let step = early[1].time - early[0].time
        guard step.isNumeric, step.value > 0, let value = Int32(exactly: step.value), step.seconds >= 0.004 else {
            return Ratio(30, 1)
        }
        return Ratio(step.timescale, value)
    }

    /// Frames that wait for the encoder, and their bytes.
    private static let longestWait = 256
    private static let largestWait = 128 << 20

    /// Ticks in which the first times are whole, fine enough for others.
    private static func ticks(for times: [CMTime]) -> Int32 {
        var common: UInt64 = 1
        for time in times {
            let both = leastCommonMultiple(common, UInt64(max(1, time.timescale)))
            if both <= 10_000_000 { common = both }
        }
        while common < 10_000 { common *= 2 }
        return Int32(common)
    }
}

/// Encodes, and says afterwards that the track is finished.
private final class AssemblyStage: Stage {
    private let encoding: EncodeStage
    private let assembly: SampleAssembly
    private let track: Int

    init(_ encoding: EncodeStage, _ assembly: SampleAssembly, _ track: Int) {
        (self.encoding, self.assembly, self.track) = (encoding, assembly, track)
    }

    func run() throws -> EncodeStage.Outcome {
        let outcome = try encoding.run()
        try assembly.finish(track: track)
        return outcome
    }
}

/// How the pictures of an assembly are filtered and encoded, as far as the first one tells.
struct PictureEncoderSettings {
    let encoder: EncoderSettings
    let traits: StreamTraits
    let filters: FilterChoice

    init(
        _ target: PictureTarget, _ first: Frame, timeBase: TimeBase, frameRate: Ratio, usesGlobalHeader: Bool
    ) throws {
        let encoding = target.encoding
        guard EncoderTraits.known[encoding.encoder] != nil,
            let capabilities = EncoderCapabilities(ofEncoder: encoding.encoder)
        else { throw AVError(.encoderNotFound, reason: EncoderTraits.lacks("encoder", encoding.encoder)) }
        let (pixelFormat, pixels) = try Self.pixelFormat(for: first, encoding, capabilities)
        let chroma = (1 << pixels.chromaShift.horizontal, 1 << pixels.chromaShift.vertical)
        guard target.width % chroma.0 == 0, target.height % chroma.1 == 0 else {
            throw AVError(
                .incorrectlyConfigured,
                reason: "pictures of \(target.width)x\(target.height) cannot be encoded as \(pixelFormat): sides are "
                    + "multiples of \(chroma.0) and \(chroma.1)")
        }
        var video = VideoSettings(
            width: target.width, height: target.height, pixelFormat: pixelFormat, timeBase: timeBase)
        video.frameRate = frameRate.value <= 240 ? frameRate : Ratio(240, 1)
        video.sampleAspectRatio = target.sampleAspect
        if !pixels.isRGB { video.color = Self.color(target.color, first) }
        video.keyframeInterval =
            target.keyframeInterval ?? encoding.keyframeSeconds.map { max(1, Int(($0 * frameRate.value).rounded())) }
        if video.color.isHDR { video.hdr = first.hdr }
        var settings = EncoderSettings(name: encoding.encoder, media: .video(video))
        settings.usesGlobalHeader = usesGlobalHeader
        settings.options = encoding.options
        if !encoding.parameters.isEmpty, let option = EncoderParameters.option(ofEncoder: encoding.encoder) {
            settings.options[option] = encoding.parameters.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
                .joined(separator: ":")
        }
        settings.apply(encoding.rateControl)
        encoder = settings
        var traits = target.traits
        traits.averageFrameRate = frameRate
        traits.sampleAspectRatio = target.sampleAspect
        if encoding.encoder == "prores_ks" { traits.codecTag = Self.proResTags[encoding.options["profile"] ?? ""] }
        self.traits = traits
        filters = Self.filters(target, pixelFormat, pixels, video.color)
    }

    private static let proResTags = [
        "proxy": "apco", "lt": "apcs", "standard": "apcn", "hq": "apch", "4444": "ap4h", "4444xq": "ap4x",
    ]

    /// The first of the encoding's layouts that loses nothing of the picture; else the last one.
    private static func pixelFormat(
        for frame: Frame, _ encoding: VideoEncoding, _ capabilities: EncoderCapabilities
    ) throws -> (String, PixelLayout) {
        let usable = encoding.pixelFormats.filter {
            capabilities.pixelFormats.isEmpty || capabilities.pixelFormats.contains($0)
        }
        let facts = PixelFormatFacts(named: frame.pixelFormat)
        let fitting = usable.first { name in
            guard let layout = PixelLayout.known[name] else { return false }
            return layout.depth >= min(10, facts?.depth ?? 8)
        }
        guard let name = fitting ?? usable.last, let layout = PixelLayout.known[name] else {
            throw AVError(
                .encoderNotFound,
                reason: "\(encoding.encoder) of this FFmpeg takes none of "
                    + encoding.pixelFormats.joined(separator: ", "))
        }
        return (name, layout)
    }

    /// What the file says of colours.
    private static func color(_ stated: ColorInfo?, _ frame: Frame) -> ColorInfo {
        var color = stated ?? frame.color
        let isRGB = PixelFormatFacts(named: frame.pixelFormat)?.isRGB == true
        if stated == nil, isRGB || color.yCbCrMatrix == .identity {
            color.yCbCrMatrix = .bt709
            color.primaries = color.primaries ?? .bt709
            color.transferFunction = color.transferFunction ?? .bt709
            color.chromaLocation = nil
        }
        color.range = .video
        return color
    }

    private static func filters(
        _ target: PictureTarget, _ pixelFormat: String, _ pixels: PixelLayout, _ color: ColorInfo
    ) -> FilterChoice {
        let aspect = target.sampleAspect
        return { format throws(FFmpegError) in
            guard case .video(let frame) = format else { return "null" }
            let isSame = frame.width == target.width && frame.height == target.height
            let size = FrameSizing(
                width: target.width, height: target.height,
                sampleAspect: (Int(aspect.numerator), Int(aspect.denominator)), isScaled: !isSame)
            var filters = VideoFilters(
                width: frame.width, height: frame.height, size: size, pixelFormat: pixelFormat, pixels: pixels)
            filters.matrix = color.scalerMatrix(lines: target.height)
            filters.convertsMatrix = true
            filters.keepsAlpha = pixels.hasAlpha
            if !isSame {
                switch target.scaling {
                case .stretch: break
                case .fit: filters.joinedAspect = frame.sampleAspectRatio ?? Ratio(1, 1)
                case .fill: filters.crop = filledPart(of: frame, target)
                }
            }
            filters.lastFilter = "setsar=\(aspect.numerator)/\(aspect.denominator)"
            return try filters.description(for: format)
        }
    }

    /// The middle of a picture, in the shape of the new ones.
    private static func filledPart(of frame: FrameFormat.VideoFormat, _ target: PictureTarget) -> PixelRect {
        let pixel = (frame.sampleAspectRatio?.value ?? 1) / target.sampleAspect.value
        let shape = Double(target.width) / Double(target.height) / pixel
        let width = min(frame.width, max(2, Int((Double(frame.height) * shape / 2).rounded()) * 2))
        let height = min(frame.height, max(2, Int((Double(frame.width) / shape / 2).rounded()) * 2))
        return PixelRect(
            x: (frame.width - width) / 4 * 2, y: (frame.height - height) / 4 * 2, width: width, height: height)
    }
}
