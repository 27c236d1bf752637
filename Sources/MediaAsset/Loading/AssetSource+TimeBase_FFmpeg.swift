package import FFmpegKit

extension AssetSource {
    /// The length of a stream's tick.
    package func timeBase(ofStream index: Int) throws -> TimeBase {
        let demuxer = try checkOut()
        defer { checkIn(demuxer) }
        return demuxer.streams[index].timeBase
    }
}
