internal import Foundation
public import MediaAsset
public import MediaCore
internal import MediaIO
internal import MediaImage
internal import Synchronization

extension AVAssetImageGenerator {
    /// How a picture is brought into a box; beyond AVFoundation.
    public typealias Fit = StillFit

    /// How pictures are brought into their boxes: inside of them by default.
    ///
    /// The other ways need boxes of both sides, or stills fail with `AVError.incorrectlyConfigured`; boxes of more
    /// than 2²⁸ pixels fail with `AVError.incorrectlyConfigured`.
    ///
    /// Beyond AVFoundation.
    public var fit: Fit {
        get { settings.withLock { $0.fit } }
        set { settings.withLock { $0.fit = newValue } }
    }

    /// Boxes to make pictures for, one each of every frame, which is decoded once; zero leaves a direction free.
    ///
    /// Sides are from 0 to a million pixels; others are brought there. Empty by default: `maximumSize` is the only
    /// one. Beyond AVFoundation.
    public var sizes: [PixelSize] {
        get { settings.withLock { $0.sizes } }
        set {
            func sane(_ length: Int) -> Int { max(0, min(1_000_000, length)) }
            let sizes = newValue.map { PixelSize(width: sane($0.width), height: sane($0.height)) }
            settings.withLock { $0.sizes = sizes }
        }
    }

    /// The part of pictures that is shown, in pixels of the upright picture of full size from its top left; all of
    /// it if `nil`, as it is by default.
    ///
    /// Stills of pictures in which it does not lie fail with `AVError.incorrectlyConfigured`. Beyond AVFoundation.
    public var cropRect: PixelRect? {
        get { settings.withLock { $0.crop } }
        set { settings.withLock { $0.crop = newValue } }
    }

    /// The colour around pictures where `fit` is `pad`, in the pictures' own colour space; black by default.
    ///
    /// Beyond AVFoundation.
    public var backgroundColor: RGBColor {
        get { settings.withLock { $0.background } }
        set { settings.withLock { $0.background = newValue } }
    }
}

extension StillFit {
    /// More would be a mistake in the numbers.
    private static let maximumPixelCount = 1 << 28

    /// The size to scale a picture to.
    ///
    /// - Throws: `AVError.incorrectlyConfigured` for a box without both sides where all of it is to be filled, and
    ///   for one that is too large, with a `MediaLimitError` under it.
    func scaled(_ picture: PixelSize, into box: PixelSize) throws -> PixelSize {
        if self == .contain || box.width == 0 && box.height == 0 { return picture.fitting(box) }
        guard box.width > 0, box.height > 0 else {
            throw AVError(.incorrectlyConfigured, reason: "to \(rawValue) a box, it needs a width and a height")
        }
        let isWide = Double(picture.width) * Double(box.height) > Double(box.width) * Double(picture.height)
        // One side is that of the box; the other one is longer or shorter than the box's.
        let fillsHeight = isWide == (self == .cover)
        let ratio =
            fillsHeight
            ? Double(box.height) / Double(picture.height) : Double(box.width) / Double(picture.width)
        let other = (ratio * Double(fillsHeight ? picture.width : picture.height)).rounded()
        guard other * Double(fillsHeight ? box.height : box.width) <= Double(Self.maximumPixelCount) else {
            let reason = "a box of \(box.width)x\(box.height) pixels is too large to \(rawValue)"
            throw AVError(.incorrectlyConfigured, MediaLimitError(reason: reason))
        }
        let limit = fillsHeight ? box.width : box.height
        let length = self == .cover ? max(limit, Int(other)) : min(limit, max(1, Int(other)))
        return fillsHeight
            ? PixelSize(width: length, height: box.height) : PixelSize(width: box.width, height: length)
    }
}

extension StillSettings {
    /// A scaled picture brought to its box: its middle, or itself with bars.
    func fitted(_ image: CGImage, to box: PixelSize) throws -> CGImage {
        guard fit != .contain, box.width > 0, box.height > 0 else { return image }
        let fitted =
            fit == .cover
            ? image.part(
                x: (image.width - box.width) / 2, y: (image.height - box.height) / 2, width: box.width,
                height: box.height)
            : image.padded(width: box.width, height: box.height, color: background)
        guard let fitted else { throw AVError(.unknown, reason: "the picture does not fit its box") }
        return fitted
    }

    /// A part of the upright picture of full size.
    func part(_ crop: PixelRect, of image: CGImage) throws -> CGImage {
        guard let part = image.part(x: crop.x, y: crop.y, width: crop.width, height: crop.height) else {
            throw AVError(
                .incorrectlyConfigured,
                reason: "the part \(crop.width)x\(crop.height)+\(crop.x)+\(crop.y) does not lie inside of the picture,"
                    + " which has \(image.width)x\(image.height) pixels")
        }
        return part
    }
}

extension PixelSize {
    /// Width and height in each other's place.
    var turned: PixelSize { PixelSize(width: height, height: width) }
}

/// How many rows and columns at the edges of a picture are black.
struct BlackBars: Equatable, Sendable {
    var left = 0
    var top = 0
    var right = 0
    var bottom = 0

    init(left: Int, top: Int, right: Int, bottom: Int) {
        (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
    }

    /// The bars of one picture; `nil` for one in which there is nothing to see.
    init?(of image: CGImage) {
        let rows = (0..<image.height).map { image.isBright(row: $0) }
        guard let top = rows.firstIndex(of: true), let last = rows.lastIndex(of: true) else { return nil }
        let columns = (0..<image.width).map { image.isBright(column: $0, rows: top...last) }
        guard let left = columns.firstIndex(of: true), let end = columns.lastIndex(of: true) else { return nil }
        self.init(left: left, top: top, right: image.width - 1 - end, bottom: image.height - 1 - last)
    }

    /// The bars that pictures of one film have in common.
    ///
    /// For each edge the narrowest bar counts, for in dark scenes bars look wider than they are. Of every ten
    /// pictures one may have something in the bars, such as a subtitle.
    init(of pictures: [BlackBars]) {
        func narrowest(_ edge: (BlackBars) -> Int) -> Int {
            pictures.map(edge).sorted().dropFirst(pictures.count / 10).first ?? 0
        }
        self.init(
            left: narrowest(\.left), top: narrowest(\.top), right: narrowest(\.right), bottom: narrowest(\.bottom))
    }
}

extension CGImage {
    /// The mean of 8 bits from which on a row or a column is no part of a bar.
    private static let darkest = 10

    /// Three times the brightness of a pixel, of 8 bits.
    private func brightness(_ pixel: Int) -> Int {
        // Of samples of 16 bits the high byte comes last.
        let (size, sample) = (packedBytesPerPixel, bitsPerComponent / 8)
        let start = pixel * size + sample - 1
        return Int(pixels[start]) + Int(pixels[start + sample]) + Int(pixels[start + 2 * sample])
    }

    fileprivate func isBright(row: Int) -> Bool {
        let sum = (0..<width).reduce(0) { $0 + brightness(row * width + $1) }
        return sum > 3 * Self.darkest * width
    }

    fileprivate func isBright(column: Int, rows: ClosedRange<Int>) -> Bool {
        let sum = rows.reduce(0) { $0 + brightness($1 * width + column) }
        return sum > 3 * Self.darkest * rows.count
    }
}

extension AVAssetImageGenerator {
    /// How many pictures are looked at for bars.
    private static let sampleCount = 24

    /// The part of the pictures inside of black bars, the same for the whole film, for use as `cropRect`.
    ///
    /// Sync samples spread over the film are looked at, or exact frames where there are few of them. Pictures that
    /// are all dark do not count; the whole picture is the answer where there are no others. Beyond AVFoundation.
    ///
    /// - Returns: In pixels of the upright picture of full size, its origin at the top left.
    /// - Throws: `AVError.noSourceTrack` without video, what `image(at:)` throws if no picture can be had, and
    ///   `CancellationError` if the task is cancelled.
    /// - Complexity: 24 stills at even times, one where the duration is not known.
    public func contentRect() async throws -> PixelRect {
        let description = try await asset.loadDescription()
        let duration = description.duration
        let shares = duration.isNumeric && duration > .zero ? Self.sampleCount : 1
        let times = (0..<shares).map {
            CMTimeMultiplyByRatio(
                duration.isNumeric ? duration : .zero, multiplier: Int32(2 * $0 + 1), divisor: Int32(2 * shares))
        }
        let generator = AVAssetImageGenerator(asset: asset)
        generator.appliesPreferredTrackTransform = appliesPreferredTrackTransform
        generator.apertureMode = apertureMode
        let tolerance = CMTimeMultiplyByRatio(times[0], multiplier: 9, divisor: 10)
        (generator.requestedTimeToleranceBefore, generator.requestedTimeToleranceAfter) = (tolerance, tolerance)
        var (bars, size, failure): ([BlackBars], PixelSize?, (any Error)?) = ([], nil, nil)
        for await result in generator.stills(for: times, process: { Self.bars(of: $0.image) }) {
            switch result {
            case .success(let found) where size == nil || size == found.size:
                size = found.size
                if let found = found.bars { bars.append(found) }
            case .success: continue
            case .failure(let reason): failure = failure ?? reason.error
            }
        }
        try Task.checkCancellation()
        guard let size else { throw failure ?? CancellationError() }
        let common = BlackBars(of: bars)
        return PixelRect(
            x: common.left, y: common.top, width: size.width - common.left - common.right,
            height: size.height - common.top - common.bottom)
    }

    private static func bars(of image: CGImage) -> (size: PixelSize, bars: BlackBars?) {
        (PixelSize(width: image.width, height: image.height), BlackBars(of: image.composited(over: .black)))
    }
}
