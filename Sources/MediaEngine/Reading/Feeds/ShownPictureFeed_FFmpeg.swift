internal import FFmpegKit
internal import MediaAsset
internal import MediaCore

/// What pictures become that are given as they are meant to be seen.
package struct ShownForm: Sendable {
    /// In pixels; `nil` for the size in which the film is shown, or in proportion to the other side.
    package var width: Int?
    /// In pixels; `nil` for the size in which the film is shown, or in proportion to the other side.
    package var height: Int?
    /// FFmpeg's name of a layout of samples; `nil` for the source's own, as far as encoders know it.
    package var pixelFormat: String?
    /// Whether that is one of luma and chroma if nothing is said.
    package var prefersLuma = false
    /// Whether samples of grey use all codes, as readers of nothing but samples take them.
    package var wantsFullGrey = false

    package init(width: Int? = nil, height: Int? = nil, pixelFormat: String? = nil) {
        (self.width, self.height, self.pixelFormat) = (width, height, pixelFormat)
    }
}

/// Gives pictures as they are meant to be seen: upright, without what lies outside the clean aperture, of square pixels,
/// without fields, and without HDR where the layout of samples has eight bits.
package final class ShownPictureFeed: PictureFeeding {
    private let pictures: PictureFeed
    private let graph: FilterGraph
    /// When the pictures are shown that the filters hold.
    private var times: [CMTimeRange] = []
    private var count: Int64 = 0
    private var isOver = false
    /// FFmpeg's name of the layout of samples that pictures have.
    package let pixelFormat: String

    /// - Parameter isStored: Whether nothing is done but what the form asks for: pictures are not turned, cropped or made
    ///   whole, and HDR stays what it is.
    package init(_ pictures: PictureFeed, _ form: ShownForm, isStored: Bool = false) throws {
        self.pictures = pictures
        var source = try pictures.videoSource()
        if isStored { source = source.asStored }
        var filters = try VideoFilters(showing: source, form)
        filters.keepsRange = isStored
        pixelFormat = filters.pixelFormat
        graph = FilterGraph(.init(timeBase: TimeBase(numerator: 1, denominator: 1000)) { filters.text(for: $0) })
    }

    package func next() throws -> FedPicture? {
        while true {
            if case .frame(let frame) = try graph.pull() {
                guard !times.isEmpty else { continue }
                return FedPicture(frame: frame, timeRange: times.removeFirst())
            }
            if isOver { return nil }
            if let picture = try pictures.next() {
                times.append(picture.timeRange)
                try graph.push(picture.frame, atTicks: count)
                count += 1
            } else {
                isOver = true
                try graph.finish()
            }
        }
    }
}

extension VideoFilters {
    /// The filters that show pictures of a source.
    fileprivate init(showing source: VideoSource, _ form: ShownForm) throws {
        let name = form.pixelFormat ?? Self.usualFormat(of: source, isLuma: form.prefersLuma)
        guard let facts = PixelFormatFacts(named: name) else {
            throw FFmpegError(kind: .other, operation: .render, reason: "there is no pixel format \(name)")
        }
        let pixels = PixelLayout(
            depth: facts.depth, chromaShift: (facts.chromaShiftHorizontal, facts.chromaShiftVertical),
            isRGB: facts.isRGB, isGrey: facts.isGrey, hasAlpha: facts.hasAlpha)
        self.init(
            width: source.width, height: source.height, size: Self.size(of: source, form, pixels), pixelFormat: name,
            pixels: pixels)
        if source.isCropped { crop = source.aperture }
        turn = source.turn
        if source.isInterlaced, !source.codec.has(.codesFieldsApart) {
            deinterlacing = source.codec.has(.saysFields) ? .flagged : .all(topFieldFirst: source.isTopFieldFirst)
        }
        keepsAlpha = pixels.hasAlpha
        isFullRange = form.wantsFullGrey && pixels.isGrey
        matrix = source.color.scalerMatrix(lines: source.height)
        if source.isHDR, pixels.depth < 10 {
            toneMapping = ToneMapping(of: source)
            matrix = "bt709"
        }
    }

    private static func usualFormat(of source: VideoSource, isLuma: Bool) -> String {
        let isDeep = (source.pixels?.depth ?? 8) > 8
        if source.pixels?.isRGB == true || source.hasAlpha, !isLuma { return isDeep ? "rgba64le" : "rgba" }
        let chroma =
            switch (source.pixels?.chromaShiftHorizontal ?? 1, source.pixels?.chromaShiftVertical ?? 1) {
            case (0, 0): "444"
            case (_, 0): "422"
            default: "420"
            }
        return "yuv\(source.pixels?.isGrey == true ? "420" : chroma)p" + (isDeep ? "10le" : "")
    }

    /// The size before pictures are turned, of square pixels: every row and column of those that are not scaled, else as
    /// many as chroma has places for.
    private static func size(of source: VideoSource, _ form: ShownForm, _ pixels: PixelLayout) -> FrameSizing {
        var asked = (width: form.width, height: form.height)
        if source.turn.swapsAxes { asked = (asked.height, asked.width) }
        let step = (horizontal: 1 << pixels.chromaShift.horizontal, vertical: 1 << pixels.chromaShift.vertical)
        let shown = VideoDescription.displaySize(
            of: PixelSize(width: source.aperture.width, height: source.aperture.height),
            sampleAspectRatio: AspectRatio(
                horizontal: Int(source.sampleAspect.numerator), vertical: Int(source.sampleAspect.denominator)),
            transform: .identity)
        func whole(_ side: Int, _ step: Int) -> Int { max(step, side / step * step) }
        let isSquare = source.sampleAspect.numerator == source.sampleAspect.denominator
        let own =
            isSquare
            ? FrameSizing(width: shown.width, height: shown.height, isScaled: false)
            : FrameSizing(
                width: whole(shown.width, step.horizontal), height: whole(shown.height, step.vertical), isScaled: true)
        guard asked.width != nil || asked.height != nil else { return own }
        func scaled(_ side: Int, _ new: Int, _ old: Int, _ step: Int) -> Int {
            max(step, (side * new + old * step / 2) / max(1, old * step) * step)
        }
        let width = asked.width ?? scaled(own.width, asked.height ?? own.height, own.height, step.horizontal)
        let height = asked.height ?? scaled(own.height, asked.width ?? own.width, own.width, step.vertical)
        return FrameSizing(width: width, height: height, isScaled: true)
    }
}

extension VideoSource {
    /// Pictures of which all is seen as it is stored.
    fileprivate var asStored: VideoSource {
        var new = self
        new.aperture = PixelRect(x: 0, y: 0, width: width, height: height)
        (new.sampleAspect, new.turn, new.displayMatrix, new.fieldOrder) = (Ratio(1, 1), PictureTurn(), nil, nil)
        if new.isHDR { new.color.transferFunction = nil }
        return new
    }
}
