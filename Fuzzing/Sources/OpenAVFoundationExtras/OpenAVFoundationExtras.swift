@_exported public import MediaCore
@_exported public import MediaIO
@_exported public import MediaMetadata
@_exported public import MetadataFormats
