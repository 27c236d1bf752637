internal import FFmpegKit
internal import MediaContainers
internal import MediaCore
internal import MediaIO

extension AssetSource {
    /// How many bytes all samples of a track have; 0 for a pipe that is not read to its end.
    ///
    /// - Complexity: Reads the table of sizes of a movie that has them all; else all packets, undecoded.
    func sampleDataLength(of track: TrackDescription) throws -> Int64 {
        try composition.map { _ in try checkIsOwn() }
        if let remote { return try remote.sampleDataLength(ofTrack: track.trackID) }
        guard let file else { return 0 }
        let description = try describe()
        if description.containerType.isMovie, !description.containsFragments,
            let length = Self.tableLength(ofTrack: track.trackID, in: file)
        {
            return length
        }
        do {
            let interrupt = Interrupt()
            return try reading(interrupt) {
                try Self.packetLength(ofStream: track.streamIndex, of: try open(interrupt: interrupt), policy: policy)
            }
        } catch let error as FFmpegError {
            throw publicError(for: error)
        }
    }

    /// The sum of a track's table of sizes; `nil` if it cannot be read.
    private static func tableLength(ofTrack trackID: Int32, in file: RandomAccessFile) -> Int64? {
        guard let track = MovieOutline(file)?.tracks.first(where: { Int64($0.id) == Int64(trackID) }),
            let tables = try? SampleTables(track, BoxReader(file: file))
        else { return nil }
        return Int64(exactly: tables.sizes.byteCount(of: 0..<tables.count))
    }

    private static func packetLength(
        ofStream index: Int, of demuxer: Demuxer, policy: SafetyPolicy
    ) throws -> Int64 {
        demuxer.select(streams: [index])
        var length: Int64 = 0
        var count = 0
        while let packet = try demuxer.readPacket() {
            guard packet.streamIndex == index else { continue }
            count += 1
            guard count <= policy.maximumPackets else {
                throw FFmpegError.tooManySamples(policy)
            }
            length += Int64(packet.byteCount)
        }
        return length
    }
}
