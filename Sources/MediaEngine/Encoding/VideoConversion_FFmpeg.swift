package import FFmpegKit
internal import Foundation
internal import MediaAsset
package import MediaCore

/// What becomes of one track with pictures.
package struct VideoConversion {
    private let preset: VideoEncoding
    private let source: VideoSource
    private let encoder: EncoderTraits
    private let format: ContainerFormat
    private let pixelFormat: String
    private let pixels: PixelLayout
    private let timing: FrameTiming
    private let size: FrameSizing
    let isToneMapped: Bool
    /// How pixels are turned; upright where the file says that pictures are shown turned.
    private let turn: PictureTurn
    /// Whether the file says that pictures are shown turned.
    private let keepsMatrix: Bool
    /// Whether these pictures become layers of others.
    private let isLayer: Bool

    /// - Parameter turnsPixels: Whether pictures are turned themselves, although the file could say that they are.
    package init(
        _ preset: VideoEncoding, _ source: VideoSource, _ format: ContainerFormat,
        turnsPixels: Bool = false
    ) throws(AVError) {
        guard let encoder = EncoderTraits.known[preset.encoder],
            let capabilities = EncoderCapabilities(ofEncoder: preset.encoder)
        else { throw AVError(.encoderNotFound, reason: EncoderTraits.lacks("encoder", preset.encoder)) }
        let source = try source.cropped(to: preset.crop)
        (self.preset, self.source, self.encoder, self.format) = (preset, source, encoder, format)
        let choice = try Self.pixelFormat(for: source, of: preset, capabilities)
        (pixelFormat, pixels) = choice
        isToneMapped = source.isHDR && (preset.dynamicRange == .standard || pixels.depth < 10)
        if isToneMapped, let missing = ToneMapping.filterNames.first(where: { !FilterGraph.hasFilter($0) }) {
            throw AVError(
                .operationNotSupportedForAsset,
                reason: "the pictures are HDR, and " + EncoderTraits.lacks("filter", missing))
        }
        keepsMatrix = preset.rotation == 0 && format.container.holdsDisplayMatrix && !turnsPixels
        isLayer = false
        turn = keepsMatrix ? PictureTurn() : source.turn.rotated(byDegrees: preset.rotation)
        timing = source.timing.limited(to: preset.maximumFrameRate)
        size = Self.size(for: source, of: preset, encoder, pixels, turn)
        guard size.width >= encoder.minimumSize.width, size.height >= encoder.minimumSize.height else {
            throw AVError(
                .operationNotSupportedForAsset,
                reason: "pictures of \(size.width)x\(size.height) are too small for \(preset.encoder), which takes "
                    + "\(encoder.minimumSize.width)x\(encoder.minimumSize.height) and more")
        }
    }

    /// The conversion of other pictures, which become part of the same film.
    init(_ source: VideoSource, joining model: VideoConversion) throws(AVError) {
        let source = try source.cropped(to: model.preset.crop)
        (self.source, preset, encoder, format) = (source, model.preset, model.encoder, model.format)
        (pixelFormat, pixels, keepsMatrix, timing) = (model.pixelFormat, model.pixels, model.keepsMatrix, model.timing)
        isToneMapped = source.isHDR && !model.isHDR
        turn = keepsMatrix ? PictureTurn() : source.turn.rotated(byDegrees: preset.rotation)
        size = turn.swapsAxes == model.turn.swapsAxes ? model.size : model.size.turned
        isLayer = false
    }

    /// The conversion of pictures that become layers of composed ones: red, green, blue and alpha of 16 bits.
    ///
    /// - Parameters:
    ///   - size: That of the layer, before pictures are turned.
    ///   - turn: How pixels are turned.
    init(_ source: VideoSource, layerOf model: VideoConversion, size: FrameSizing, turn: PictureTurn) {
        (self.source, self.size, self.turn) = (source, size, turn)
        (preset, encoder, format, timing) = (model.preset, model.encoder, model.format, model.timing)
        pixelFormat = "rgba64le"
        pixels = PixelLayout(depth: 16, chromaShift: (0, 0), isRGB: true, hasAlpha: true)
        isToneMapped = source.isHDR && !model.isHDR
        (keepsMatrix, isLayer) = (false, true)
    }

    /// Whether what comes out is HDR.
    private var isHDR: Bool { source.isHDR && !isToneMapped }

    // MARK: Choices

    /// The layout of samples that loses least, of those equal the leanest.
    private static func pixelFormat(
        for source: VideoSource, of preset: VideoEncoding, _ capabilities: EncoderCapabilities
    ) throws(AVError) -> (String, PixelLayout) {
        let becomesSDR = source.isHDR && preset.dynamicRange == .standard
        let wanted = Wanted(source, depth: becomesSDR ? 8 : nil, keepsAlpha: preset.keepsAlpha)
        let usable = preset.pixelFormats.enumerated().compactMap { index, name -> (String, PixelLayout, [Int])? in
            guard capabilities.pixelFormats.isEmpty || capabilities.pixelFormats.contains(name),
                let layout = PixelLayout.known[name]
            else { return nil }
            return (name, layout, wanted.cost(of: layout) + [index])
        }
        guard let best = usable.min(by: { $0.2.lexicographicallyPrecedes($1.2) }) else {
            throw AVError(
                .encoderNotFound,
                reason: "\(preset.encoder) of this FFmpeg takes none of \(preset.pixelFormats.joined(separator: ", "))")
        }
        return (best.0, best.1)
    }

    /// What a layout of samples would have to hold so that nothing is lost.
    private struct Wanted {
        var depth: Int
        var hasAlpha: Bool
        var chromaShift: (horizontal: Int, vertical: Int)

        init(_ source: VideoSource, depth: Int?, keepsAlpha: Bool) {
            self.depth = depth ?? source.pixels?.depth ?? 8
            hasAlpha = keepsAlpha && source.hasAlpha
            let isGrey = source.pixels?.isGrey == true
            chromaShift =
                isGrey
                ? (1, 1)
                : (
                    source.pixels?.chromaShiftHorizontal ?? 1, source.pixels?.chromaShiftVertical ?? 1
                )
        }

        /// What is lost counts before what is added.
        func cost(of layout: PixelLayout) -> [Int] {
            let chromaLoss =
                max(0, layout.chromaShift.horizontal - chromaShift.horizontal)
                + max(0, layout.chromaShift.vertical - chromaShift.vertical)
            let chromaExcess =
                max(0, chromaShift.horizontal - layout.chromaShift.horizontal)
                + max(0, chromaShift.vertical - layout.chromaShift.vertical)
            return [
                layout.hasAlpha == hasAlpha ? 0 : 1, max(0, depth - layout.depth), chromaLoss,
                max(0, layout.depth - depth), chromaExcess,
            ]
        }
    }

    private static func size(
        for source: VideoSource, of preset: VideoEncoding, _ encoder: EncoderTraits, _ pixels: PixelLayout,
        _ turn: PictureTurn
    ) -> FrameSizing {
        let chroma = (horizontal: 1 << pixels.chromaShift.horizontal, vertical: 1 << pixels.chromaShift.vertical)
        var limits = FrameSizing.Limits(multiple: encoder.allowsOddSizes ? (1, 1) : chroma)
        limits.needsSquarePixels = encoder.codec == .gif
        limits.box = preset.maximumSize.map { turn.swapsAxes ? ($0.height, $0.width) : ($0.width, $0.height) }
        func fitted() -> FrameSizing {
            FrameSizing.fitting(
                width: source.aperture.width, height: source.aperture.height,
                sampleAspect: (Int(source.sampleAspect.numerator), Int(source.sampleAspect.denominator)), within: limits
            )
        }
        let size = fitted()
        guard size.isScaled, encoder.allowsOddSizes else { return size }
        limits.multiple = chroma
        return fitted()
    }

    // MARK: The result

    package func resolved(_ traits: StreamTraits) throws(AVError) -> TrackConversion {
        guard traits.dolbyVisionProfile != 5 else {
            throw AVError(
                .operationNotSupportedForAsset,
                reason: "the pictures are Dolby Vision of profile 5, whose colours FFmpeg cannot make out")
        }
        var passes = 1
        if case .bitRate(_, let count) = preset.rateControl { passes = count }
        let filters = filters
        var encoding = TrackEncoding(encoder: settings, rateLimit: timing.limit) { format throws(FFmpegError) in
            try filters.description(for: format)
        }
        // Whether a picture is combed is told from those before it.
        if filters.deinterlacing != nil { encoding.context = CMTime(value: 1, timescale: 1) }
        if filters.usesPalette {
            encoding.paletteFilters = { format throws(FFmpegError) in try filters.paletteDescription(for: format) }
            passes = 2
        }
        return TrackConversion(
            encoding: encoding, traits: newTraits(traits), summary: .video(summary(passes: passes)), passes: passes,
            reductions: reductions)
    }

    private var keepsFields: Bool { source.isInterlaced && !becomesProgressive }
    /// Lines that become columns are no fields any more.
    private var becomesProgressive: Bool { preset.deinterlaces || turn.swapsAxes || isLayer }

    private var filters: VideoFilters {
        var filters = VideoFilters(
            width: source.width, height: source.height, size: size, pixelFormat: pixelFormat, pixels: pixels)
        if source.isCropped { filters.crop = source.aperture }
        filters.turn = turn
        if source.isInterlaced, becomesProgressive, !source.codec.has(.codesFieldsApart) {
            let saysItself = source.codec.has(.saysFields)
            filters.deinterlacing = saysItself ? .flagged : .all(topFieldFirst: source.isTopFieldFirst)
        }
        filters.keepsFields = keepsFields
        if isToneMapped { filters.toneMapping = ToneMapping(of: source) }
        filters.matrix = outputColor.scalerMatrix(lines: size.height)
        filters.convertsMatrix = becomesBT709
        filters.keepsAlpha = pixels.hasAlpha
        filters.usesPalette = pixelFormat == "pal8"
        return filters
    }

    /// The filters for pictures that become a layer's, which is made for those of a source.
    func filters(layeredLike first: VideoSource) -> VideoFilters {
        var filters = filters
        filters.joinedAspect = source.hasShape(of: first) ? nil : source.sampleAspect
        filters.keepsFields = false
        return filters
    }

    /// The filters for pictures that join those of another conversion.
    func filters(joining model: VideoConversion) -> VideoFilters {
        var filters = filters
        filters.matrix = model.filters.matrix
        filters.joinedAspect = source.hasShape(of: model.source) ? nil : source.sampleAspect
        filters.convertsMatrix = !isToneMapped
        filters.keepsFields = false
        return filters
    }

    /// Whether samples get the matrix of BT.709 since the codec's header has no code for theirs.
    private var becomesBT709: Bool {
        guard encoder.codec == .dnxhd, !pixels.isRGB, !source.isHDR else { return false }
        return ![.bt709, .bt2020, .bt2020ConstantLuminance].contains(source.color.yCbCrMatrix)
    }

    /// The tags of the new pictures.
    private var outputColor: ColorInfo {
        var color = source.color
        if isToneMapped {
            (color.primaries, color.transferFunction, color.yCbCrMatrix) = (.bt709, .bt709, .bt709)
            color.chromaLocation = nil
        } else if source.isHDR {
            color.primaries = color.primaries ?? .bt2020
            color.yCbCrMatrix = color.yCbCrMatrix ?? .bt2020
        } else if source.pixels?.isRGB == true || color.yCbCrMatrix == .identity {
            color.yCbCrMatrix = .bt709
            color.primaries = color.primaries ?? .bt709
            color.transferFunction = color.transferFunction ?? .bt709
            color.chromaLocation = nil
        } else if color.yCbCrMatrix == nil {
            // What players assume must not change with the size.
            let before = ColorInfo.assumed(lines: source.height)
            if before != ColorInfo.assumed(lines: lines) {
                color.yCbCrMatrix = before.yCbCrMatrix
                color.primaries = color.primaries ?? before.primaries
                color.transferFunction = color.transferFunction ?? before.transferFunction
            }
        }
        if becomesBT709 { color.yCbCrMatrix = .bt709 }
        color.range = .video
        if pixels.chromaShift != (1, 1) || source.pixels?.chromaShiftHorizontal != 1 { color.chromaLocation = nil }
        return color
    }

    /// The new pictures' lines.
    private var lines: Int { turn.swapsAxes ? size.width : size.height }
    private var columns: Int { turn.swapsAxes ? size.height : size.width }

    /// Width to height of a pixel as it is stored; `nil` for square ones.
    private var sampleAspect: Ratio? {
        let aspect = size.sampleAspect
        guard aspect.horizontal != aspect.vertical else { return Ratio(1, 1) }
        let (width, height) = turn.swapsAxes ? (aspect.vertical, aspect.horizontal) : aspect
        return Ratio(Int32(clamping: width), Int32(clamping: height))
    }

    /// A GIF tells times in hundredths: rounded here, each by itself, they add up to no error.
    private var ticks: TimeBase {
        encoder.codec == .gif ? TimeBase(numerator: 1, denominator: 100) : timing.encodingTimeBase
    }

    private var settings: EncoderSettings {
        var video = VideoSettings(
            width: columns, height: lines, pixelFormat: pixelFormat, timeBase: ticks)
        // Encoders take the rate from the ticks where they are told none.
        let rate = timing.rate ?? Ratio(25, 1)
        video.frameRate = rate.value <= 240 ? rate : Ratio(240, 1)
        video.sampleAspectRatio = sampleAspect
        if !pixels.isRGB { video.color = outputColor }
        video.keyframeInterval = preset.keyframeSeconds.map { max(1, Int(($0 * rate.value).rounded())) }
        if source.isHDR, !isToneMapped { video.hdr = source.hdr }
        var settings = EncoderSettings(name: preset.encoder, media: .video(video))
        settings.usesGlobalHeader = format.wantsGlobalHeader
        settings.options = preset.options
        if !preset.parameters.isEmpty, let option = EncoderParameters.option(ofEncoder: preset.encoder) {
            settings.options[option] = preset.parameters.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
                .joined(separator: ":")
        }
        settings.apply(preset.rateControl)
        // Hidden frames have no alpha.
        if preset.encoder == "libvpx-vp9", pixels.hasAlpha { settings.options["auto-alt-ref"] = "0" }
        if keepsFields {
            settings.options["field_order"] = (source.isTopFieldFirst ? FieldOrder.topFirst : .bottomFirst).rawValue
            settings.options["flags"] = "+ildct"
        }
        return settings
    }

    private func newTraits(_ old: StreamTraits) -> StreamTraits {
        var traits = old.forEncoding
        traits.averageFrameRate = timing.rate
        traits.sampleAspectRatio = sampleAspect
        if isToneMapped { traits.hdr = HDRMetadata() }
        if encoder.codec == .proRes { traits.codecTag = proResTag }
        // Nor which kind of DNx it is.
        if preset.options["profile"]?.hasPrefix("dnxhr") == true { traits.codecTag = "AVdh" }
        guard keepsMatrix, let matrix = source.displayMatrix else {
            traits.displayMatrix = nil
            return traits
        }
        func shown(_ width: Int, _ ratio: (horizontal: Int, vertical: Int)) -> Double {
            Double(width) * Double(ratio.horizontal) / Double(max(1, ratio.vertical))
        }
        let old = shown(
            source.width, (Int(source.sampleAspect.numerator), Int(source.sampleAspect.denominator)))
        let new = shown(size.width, size.sampleAspect)
        traits.displayMatrix = PictureTurn.matrix(
            matrix, size: (new, Double(size.height)),
            scale: (new / max(1, old), Double(size.height) / Double(max(1, source.height))))
        return traits
    }

    /// Muxers do not see which kind of ProRes the encoder makes.
    private var proResTag: String {
        let tags = [
            "proxy": "apco", "lt": "apcs", "standard": "apcn", "hq": "apch", "4444": "ap4h", "4444xq": "ap4x",
        ]
        let automatic = pixels.chromaShift.horizontal == 0 ? "ap4h" : "apch"
        return tags[preset.options["profile"] ?? ""] ?? automatic
    }

    private func summary(passes: Int) -> ConvertedVideo {
        ConvertedVideo(
            codec: encoder.codec.rawValue, encoder: preset.encoder, width: columns, height: lines,
            frameRate: timing.rate?.value,
            hasVariableFrameRate: timing.isVariable, pixelFormat: pixelFormat, bitRate: bitRate, passes: passes,
            changes: changes)
    }

    private var bitRate: Int64 {
        var estimate = BitRateEstimate(width: size.width, height: size.height, frameRate: timing.rate?.value)
        estimate.source = source.bitRate.map {
            .init(width: source.width, height: source.height, frameRate: source.timing.rate?.value, bitRate: $0)
        }
        switch preset.rateControl {
        case .bitRate(let rate, _): return rate
        case .constantQuality(let quality, let maximum):
            return min(estimate.bitRate(encoder: preset.encoder, quality: quality), maximum ?? .max)
        case .encoder: return estimate.bitRate(encoder: preset.encoder, quality: nil)
        }
    }

    private var changes: Set<ConvertedVideo.Change> {
        let cutsEdge = !size.isScaled && (size.width, size.height) != (source.aperture.width, source.aperture.height)
        let source = source.pixels
        let facts: [(Bool, ConvertedVideo.Change)] = [
            (size.isScaled, .scaled), (self.source.isCropped || cutsEdge, .cropped),
            (timing.limit != nil, .frameRateReduced), (filters.deinterlacing != nil, .deinterlaced),
            (isToneMapped, .toneMapped), (!turn.isUpright, .turned),
            ((source?.depth ?? 0) > pixels.depth, .depthReduced),
            (
                source.map {
                    !$0.isGrey
                        && ($0.chromaShiftHorizontal < pixels.chromaShift.horizontal
                            || $0.chromaShiftVertical < pixels.chromaShift.vertical)
                } ?? false, .chromaReduced
            ),
            (self.source.hasAlpha && !pixels.hasAlpha, .flattened),
        ]
        return Set(facts.filter(\.0).map(\.1))
    }

    /// Codec, size and rate are what a preset is about; what else becomes less is told.
    private var reductions: [TrackConversion.Reduction] {
        let (changes, old) = (changes, source.pixels)
        var found: [TrackConversion.Reduction] = []
        func note(_ change: ConvertedVideo.Change, _ trait: ExportLoss.Trait, _ what: String, _ reason: String) {
            guard changes.contains(change) else { return }
            found.append(.init(trait: trait, what: what, reason: reason))
        }
        note(
            .toneMapped, .highDynamicRange, source.color.transferFunction == .hlg ? "HLG" : "PQ",
            "the preset makes SDR of it")
        // Tone mapping makes fewer bits of more anyway.
        if !isToneMapped {
            note(.depthReduced, .bitDepth, "\(old?.depth ?? 0)", "the new pictures have \(pixels.depth)")
        }
        let isRGB = old?.isRGB == true
        note(
            .chromaReduced, .chroma,
            isRGB ? "RGB" : Self.chromaWords(old?.chromaShiftHorizontal ?? 0, old?.chromaShiftVertical ?? 0),
            "the new pictures have "
                + Self.chromaWords(pixels.chromaShift.horizontal, pixels.chromaShift.vertical))
        let isFullRange = source.color.range == .full || old?.isFullRange == true
        if isFullRange, !isToneMapped, !isRGB, old?.isGrey != true, !pixels.isRGB {
            found.append(
                .init(
                    trait: .color, what: "full range", reason: "the new pictures have video range", effect: .changed))
        }
        note(.flattened, .alpha, "transparency", "the new pictures have none")
        note(.deinterlaced, .fieldOrder, "fields", "the preset makes frames of them")
        return found
    }

    private static func chromaWords(_ horizontal: Int, _ vertical: Int) -> String {
        switch (horizontal, vertical) {
        case (0, 0): "4:4:4"
        case (1, 0): "4:2:2"
        case (1, 1): "4:2:0"
        case (0, 1): "4:4:0"
        case (2, 0): "4:1:1"
        default: "4:1:0"
        }
    }
}

extension EncoderSettings {
    /// Sets what bounds the amount of data.
    mutating func apply(_ rateControl: VideoEncoding.RateControl) {
        for option in ["crf", "maxrate", "bufsize"] { options[option] = nil }
        bitRate = nil
        switch rateControl {
        case .encoder: break
        case .bitRate(let rate, _): bitRate = rate
        case .constantQuality(let quality, let maximum):
            options["crf"] = quality == quality.rounded() ? String(Int(quality)) : String(quality)
            // Otherwise the codec's own default would bound it.
            if name.hasPrefix("libvpx") { bitRate = maximum ?? 0 }
            if let maximum {
                options["maxrate"] = String(maximum)
                options["bufsize"] = String(maximum.multipliedReportingOverflow(by: 2).partialValue)
            }
        }
    }
}

extension ToneMapping {
    /// The mapping of HDR pictures of a source.
    init(of source: VideoSource) {
        let color = source.color
        self.init(
            transfer: color.transferFunction == .hlg ? .hlg : .pq,
            primaries: [.bt709, .smpte432].first { $0 == color.primaries } ?? .bt2020,
            matrix: [.bt709, .iCtCp, .bt2020ConstantLuminance].first { $0 == color.yCbCrMatrix } ?? .bt2020,
            peakLuminance: source.peakLuminance)
    }
}
