public import Foundation
public import MediaCore

// Keys of what is attached to sample buffers, with the values that they have in Core Media.

/// Whether the decoder starts anew before the samples: true or false.
public var kCMSampleBufferAttachmentKey_ResetDecoderBeforeDecoding: CFString { "ResetDecoderBeforeDecoding" }
/// Whether the decoder gives out all that it has after the samples: true or false.
public var kCMSampleBufferAttachmentKey_DrainAfterDecoding: CFString { "DrainAfterDecoding" }
/// What to post when the samples were used: a dictionary.
public var kCMSampleBufferAttachmentKey_PostNotificationWhenConsumed: CFString { "PostNotificationWhenConsumed" }
/// With which samples output goes on: a number.
public var kCMSampleBufferAttachmentKey_ResumeOutput: CFString { "ResumeOutput" }
/// Which change of buffers this one marks: any object.
public var kCMSampleBufferAttachmentKey_TransitionID: CFString { "TransitionID" }
/// How much of the samples' start is not to be heard or seen: the dictionary form of a time.
public var kCMSampleBufferAttachmentKey_TrimDurationAtStart: CFString { "TrimDurationAtStart" }
/// How much of the samples' end is not to be heard or seen: the dictionary form of a time.
public var kCMSampleBufferAttachmentKey_TrimDurationAtEnd: CFString { "TrimDurationAtEnd" }
/// How much faster than they were the samples are played: a number above 0, 1 if nothing is said.
public var kCMSampleBufferAttachmentKey_SpeedMultiplier: CFString { "SpeedMultiplier" }
/// Whether the samples are played backwards: true or false.
public var kCMSampleBufferAttachmentKey_Reverse: CFString { "Reverse" }
/// Whether gaps are filled with silence: true or false.
public var kCMSampleBufferAttachmentKey_FillDiscontinuitiesWithSilence: CFString { "FillDiscontinuitiesWithSilence" }
/// Whether the buffer marks a part without media: true or false.
public var kCMSampleBufferAttachmentKey_EmptyMedia: CFString { "EmptyMedia" }
/// Whether no media will follow the part without: true or false.
public var kCMSampleBufferAttachmentKey_PermanentEmptyMedia: CFString { "PermanentEmptyMedia" }
/// Whether a part without media shows at once: true or false.
public var kCMSampleBufferAttachmentKey_DisplayEmptyMediaImmediately: CFString { "DisplayEmptyMediaImmediately" }
/// Whether the sample before ends where this one starts: true or false.
public var kCMSampleBufferAttachmentKey_EndsPreviousSampleDuration: CFString { "EndsPreviousSampleDuration" }
/// Where the samples lie: an address.
public var kCMSampleBufferAttachmentKey_SampleReferenceURL: CFString { "SampleReferenceURL" }
/// Bytes from the start of the file to the samples: a number.
public var kCMSampleBufferAttachmentKey_SampleReferenceByteOffset: CFString { "SampleReferenceByteOffset" }
/// How many samples have to be decoded before the pictures are right: a number.
public var kCMSampleBufferAttachmentKey_GradualDecoderRefresh: CFString { "GradualDecoderRefresh" }
/// Why a picture is missing: text.
public var kCMSampleBufferAttachmentKey_DroppedFrameReason: CFString { "DroppedFrameReason" }
/// More on why a picture is missing: text.
public var kCMSampleBufferAttachmentKey_DroppedFrameReasonInfo: CFString { "DroppedFrameReasonInfo" }
/// Whether the lens was held steady: text.
public var kCMSampleBufferAttachmentKey_StillImageLensStabilizationInfo: CFString { "StillImageLensStabilizationInfo" }
/// How the camera projects: bytes.
public var kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix: CFString { "CameraIntrinsicMatrix" }
/// Whether the encoder is to make a picture of its own: true or false.
public var kCMSampleBufferAttachmentKey_ForceKeyFrame: CFString { "ForceKeyFrame" }

// Reasons why a picture is missing.

/// It came too late.
public var kCMSampleBufferDroppedFrameReason_FrameWasLate: CFString { "FrameWasLate" }
/// There was no buffer left for it.
public var kCMSampleBufferDroppedFrameReason_OutOfBuffers: CFString { "OutOfBuffers" }
/// There was a break.
public var kCMSampleBufferDroppedFrameReason_Discontinuity: CFString { "Discontinuity" }

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

// Keys of what is attached to single samples, with the values that they have in Core Media.

/// Whether decoding cannot start with the sample: true or false; absent, it can.
public var kCMSampleAttachmentKey_NotSync: CFString { "NotSync" }
/// Whether decoding can start with the sample but not show all that follows: true or false; absent, it is not so.
public var kCMSampleAttachmentKey_PartialSync: CFString { "PartialSync" }
/// Whether the sample is coded more than once: true or false; absent if it is not known.
public var kCMSampleAttachmentKey_HasRedundantCoding: CFString { "HasRedundantCoding" }
/// Whether others need the sample to be decoded: true or false; absent if it is not known.
public var kCMSampleAttachmentKey_IsDependedOnByOthers: CFString { "IsDependedOnByOthers" }
/// Whether the sample needs others to be decoded: true or false; absent if it is not known.
public var kCMSampleAttachmentKey_DependsOnOthers: CFString { "DependsOnOthers" }
/// Whether later samples may be shown earlier: true or false.
public var kCMSampleAttachmentKey_EarlierDisplayTimesAllowed: CFString { "EarlierDisplayTimesAllowed" }
/// Whether the sample is to be shown at once, whatever its time: true or false.
public var kCMSampleAttachmentKey_DisplayImmediately: CFString { "DisplayImmediately" }
/// Whether the sample is to be decoded and not shown: true or false.
public var kCMSampleAttachmentKey_DoNotDisplay: CFString { "DoNotDisplay" }
/// The temporal level of HEVC: a dictionary.
public var kCMSampleAttachmentKey_HEVCTemporalLevelInfo: CFString { "HEVCTemporalLevelInfo" }
/// Whether decoders may go up to the temporal level of the sample here: true or false.
public var kCMSampleAttachmentKey_HEVCTemporalSubLayerAccess: CFString { "HEVCTemporalSubLayerAccess" }
/// Whether decoders may go up by one temporal level here: true or false.
public var kCMSampleAttachmentKey_HEVCStepwiseTemporalSubLayerAccess: CFString { "HEVCStepwiseTemporalSubLayerAccess" }
/// The type of HEVC's unit with which decoding can start: a number.
public var kCMSampleAttachmentKey_HEVCSyncSampleNALUnitType: CFString { "HEVCSyncSampleNALUnitType" }
/// How many samples have to be decoded before the sound is right: a number.
public var kCMSampleAttachmentKey_AudioIndependentSampleDecoderRefreshCount: CFString {
    "AudioIndependentSampleDecoderRefreshCount"
}

// Keys of the temporal level of HEVC.

/// The temporal level: a number.
public var kCMHEVCTemporalLevelInfoKey_TemporalLevel: CFString { "TemporalLevel" }
/// The space of profiles: a number.
public var kCMHEVCTemporalLevelInfoKey_ProfileSpace: CFString { "ProfileSpace" }
/// The tier: a number.
public var kCMHEVCTemporalLevelInfoKey_TierFlag: CFString { "TierFlag" }
/// The profile: a number.
public var kCMHEVCTemporalLevelInfoKey_ProfileIndex: CFString { "ProfileIndex" }
/// The profiles that it is compatible with: 4 bytes.
public var kCMHEVCTemporalLevelInfoKey_ProfileCompatibilityFlags: CFString { "ProfileCompatibilityFlags" }
/// The constraints that it keeps: 6 bytes.
public var kCMHEVCTemporalLevelInfoKey_ConstraintIndicatorFlags: CFString { "ConstraintIndicatorFlags" }
/// The level: a number.
public var kCMHEVCTemporalLevelInfoKey_LevelIndex: CFString { "LevelIndex" }

extension CMSampleBuffer.PerSampleAttachmentsDictionary {
    /// What is attached to a sample.
    public struct Key: RawRepresentable, Hashable, Sendable {
        let name: String
        /// The key as text.
        public var rawValue: CFString { CFString(string: name) }
        /// Makes a key of its text.
        public init(rawValue: CFString) { name = String(describing: rawValue) }

        /// Whether decoding cannot start with the sample: true or false; absent, it can.
        public static let notSync = Key(rawValue: kCMSampleAttachmentKey_NotSync)
        /// Whether decoding can start with the sample but not show all that follows: true or false; absent, not.
        public static let partialSync = Key(rawValue: kCMSampleAttachmentKey_PartialSync)
        /// Whether the sample is coded more than once: true or false; absent if it is not known.
        public static let hasRedundantCoding = Key(rawValue: kCMSampleAttachmentKey_HasRedundantCoding)
        /// Whether others need the sample to be decoded: true or false; absent if it is not known.
        public static let isDependedOnByOthers = Key(rawValue: kCMSampleAttachmentKey_IsDependedOnByOthers)
        /// Whether the sample needs others to be decoded: true or false; absent if it is not known.
        public static let dependsOnOthers = Key(rawValue: kCMSampleAttachmentKey_DependsOnOthers)
        /// Whether later samples may be shown earlier: true or false.
        public static let earlierDisplayTimesAllowed = Key(rawValue: kCMSampleAttachmentKey_EarlierDisplayTimesAllowed)
        /// Whether the sample is to be shown at once, whatever its time: true or false.
        public static let displayImmediately = Key(rawValue: kCMSampleAttachmentKey_DisplayImmediately)
        /// Whether the sample is to be decoded and not shown: true or false.
        public static let doNotDisplay = Key(rawValue: kCMSampleAttachmentKey_DoNotDisplay)
        /// The temporal level of HEVC: a dictionary.
        public static let hevcTemporalLevelInfo = Key(rawValue: kCMSampleAttachmentKey_HEVCTemporalLevelInfo)
        /// Whether decoders may go up to the temporal level of the sample here: true or false.
        public static let hevcTemporalSubLayerAccess = Key(rawValue: kCMSampleAttachmentKey_HEVCTemporalSubLayerAccess)
        /// Whether decoders may go up by one temporal level here: true or false.
        public static let hevcStepwiseTemporalSubLayerAccess = Key(
            rawValue: kCMSampleAttachmentKey_HEVCStepwiseTemporalSubLayerAccess)
        /// The type of HEVC's unit with which decoding can start: a number.
        public static let hevcSyncSampleNALUnitType = Key(rawValue: kCMSampleAttachmentKey_HEVCSyncSampleNALUnitType)
        /// How many samples have to be decoded before the sound is right: a number.
        public static let audioIndependentSampleDecoderRefreshCount = Key(
            rawValue: kCMSampleAttachmentKey_AudioIndependentSampleDecoderRefreshCount)
    }
}
