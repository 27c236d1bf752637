public import Foundation
public import MediaCore

extension CMSampleBuffer {
    /// What is attached to a sample buffer.
    public struct AttachmentKey: RawRepresentable, Hashable, Sendable {
        let name: String
        /// The key as text.
        public var rawValue: CFString { CFString(string: name) }
        /// Makes a key of its text.
        public init(rawValue: CFString) { name = String(describing: rawValue) }

        /// Whether the decoder starts anew before the samples: true or false.
        public static let resetDecoderBeforeDecoding = AttachmentKey(
            rawValue: kCMSampleBufferAttachmentKey_ResetDecoderBeforeDecoding)
        /// Whether the decoder gives out all that it has after the samples: true or false.
        public static let drainAfterDecoding = AttachmentKey(rawValue: kCMSampleBufferAttachmentKey_DrainAfterDecoding)
        /// What to post when the samples were used: a dictionary.
        public static let postNotificationWhenConsumed = AttachmentKey(
            rawValue: kCMSampleBufferAttachmentKey_PostNotificationWhenConsumed)
        /// With which samples output goes on: a number.
        public static let resumeOutput = AttachmentKey(rawValue: kCMSampleBufferAttachmentKey_ResumeOutput)
        /// Which change of buffers this one marks: any object.
        public static let transitionID = AttachmentKey(rawValue: kCMSampleBufferAttachmentKey_TransitionID)
        /// How much of the samples' start is not to be heard or seen: the dictionary form of a time.
        public static let trimDurationAtStart = AttachmentKey(
            rawValue: kCMSampleBufferAttachmentKey_TrimDurationAtStart)
        /// How much of the samples' end is not to be heard or seen: the dictionary form of a time.
        public static let trimDurationAtEnd = AttachmentKey(rawValue: kCMSampleBufferAttachmentKey_TrimDurationAtEnd)
        /// How much faster than they were the samples are played: a number above 0, 1 if nothing is said.
        public static let speedMultiplier = AttachmentKey(rawValue: kCMSampleBufferAttachmentKey_SpeedMultiplier)
        /// Whether the samples are played backwards: true or false.
        public static let reverse = AttachmentKey(rawValue: kCMSampleBufferAttachmentKey_Reverse)
        /// Whether gaps are filled with silence: true or false.
        public static let fillDiscontinuitiesWithSilence = AttachmentKey(
            rawValue: kCMSampleBufferAttachmentKey_FillDiscontinuitiesWithSilence)
        /// Whether the buffer marks a part without media: true or false.
        public static let emptyMedia = AttachmentKey(rawValue: kCMSampleBufferAttachmentKey_EmptyMedia)
        /// Whether no media will follow the part without: true or false.
        public static let permanentEmptyMedia = AttachmentKey(
            rawValue: kCMSampleBufferAttachmentKey_PermanentEmptyMedia)
        /// Whether a part without media shows at once: true or false.
        public static let displayEmptyMediaImmediately = AttachmentKey(
            rawValue: kCMSampleBufferAttachmentKey_DisplayEmptyMediaImmediately)
        /// Whether the sample before ends where this one starts: true or false.
        public static let endsPreviousSampleDuration = AttachmentKey(
            rawValue: kCMSampleBufferAttachmentKey_EndsPreviousSampleDuration)
        /// Where the samples lie: an address.
        public static let sampleReferenceURL = AttachmentKey(rawValue: kCMSampleBufferAttachmentKey_SampleReferenceURL)
        /// Bytes from the start of the file to the samples: a number.
        public static let sampleReferenceByteOffset = AttachmentKey(
            rawValue: kCMSampleBufferAttachmentKey_SampleReferenceByteOffset)
        /// How many samples have to be decoded before the pictures are right: a number.
        public static let gradualDecoderRefresh = AttachmentKey(
            rawValue: kCMSampleBufferAttachmentKey_GradualDecoderRefresh)
        /// Why a picture is missing: text.
        public static let droppedFrameReason = AttachmentKey(rawValue: kCMSampleBufferAttachmentKey_DroppedFrameReason)
        /// More on why a picture is missing: text.
        public static let droppedFrameReasonInfo = AttachmentKey(
            rawValue: kCMSampleBufferAttachmentKey_DroppedFrameReasonInfo)
        /// Whether the lens was held steady: text.
        public static let stillImageLensStabilizationInfo = AttachmentKey(
            rawValue: kCMSampleBufferAttachmentKey_StillImageLensStabilizationInfo)
        /// How the camera projects: bytes.
        public static let cameraIntrinsicMatrix = AttachmentKey(
            rawValue: kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix)
        /// Whether the encoder is to make a picture of its own: true or false.
        public static let forceKeyFrame = AttachmentKey(rawValue: kCMSampleBufferAttachmentKey_ForceKeyFrame)
    }
}
