internal import FFmpegKit
internal import Foundation
package import MediaAsset
package import MediaCore
internal import MediaEngine

/// Which pictures of a film go to another program, and how.
package struct PackedFrameOptions: Sendable {
    package var trackID: CMPersistentTrackID?
    /// On the asset's timeline; `nil` for all.
    package var timeRange: CMTimeRange?
    /// At which distance pictures are wanted; `nil` for each once.
    package var interval: CMTime?
    /// In pixels; `nil` for the film's own, or in proportion.
    package var width: Int?
    /// In pixels; `nil` for the film's own, or in proportion.
    package var height: Int?
    /// FFmpeg's name of a layout of samples; `nil` for one close to the film's own.
    package var pixelFormat: String?
    /// Whether pictures come as the file has them, rather than as they are meant to be seen.
    package var isStored = false
    /// Whether each picture has to last as long as the others, so that some are repeated or left out where they do not.
    package var needsFixedRate = false
    /// Whether samples are to be of luma and chroma, if nothing else is said.
    package var prefersLuma = false
    /// Whether samples of grey use all codes.
    package var wantsFullGrey = false
    package var allowsDamage = false

    package init() {}
}

/// A picture of a film as bytes.
package struct PackedFrame: Sendable {
    /// All planes one after the other.
    package let bytes: [UInt8]
    package let width: Int
    package let height: Int
    /// FFmpeg's name of how samples lie.
    package let pixelFormat: String
    /// Width to height of a pixel.
    package let sampleAspect: (Int, Int)
    /// The time that it was wanted for.
    package let time: CMTime
    package let presentationTime: CMTime
    package let duration: CMTime
    /// Pictures in a second, if these come at a fixed rate.
    package let frameRate: (Int32, Int32)?
    /// Whether pictures are repeated or left out for that.
    package let isResampled: Bool
    /// Whether samples use all codes.
    package let isFullRange: Bool
    /// Whether it consists of two fields.
    package let isInterlaced: Bool
    /// Which of two fields is the earlier one.
    package let isTopFieldFirst: Bool
}

/// The pictures of a film as bytes, as they are decoded on a thread of their own.
package struct PackedFrames: AsyncSequence, Sendable {
    package typealias Element = PackedFrame
    let source: AssetSource
    let options: PackedFrameOptions

    package init(of asset: AVAsset, _ options: PackedFrameOptions) { (source, self.options) = (asset.source, options) }

    package func makeAsyncIterator() -> Iterator { Iterator(run: FeedRun(open)) }

    package struct Iterator: AsyncIteratorProtocol {
        let run: FeedRun<PackedFrame>

        package mutating func next() async throws -> PackedFrame? { try await run.next() }
    }

    private func open(_ cancellation: Cancellation) throws -> () throws -> PackedFrame? {
        do {
            return try openFeed(cancellation)
        } catch {
            throw readerError(for: error)
        }
    }

    private func openFeed(_ cancellation: Cancellation) throws -> () throws -> PackedFrame? {
        try source.checkFilesAreOwn()
        let track = try source.pictureTrack(options.trackID)
        let stored = try PictureFeed(
            track, of: source, range: options.timeRange, allowsDamage: options.allowsDamage,
            cancellation: cancellation)
        var form = ShownForm(width: options.width, height: options.height, pixelFormat: options.pixelFormat)
        (form.prefersLuma, form.wantsFullGrey) = (options.prefersLuma, options.wantsFullGrey)
        let asStored = options.isStored && options.pixelFormat == nil && options.width == nil && options.height == nil
        let feed: any PictureFeeding =
            asStored ? stored : try ShownPictureFeed(stored, form, isStored: options.isStored)
        let rate = FrameStreamRate(options, stored, track)
        var spacing = FrameSpacing(options.interval ?? rate.interval, from: options.timeRange?.start)
        var waiting: [PackedFrame] = []
        return {
            do {
                while waiting.isEmpty {
                    guard let picture = try feed.next() else { return nil }
                    let times = spacing.times(in: picture.timeRange)
                    guard !times.isEmpty else { continue }
                    let (frame, bytes) = (picture.frame, try picture.frame.packedBytes())
                    let aspect = frame.sampleAspectRatio ?? Ratio(1, 1)
                    waiting += times.map { time in
                        PackedFrame(
                            bytes: bytes, width: frame.width, height: frame.height, pixelFormat: frame.pixelFormat,
                            sampleAspect: (Int(aspect.numerator), Int(aspect.denominator)), time: time,
                            presentationTime: picture.timeRange.start, duration: picture.timeRange.duration,
                            frameRate: rate.rate, isResampled: rate.interval != nil, isFullRange: frame.isFullRange,
                            isInterlaced: asStored && frame.isInterlaced, isTopFieldFirst: frame.isTopFieldFirst)
                    }
                }
                return waiting.removeFirst()
            } catch {
                throw readerError(for: error)
            }
        }
    }
}

/// How often pictures come that all last as long.
private struct FrameStreamRate {
    /// Pictures in a second.
    var rate: (Int32, Int32)?
    /// The distance at which pictures are taken for that, where the film's own differ.
    var interval: CMTime?

    init(_ options: PackedFrameOptions, _ feed: PictureFeed, _ track: TrackDescription) {
        if let interval = options.interval, let value = Int32(exactly: interval.value), value > 0 {
            rate = Self.reduced(interval.timescale, value)
        } else if let fixed = feed.fixedFrameRate {
            rate = (fixed.numerator, fixed.denominator)
        } else if options.needsFixedRate {
            let average = track.video?.nominalFrameRate ?? 0
            let thousandths = average.isFinite && average > 0 ? Int32((min(average, 1000) * 1000).rounded()) : 25_000
            rate = Self.reduced(max(1, thousandths), 1000)
            interval = CMTime(value: 1000, timescale: max(1, thousandths))
        }
    }

    /// A fraction in lowest terms.
    private static func reduced(_ numerator: Int32, _ denominator: Int32) -> (Int32, Int32) {
        let divisor = Int32(greatestCommonDivisor(numerator.magnitude, denominator.magnitude))
        return (numerator / max(1, divisor), denominator / max(1, divisor))
    }
}
