public import Foundation
public import MediaCore

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
