@_exported public import ImageGeneration
@_exported public import MediaAsset
// What AVFoundation has not, besides what it has: previews, scenes, presets, losses, metadata files, time expressions.
@_exported public import MediaCore
@_exported public import MediaExport
@_exported public import MediaIO
@_exported public import MediaImage
@_exported public import MediaMetadata
@_exported public import MediaPreviews
@_exported public import MediaSamples
@_exported public import MetadataFormats
@_exported public import SampleBuffers
