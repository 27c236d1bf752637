// What AVFoundation has not, besides what it has: previews, scenes, presets, losses, metadata files, time expressions.
@_exported public import CoreFoundationNames
@_exported public import FormatDescriptions
@_exported public import ImageFiles
@_exported public import ImageGeneration
@_exported public import MediaAsset
@_exported public import MediaErrors
@_exported public import MediaExport
@_exported public import MediaFile
@_exported public import MediaGeometry
@_exported public import MediaImage
@_exported public import MediaLoading
@_exported public import MediaMetadata
@_exported public import MediaPreviews
@_exported public import MediaSettings
@_exported public import MediaTime
@_exported public import MetadataFormats
@_exported public import UniformTypes
