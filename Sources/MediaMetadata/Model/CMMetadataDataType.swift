/// Bytes of no known type.
public let kCMMetadataBaseDataType_RawData = MetadataDataType.raw
/// UTF-8 text.
public let kCMMetadataBaseDataType_UTF8 = MetadataDataType.utf8
/// UTF-16 text, the high byte first.
public let kCMMetadataBaseDataType_UTF16 = MetadataDataType.utf16
/// A GIF file.
public let kCMMetadataBaseDataType_GIF = MetadataDataType.gif
/// A JPEG file.
public let kCMMetadataBaseDataType_JPEG = MetadataDataType.jpeg
/// A PNG file.
public let kCMMetadataBaseDataType_PNG = MetadataDataType.png
/// A BMP file.
public let kCMMetadataBaseDataType_BMP = MetadataDataType.bmp
/// A number of IEEE 754, 32 bits.
public let kCMMetadataBaseDataType_Float32 = MetadataDataType.float32
/// A number of IEEE 754, 64 bits.
public let kCMMetadataBaseDataType_Float64 = MetadataDataType.float64
/// A signed number of 8 bits.
public let kCMMetadataBaseDataType_SInt8 = MetadataDataType.int8
/// A signed number of 16 bits.
public let kCMMetadataBaseDataType_SInt16 = MetadataDataType.int16
/// A signed number of 32 bits.
public let kCMMetadataBaseDataType_SInt32 = MetadataDataType.int32
/// A signed number of 64 bits.
public let kCMMetadataBaseDataType_SInt64 = MetadataDataType.int64
/// An unsigned number of 8 bits.
public let kCMMetadataBaseDataType_UInt8 = MetadataDataType.uint8
/// An unsigned number of 16 bits.
public let kCMMetadataBaseDataType_UInt16 = MetadataDataType.uint16
/// An unsigned number of 32 bits.
public let kCMMetadataBaseDataType_UInt32 = MetadataDataType.uint32
/// An unsigned number of 64 bits.
public let kCMMetadataBaseDataType_UInt64 = MetadataDataType.uint64
/// Two numbers of IEEE 754, 32 bits each: `x`, `y`.
public let kCMMetadataBaseDataType_PointF32 = MetadataDataType.pointFloat32
/// Two numbers of IEEE 754, 32 bits each: width, height.
public let kCMMetadataBaseDataType_DimensionsF32 = MetadataDataType.dimensionsFloat32
/// Four numbers of IEEE 754, 32 bits each: `x`, `y`, width, height.
public let kCMMetadataBaseDataType_RectF32 = MetadataDataType.rectangleFloat32
/// Nine numbers of IEEE 754, 64 bits each: the rows of a matrix.
public let kCMMetadataBaseDataType_AffineTransformF64 = MetadataDataType.affineTransformFloat64
/// A place as text, by ISO 6709.
public let kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709 = "com.apple.quicktime.location.ISO6709"
/// A direction as text, by ISO 6709.
public let kCMMetadataDataType_QuickTimeMetadataDirection = "com.apple.quicktime.direction"
