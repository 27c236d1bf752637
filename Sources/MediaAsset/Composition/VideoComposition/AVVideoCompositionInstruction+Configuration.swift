public import MediaCore
public import MediaImage

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
