public import Foundation
public import MediaAsset
public import MediaCore
public import MediaEngine
public import MediaImage
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
///
/// Settings may be changed on any thread; a request takes them as they are when it is made. Several
/// requests may run at a time. A generator holds no pictures; its asset keeps the file open
/// from one request to the next.
///
/// - Note: AVFoundation's is not `Sendable`, and does not say of damaged pictures that they are refused.
public final class AVAssetImageGenerator: NSObject, Sendable {
    /// Which part of the coded picture is shown.
    public struct ApertureMode: RawRepresentable, Hashable, Sendable {
        /// The mode's name.
        public let rawValue: String
        /// Makes a mode of its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The clean aperture, the part that is meant to be seen, in square pixels.
        public static let cleanAperture = ApertureMode(rawValue: "CleanAperture")
        /// Everything that is coded, in square pixels.
        public static let productionAperture = ApertureMode(rawValue: "ProductionAperture")
        /// Everything, pixel for pixel as coded: anamorphic pictures look squeezed.
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
    private let composing = Mutex<VideoComposing?>(nil)
    private let record = StatisticsRecord()
    /// The requests with completion handlers that are under way.
    let batches = Mutex<[ObjectIdentifier: StillBatch]>([:])

    /// Makes a generator; touches no file.
    public init(asset: AVAsset) {
        self.asset = asset
        super.init()
    }

    /// Whether images are turned and mirrored as the track asks, by multiples of 90 degrees.
    ///
    /// False by default.
    public var appliesPreferredTrackTransform: Bool {
        get { settings.withLock { $0.appliesTransform } }
        set { settings.withLock { $0.appliesTransform = newValue } }
    }

    /// The box in pixels that images are made to fit into, never enlarged, aspect kept.
    ///
    /// Of the image as it comes out: after it is turned, if it is. Zero leaves a direction free; `.zero`,
    /// the default, is full size. Fractions are dropped; less than zero counts as zero, more than a million
    /// as a million. Boxes make stills cheaper: pictures are scaled straight from the decoded ones.
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
    /// which needs nothing else decoded. Zero on both sides gives the exact frame; so do
    /// tolerances in which no sync sample lies.
    public var requestedTimeToleranceBefore: CMTime {
        get { settings.withLock { $0.toleranceBefore } }
        set { settings.withLock { $0.toleranceBefore = newValue } }
    }

    /// How far after the requested time the frame's own time may lie.
    ///
    /// Infinite by default, as in AVFoundation; see `requestedTimeToleranceBefore`.
    public var requestedTimeToleranceAfter: CMTime {
        get { settings.withLock { $0.toleranceAfter } }
        set { settings.withLock { $0.toleranceAfter = newValue } }
    }

    /// Whether pictures that were decoded with errors are delivered, marked as
    /// damaged, instead of failing.
    ///
    /// False by default. `Still.damage` says what is wrong; `image(at:)` and `images(for:)` do not tell.
    /// Beyond AVFoundation.
    public var allowsDamagedPictures: Bool {
        get { settings.withLock { $0.allowsDamagedPictures } }
        set { settings.withLock { $0.allowsDamagedPictures = newValue } }
    }

    /// How far before and after the requested time a frame may lie that stands
    /// for what is shown there: not black, flat or blurred, and no transition.
    ///
    /// Zero by default: the tolerances decide, which else count only where no frame of the window is whole.
    /// Up to nine frames spread over the window are decoded and compared, and as many 0.12 s after them;
    /// `Still.choice` says what was found. Beyond AVFoundation.
    public var representativeWindow: CMTime {
        get { settings.withLock { $0.representativeWindow } }
        set { settings.withLock { $0.representativeWindow = newValue } }
    }

    /// How pictures are composed of the asset's tracks; `nil`, the default, for those of its first one as they are.
    ///
    /// A copy is taken when it is set: what changes afterwards has no effect. Images are then those that an export of the
    /// whole asset shows: of `renderSize`, exact whatever the tolerances are, and SDR; `appliesPreferredTrackTransform`,
    /// `apertureMode` and `representativeWindow` have no effect. A composition that contradicts itself or the asset fails
    /// with `AVError.invalidVideoComposition`.
    public var videoComposition: AVVideoComposition? {
        get { composing.withLock { $0?.composition } }
        set {
            let new = newValue.map { VideoComposing($0) }
            composing.withLock { $0 = new }
        }
    }

    /// The object that composes pictures, of the class that the video composition names; `nil` if it names none, or it
    /// asks for pixels that cannot be had.
    public var customVideoCompositor: (any AVVideoCompositing)? {
        try? composing.withLock { $0 }?.compositor()?.compositor
    }

    /// What all requests so far cost, as far as their work has ended.
    ///
    /// Beyond AVFoundation.
    public var statistics: StillStatistics { record.value }

    /// An image of the frame shown at a time.
    ///
    /// - Parameter time: A numeric time on the asset's timeline, from zero to its duration.
    /// - Returns: The image, and the frame's own presentation time on the asset's timeline, in the
    ///   track's timescale.
    /// - Throws: `AVError.noImageAtTime` before zero, beyond the asset's end, and for a time that is not numeric;
    ///   `AVError.decodeFailed` for a picture that cannot be had undamaged; `AVError.noSourceTrack` without
    ///   video; `AVError.contentIsProtected` for encrypted video; `AVError.decoderNotFound` for what would not
    ///   come out right, such as Dolby Vision without a base layer; `AVError.incorrectlyConfigured`
    ///   for a box or a part that does not suit the picture; `CancellationError` if the task
    ///   is cancelled; else what opening the file fails with, as `AVAsset` tells.
    /// - Complexity: Opens the file, unless the asset has it open; then at most one seek, and of one GOP what
    ///   the frame depends on. Program streams, elementary streams and Ogg are decoded from their beginning.
    /// - Note: AVFoundation does not say that damaged pictures are refused.
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
    ///
    /// - Parameter times: Numeric times on the asset's timeline, in any order, repetitions too; any other
    ///   time fails by itself, as `image(at:)` says.
    /// - Complexity: Each GOP with a wanted frame is entered once and decoded up to the last of them. Groups of
    ///   GOPs go to as many workers as there are cores, each with a demuxer and a decoder.
    public func stills(for times: [CMTime]) -> Stills<Still> {
        let product = StillProduct<Still>(make: { $0 }, byteCount: { $0.images.reduce(0) { $0 + $1.pixels.count } })
        return Stills(session: session(for: times, product: product))
    }

    /// What is made of the stills at several times, in ascending order of time.
    ///
    /// Like `stills(for:)`, with the next step, such as encoding a file, done on
    /// the threads that decode. Beyond AVFoundation.
    ///
    /// - Parameters:
    ///   - times: As for `stills(for:)`.
    ///   - process: Called once for each still, on several threads at a
    ///     time; what it throws becomes that still's failure. Its results count as a
    ///     megabyte each, of which about six wait at a time.
    /// - Complexity: As `stills(for:)`.
    public func stills<Output: Sendable>(
        for times: [CMTime], process: @escaping @Sendable (Still) throws -> Output
    ) -> Stills<Output> {
        let product = StillProduct(make: process, runsCallersCode: true, byteCount: { _ in 1 << 20 })
        return Stills(session: session(for: times, product: product))
    }

    private func session<Output>(for times: [CMTime], product: StillProduct<Output>) -> StillSession<Output> {
        let composed = composing.withLock { $0 }.map { StillComposition(asset: asset, composing: $0) }
        return StillSession(
            source: asset.source, times: times, settings: settings.withLock { $0 }, product: product,
            statistics: record, composition: composed)
    }
}
