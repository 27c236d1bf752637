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
