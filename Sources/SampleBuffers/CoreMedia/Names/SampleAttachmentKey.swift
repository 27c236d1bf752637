public import Foundation
public import MediaCore

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
