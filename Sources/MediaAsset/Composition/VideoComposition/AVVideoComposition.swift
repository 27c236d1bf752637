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
