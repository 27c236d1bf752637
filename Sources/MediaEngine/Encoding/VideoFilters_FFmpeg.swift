internal import FFmpegKit
internal import MediaAsset
internal import MediaCore

/// The filters that make of decoded pictures what the encoder expects.
///
/// The text holds numbers and names of FFmpeg's own; nothing in it comes from a file.
struct VideoFilters: Sendable {
    /// What is seen of pictures of the track's own size; `nil` for all of it.
    var crop: PixelRect?
    /// The track's size.
    var width: Int
    var height: Int
    /// The new size, before pictures are turned.
    var size: FrameSizing
    var turn = PictureTurn()
    var pixelFormat: String
    var pixels: PixelLayout
    /// How fields become frames; `nil` where there are none, or they stay.
    var deinterlacing: Deinterlacing?
    /// Whether lines of two fields stay side by side.
    var keepsFields = false
    var toneMapping: ToneMapping?
    /// FFmpeg's name of the scaler's matrix for colours that come as RGB.
    var matrix = "bt709"
    var keepsAlpha = false
    /// Whether samples of luma use all codes.
    var isFullRange = false
    /// Whether they use all codes where those of the source do.
    var keepsRange = false
    /// Whether frames are drawn in the colors of a palette.
    var usesPalette = false
    /// The shape of a pixel, of pictures that are fitted among others; `nil` for pictures that set the shape.
    var joinedAspect: Ratio?
    /// A filter after all others.
    var lastFilter: String?
    /// Whether colours that are told by another matrix are told by that of the new pictures.
    var convertsMatrix = false

    enum Deinterlacing: Sendable {
        /// Frames say themselves that they are interlaced.
        case flagged
        /// The container says it of all frames.
        case all(topFieldFirst: Bool)
    }

    /// The filters; they get the palette beside the frames as a still called `palette`, if they use one.
    func description(for format: FrameFormat) throws(FFmpegError) -> FilterDescription {
        // An ordered pattern stays where it is from frame to frame, so that what does not move need not be coded.
        let drawing = "null[drawn];[drawn][palette]paletteuse=dither=bayer:bayer_scale=4"
        return try description(for: format, then: usesPalette ? drawing : nil)
    }

    /// The filters that find the palette for all frames.
    func paletteDescription(for format: FrameFormat) throws(FFmpegError) -> FilterDescription {
        try description(for: format, then: "palettegen=stats_mode=full")
    }

    private func description(
        for format: FrameFormat, then last: String?
    ) throws(FFmpegError) -> FilterDescription {
        guard case .video(let frame) = format else { return "null" }
        let chain = filters(for: frame) + [lastFilter, last].compactMap(\.self)
        var description = FilterDescription("[in]\(chain.isEmpty ? "null" : chain.joined(separator: ","))[out]")
        if let toneMapping, isToneMapped(frame) { description.stills[ToneMapping.still] = try toneMapping.makeTable() }
        return description
    }

    private func isToneMapped(_ frame: FrameFormat.VideoFormat) -> Bool {
        toneMapping != nil && (frame.color.isHDR || PixelFormatFacts(named: frame.pixelFormat)?.isRGB != true)
    }

    private func filters(for frame: FrameFormat.VideoFormat) -> [String] {
        var chain: [String] = []
        var shape = (width: frame.width, height: frame.height)
        switch deinterlacing {
        // Many progressive films are coded as interlaced: what shows no comb is left alone.
        case .flagged: chain += ["idet", "bwdif=mode=send_frame:deint=interlaced"]
        case .all(let isTop):
            chain += ["setfield=\(isTop ? "tff" : "bff")", "idet", "bwdif=mode=send_frame:deint=interlaced"]
        case nil: break
        }
        if let crop, frame.width == width, frame.height == height {
            chain.append("crop=\(crop.width):\(crop.height):\(crop.x):\(crop.y):exact=1")
            shape = (crop.width, crop.height)
        }
        let source = PixelFormatFacts(named: frame.pixelFormat)
        if source?.hasAlpha == true, !keepsAlpha { chain += flattening(source) }
        if let toneMapping, isToneMapped(frame) {
            chain += placed(shape, frame) { size in
                toneMapping.filters(
                    isFullRange: usesAllCodes(frame, source), isRGB: source?.isRGB == true, size: size,
                    pixelFormat: filteredFormat, pixels, keepsAlpha: keepsAlpha && source?.hasAlpha == true)
            }
        } else {
            chain += placed(shape, frame) { size in conversion(of: frame, source, to: size) }
        }
        chain += turn.filters
        // Turned, chroma is finer the other way.
        let isUneven = pixels.chromaShift.horizontal != pixels.chromaShift.vertical
        if turn.swapsAxes, isUneven { chain.append("format=\(filteredFormat)") }
        return chain
    }

    /// What was behind what is seen through becomes black.
    private func flattening(_ source: PixelFormatFacts?) -> [String] {
        let isDeep = (source?.depth ?? 8) > 8
        let format = source?.isRGB == true ? (isDeep ? "gbrap10le" : "gbrap") : (isDeep ? "yuva444p10le" : "yuva444p")
        return ["format=\(format)", "premultiply=inplace=1"]
    }

    /// Scaling of pictures to the size of the track, whatever size they have themselves.
    ///
    /// - Parameter convert: The filters that convert, and scale to a size if there is one.
    private func placed(
        _ shape: (width: Int, height: Int), _ frame: FrameFormat.VideoFormat,
        _ convert: ((width: Int, height: Int)?) -> [String]
    ) -> [String] {
        let changed = frame.changedAspectRatio
        let isOwnSize = joinedAspect == nil && changed == nil && frame.width == width && frame.height == height
        if isOwnSize {
            guard size.isScaled else {
                // A row or a column too many, for the new chroma; the old one may be coarser.
                let cut = shape != (size.width, size.height) ? ["crop=\(size.width):\(size.height):0:0:exact=1"] : []
                return cut + convert(nil)
            }
            return convert((size.width, size.height)) + ["setsar=1"]
        }
        // The stream changed its size or shape: into the middle of the track's, in its own shape.
        let pixel = (changed ?? joinedAspect ?? frame.sampleAspectRatio)?.value ?? 1
        let target = Double(size.sampleAspect.horizontal) / Double(size.sampleAspect.vertical)
        let width = Double(shape.width) * pixel / target
        let scale = min(Double(size.width) / width, Double(size.height) / Double(shape.height))
        func even(_ value: Double, _ bound: Int) -> Int { min(bound, max(2, Int((value / 2).rounded()) * 2)) }
        let inner = (width: even(width * scale, size.width), height: even(Double(shape.height) * scale, size.height))
        var filters = convert(inner)
        if inner != (size.width, size.height) {
            let (x, y) = ((size.width - inner.width) / 4 * 2, (size.height - inner.height) / 4 * 2)
            filters.append("pad=\(size.width):\(size.height):\(x):\(y)")
        }
        return filters + ["setsar=\(size.sampleAspect.horizontal)/\(size.sampleAspect.vertical)"]
    }

    private func usesAllCodes(_ frame: FrameFormat.VideoFormat, _ source: PixelFormatFacts?) -> Bool {
        if source?.isFullRange == true || frame.color.range == .full { return true }
        return source?.isGrey == true && frame.color.range == nil
    }

    /// Scaling and change of the layout of samples, by one pass of the scaler.
    private func conversion(
        of frame: FrameFormat.VideoFormat, _ source: PixelFormatFacts?, to size: (width: Int, height: Int)?
    ) -> [String] {
        let isFull = usesAllCodes(frame, source)
        let changesMatrix =
            convertsMatrix && !pixels.isRGB && source?.isRGB != true && source?.isGrey != true
            && frame.color.scalerMatrix(lines: height) != matrix
        let becomesFull = isFullRange || keepsRange && isFull && !pixels.isGrey
        let changesRange = !pixels.isRGB && isFull != becomesFull
        guard size != nil || frame.pixelFormat != pixelFormat || changesRange || changesMatrix else {
            return []
        }
        var options: [String] = size.map { ["w=\($0.width)", "h=\($0.height)"] } ?? []
        let changesModel = source?.isRGB != pixels.isRGB && source?.isGrey != true
        options.append("flags=bicubic" + (changesModel ? "+accurate_rnd+full_chroma_int+full_chroma_inp" : ""))
        if source?.isRGB != true { options.append("in_range=\(isFull ? "full" : "limited")") }
        if !pixels.isRGB { options.append("out_range=\(becomesFull ? "full" : "limited")") }
        if changesMatrix {
            options.append("in_color_matrix=\(frame.color.scalerMatrix(lines: height)):out_color_matrix=\(matrix)")
        } else if changesModel {
            if source?.isRGB == true {
                options.append("out_color_matrix=\(matrix)")
            } else {
                options.append("in_color_matrix=\(frame.color.scalerMatrix(lines: height))")
            }
        }
        // Chroma stays where it is between luma samples.
        if source?.chromaShiftHorizontal == 1, size != nil || pixels.chromaShift.horizontal != 1 {
            options.append("in_h_chr_pos=\(frame.color.horizontalChromaPosition)")
        }
        if pixels.chromaShift.horizontal == 1, size != nil || source?.chromaShiftHorizontal != 1 {
            let position = source?.chromaShiftHorizontal == 1 ? frame.color.horizontalChromaPosition : 0
            options.append("out_h_chr_pos=\(position)")
        }
        if keepsFields { options.append("interl=1") }
        return ["scale=" + options.joined(separator: ":"), "format=\(filteredFormat)"]
    }

    /// What comes out of the scaler.
    private var filteredFormat: String { usesPalette ? "bgra" : pixelFormat }
}
