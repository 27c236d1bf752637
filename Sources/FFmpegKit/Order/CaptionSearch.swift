internal import MediaContainers

extension Demuxer {
    /// Whether a stream's pictures have captions among their user data.
    ///
    /// Reads on from where reading stands, up to a number of pictures.
    package func hasCaptions(inStream index: Int, pictures limit: Int = 300) throws(FFmpegError) -> Bool {
        guard streams.indices.contains(index), ClosedCaptions.codecs.contains(streams[index].codec) else {
            return false
        }
        select(streams: [index])
        for _ in 0..<limit {
            guard let packet = try readPacket() else { return false }
            if packet.withBytes({ ClosedCaptions.areHeld(by: $0) }) { return true }
        }
        return false
    }
}
