package import FFmpegKit
package import MediaAsset
internal import MediaCore

/// What a track with pictures is, as far as it matters to what is made of it.
package struct VideoSource: Sendable, Equatable {
    /// Pixels as coded.
    var width: Int
    var height: Int
    /// The part that is meant to be seen.
    var aperture: PixelRect
    var sampleAspect: Ratio
    var turn: PictureTurn
    var displayMatrix: [Int32]?
    /// `nil` where FFmpeg does not know it before decoding.
    var pixels: PixelFormatFacts?
    var hasAlpha: Bool
    var color: ColorInfo
    var fieldOrder: FieldOrder?
    var timing: FrameTiming
    var hdr: HDRMetadata
    var peakLuminance: Double?
    var codec: Codec
    /// Bits for each second; `nil` if unknown.
    var bitRate: Int64?

    package init?(_ track: TrackDescription, _ stream: StreamInfo, _ traits: StreamTraits) {
        guard let video = stream.video, let description = track.video, video.width > 0, video.height > 0 else {
            return nil
        }
        (width, height) = (video.width, video.height)
        aperture = description.cleanAperture
        sampleAspect = video.sampleAspectRatio
        turn = PictureTurn(description.preferredTransform)
        displayMatrix =
            traits.displayMatrix ?? video.displayMatrix ?? description.preferredTransform.displayMatrix
        pixels = video.pixelFormat.flatMap { PixelFormatFacts(named: $0) }
        hasAlpha = video.hasAlpha
        color = video.color
        fieldOrder = video.fieldOrder
        timing = FrameTiming(stream)
        hdr = traits.hdr
        peakLuminance = video.peakLuminance
        codec = stream.codec
        bitRate = stream.bitRate
    }

    /// Ordinary pictures of a size, 25 a second.
    package init(width: Int, height: Int, pixelFormat: String) {
        (self.width, self.height) = (width, height)
        aperture = PixelRect(x: 0, y: 0, width: width, height: height)
        (sampleAspect, turn, timing) = (Ratio(1, 1), PictureTurn(), FrameTiming(rate: Ratio(25, 1)))
        pixels = PixelFormatFacts(named: pixelFormat)
        hasAlpha = pixels?.hasAlpha ?? false
        (color, hdr, codec) = (ColorInfo(), HDRMetadata(), .uncompressedVideo)
    }

    /// Pictures that are composed of these, in their colours: upright, of square pixels, without fields.
    func composed(width: Int, height: Int, timing: FrameTiming, hasAlpha: Bool) -> VideoSource {
        var new = self
        (new.width, new.height, new.timing, new.hasAlpha) = (width, height, timing, hasAlpha)
        new.aperture = PixelRect(x: 0, y: 0, width: width, height: height)
        (new.sampleAspect, new.turn, new.displayMatrix) = (Ratio(1, 1), PictureTurn(), nil)
        (new.fieldOrder, new.codec, new.bitRate) = (nil, .uncompressedVideo, nil)
        guard pixels?.isRGB != true, !isHDR, color.yCbCrMatrix == nil else { return new }
        // What players assume of the new size may be something else.
        let assumed = ColorInfo.assumed(lines: self.height)
        new.color.yCbCrMatrix = assumed.yCbCrMatrix
        new.color.primaries = color.primaries ?? assumed.primaries
        new.color.transferFunction = color.transferFunction ?? assumed.transferFunction
        return new
    }

    /// Whether pictures of both come out alike without being fitted.
    func hasShape(of other: VideoSource) -> Bool {
        (width, height) == (other.width, other.height) && aperture == other.aperture && turn == other.turn
            && sampleAspect == other.sampleAspect
    }

    var isHDR: Bool { color.isHDR }
    var isInterlaced: Bool { fieldOrder?.isInterlaced ?? false }
    var isTopFieldFirst: Bool { fieldOrder?.isTopFirst ?? true }
    /// Whether a part of the coded picture is not meant to be seen.
    var isCropped: Bool { aperture != PixelRect(x: 0, y: 0, width: width, height: height) }
}

extension VideoSource {
    /// The source of which only a part is to be seen, to the whole sample of chroma.
    ///
    /// - Parameter crop: As the pictures are shown; `nil` for all that is shown.
    func cropped(to crop: VideoEncoding.Crop?) throws(AVError) -> VideoSource {
        guard let crop else { return self }
        var shown = (width: aperture.width, height: aperture.height)
        if turn.swapsAxes { shown = (shown.height, shown.width) }
        guard crop.x + crop.width <= shown.width, crop.y + crop.height <= shown.height else {
            throw AVError(
                .operationNotSupportedForAsset,
                reason: "what is to be kept, \(crop.width)x\(crop.height) at \(crop.x), \(crop.y), reaches beyond "
                    + "the pictures, which have \(shown.width)x\(shown.height)")
        }
        let x = turn.flipsHorizontally ? shown.width - crop.x - crop.width : crop.x
        let y = turn.flipsVertically ? shown.height - crop.y - crop.height : crop.y
        let stored =
            turn.swapsAxes
            ? PixelRect(x: y, y: x, width: crop.height, height: crop.width)
            : PixelRect(x: x, y: y, width: crop.width, height: crop.height)
        func whole(_ value: Int, _ shift: Int?) -> Int { (value >> (shift ?? 1)) << (shift ?? 1) }
        let (across, down) = (pixels?.chromaShiftHorizontal, pixels?.chromaShiftVertical)
        var result = self
        result.aperture = PixelRect(
            x: whole(aperture.x + stored.x, across), y: whole(aperture.y + stored.y, down),
            width: max(2, whole(stored.width, across)), height: max(2, whole(stored.height, down)))
        return result
    }
}

extension ColorInfo {
    /// The matrix by the scaler's names.
    func scalerMatrix(lines: Int) -> String {
        switch yCbCrMatrix {
        case .bt709: "bt709"
        case .fcc: "fcc"
        case .smpte170M, .bt470BG: "bt601"
        case .smpte240M: "smpte240m"
        case .bt2020, .bt2020ConstantLuminance: "bt2020"
        default: isHDR ? "bt2020" : ColorInfo.assumed(lines: lines).scalerMatrix(lines: lines)
        }
    }

    /// Where chroma lies between luma samples in a row, in 256ths, by the scaler's count.
    var horizontalChromaPosition: Int {
        chromaLocation?.isCenteredHorizontally == true ? 128 : 0
    }
}

/// How often pictures come, and in which ticks their times are told.
struct FrameTiming: Sendable, Equatable {
    /// Frames for each second: the fixed rate, or the average of a variable one; `nil` if unknown.
    var rate: Ratio?
    var isVariable: Bool
    /// What the source's times are told in.
    var timeBase: TimeBase
    var limit: FrameRateLimit?

    /// The timing of pictures at a fixed rate.
    init(rate: Ratio) {
        (self.rate, isVariable) = (rate, false)
        timeBase = TimeBase(numerator: rate.denominator, denominator: rate.numerator)
    }

    init(_ stream: StreamInfo) {
        timeBase = stream.timeBase
        let average = stream.video?.averageFrameRate.flatMap { Self.isSane($0) ? $0 : nil }
        let shortest = stream.video?.realFrameRate.flatMap { Self.isSane($0) ? $0 : nil }
        guard let average, let shortest else {
            // Where times share no interval, the header has the ticks themselves.
            let countsTicks = (stream.video?.realFrameRate?.value ?? 0) > Self.highestRate
            (rate, isVariable) = (average ?? shortest, average != nil && countsTicks)
            return
        }
        // A header may count fields.
        let steps = (shortest.value / average.value).rounded()
        let (denominator, overflow) = shortest.denominator.multipliedReportingOverflow(by: steps == 2 ? 2 : 1)
        let exact = overflow ? shortest : Ratio(shortest.numerator, denominator)
        isVariable = abs(exact.value / average.value - 1) > 0.005 || !Self.isUsual(exact)
        rate = isVariable ? average : exact
    }

    /// The timing of pictures that come no more often than a number of times a second.
    func limited(to maximum: Double?) -> FrameTiming {
        guard let maximum else { return self }
        let tolerance = 1.001
        var result = self
        let thousandths = Ratio(Int32((maximum * 1000).rounded()), 1000)
        guard let rate, !isVariable else {
            result.limit = .atMost(thousandths)
            if let rate, rate.value > maximum { result.rate = thousandths }
            return result
        }
        let count = Int((rate.value / (maximum * tolerance)).rounded(.up))
        guard count > 1 else { return self }
        let (denominator, overflow) = rate.denominator.multipliedReportingOverflow(by: Int32(clamping: count))
        result.limit = .oneOf(count)
        result.rate = overflow ? thousandths : Ratio(rate.numerator, denominator)
        return result
    }

    /// Ticks in which the source's times and the frames of a fixed rate are whole,
    /// fine enough for a range to begin and end anywhere.
    var encodingTimeBase: TimeBase {
        var ticks = Int64(timeBase.denominator)
        if let rate, !isVariable {
            let common = Int64(leastCommonMultiple(ticks.magnitude, UInt64(rate.numerator.magnitude)))
            if common <= Self.finestTicks { ticks = common }
        }
        guard ticks <= Self.finestTicks else { return TimeBase(numerator: 1, denominator: 90_000) }
        while ticks < Self.coarsestTicks { ticks *= 2 }
        return TimeBase(numerator: 1, denominator: Int32(clamping: ticks))
    }

    /// Whether a rate is one at which pictures are taken on purpose: in quarters
    /// of a picture, or these slowed down as television's are.
    private static func isUsual(_ rate: Ratio) -> Bool {
        [4.0, 4.004].contains { factor in
            let quarters = rate.value * factor
            return abs(quarters / quarters.rounded() - 1) < 0.0001
        }
    }

    private static let finestTicks: Int64 = 10_000_000
    private static let coarsestTicks: Int64 = 10_000

    private static func isSane(_ rate: Ratio) -> Bool {
        rate.numerator > 0 && rate.denominator > 0 && rate.value >= 0.01 && rate.value <= highestRate
    }

    private static let highestRate = 1000.0
}
