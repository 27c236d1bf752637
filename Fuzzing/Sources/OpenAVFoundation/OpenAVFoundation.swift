@_exported public import MediaMetadata
@_exported public import MediaTime
