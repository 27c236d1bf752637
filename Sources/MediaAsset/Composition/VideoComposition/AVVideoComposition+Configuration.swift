public import Foundation
public import MediaCore

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
