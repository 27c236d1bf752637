/// The entries of TIFF and Exif directories that have keys in Image I/O.
///
/// Source: TIFF 6.0; EXIF 2.32 (CIPA DC-008).
struct MetadataTag: Sendable {
    /// How a value is stored, and what it is in a dictionary.
    enum Kind: Sendable {
        /// Text.
        case ascii
        /// A whole number of 8, 16 or 32 bits.
        case byte, short, long
        /// A list of whole numbers.
        case shorts
        /// A number as a fraction, with or without a sign.
        case rational, srational
        /// A list of fractions.
        case rationals
        /// Degrees, minutes and seconds: a number.
        case degrees
        /// Hours, minutes and seconds: text.
        case clock
        /// Text behind the name of its encoding.
        case comment
    }

    let key: String
    let number: UInt16
    let kind: Kind

    init(_ key: String, _ number: UInt16, _ kind: Kind) { (self.key, self.number, self.kind) = (key, number, kind) }

    /// Of the first directory.
    static let picture: [MetadataTag] = [
        MetadataTag("ImageDescription", 0x010e, .ascii),
        MetadataTag("Make", 0x010f, .ascii),
        MetadataTag("Model", 0x0110, .ascii),
        MetadataTag("Orientation", 0x0112, .short),
        MetadataTag("XResolution", 0x011a, .rational),
        MetadataTag("YResolution", 0x011b, .rational),
        MetadataTag("ResolutionUnit", 0x0128, .short),
        MetadataTag("Software", 0x0131, .ascii),
        MetadataTag("DateTime", 0x0132, .ascii),
        MetadataTag("Artist", 0x013b, .ascii),
        MetadataTag("HostComputer", 0x013c, .ascii),
        MetadataTag("Copyright", 0x8298, .ascii),
    ]
    /// Of the Exif directory.
    static let exposure: [MetadataTag] = [
        MetadataTag("ExposureTime", 0x829a, .rational),
        MetadataTag("FNumber", 0x829d, .rational),
        MetadataTag("ExposureProgram", 0x8822, .short),
        MetadataTag("ISOSpeedRatings", 0x8827, .shorts),
        MetadataTag("DateTimeOriginal", 0x9003, .ascii),
        MetadataTag("DateTimeDigitized", 0x9004, .ascii),
        MetadataTag("OffsetTime", 0x9010, .ascii),
        MetadataTag("OffsetTimeOriginal", 0x9011, .ascii),
        MetadataTag("OffsetTimeDigitized", 0x9012, .ascii),
        MetadataTag("ShutterSpeedValue", 0x9201, .srational),
        MetadataTag("ApertureValue", 0x9202, .rational),
        MetadataTag("BrightnessValue", 0x9203, .srational),
        MetadataTag("ExposureBiasValue", 0x9204, .srational),
        MetadataTag("MaxApertureValue", 0x9205, .rational),
        MetadataTag("SubjectDistance", 0x9206, .rational),
        MetadataTag("MeteringMode", 0x9207, .short),
        MetadataTag("LightSource", 0x9208, .short),
        MetadataTag("Flash", 0x9209, .short),
        MetadataTag("FocalLength", 0x920a, .rational),
        MetadataTag("SubsecTime", 0x9290, .ascii),
        MetadataTag("SubsecTimeOriginal", 0x9291, .ascii),
        MetadataTag("SubsecTimeDigitized", 0x9292, .ascii),
        MetadataTag("ColorSpace", 0xa001, .short),
        MetadataTag("PixelXDimension", 0xa002, .long),
        MetadataTag("PixelYDimension", 0xa003, .long),
        MetadataTag("SensingMethod", 0xa217, .short),
        MetadataTag("ExposureMode", 0xa402, .short),
        MetadataTag("WhiteBalance", 0xa403, .short),
        MetadataTag("DigitalZoomRatio", 0xa404, .rational),
        MetadataTag("FocalLenIn35mmFilm", 0xa405, .short),
        MetadataTag("SceneCaptureType", 0xa406, .short),
        MetadataTag("ImageUniqueID", 0xa420, .ascii),
        MetadataTag("CameraOwnerName", 0xa430, .ascii),
        MetadataTag("BodySerialNumber", 0xa431, .ascii),
        MetadataTag("LensSpecification", 0xa432, .rationals),
        MetadataTag("LensMake", 0xa433, .ascii),
        MetadataTag("LensModel", 0xa434, .ascii),
        MetadataTag("LensSerialNumber", 0xa435, .ascii),
        MetadataTag("UserComment", 0x9286, .comment),
    ]
    /// Of the GPS directory.
    static let position: [MetadataTag] = [
        MetadataTag("LatitudeRef", 0x0001, .ascii),
        MetadataTag("Latitude", 0x0002, .degrees),
        MetadataTag("LongitudeRef", 0x0003, .ascii),
        MetadataTag("Longitude", 0x0004, .degrees),
        MetadataTag("AltitudeRef", 0x0005, .byte),
        MetadataTag("Altitude", 0x0006, .rational),
        MetadataTag("TimeStamp", 0x0007, .clock),
        MetadataTag("SpeedRef", 0x000c, .ascii),
        MetadataTag("Speed", 0x000d, .rational),
        MetadataTag("TrackRef", 0x000e, .ascii),
        MetadataTag("Track", 0x000f, .rational),
        MetadataTag("ImgDirectionRef", 0x0010, .ascii),
        MetadataTag("ImgDirection", 0x0011, .rational),
        MetadataTag("MapDatum", 0x0012, .ascii),
        MetadataTag("DateStamp", 0x001d, .ascii),
        MetadataTag("HPositioningError", 0x001f, .rational),
    ]
}
