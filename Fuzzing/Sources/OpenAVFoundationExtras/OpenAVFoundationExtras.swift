@_exported public import MediaFile
@_exported public import MediaMetadata
@_exported public import MediaText
@_exported public import MediaTime
@_exported public import MetadataFormats
