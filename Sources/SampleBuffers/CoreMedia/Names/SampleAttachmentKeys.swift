public import Foundation
public import MediaCore

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
