package import FFmpegKit
package import MediaAsset
package import MediaCore

/// What pictures become that are given as they are meant to be seen.
package struct ShownForm: Sendable {
    /// In pixels; `nil` for the size in which the film is shown, or in proportion to the other side.
    var width: Int?
    /// In pixels; `nil` for the size in which the film is shown, or in proportion to the other side.
    var height: Int?
    /// FFmpeg's name of a layout of samples; `nil` for the source's own, as far as encoders know it.
    var pixelFormat: String?
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
    /// - Parameter isStored: Whether nothing is done but what the form asks for: pictures are not turned, cropped or made
    ///   whole, and HDR stays what it is.
    package init(_ pictures: PictureFeed, _ form: ShownForm, isStored: Bool = false) throws {
        self.pictures = pictures
        var source = try pictures.videoSource()
        if isStored { source = source.asStored }
        var filters = try VideoFilters(showing: source, form)
        filters.keepsRange = isStored
        graph = FilterGraph(
            .init(timeBase: TimeBase(numerator: 1, denominator: 1000)) { [filters] format throws(FFmpegError) in
                try filters.description(for: format)
            })
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

/// A decoded picture and when it is shown.
package struct FedPicture: Sendable {
    package let frame: Frame
    /// On the asset's timeline: from its own presentation time up to that of the next one.
    package let timeRange: CMTimeRange
}

/// Gives decoded pictures, one after the other in the order in which they are shown.
package protocol PictureFeeding: AnyObject {
    /// The next picture; blocks until it is there. `nil` after the last one.
    func next() throws -> FedPicture?
}

/// Gives the decoded pictures of a file's track.
///
/// The first one is what is shown at the range's start, and may begin before that. Decodes on the thread that asks, with
/// as many others as there are processors; one thread at a time may ask.
package final class PictureFeed: PictureFeeding {
    private let input: TrackInput
    private let track: TrackDescription
    private let decoding: PictureDecoding
    private var following: PictureDecoding.Shown?
    private var hasBegun = false

    /// - Parameters:
    ///   - range: On the asset's timeline; `nil` for all.
    ///   - allowsDamage: Whether damaged pictures, and a file that ends early, are no errors.
    package init(
        _ track: TrackDescription, of source: AssetSource, range: CMTimeRange?, allowsDamage: Bool,
        threading: Decoder.Threading = .frames(ProcessorShare.count), cancellation: Cancellation
    ) throws {
        try source.checkIsDecodable(track)
        let input = try TrackInput(
            track.streamIndex, of: source, range: range, allowsDamage: allowsDamage, cancellation: cancellation)
        let decoder = try input.demuxer.makeDecoder(stream: track.streamIndex, threading: threading)
        decoding = PictureDecoding(
            decoder, info: input.info, entry: input.entry, range: input.range, startsAtZero: false,
            statedEnd: input.statedEnd, damage: input.damageWatch(delay: decoder.threadCount)
        ) { try input.next() }
        (self.input, self.track) = (input, track)
    }

    /// What is known of the pictures beforehand.
    func videoSource() throws -> VideoSource {
        guard let source = VideoSource(track, input.info, input.demuxer.traits(ofStream: input.info.index)) else {
            throw FFmpegError(kind: .unsupported, operation: .decode, reason: "the size of the pictures is unknown")
        }
        return source
    }

    /// Pictures in a second, where they come at a fixed rate; `nil` elsewhere.
    package var fixedFrameRate: Ratio? {
        let timing = FrameTiming(input.info)
        return timing.isVariable ? nil : timing.rate
    }

    package func next() throws -> FedPicture? {
        if !hasBegun {
            hasBegun = true
            following = try decoding.next()
        }
        guard let shown = following else { return nil }
        following = try decoding.next()
        if following == nil { try input.checkEnd() }
        let start = input.time(shown.ticks)
        let end = following.map { input.time($0.ticks) } ?? self.end(of: shown)
        return FedPicture(frame: shown.frame, timeRange: CMTimeRange(start: start, end: max(start, end)))
    }

    /// When the last picture ends: when it does itself, or with the range.
    private func end(of last: PictureDecoding.Shown) -> CMTime {
        switch decoding.end {
        case .ofRange: input.range.end.map { $0 - input.origin } ?? input.time(last.ticks)
        // The edit list may end within the picture.
        case .ticks(let ticks): input.time(min(ticks, max(last.ticks, input.statedEnd ?? ticks)))
        case nil: input.time(last.ticks)
        }
    }
}
