package import FFmpegKit

extension AssetSource {
    /// That the file is cut short, and why a stream that was read to its end is known not to be whole; `nil` if nothing
    /// tells that.
    package func truncation(ofStream index: Int, readBy demuxer: Demuxer) -> String? {
        let reason =
            demuxer.truncation(ofStream: index)
            ?? file.flatMap { SourceTail($0, container: demuxer.container).truncation }
        return reason.map(Demuxer.cutShort)
    }
}
