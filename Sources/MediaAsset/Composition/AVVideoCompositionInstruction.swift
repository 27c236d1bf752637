public import Foundation
public import MediaCore
public import MediaImage
internal import Synchronization

/// Which layers the composed pictures have during a range of time, and what lies behind them.
///
/// Immutable unless it is an ``AVMutableVideoCompositionInstruction``, and safe to share then too.
open class AVVideoCompositionInstruction: NSObject, NSCopying, NSMutableCopying, AVVideoCompositionInstructionProtocol,
    @unchecked Sendable
{
    // @unchecked Sendable: all state is behind the lock in `state`.

    let state: Mutex<Configuration>

    /// An instruction with what a configuration says.
    public init(configuration: Configuration) {
        state = Mutex(configuration)
        super.init()
    }

    /// An instruction without layers, for no time.
    public override init() {
        state = Mutex(Configuration(timeRange: .invalid))
        super.init()
    }

    /// What the instruction says, as it is now.
    package var configuration: Configuration { state.withLock { $0 } }

    /// When the instruction holds, on the asset's timeline: from its start up to, not including, its end.
    open var timeRange: CMTimeRange { state.withLock { $0.timeRange } }

    /// What lies behind all layers; opaque black if it is `nil`.
    ///
    /// Files without alpha take the colour without it.
    open var backgroundColor: CGColor? { state.withLock { $0.backgroundColor } }

    /// The layers, the topmost first; none for the background alone.
    open var layerInstructions: [AVVideoCompositionLayerInstruction] { state.withLock { $0.layerInstructions } }

    /// Whether layers of Core Animation are drawn over the pictures, which changes nothing here; true by default.
    open var enablePostProcessing: Bool { state.withLock { $0.enablePostProcessing } }

    /// Whether one picture of the sources may give different composed ones at different times: if a layer's transform,
    /// opacity or crop rectangle changes.
    open var containsTweening: Bool {
        let (layers, range) = state.withLock { ($0.layerInstructions, $0.timeRange) }
        return layers.contains { !$0.configuration.isConstant(over: range) }
    }

    /// The numbers of the layers' tracks as `NSNumber`s, each once, from the topmost layer on.
    open var requiredSourceTrackIDs: [NSValue] {
        var seen: Set<CMPersistentTrackID> = []
        return layerInstructions.map(\.trackID).filter { seen.insert($0).inserted }.map { NSNumber(value: $0) }
    }

    /// The number of the track whose pictures are the composed ones, if there is one layer, of which nothing else is
    /// said; else ``kCMPersistentTrackID_Invalid``.
    ///
    /// A composition of another size than the track's surrounds or cuts these pictures nevertheless.
    open var passthroughTrackID: CMPersistentTrackID {
        guard layerInstructions.count == 1, layerInstructions[0].configuration.isPlain else {
            return kCMPersistentTrackID_Invalid
        }
        return layerInstructions[0].trackID
    }

    /// The numbers of the tracks whose data, other than pictures, are needed.
    open var requiredSourceSampleDataTrackIDs: [NSNumber] {
        state.withLock { $0.requiredSourceSampleDataTrackIDs }.map { NSNumber(value: $0) }
    }

    // MARK: Copies

    /// An immutable copy of the instruction and its layers as they are now.
    open func copy(with zone: NSZone? = nil) -> Any {
        var copy = configuration
        copy.layerInstructions = copy.layerInstructions.map(\.snapshot)
        return AVVideoCompositionInstruction(configuration: copy)
    }

    /// A copy that can be changed, whose layers do not follow changes of this one's.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        var copy = configuration
        copy.layerInstructions = copy.layerInstructions.map(\.ownCopy)
        return AVMutableVideoCompositionInstruction(configuration: copy)
    }

    /// Range and layers, for debugging.
    open override var description: String { "\(Self.self)(\(timeRange), layers: \(layerInstructions))" }
}

extension AVVideoCompositionInstructionProtocol where Self: AVVideoCompositionInstruction {
    // Apple's class has a list where its protocol allows for none. In Swift alone one declaration cannot be both.

    /// The numbers of the layers' tracks as `NSNumber`s; never `nil`.
    public var requiredSourceTrackIDs: [NSValue]? {
        let numbers: [NSValue] = requiredSourceTrackIDs
        return numbers
    }
}

extension AVVideoCompositionLayerInstruction {
    // Of a client's own class the object itself is taken, since a copy of ours would lose what it adds.

    /// An immutable copy.
    var snapshot: AVVideoCompositionLayerInstruction {
        isChangeable ? AVVideoCompositionLayerInstruction(configuration: configuration) : self
    }

    /// A copy that can be changed if this one can.
    var ownCopy: AVVideoCompositionLayerInstruction {
        isChangeable ? AVMutableVideoCompositionLayerInstruction(configuration: configuration) : self
    }

    private var isChangeable: Bool { type(of: self) == AVMutableVideoCompositionLayerInstruction.self }
}

/// What is to be composed during a range of time.
///
/// ``AVVideoCompositionInstruction`` is the kind that is carried out here.
public protocol AVVideoCompositionInstructionProtocol: NSObjectProtocol, Sendable {
    /// When the instruction holds, on the asset's timeline.
    var timeRange: CMTimeRange { get }
    /// Whether layers of Core Animation are drawn over the pictures; there are none here.
    var enablePostProcessing: Bool { get }
    /// Whether one picture of the sources may give different composed ones at different times of the range.
    var containsTweening: Bool { get }
    /// The numbers of the tracks whose pictures are needed, as `NSNumber`s; `nil` for all of them.
    var requiredSourceTrackIDs: [NSValue]? { get }
    /// The number of the track whose pictures are the composed ones; ``kCMPersistentTrackID_Invalid`` if there is none.
    var passthroughTrackID: CMPersistentTrackID { get }
    /// The numbers of the tracks whose data, other than pictures, are needed.
    var requiredSourceSampleDataTrackIDs: [NSNumber] { get }
}

extension AVVideoCompositionInstructionProtocol {
    /// None.
    public var requiredSourceSampleDataTrackIDs: [NSNumber] { [] }
}

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

extension AVVideoCompositionInstruction {
    /// What an instruction says, as a value.
    public struct Configuration: Sendable {
        /// What lies behind all layers; opaque black if it is `nil`.
        public var backgroundColor: CGColor?
        /// Whether layers of Core Animation are drawn over the pictures, which changes nothing here.
        public var enablePostProcessing: Bool
        /// The layers, the topmost first; none for the background alone.
        public var layerInstructions: [AVVideoCompositionLayerInstruction]
        /// The numbers of the tracks whose data, other than pictures, are needed.
        public var requiredSourceSampleDataTrackIDs: [CMPersistentTrackID]
        /// When the instruction holds, on the asset's timeline.
        public var timeRange: CMTimeRange

        /// What an instruction is to say; by default one without layers, for no time.
        public init(
            backgroundColor: CGColor? = nil, enablePostProcessing: Bool = true,
            layerInstructions: [AVVideoCompositionLayerInstruction] = [],
            requiredSourceSampleDataTrackIDs: [CMPersistentTrackID] = [], timeRange: CMTimeRange = .zero
        ) {
            self.backgroundColor = backgroundColor
            self.enablePostProcessing = enablePostProcessing
            self.layerInstructions = layerInstructions
            self.requiredSourceSampleDataTrackIDs = requiredSourceSampleDataTrackIDs
            self.timeRange = timeRange
        }
    }
}
