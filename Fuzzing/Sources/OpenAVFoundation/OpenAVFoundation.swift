@_exported public import MediaCore
@_exported public import MediaMetadata
