public import Foundation
public import MediaCore
internal import Synchronization

/// How the pictures of an asset's video tracks become one picture, which can be changed.
///
/// Copies do not follow later changes, neither of the composition nor of its instructions and their layers.
///
/// - Note: AVFoundation deprecates the class in favour of ``AVVideoComposition/Configuration``, which is there as well.
open class AVMutableVideoComposition: AVVideoComposition, @unchecked Sendable {
    /// A composition that shows an asset's video tracks upright, as that of the superclass, and can be changed; loads the
    /// asset.
    ///
    /// - Throws: What opening the file fails with, as `AVAsset` tells.
    open override class func videoComposition(
        withPropertiesOf asset: AVAsset
    ) async throws -> AVMutableVideoComposition {
        AVMutableVideoComposition(configuration: try await Configuration(for: asset))
    }

    /// Makes a composition as ``videoComposition(withPropertiesOf:)`` does, then calls the handler, from any thread: with
    /// it, or with the error.
    open override class func videoComposition(
        withPropertiesOf asset: AVAsset,
        completionHandler: @escaping @Sendable (AVMutableVideoComposition?, (any Error)?) -> Void
    ) {
        CompletionHandler.call(completionHandler) { try await videoComposition(withPropertiesOf: asset) }
    }

    /// How long each composed picture is shown, above zero; zero until set.
    open override var frameDuration: CMTime {
        get { super.frameDuration }
        set { state.withLock { $0.frameDuration = newValue } }
    }

    /// The number of the track whose pictures' times the composed ones have; ``kCMPersistentTrackID_Invalid``, the
    /// default, for pictures at even distances.
    open override var sourceTrackIDForFrameTiming: CMPersistentTrackID {
        get { super.sourceTrackIDForFrameTiming }
        set { state.withLock { $0.sourceTrackIDForFrameTiming = newValue } }
    }

    /// The size of the composed pictures, in pixels, up to 16384 each way; zero until set.
    open override var renderSize: CGSize {
        get { super.renderSize }
        set { state.withLock { $0.renderSize = newValue } }
    }

    /// How much larger than `renderSize` the pictures are made; 1 by default, as exports and stills want it.
    open override var renderScale: Float {
        get { super.renderScale }
        set { state.withLock { $0.renderScale = newValue } }
    }

    /// The class of what composes pictures in place of layer instructions; `nil`, the default, for these.
    open override var customVideoCompositorClass: (any AVVideoCompositing.Type)? {
        get { super.customVideoCompositorClass }
        set { state.withLock { $0.customVideoCompositorClass = newValue } }
    }

    /// What is composed when: in ascending order of time, each beginning where the last one ends.
    open override var instructions: [any AVVideoCompositionInstructionProtocol] {
        get { super.instructions }
        set { state.withLock { $0.instructions = newValue } }
    }

    /// The numbers of the tracks whose data, other than pictures, are needed; none by default.
    open override var sourceSampleDataTrackIDs: [CMPersistentTrackID] {
        get { super.sourceSampleDataTrackIDs }
        set { state.withLock { $0.sourceSampleDataTrackIDs = newValue } }
    }

    /// The primaries of the composed pictures, as for `AVVideoColorPrimariesKey`; `nil`, the default, for the source's.
    open override var colorPrimaries: String? {
        get { super.colorPrimaries }
        set { state.withLock { $0.colorPrimaries = newValue } }
    }

    /// The matrix of the composed pictures, as for `AVVideoYCbCrMatrixKey`; `nil`, the default, for the source's.
    open override var colorYCbCrMatrix: String? {
        get { super.colorYCbCrMatrix }
        set { state.withLock { $0.colorYCbCrMatrix = newValue } }
    }

    /// The curve of the composed pictures, as for `AVVideoTransferFunctionKey`; `nil`, the default, for the source's.
    open override var colorTransferFunction: String? {
        get { super.colorTransferFunction }
        set { state.withLock { $0.colorTransferFunction = newValue } }
    }

    /// What becomes of the metadata of single HDR pictures; it is kept by default.
    open override var perFrameHDRDisplayMetadataPolicy: PerFrameHDRDisplayMetadataPolicy {
        get { super.perFrameHDRDisplayMetadataPolicy }
        set { state.withLock { $0.perFrameHDRDisplayMetadataPolicy = newValue } }
    }
}

// What of video compositions is not offered, so that code which uses it is told what to use instead.

extension AVVideoComposition {
    /// Not offered.
    @available(*, unavailable, message: "There is no Core Animation on Linux; draw what moves into a track of its own.")
    public var animationTool: AVVideoCompositionCoreAnimationTool? {
        get { nil }
        set {}
    }

    /// Not offered.
    @available(*, unavailable, message: "There is no Core Image on Linux; compose by layer instructions.")
    public convenience init(
        asset: AVAsset,
        applyingCIFiltersWithHandler applier: @escaping @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void
    ) {
        self.init()
    }

    /// Not offered.
    @available(*, unavailable, message: "There is no Core Image on Linux; compose by layer instructions.")
    public static func videoComposition(
        with asset: AVAsset,
        applyingCIFiltersWithHandler applier: @escaping @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void
    ) async throws -> AVVideoComposition {
        AVVideoComposition()
    }
}

/// Not offered.
@available(*, unavailable, message: "There is no Core Image on Linux.")
open class AVAsynchronousCIImageFilteringRequest: NSObject {}

/// Not offered.
@available(*, unavailable, message: "There is no Core Animation on Linux; draw what moves into a track of its own.")
open class AVVideoCompositionCoreAnimationTool: NSObject {}
