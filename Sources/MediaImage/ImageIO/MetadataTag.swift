public import Foundation

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

// The keys of metadata in pictures, with Image I/O's values. Constants: nobody can change a string of this type.

// MARK: TIFF

/// What the picture shows.
nonisolated(unsafe) public let kCGImagePropertyTIFFImageDescription: NSString = "ImageDescription"
/// Who made the camera.
nonisolated(unsafe) public let kCGImagePropertyTIFFMake: NSString = "Make"
/// The camera.
nonisolated(unsafe) public let kCGImagePropertyTIFFModel: NSString = "Model"
/// How the picture is to be turned, 1 to 8.
nonisolated(unsafe) public let kCGImagePropertyTIFFOrientation: NSString = "Orientation"
/// Pixels for each unit from left to right.
nonisolated(unsafe) public let kCGImagePropertyTIFFXResolution: NSString = "XResolution"
/// Pixels for each unit from top to bottom.
nonisolated(unsafe) public let kCGImagePropertyTIFFYResolution: NSString = "YResolution"
/// 2 for inches, 3 for centimetres.
nonisolated(unsafe) public let kCGImagePropertyTIFFResolutionUnit: NSString = "ResolutionUnit"
/// The program that made the file.
nonisolated(unsafe) public let kCGImagePropertyTIFFSoftware: NSString = "Software"
/// When the file was changed: `2024:01:31 12:34:56`.
nonisolated(unsafe) public let kCGImagePropertyTIFFDateTime: NSString = "DateTime"
/// Who made the picture.
nonisolated(unsafe) public let kCGImagePropertyTIFFArtist: NSString = "Artist"
/// The computer that made the file.
nonisolated(unsafe) public let kCGImagePropertyTIFFHostComputer: NSString = "HostComputer"
/// Who has the rights.
nonisolated(unsafe) public let kCGImagePropertyTIFFCopyright: NSString = "Copyright"

// MARK: Exif

/// Seconds of exposure.
nonisolated(unsafe) public let kCGImagePropertyExifExposureTime: NSString = "ExposureTime"
/// The focal ratio.
nonisolated(unsafe) public let kCGImagePropertyExifFNumber: NSString = "FNumber"
/// How exposure was chosen.
nonisolated(unsafe) public let kCGImagePropertyExifExposureProgram: NSString = "ExposureProgram"
/// The sensitivity, as a list.
nonisolated(unsafe) public let kCGImagePropertyExifISOSpeedRatings: NSString = "ISOSpeedRatings"
/// When the picture was taken.
nonisolated(unsafe) public let kCGImagePropertyExifDateTimeOriginal: NSString = "DateTimeOriginal"
/// When the picture became digital.
nonisolated(unsafe) public let kCGImagePropertyExifDateTimeDigitized: NSString = "DateTimeDigitized"
/// The time zone of the change.
nonisolated(unsafe) public let kCGImagePropertyExifOffsetTime: NSString = "OffsetTime"
/// The time zone of the taking.
nonisolated(unsafe) public let kCGImagePropertyExifOffsetTimeOriginal: NSString = "OffsetTimeOriginal"
/// The time zone of the digitizing.
nonisolated(unsafe) public let kCGImagePropertyExifOffsetTimeDigitized: NSString = "OffsetTimeDigitized"
/// The shutter speed in steps.
nonisolated(unsafe) public let kCGImagePropertyExifShutterSpeedValue: NSString = "ShutterSpeedValue"
/// The aperture in steps.
nonisolated(unsafe) public let kCGImagePropertyExifApertureValue: NSString = "ApertureValue"
/// The brightness in steps.
nonisolated(unsafe) public let kCGImagePropertyExifBrightnessValue: NSString = "BrightnessValue"
/// The correction of exposure in steps.
nonisolated(unsafe) public let kCGImagePropertyExifExposureBiasValue: NSString = "ExposureBiasValue"
/// The widest aperture in steps.
nonisolated(unsafe) public let kCGImagePropertyExifMaxApertureValue: NSString = "MaxApertureValue"
/// Metres to the subject.
nonisolated(unsafe) public let kCGImagePropertyExifSubjectDistance: NSString = "SubjectDistance"
/// How light was measured.
nonisolated(unsafe) public let kCGImagePropertyExifMeteringMode: NSString = "MeteringMode"
/// The kind of light.
nonisolated(unsafe) public let kCGImagePropertyExifLightSource: NSString = "LightSource"
/// Whether there was a flash.
nonisolated(unsafe) public let kCGImagePropertyExifFlash: NSString = "Flash"
/// Millimetres of focal length.
nonisolated(unsafe) public let kCGImagePropertyExifFocalLength: NSString = "FocalLength"
/// Parts of the second of the change.
nonisolated(unsafe) public let kCGImagePropertyExifSubsecTime: NSString = "SubsecTime"
/// Parts of the second of the taking.
nonisolated(unsafe) public let kCGImagePropertyExifSubsecTimeOriginal: NSString = "SubsecTimeOriginal"
/// Parts of the second of the digitizing.
nonisolated(unsafe) public let kCGImagePropertyExifSubsecTimeDigitized: NSString = "SubsecTimeDigitized"
/// 1 for sRGB.
nonisolated(unsafe) public let kCGImagePropertyExifColorSpace: NSString = "ColorSpace"
/// Pixels in each row.
nonisolated(unsafe) public let kCGImagePropertyExifPixelXDimension: NSString = "PixelXDimension"
/// Rows of pixels.
nonisolated(unsafe) public let kCGImagePropertyExifPixelYDimension: NSString = "PixelYDimension"
/// The kind of sensor.
nonisolated(unsafe) public let kCGImagePropertyExifSensingMethod: NSString = "SensingMethod"
/// How exposure was set.
nonisolated(unsafe) public let kCGImagePropertyExifExposureMode: NSString = "ExposureMode"
/// How white was set.
nonisolated(unsafe) public let kCGImagePropertyExifWhiteBalance: NSString = "WhiteBalance"
/// How much was cut out.
nonisolated(unsafe) public let kCGImagePropertyExifDigitalZoomRatio: NSString = "DigitalZoomRatio"
/// Millimetres of the same view on film.
nonisolated(unsafe) public let kCGImagePropertyExifFocalLenIn35mmFilm: NSString = "FocalLenIn35mmFilm"
/// The kind of scene.
nonisolated(unsafe) public let kCGImagePropertyExifSceneCaptureType: NSString = "SceneCaptureType"
/// A name for the picture.
nonisolated(unsafe) public let kCGImagePropertyExifImageUniqueID: NSString = "ImageUniqueID"
/// Who has the camera.
nonisolated(unsafe) public let kCGImagePropertyExifCameraOwnerName: NSString = "CameraOwnerName"
/// The number of the camera.
nonisolated(unsafe) public let kCGImagePropertyExifBodySerialNumber: NSString = "BodySerialNumber"
/// Focal lengths and focal ratios of the lens, as a list.
nonisolated(unsafe) public let kCGImagePropertyExifLensSpecification: NSString = "LensSpecification"
/// Who made the lens.
nonisolated(unsafe) public let kCGImagePropertyExifLensMake: NSString = "LensMake"
/// The lens.
nonisolated(unsafe) public let kCGImagePropertyExifLensModel: NSString = "LensModel"
/// The number of the lens.
nonisolated(unsafe) public let kCGImagePropertyExifLensSerialNumber: NSString = "LensSerialNumber"
/// What somebody remarked.
nonisolated(unsafe) public let kCGImagePropertyExifUserComment: NSString = "UserComment"

// MARK: GPS

/// `N` or `S`.
nonisolated(unsafe) public let kCGImagePropertyGPSLatitudeRef: NSString = "LatitudeRef"
/// Degrees, never negative.
nonisolated(unsafe) public let kCGImagePropertyGPSLatitude: NSString = "Latitude"
/// `E` or `W`.
nonisolated(unsafe) public let kCGImagePropertyGPSLongitudeRef: NSString = "LongitudeRef"
/// Degrees, never negative.
nonisolated(unsafe) public let kCGImagePropertyGPSLongitude: NSString = "Longitude"
/// 1 below the sea.
nonisolated(unsafe) public let kCGImagePropertyGPSAltitudeRef: NSString = "AltitudeRef"
/// Metres, never negative.
nonisolated(unsafe) public let kCGImagePropertyGPSAltitude: NSString = "Altitude"
/// The time in UTC: `12:34:56`.
nonisolated(unsafe) public let kCGImagePropertyGPSTimeStamp: NSString = "TimeStamp"
/// The unit of speed.
nonisolated(unsafe) public let kCGImagePropertyGPSSpeedRef: NSString = "SpeedRef"
/// The speed.
nonisolated(unsafe) public let kCGImagePropertyGPSSpeed: NSString = "Speed"
/// The north that movement refers to.
nonisolated(unsafe) public let kCGImagePropertyGPSTrackRef: NSString = "TrackRef"
/// Degrees of the movement.
nonisolated(unsafe) public let kCGImagePropertyGPSTrack: NSString = "Track"
/// The north that the direction refers to.
nonisolated(unsafe) public let kCGImagePropertyGPSImgDirectionRef: NSString = "ImgDirectionRef"
/// Degrees of the direction.
nonisolated(unsafe) public let kCGImagePropertyGPSImgDirection: NSString = "ImgDirection"
/// The datum of the survey.
nonisolated(unsafe) public let kCGImagePropertyGPSMapDatum: NSString = "MapDatum"
/// The date in UTC: `2024:01:31`.
nonisolated(unsafe) public let kCGImagePropertyGPSDateStamp: NSString = "DateStamp"
/// Metres of uncertainty.
nonisolated(unsafe) public let kCGImagePropertyGPSHPositioningError: NSString = "HPositioningError"
