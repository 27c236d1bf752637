public import Foundation
public import MediaAsset
public import MediaImage
internal import MediaLoading
public import MediaTime
internal import Synchronization

/// Makes still images of an asset's video.
///
/// With both tolerances zero, the frame shown at a time `t` is the one with the greatest presentation time
/// at or before `t`; it is shown until the next one. A time equal to the asset's
/// duration, or past the last frame, gives the last frame; a time before the
/// first frame of a track that starts late gives the first.
///
/// A picture that cannot be decoded without errors is refused rather than
/// delivered, unless `allowsDamagedPictures` is set.
public final class AVAssetImageGenerator: Sendable {
    /// Which part of the coded picture is shown.
    public struct ApertureMode: RawRepresentable, Hashable, Sendable {
        /// The mode's name.
        public let rawValue: String
        /// Makes a mode of its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The clean aperture in square pixels.
        public static let cleanAperture = ApertureMode(rawValue: "CleanAperture")
        /// Everything, in square pixels.
        public static let productionAperture = ApertureMode(rawValue: "ProductionAperture")
        /// Everything, as coded.
        public static let encodedPixels = ApertureMode(rawValue: "EncodedPixels")
    }

    /// What becomes of HDR video.
    public struct DynamicRangePolicy: RawRepresentable, Hashable, Sendable {
        /// The policy's name.
        public let rawValue: String
        /// Makes a policy of its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// PQ and HLG are tone-mapped to SDR.
        public static let forceSDR = DynamicRangePolicy(rawValue: "ForceSDR")
        /// PQ and HLG stay as they are, in images of 16 bits for each component.
        public static let matchSource = DynamicRangePolicy(rawValue: "MatchSource")
    }

    /// The asset that images are made of.
    public let asset: AVAsset
    let settings = Mutex(StillSettings())
    private let record = StatisticsRecord()
    /// The requests with completion handlers that are under way.
    let batches = Mutex<[ObjectIdentifier: StillBatch]>([:])

    /// Makes a generator; touches no file.
    public init(asset: AVAsset) { self.asset = asset }

    /// Whether images are turned and mirrored as the track asks.
    ///
    /// False by default.
    public var appliesPreferredTrackTransform: Bool {
        get { settings.withLock { $0.appliesTransform } }
        set { settings.withLock { $0.appliesTransform = newValue } }
    }

    /// The box in pixels that images are made to fit into, never enlarged, aspect kept.
    ///
    /// Up to a million pixels a side; less than zero counts as zero. Zero leaves that direction free; `.zero`, the default, is full size.
    public var maximumSize: CGSize {
        get { settings.withLock { CGSize(width: $0.maximumWidth, height: $0.maximumHeight) } }
        set {
            settings.withLock { settings in
                settings.maximumWidth = Int(max(0, min(1e6, newValue.width)))
                settings.maximumHeight = Int(max(0, min(1e6, newValue.height)))
            }
        }
    }

    /// Which part of the coded picture is shown: the clean aperture if `nil`, as
    /// it is until set.
    public var apertureMode: ApertureMode? {
        get { settings.withLock { $0.aperture } }
        set { settings.withLock { $0.aperture = newValue } }
    }

    /// Whether HDR video gives SDR images, as by default, or HDR ones.
    ///
    /// SDR video gives SDR images of 8 bits under both policies.
    ///
    /// - Note: AVFoundation's SDR images keep the primaries of the source; here
    ///   those of HDR video are brought to sRGB.
    public var dynamicRangePolicy: DynamicRangePolicy {
        get { settings.withLock { $0.dynamicRange } }
        set { settings.withLock { $0.dynamicRange = newValue } }
    }

    /// How far before the requested time the frame's own time may lie.
    ///
    /// Infinite by default, as in AVFoundation: the nearest sync sample is taken,
    /// which needs nothing else decoded. Zero on both sides gives the exact frame.
    public var requestedTimeToleranceBefore: CMTime {
        get { settings.withLock { $0.toleranceBefore } }
        set { settings.withLock { $0.toleranceBefore = newValue } }
    }

    /// How far after the requested time the frame's own time may lie.
    ///
    /// Infinite by default.
    public var requestedTimeToleranceAfter: CMTime {
        get { settings.withLock { $0.toleranceAfter } }
        set { settings.withLock { $0.toleranceAfter = newValue } }
    }

    /// Whether pictures that were decoded with errors are delivered, marked as
    /// damaged, instead of failing.
    ///
    /// False by default. Beyond AVFoundation.
    public var allowsDamagedPictures: Bool {
        get { settings.withLock { $0.allowsDamagedPictures } }
        set { settings.withLock { $0.allowsDamagedPictures = newValue } }
    }

    /// How far before and after the requested time a frame may lie that stands
    /// for what is shown there: not black, flat or blurred, and no transition.
    ///
    /// Zero by default: the tolerances decide. A few frames spread over the
    /// window are decoded and compared; `Still.choice` says what was found.
    /// Beyond AVFoundation.
    public var representativeWindow: CMTime {
        get { settings.withLock { $0.representativeWindow } }
        set { settings.withLock { $0.representativeWindow = newValue } }
    }

    /// What the requests that have ended cost.
    ///
    /// Beyond AVFoundation.
    public var statistics: StillStatistics { record.value }

    /// An image of the frame shown at a time.
    ///
    /// - Parameter time: A numeric time on the asset's timeline.
    /// - Returns: The image, and the frame's own presentation time in the
    ///   track's timescale.
    /// - Throws: `AVError.noImageAtTime` beyond the asset's end,
    ///   `AVError.decodeFailed` for a picture that cannot be had undamaged,
    ///   `CancellationError` if the task is cancelled.
    /// - Complexity: At most one seek plus the frames of one GOP.
    public func image(at time: CMTime) async throws -> (image: CGImage, actualTime: CMTime) {
        for await result in stills(for: [time]) {
            switch result {
            case .success(let still): return (still.image, still.actualTime)
            case .failure(let failure): throw failure.error
            }
        }
        throw CancellationError()
    }

    /// Stills of the frames shown at several times, in ascending order of time,
    /// exactly one result for each time.
    ///
    /// Beyond AVFoundation.
    ///
    /// A few pictures are made ahead of the reader and no more, so memory does
    /// not grow with the number of times. Leaving the loop stops the work.
    public func stills(for times: [CMTime]) -> Stills<Still> {
        let product = StillProduct<Still>(make: { $0 }, byteCount: { $0.images.reduce(0) { $0 + $1.pixels.count } })
        return Stills(session: session(for: times, product: product))
    }

    /// What is made of the stills at several times, in ascending order of time.
    ///
    /// Like `stills(for:)`, with the next step, such as encoding a file, done on
    /// the threads that decode. Beyond AVFoundation.
    ///
    /// - Parameter process: Called once for each still, on several threads at a
    ///   time; what it throws becomes that still's failure. Its results should
    ///   be much smaller than pictures.
    public func stills<Output: Sendable>(
        for times: [CMTime], process: @escaping @Sendable (Still) throws -> Output
    ) -> Stills<Output> {
        let product = StillProduct(make: process, byteCount: { _ in 1 << 20 })
        return Stills(session: session(for: times, product: product))
    }

    private func session<Output>(for times: [CMTime], product: StillProduct<Output>) -> StillSession<Output> {
        StillSession(
            source: asset.source, times: times, settings: settings.withLock { $0 }, product: product, statistics: record
        )
    }
}
