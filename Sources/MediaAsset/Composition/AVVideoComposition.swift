public import Foundation
public import MediaCore
internal import Synchronization

/// How the pictures of an asset's video tracks become one picture, over time.
///
/// Immutable unless it is an ``AVMutableVideoComposition``, and safe to share then too. The instructions follow each
/// other without gaps; each says which tracks are layered, and how.
///
/// - Note: What Core Animation or Core Image would draw is not offered.
open class AVVideoComposition: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    // @unchecked Sendable: all state is behind the lock in `state`.

    /// What becomes of the metadata of single HDR pictures.
    public struct PerFrameHDRDisplayMetadataPolicy: RawRepresentable, Hashable, Sendable {
        /// The policy's name.
        public let rawValue: String
        /// Makes a policy of its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// What the composed picture has is kept.
        public static let propagate = PerFrameHDRDisplayMetadataPolicy(
            rawValue: "PerFrameHDRDisplayMetadataPolicy_Propagate")
        /// New metadata may be made of the picture; nothing is, here.
        public static let generate = PerFrameHDRDisplayMetadataPolicy(
            rawValue: "PerFrameHDRDisplayMetadataPolicy_Generate")
    }

    let state: Mutex<Configuration>

    /// A composition with what a configuration says.
    public init(configuration: Configuration) {
        state = Mutex(configuration)
        super.init()
    }

    /// A composition without instructions, of no size.
    public override init() {
        state = Mutex(Configuration())
        super.init()
    }

    /// What the composition says, as it is now.
    package var configuration: Configuration { state.withLock { $0 } }

    // MARK: Pictures

    /// How long each composed picture is shown; the shortest while where `sourceTrackIDForFrameTiming` is set.
    open var frameDuration: CMTime { state.withLock { $0.frameDuration } }

    /// The number of the track whose pictures' times the composed ones have; ``kCMPersistentTrackID_Invalid`` for
    /// pictures at even distances.
    open var sourceTrackIDForFrameTiming: CMPersistentTrackID { state.withLock { $0.sourceTrackIDForFrameTiming } }

    /// The size of the composed pictures, in pixels.
    open var renderSize: CGSize { state.withLock { $0.renderSize } }

    /// How much larger than `renderSize` the pictures are made; 1 for exports and stills.
    open var renderScale: Float { state.withLock { $0.renderScale } }

    /// The class of what composes pictures in place of layer instructions; `nil` for these.
    open var customVideoCompositorClass: (any AVVideoCompositing.Type)? {
        state.withLock { $0.customVideoCompositorClass }
    }

    /// What is composed when, in ascending order of time, without gaps.
    open var instructions: [any AVVideoCompositionInstructionProtocol] { state.withLock { $0.instructions } }

    /// The numbers of the tracks whose data, other than pictures, are needed.
    open var sourceSampleDataTrackIDs: [CMPersistentTrackID] { state.withLock { $0.sourceSampleDataTrackIDs } }

    // MARK: Colour

    /// The primaries of the composed pictures, as for `AVVideoColorPrimariesKey`; those of the source if `nil`.
    open var colorPrimaries: String? { state.withLock { $0.colorPrimaries } }

    /// The matrix of the composed pictures, as for `AVVideoYCbCrMatrixKey`; that of the source if `nil`.
    open var colorYCbCrMatrix: String? { state.withLock { $0.colorYCbCrMatrix } }

    /// The curve of the composed pictures, as for `AVVideoTransferFunctionKey`; that of the source if `nil`.
    open var colorTransferFunction: String? { state.withLock { $0.colorTransferFunction } }

    /// What becomes of the metadata of single HDR pictures.
    open var perFrameHDRDisplayMetadataPolicy: PerFrameHDRDisplayMetadataPolicy {
        state.withLock { $0.perFrameHDRDisplayMetadataPolicy }
    }

    // MARK: Assets

    /// A composition that shows an asset's video tracks upright, each as long as it lasts; loads the asset.
    ///
    /// There is an instruction for each stretch of time during which the same tracks have something to show, the first
    /// track on top; one without layers where none has. Tracks that are not enabled count only if no track is. The
    /// size holds every track's upright pictures, and the rate is that of the fastest; 30 a second if none is known.
    /// Of one track the pictures keep their times. Without video there are no instructions.
    ///
    /// - Throws: What opening the file fails with, as `AVAsset` tells.
    /// - Note: AVFoundation takes the size of an `AVComposition` from its `naturalSize`.
    open class func videoComposition(withPropertiesOf asset: AVAsset) async throws -> AVVideoComposition {
        AVVideoComposition(configuration: try await Configuration(for: asset))
    }

    /// Makes a composition as ``videoComposition(withPropertiesOf:)`` does, then calls the handler, from any thread: with
    /// it, or with the error.
    open class func videoComposition(
        withPropertiesOf asset: AVAsset,
        completionHandler: @escaping @Sendable (AVVideoComposition?, (any Error)?) -> Void
    ) {
        CompletionHandler.call(completionHandler) { try await videoComposition(withPropertiesOf: asset) }
    }

    // MARK: Copies

    /// An immutable copy of the composition, its instructions and their layers as they are now.
    ///
    /// Instructions and layers of a client's own classes are kept themselves.
    open func copy(with zone: NSZone? = nil) -> Any {
        var copy = configuration
        copy.instructions = copy.instructions.map { ($0 as? AVVideoCompositionInstruction)?.snapshot ?? $0 }
        return AVVideoComposition(configuration: copy)
    }

    /// A copy that can be changed, whose instructions do not follow changes of this one's.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        var copy = configuration
        copy.instructions = copy.instructions.map { ($0 as? AVVideoCompositionInstruction)?.ownCopy ?? $0 }
        return AVMutableVideoComposition(configuration: copy)
    }

    /// Size, rate and instructions, for debugging.
    open override var description: String {
        "\(Self.self)(\(renderSize.width) x \(renderSize.height), every \(frameDuration), \(instructions))"
    }
}

extension AVVideoCompositionInstruction {
    // Of a client's own class the object itself is taken, since a copy of ours would lose what it adds.

    /// An immutable copy, its layers too.
    var snapshot: AVVideoCompositionInstruction {
        isOfOurs ? copy() as? AVVideoCompositionInstruction ?? self : self
    }

    /// A copy that can be changed if this one can.
    var ownCopy: AVVideoCompositionInstruction {
        guard isOfOurs else { return self }
        let copy = self is AVMutableVideoCompositionInstruction ? mutableCopy() : copy()
        return copy as? AVVideoCompositionInstruction ?? self
    }

    private var isOfOurs: Bool {
        type(of: self) == AVVideoCompositionInstruction.self
            || type(of: self) == AVMutableVideoCompositionInstruction.self
    }
}

extension AVVideoComposition {
    /// A composition that shows an asset's video tracks upright; blocks until the asset is loaded.
    ///
    /// As ``videoComposition(withPropertiesOf:)``, but without instructions if the file cannot be read.
    ///
    /// - Note: AVFoundation deprecates it in favour of that one.
    public convenience init(propertiesOf asset: AVAsset) {
        self.init(
            configuration: Configuration(
                tracks: asset.tracks(withMediaType: .video), duration: asset.duration, prototype: nil))
    }
}

extension AVMutableVideoComposition {
    /// As ``AVVideoComposition/videoComposition(withPropertiesOf:)``, each instruction with background and
    /// post-processing of a prototype.
    ///
    /// - Throws: What opening the file fails with, as `AVAsset` tells.
    public class func videoComposition(
        withPropertiesOf asset: AVAsset, prototypeInstruction: AVVideoCompositionInstruction
    ) async throws -> AVMutableVideoComposition {
        AVMutableVideoComposition(
            configuration: try await Configuration(for: asset, prototypeInstruction: prototypeInstruction))
    }

    /// A composition that shows an asset's video tracks upright, each instruction with background and post-processing
    /// of a prototype; blocks until the asset is loaded.
    public convenience init(propertiesOf asset: AVAsset, prototypeInstruction: AVVideoCompositionInstruction) {
        self.init(
            configuration: Configuration(
                tracks: asset.tracks(withMediaType: .video), duration: asset.duration, prototype: prototypeInstruction))
    }
}

extension AVVideoComposition.Configuration {
    /// Shows an asset's video tracks upright; see ``AVVideoComposition/videoComposition(withPropertiesOf:)``.
    ///
    /// - Parameter prototypeInstruction: What the instructions say besides times and layers; nothing if `nil`.
    /// - Throws: What opening the file fails with, as `AVAsset` tells.
    public init(for asset: AVAsset, prototypeInstruction: AVVideoCompositionInstruction? = nil) async throws {
        let (tracks, duration) = try await (asset.loadTracks(withMediaType: .video), asset.load(.duration))
        self.init(tracks: tracks, duration: duration, prototype: prototypeInstruction)
    }

    /// Shows video tracks of an asset that lasts so long.
    init(tracks: [AVAssetTrack], duration: CMTime, prototype: AVVideoCompositionInstruction?) {
        let enabled = tracks.filter(\.isEnabled)
        let tracks = enabled.isEmpty ? tracks : enabled
        self.init(
            frameDuration: tracks.shortestFrameDuration ?? CMTime(value: 1, timescale: 30),
            instructions: tracks.uprightInstructions(upTo: duration, prototype: prototype),
            renderSize: tracks.enclosingSize,
            sourceTrackIDForFrameTiming: tracks.count == 1 ? tracks[0].trackID : kCMPersistentTrackID_Invalid)
    }
}

extension [AVAssetTrack] {
    /// The duration of the fastest track's frames, `nil` if no track tells.
    fileprivate var shortestFrameDuration: CMTime? { compactMap(\.knownFrameDuration).min() }

    /// The width of the widest upright picture and the height of the highest, in whole pixels.
    fileprivate var enclosingSize: CGSize {
        let sizes = map { CGRect(origin: .zero, size: $0.naturalSize).applying($0.preferredTransform).size }
        // Sines and cosines leave a size a trifle above what it is.
        func whole(_ lengths: [CGFloat]) -> CGFloat { ((lengths.max() ?? 0) - 1e-6).rounded(.up) }
        return CGSize(width: whole(sizes.map(\.width)), height: whole(sizes.map(\.height)))
    }

    /// One instruction for each stretch during which the same tracks have something to show.
    fileprivate func uprightInstructions(
        upTo duration: CMTime, prototype: AVVideoCompositionInstruction?
    ) -> [AVVideoCompositionInstruction] {
        guard !isEmpty else { return [] }
        let ends = map(\.timeRange.end).filter(\.isNumeric)
        let last = duration.isNumeric && duration > .zero ? duration : ends.max() ?? .zero
        // Tracks of a film seldom begin and end at just the same time; no picture is to be missing there.
        let moment = CMTime(value: 1, timescale: 10)
        let borders = Set(
            (map(\.timeRange.start) + ends).filter { $0.isNumeric && $0 > moment && $0 < last - moment })
        let times = [.zero] + borders.sorted() + [last]
        return zip(times, times.dropFirst()).compactMap { start, end in
            guard start < end else { return nil }
            var instruction = prototype?.configuration ?? AVVideoCompositionInstruction.Configuration()
            instruction.timeRange = CMTimeRange(start: start, end: end)
            let middle = start + CMTimeMultiplyByRatio(end - start, multiplier: 1, divisor: 2)
            instruction.layerInstructions = filter { $0.timeRange.containsTime(middle) }.map(\.uprightLayer)
            return AVMutableVideoCompositionInstruction(configuration: instruction)
        }
    }
}

extension AVAssetTrack {
    /// How long a frame lasts, by its shortest or by the rate; `nil` if neither is known.
    fileprivate var knownFrameDuration: CMTime? {
        if minFrameDuration.isNumeric, minFrameDuration > .zero { return minFrameDuration }
        guard nominalFrameRate > 0, nominalFrameRate.isFinite else { return nil }
        let rate = Double(nominalFrameRate)
        // 23.976 and its kin are whole rates by 1000/1001.
        for (numerator, denominator) in [(rate, 1), (rate * 1001 / 1000, 1001.0 / 1000)] {
            let whole = numerator.rounded()
            if whole >= 1, whole < 1e6, abs(numerator - whole) < 0.002 * denominator {
                return denominator == 1
                    ? CMTime(value: 1, timescale: CMTimeScale(whole))
                    : CMTime(value: 1001, timescale: CMTimeScale(whole) * 1000)
            }
        }
        let duration = CMTime(seconds: 1 / rate, preferredTimescale: 90_000)
        return duration > .zero ? duration : nil
    }

    fileprivate var uprightLayer: AVVideoCompositionLayerInstruction {
        var layer = AVVideoCompositionLayerInstruction.Configuration(assetTrack: self)
        if !preferredTransform.isIdentity { layer.setTransform(preferredTransform, at: .zero) }
        return AVMutableVideoCompositionLayerInstruction(configuration: layer)
    }
}

extension AVVideoComposition {
    /// What a composition says, as a value.
    ///
    /// - Note: AVFoundation's has an animation tool and descriptions of stereo besides.
    public struct Configuration: Sendable {
        /// The primaries of the composed pictures; those of the source if `nil`.
        public var colorPrimaries: String?
        /// The curve of the composed pictures; that of the source if `nil`.
        public var colorTransferFunction: String?
        /// The matrix of the composed pictures; that of the source if `nil`.
        public var colorYCbCrMatrix: String?
        /// The class of what composes pictures in place of layer instructions; `nil` for these.
        public var customVideoCompositorClass: (any AVVideoCompositing.Type)?
        /// How long each composed picture is shown.
        public var frameDuration: CMTime
        /// What is composed when, in ascending order of time, without gaps.
        public var instructions: [any AVVideoCompositionInstructionProtocol]
        /// What becomes of the metadata of single HDR pictures.
        public var perFrameHDRDisplayMetadataPolicy: PerFrameHDRDisplayMetadataPolicy
        /// How much larger than `renderSize` the pictures are made.
        public var renderScale: Float
        /// The size of the composed pictures, in pixels.
        public var renderSize: CGSize
        /// The numbers of the tracks whose data, other than pictures, are needed.
        public var sourceSampleDataTrackIDs: [CMPersistentTrackID]
        /// The number of the track whose pictures' times the composed ones have; ``kCMPersistentTrackID_Invalid`` for
        /// even distances.
        public var sourceTrackIDForFrameTiming: CMPersistentTrackID

        /// What a composition is to say; by default one without instructions, of no size.
        public init(
            colorPrimaries: String? = nil, colorTransferFunction: String? = nil, colorYCbCrMatrix: String? = nil,
            customVideoCompositorClass: (any AVVideoCompositing.Type)? = nil,
            frameDuration: CMTime = CMTime.zero, instructions: [any AVVideoCompositionInstructionProtocol] = [],
            perFrameHDRDisplayMetadataPolicy: PerFrameHDRDisplayMetadataPolicy = .propagate, renderScale: Float = 1.0,
            renderSize: CGSize = .zero, sourceSampleDataTrackIDs: [CMPersistentTrackID] = [],
            sourceTrackIDForFrameTiming: Int32 = CMPersistentTrackID.zero
        ) {
            self.colorPrimaries = colorPrimaries
            self.colorTransferFunction = colorTransferFunction
            self.colorYCbCrMatrix = colorYCbCrMatrix
            self.customVideoCompositorClass = customVideoCompositorClass
            self.frameDuration = frameDuration
            self.instructions = instructions
            self.perFrameHDRDisplayMetadataPolicy = perFrameHDRDisplayMetadataPolicy
            self.renderScale = renderScale
            self.renderSize = renderSize
            self.sourceSampleDataTrackIDs = sourceSampleDataTrackIDs
            self.sourceTrackIDForFrameTiming = sourceTrackIDForFrameTiming
        }
    }
}

extension AVVideoComposition.Configuration {
    /// The instruction that holds at a time, of instructions in ascending order; `nil` if none does.
    ///
    /// - Complexity: The logarithm of the number of instructions.
    package func instruction(at time: CMTime) -> (any AVVideoCompositionInstructionProtocol)? {
        let index = instructions.partitioningIndex { $0.timeRange.start > time }
        guard index > 0, instructions[index - 1].timeRange.containsTime(time) else { return nil }
        return instructions[index - 1]
    }
}

extension AVVideoComposition.Configuration {
    /// Width and height in whole pixels, at least 1; both 0 for a size that nothing can be drawn in.
    package var pixelSize: (width: Int, height: Int) {
        let sides = 0.0..<Self.largestSide.nextUp
        guard sides.contains(renderSize.width), sides.contains(renderSize.height) else { return (0, 0) }
        return (max(1, Int(renderSize.width.rounded())), max(1, Int(renderSize.height.rounded())))
    }

    /// The tracks that are drawn during a range.
    ///
    /// - Parameter all: Those that there are.
    package func trackIDs(over range: CMTimeRange, among all: Set<CMPersistentTrackID>) -> Set<CMPersistentTrackID> {
        instructions.filter { $0.timeRange.start < range.end && range.start < $0.timeRange.end }
            .reduce(into: []) { $0.formUnion($1.neededTrackIDs ?? all) }
    }
}

extension AVVideoCompositionInstructionProtocol {
    /// The tracks whose pictures are needed; `nil` for all.
    package var neededTrackIDs: Set<CMPersistentTrackID>? {
        let needed: [NSValue]? = requiredSourceTrackIDs
        guard let needed else { return nil }
        let passed = passthroughTrackID == kCMPersistentTrackID_Invalid ? [] : [passthroughTrackID]
        return Set(needed.compactMap { ($0 as? NSNumber)?.int32Value } + passed)
    }
}
