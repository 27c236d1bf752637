public import Foundation
public import MediaCore

extension CMFormatDescription.Extensions {
    /// Which extension it is.
    public struct Key: RawRepresentable, Hashable, Sendable {
        let name: String
        /// The key in the dictionary form.
        public var rawValue: CFString { CFString(string: name) }
        /// Makes a key of that of the dictionary form.
        public init(rawValue: CFString) { name = String(describing: rawValue) }

        /// The coding's name for people: text.
        public static let formatName = Key(rawValue: kCMFormatDescriptionExtension_FormatName)
        /// Bits of a pixel, 24 for colour, 32 with alpha: a number.
        public static let depth = Key(rawValue: kCMFormatDescriptionExtension_Depth)
        /// The part that is meant to be seen: a dictionary.
        public static let cleanAperture = Key(rawValue: kCMFormatDescriptionExtension_CleanAperture)
        /// How many fields a picture has, 1 or 2: a number.
        public static let fieldCount = Key(rawValue: kCMFormatDescriptionExtension_FieldCount)
        /// How two fields lie in a picture: text.
        public static let fieldDetail = Key(rawValue: kCMFormatDescriptionExtension_FieldDetail)
        /// The shape of a pixel: a dictionary.
        public static let pixelAspectRatio = Key(rawValue: kCMFormatDescriptionExtension_PixelAspectRatio)
        /// The red, green, blue and white points: text.
        public static let colorPrimaries = Key(rawValue: kCMFormatDescriptionExtension_ColorPrimaries)
        /// The curve from light to code: text.
        public static let transferFunction = Key(rawValue: kCMFormatDescriptionExtension_TransferFunction)
        /// The curve's exponent, where it is one: a number.
        public static let gammaLevel = Key(rawValue: kCMFormatDescriptionExtension_GammaLevel)
        /// The matrix between YCbCr and RGB: text.
        public static let yCbCrMatrix = Key(rawValue: kCMFormatDescriptionExtension_YCbCrMatrix)
        /// Whether codes take the full range: true or false.
        public static let fullRangeVideo = Key(rawValue: kCMFormatDescriptionExtension_FullRangeVideo)
        /// A profile of the International Color Consortium: bytes.
        public static let iccProfile = Key(rawValue: kCMFormatDescriptionExtension_ICCProfile)
        /// Bytes from row to row: a number.
        public static let bytesPerRow = Key(rawValue: kCMFormatDescriptionExtension_BytesPerRow)
        /// Where chroma samples of pictures, or of their top field, lie: text.
        public static let chromaLocationTopField = Key(rawValue: kCMFormatDescriptionExtension_ChromaLocationTopField)
        /// Where chroma samples of the bottom field lie: text.
        public static let chromaLocationBottomField = Key(
            rawValue: kCMFormatDescriptionExtension_ChromaLocationBottomField)
        /// The quality asked for over time: a number.
        public static let temporalQuality = Key(rawValue: kCMFormatDescriptionExtension_TemporalQuality)
        /// The quality asked for in a picture: a number.
        public static let spatialQuality = Key(rawValue: kCMFormatDescriptionExtension_SpatialQuality)
        /// The version of a sample description: a number.
        public static let version = Key(rawValue: kCMFormatDescriptionExtension_Version)
        /// The revision of a sample description: a number.
        public static let revisionLevel = Key(rawValue: kCMFormatDescriptionExtension_RevisionLevel)
        /// Who made the encoder: text.
        public static let vendor = Key(rawValue: kCMFormatDescriptionExtension_Vendor)
        /// Bits of one component: a number.
        public static let bitsPerComponent = Key(rawValue: kCMFormatDescriptionExtension_BitsPerComponent)
        /// Whether there is alpha: true or false.
        public static let containsAlphaChannel = Key(rawValue: kCMFormatDescriptionExtension_ContainsAlphaChannel)
        /// Whether colours are multiplied by alpha: text.
        public static let alphaChannelMode = Key(rawValue: kCMFormatDescriptionExtension_AlphaChannelMode)
        /// The display that it was graded on: 24 bytes.
        public static let masteringDisplayColorVolume = Key(
            rawValue: kCMFormatDescriptionExtension_MasteringDisplayColorVolume)
        /// The brightest light: 4 bytes.
        public static let contentLightLevelInfo = Key(rawValue: kCMFormatDescriptionExtension_ContentLightLevelInfo)
        /// A curve to prefer: a number of ITU-T H.273.
        public static let alternativeTransferCharacteristics = Key(
            rawValue: kCMFormatDescriptionExtension_AlternativeTransferCharacteristics)
        /// What auxiliary pictures are: text.
        public static let auxiliaryTypeInfo = Key(rawValue: kCMFormatDescriptionExtension_AuxiliaryTypeInfo)
        /// What the encoder was asked for: a dictionary.
        public static let originalCompressionSettings = Key(
            rawValue: kCMFormatDescriptionExtension_OriginalCompressionSettings)
        /// Boxes of the sample description: a dictionary.
        public static let sampleDescriptionExtensionAtoms = Key(
            rawValue: kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms)
        /// QuickTime's sample description as it is: bytes.
        public static let verbatimSampleDescription = Key(
            rawValue: kCMFormatDescriptionExtension_VerbatimSampleDescription)
        /// The sample entry as it is: bytes.
        public static let verbatimISOSampleEntry = Key(rawValue: kCMFormatDescriptionExtension_VerbatimISOSampleEntry)
    }
}
