@_exported public import class MediaSamples.AVAssetReader
@_exported public import class MediaSamples.AVAssetReaderOutput
@_exported public import class MediaSamples.AVAssetReaderTrackOutput
@_exported public import class MediaSamples.AVAssetWriter
@_exported public import class MediaSamples.AVAssetWriterInput
@_exported public import class MediaSamples.AVAssetWriterInputPixelBufferAdaptor
