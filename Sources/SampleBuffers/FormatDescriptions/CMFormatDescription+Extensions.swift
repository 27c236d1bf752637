public import Foundation
public import MediaCore

extension CMFormatDescription {
    /// What a format description says besides type, sub-type and size: values by their keys.
    public struct Extensions: Sendable, Hashable, ExpressibleByDictionaryLiteral {
        /// The values by the keys of the dictionary form.
        package var values: [String: PropertyListValue]

        /// Extensions by the keys of the dictionary form.
        package init(values: [String: PropertyListValue]) { self.values = values }

        /// No extensions.
        public init() { values = [:] }

        /// Extensions by their keys; the last one of a key counts.
        public init(dictionaryLiteral elements: (Key, Value)...) {
            values = Dictionary(
                elements.map { ($0.name, $1.stored) }, uniquingKeysWith: { _, last in last })
        }

        /// The value of a key, `nil` if there is none.
        public subscript(key: Key) -> Value? {
            get { values[key.name].map { Value(stored: $0) } }
            set { values[key.name] = newValue?.stored }
        }

        /// How many there are.
        public var count: Int { values.count }
        /// Whether there are none.
        public var isEmpty: Bool { values.isEmpty }
        /// The keys, in no order.
        public var keys: [Key] { values.keys.map { Key(rawValue: CFString(string: $0)) } }
    }
}

extension CMFormatDescription.Extensions {
    /// The value of an extension.
    ///
    /// - Note: Two values are the same if they are in a property list. Core Media's cannot be compared.
    public struct Value: Sendable, Hashable {
        let stored: PropertyListValue

        init(stored: PropertyListValue) { self.stored = stored }

        /// The value as an object: text, a number, bytes, a list or a dictionary.
        public var propertyListRepresentation: CFPropertyList { stored.object }

        /// A value of an object; `nil` for an object that no property list has.
        public init?(propertyListRepresentation: CFPropertyList) {
            guard let stored = PropertyListValue(propertyListRepresentation) else { return nil }
            self.stored = stored
        }

        /// A number.
        public static func number(_ number: Int) -> Value { Value(stored: .integer(number)) }
        /// A number with a fraction.
        public static func number(_ number: Double) -> Value { Value(stored: .real(number)) }
        /// True or false.
        package static func flag(_ flag: Bool) -> Value { Value(stored: .flag(flag)) }
        /// Text.
        public static func string(_ text: CFString) -> Value { Value(stored: .text(String(describing: text))) }
        /// Red, green, blue and white points.
        public static func colorPrimaries(_ primaries: ColorPrimaries) -> Value {
            Value(stored: .text(primaries.name))
        }
        /// A curve.
        public static func transferFunction(_ function: TransferFunction) -> Value {
            Value(stored: .text(function.name))
        }
        /// A matrix between YCbCr and RGB.
        public static func yCbCrMatrix(_ matrix: YCbCrMatrix) -> Value { Value(stored: .text(matrix.name)) }
        /// How two fields lie in a picture.
        public static func fieldDetail(_ detail: FieldDetail) -> Value { Value(stored: .text(detail.name)) }
        /// Where chroma samples lie.
        public static func chromaLocation(_ location: ChromaLocation) -> Value {
            Value(stored: .text(location.name))
        }
        /// Whether colours are multiplied by alpha.
        public static func alphaChannelMode(_ mode: AlphaChannelMode) -> Value { Value(stored: .text(mode.name)) }
        /// The shape of a pixel.
        public static func pixelAspectRatio(horizontalSpacing: Int, verticalSpacing: Int) -> Value {
            Value(
                stored: .dictionary([
                    "HorizontalSpacing": .integer(horizontalSpacing), "VerticalSpacing": .integer(verticalSpacing),
                ]))
        }
        /// The part that is meant to be seen, the offsets from the picture's middle to the aperture's.
        public static func cleanAperture(
            width: Double, height: Double, horizontalOffset: Double, verticalOffset: Double
        ) -> Value {
            Value(
                stored: .dictionary([
                    "Width": .real(width), "Height": .real(height), "HorizontalOffset": .real(horizontalOffset),
                    "VerticalOffset": .real(verticalOffset),
                ]))
        }
    }
}

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

extension CMFormatDescription.Extensions.Value {
    /// The red, green, blue and white points of a format description.
    public struct ColorPrimaries: RawRepresentable, Hashable, Sendable {
        let name: String
        /// The value in the dictionary form.
        public var rawValue: CFString { CFString(string: name) }
        /// Makes a value of that of the dictionary form.
        public init(rawValue: CFString) { name = String(describing: rawValue) }

        /// BT.709.
        public static let itu_R_709_2 = Self(rawValue: kCMFormatDescriptionColorPrimaries_ITU_R_709_2)
        /// EBU 3213: PAL.
        public static let ebu_3213 = Self(rawValue: kCMFormatDescriptionColorPrimaries_EBU_3213)
        /// SMPTE C: NTSC.
        public static let smpte_C = Self(rawValue: kCMFormatDescriptionColorPrimaries_SMPTE_C)
        /// P3 of cinemas.
        public static let dci_P3 = Self(rawValue: kCMFormatDescriptionColorPrimaries_DCI_P3)
        /// Display P3.
        public static let p3_D65 = Self(rawValue: kCMFormatDescriptionColorPrimaries_P3_D65)
        /// BT.2020.
        public static let itu_R_2020 = Self(rawValue: kCMFormatDescriptionColorPrimaries_ITU_R_2020)
        /// P22 phosphors.
        public static let p22 = Self(rawValue: kCMFormatDescriptionColorPrimaries_P22)
    }

    /// The curve of a format description.
    public struct TransferFunction: RawRepresentable, Hashable, Sendable {
        let name: String
        /// The value in the dictionary form.
        public var rawValue: CFString { CFString(string: name) }
        /// Makes a value of that of the dictionary form.
        public init(rawValue: CFString) { name = String(describing: rawValue) }

        /// BT.709.
        public static let itu_R_709_2 = Self(rawValue: kCMFormatDescriptionTransferFunction_ITU_R_709_2)
        /// SMPTE 240M.
        public static let smpte_240M_1995 = Self(rawValue: kCMFormatDescriptionTransferFunction_SMPTE_240M_1995)
        /// The exponent that the gamma level says.
        public static let useGamma = Self(rawValue: kCMFormatDescriptionTransferFunction_UseGamma)
        /// BT.2020.
        public static let itu_R_2020 = Self(rawValue: kCMFormatDescriptionTransferFunction_ITU_R_2020)
        /// SMPTE ST 428-1.
        public static let smpte_ST_428_1 = Self(rawValue: kCMFormatDescriptionTransferFunction_SMPTE_ST_428_1)
        /// SMPTE ST 2084: PQ.
        public static let smpte_ST_2084_PQ = Self(rawValue: kCMFormatDescriptionTransferFunction_SMPTE_ST_2084_PQ)
        /// BT.2100: hybrid log-gamma.
        public static let itu_R_2100_HLG = Self(rawValue: kCMFormatDescriptionTransferFunction_ITU_R_2100_HLG)
        /// No curve.
        public static let linear = Self(rawValue: kCMFormatDescriptionTransferFunction_Linear)
        /// sRGB.
        public static let sRGB = Self(rawValue: kCMFormatDescriptionTransferFunction_sRGB)
    }

    /// The matrix of a format description.
    public struct YCbCrMatrix: RawRepresentable, Hashable, Sendable {
        let name: String
        /// The value in the dictionary form.
        public var rawValue: CFString { CFString(string: name) }
        /// Makes a value of that of the dictionary form.
        public init(rawValue: CFString) { name = String(describing: rawValue) }

        /// BT.709.
        public static let itu_R_709_2 = Self(rawValue: kCMFormatDescriptionYCbCrMatrix_ITU_R_709_2)
        /// BT.601.
        public static let itu_R_601_4 = Self(rawValue: kCMFormatDescriptionYCbCrMatrix_ITU_R_601_4)
        /// SMPTE 240M.
        public static let smpte_240M_1995 = Self(rawValue: kCMFormatDescriptionYCbCrMatrix_SMPTE_240M_1995)
        /// BT.2020.
        public static let itu_R_2020 = Self(rawValue: kCMFormatDescriptionYCbCrMatrix_ITU_R_2020)
    }

    /// How two fields lie in a picture.
    public struct FieldDetail: RawRepresentable, Hashable, Sendable {
        let name: String
        /// The value in the dictionary form.
        public var rawValue: CFString { CFString(string: name) }
        /// Makes a value of that of the dictionary form.
        public init(rawValue: CFString) { name = String(describing: rawValue) }

        /// Fields follow each other, the top one first.
        public static let temporalTopFirst = Self(rawValue: kCMFormatDescriptionFieldDetail_TemporalTopFirst)
        /// Fields follow each other, the bottom one first.
        public static let temporalBottomFirst = Self(rawValue: kCMFormatDescriptionFieldDetail_TemporalBottomFirst)
        /// Lines alternate, the first one of the earlier field.
        public static let spatialFirstLineEarly = Self(rawValue: kCMFormatDescriptionFieldDetail_SpatialFirstLineEarly)
        /// Lines alternate, the first one of the later field.
        public static let spatialFirstLineLate = Self(rawValue: kCMFormatDescriptionFieldDetail_SpatialFirstLineLate)
    }

    /// Where chroma samples lie among those of luma.
    public struct ChromaLocation: RawRepresentable, Hashable, Sendable {
        let name: String
        /// The value in the dictionary form.
        public var rawValue: CFString { CFString(string: name) }
        /// Makes a value of that of the dictionary form.
        public init(rawValue: CFString) { name = String(describing: rawValue) }

        /// Level with luma at the left.
        public static let left = Self(rawValue: kCMFormatDescriptionChromaLocation_Left)
        /// In the middle.
        public static let center = Self(rawValue: kCMFormatDescriptionChromaLocation_Center)
        /// On the luma sample at the top left.
        public static let topLeft = Self(rawValue: kCMFormatDescriptionChromaLocation_TopLeft)
        /// At the top, between two.
        public static let top = Self(rawValue: kCMFormatDescriptionChromaLocation_Top)
        /// On the luma sample at the bottom left.
        public static let bottomLeft = Self(rawValue: kCMFormatDescriptionChromaLocation_BottomLeft)
        /// At the bottom, between two.
        public static let bottom = Self(rawValue: kCMFormatDescriptionChromaLocation_Bottom)
        /// As DV has it.
        public static let dv420 = Self(rawValue: kCMFormatDescriptionChromaLocation_DV420)
    }

    /// Whether colours are multiplied by alpha.
    public struct AlphaChannelMode: RawRepresentable, Hashable, Sendable {
        let name: String
        /// The value in the dictionary form.
        public var rawValue: CFString { CFString(string: name) }
        /// Makes a value of that of the dictionary form.
        public init(rawValue: CFString) { name = String(describing: rawValue) }

        /// Colours are as they are.
        public static let straightAlpha = Self(rawValue: kCMFormatDescriptionAlphaChannelMode_StraightAlpha)
        /// Colours are multiplied by alpha.
        public static let premultipliedAlpha = Self(rawValue: kCMFormatDescriptionAlphaChannelMode_PremultipliedAlpha)
    }
}
