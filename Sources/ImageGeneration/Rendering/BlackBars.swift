public import MediaAsset
internal import MediaCore
internal import MediaImage

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
