package import FFmpegKit
internal import MediaAsset
internal import MediaCore

/// How the pictures of an assembly are filtered and encoded, as far as the first one tells.
package struct PictureEncoderSettings {
    package let encoder: EncoderSettings
    package let traits: StreamTraits
    package let filters: @Sendable (FrameFormat) -> String

    package init(
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
    ) -> @Sendable (FrameFormat) -> String {
        let aspect = target.sampleAspect
        return { format in
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
            return filters.text(for: format) + ",setsar=\(aspect.numerator)/\(aspect.denominator)"
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
