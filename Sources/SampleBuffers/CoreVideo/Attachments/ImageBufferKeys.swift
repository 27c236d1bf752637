public import Foundation
public import MediaCore

// Keys of what is attached to pictures, with the values that they have in Core Video.

/// The colour space: an object of Core Graphics.
public var kCVImageBufferCGColorSpaceKey: CFString { "CGColorSpace" }
/// The part that is meant to be seen: a dictionary.
public var kCVImageBufferCleanApertureKey: CFString { "CVCleanAperture" }
/// The part that is meant to be seen, where it differs from the clean aperture: a dictionary.
public var kCVImageBufferPreferredCleanApertureKey: CFString { "CVPreferredCleanAperture" }
/// The width of the aperture in pixels: a number.
public var kCVImageBufferCleanApertureWidthKey: CFString { "Width" }
/// The height of the aperture in pixels: a number.
public var kCVImageBufferCleanApertureHeightKey: CFString { "Height" }
/// How far the aperture's middle lies right of the picture's, in pixels: a number.
public var kCVImageBufferCleanApertureHorizontalOffsetKey: CFString { "HorizontalOffset" }
/// How far the aperture's middle lies below the picture's, in pixels: a number.
public var kCVImageBufferCleanApertureVerticalOffsetKey: CFString { "VerticalOffset" }
/// How many fields the picture has, 1 or 2: a number.
public var kCVImageBufferFieldCountKey: CFString { "CVFieldCount" }
/// How two fields lie in the picture: text.
public var kCVImageBufferFieldDetailKey: CFString { "CVFieldDetail" }
/// The shape of a pixel: a dictionary.
public var kCVImageBufferPixelAspectRatioKey: CFString { "CVPixelAspectRatio" }
/// The share of the width: a number.
public var kCVImageBufferPixelAspectRatioHorizontalSpacingKey: CFString { "HorizontalSpacing" }
/// The share of the height: a number.
public var kCVImageBufferPixelAspectRatioVerticalSpacingKey: CFString { "VerticalSpacing" }
/// The size in square pixels: a dictionary.
public var kCVImageBufferDisplayDimensionsKey: CFString { "CVDisplayDimensions" }
/// The width in square pixels: a number.
public var kCVImageBufferDisplayWidthKey: CFString { "Width" }
/// The height in square pixels: a number.
public var kCVImageBufferDisplayHeightKey: CFString { "Height" }
/// The curve's exponent, where it is one: a number.
public var kCVImageBufferGammaLevelKey: CFString { "CVImageBufferGammaLevel" }
/// A profile of the International Color Consortium: bytes.
public var kCVImageBufferICCProfileKey: CFString { "CVImageBufferICCProfile" }
/// The matrix between YCbCr and RGB: text.
public var kCVImageBufferYCbCrMatrixKey: CFString { "CVImageBufferYCbCrMatrix" }
/// The red, green, blue and white points: text.
public var kCVImageBufferColorPrimariesKey: CFString { "CVImageBufferColorPrimaries" }
/// The curve from light to code: text.
public var kCVImageBufferTransferFunctionKey: CFString { "CVImageBufferTransferFunction" }
/// Where chroma samples of the picture, or of its top field, lie: text.
public var kCVImageBufferChromaLocationTopFieldKey: CFString { "CVImageBufferChromaLocationTopField" }
/// Where chroma samples of the bottom field lie: text.
public var kCVImageBufferChromaLocationBottomFieldKey: CFString { "CVImageBufferChromaLocationBottomField" }
/// How many chroma samples there are before they were enlarged: text.
public var kCVImageBufferChromaSubsamplingKey: CFString { "CVImageBufferChromaSubsampling" }
/// Whether alpha, if there is any, is 1 everywhere: true or false.
public var kCVImageBufferAlphaChannelIsOpaque: CFString { "AlphaChannelIsOpaque" }
/// Whether colours are multiplied by alpha: text.
public var kCVImageBufferAlphaChannelModeKey: CFString { "AlphaChannelMode" }
/// The display that it was graded on: 24 bytes.
public var kCVImageBufferMasteringDisplayColorVolumeKey: CFString { "MasteringDisplayColorVolume" }
/// The brightest light: 4 bytes.
public var kCVImageBufferContentLightLevelInfoKey: CFString { "ContentLightLevelInfo" }
