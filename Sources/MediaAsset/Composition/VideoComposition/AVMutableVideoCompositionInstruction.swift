public import Foundation
public import MediaCore
public import MediaImage
internal import Synchronization

/// Which layers the composed pictures have during a range of time, which can be changed.
///
/// Copies do not follow later changes, neither of the instruction nor of its layers.
///
/// - Note: AVFoundation deprecates the class in favour of ``AVVideoCompositionInstruction/Configuration``, which is
///   there as well.
open class AVMutableVideoCompositionInstruction: AVVideoCompositionInstruction, @unchecked Sendable {
    /// When the instruction holds, on the asset's timeline; invalid until set.
    open override var timeRange: CMTimeRange {
        get { super.timeRange }
        set { state.withLock { $0.timeRange = newValue } }
    }

    /// What lies behind all layers; `nil`, the default, for opaque black.
    open override var backgroundColor: CGColor? {
        get { super.backgroundColor }
        set { state.withLock { $0.backgroundColor = newValue } }
    }

    /// The layers, the topmost first; none for the background alone.
    open override var layerInstructions: [AVVideoCompositionLayerInstruction] {
        get { super.layerInstructions }
        set { state.withLock { $0.layerInstructions = newValue } }
    }

    /// Whether layers of Core Animation are drawn over the pictures, which changes nothing here; true by default.
    open override var enablePostProcessing: Bool {
        get { super.enablePostProcessing }
        set { state.withLock { $0.enablePostProcessing = newValue } }
    }

    /// The numbers of the tracks whose data, other than pictures, are needed; none by default.
    open override var requiredSourceSampleDataTrackIDs: [NSNumber] {
        get { super.requiredSourceSampleDataTrackIDs }
        set { state.withLock { $0.requiredSourceSampleDataTrackIDs = newValue.map(\.int32Value) } }
    }
}
