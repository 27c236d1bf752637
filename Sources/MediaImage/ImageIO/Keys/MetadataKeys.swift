public import Foundation

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
