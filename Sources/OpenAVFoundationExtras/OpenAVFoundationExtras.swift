// What AVFoundation has not, besides what it has: previews, scenes, presets, losses, metadata files, time expressions.
@_exported public import AssetExport
@_exported public import AssetReadWrite
@_exported public import ImageGeneration
@_exported public import MediaAsset
@_exported public import MediaCore
@_exported public import MediaEngine
@_exported public import MediaIO
@_exported public import MediaImage
@_exported public import MediaMetadata
@_exported public import MediaPreviews
@_exported public import MetadataFormats
@_exported public import SampleBuffers
