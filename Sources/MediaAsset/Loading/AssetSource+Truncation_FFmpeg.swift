package import FFmpegKit

extension AssetSource {
    /// Why a stream that was read to the end of the file is not whole, `nil` if nothing tells that it is not.
    package func truncation(ofStream index: Int, readBy demuxer: Demuxer) -> String? {
        demuxer.truncation(ofStream: index) ?? file.flatMap { SourceTail($0, container: demuxer.container).truncation }
    }
}
