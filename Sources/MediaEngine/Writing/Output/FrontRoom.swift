/// How much room a movie's tables will need at the front of the file.
///
/// They are written last, when all samples are known. Keeping room for them
/// spares moving all media afterwards; what is too much stays as free space.
package struct FrontRoom: Hashable, Sendable {
    /// What is known beforehand of a track.
    package struct Track: Hashable, Sendable {
        /// About how many samples it will have.
        package var sampleCount: Int
        /// Whether samples may last unequally long.
        package var hasVariableDurations: Bool
        /// Whether samples may be stored in another order than they are shown in.
        package var isReordered: Bool
        /// About how many sync samples it will have; `nil` if all are.
        package var syncSampleCount: Int?
        /// Bytes of the codec's parameters.
        package var configurationByteCount: Int

        package init(
            sampleCount: Int, hasVariableDurations: Bool = false, isReordered: Bool = false,
            syncSampleCount: Int? = nil, configurationByteCount: Int = 256
        ) {
            self.sampleCount = sampleCount
            self.hasVariableDurations = hasVariableDurations
            self.isReordered = isReordered
            self.syncSampleCount = syncSampleCount
            self.configurationByteCount = configurationByteCount
        }
    }

    package var tracks: [Track]
    /// About how large the file will be, as far as known.
    package var mediaByteCount: UInt64
    /// Bytes of tags, pictures and chapters that go into the movie box.
    package var metadataByteCount: UInt64

    package init(tracks: [Track], mediaByteCount: UInt64 = 0, metadataByteCount: UInt64 = 0) {
        (self.tracks, self.mediaByteCount) = (tracks, mediaByteCount)
        self.metadataByteCount = metadataByteCount
    }

    /// More is not kept free: moving the media is better then.
    private static let maximum: UInt64 = 256 << 20
    /// Boxes of a movie and of a track besides their tables.
    private static let (movieBoxes, trackBoxes): (UInt64, UInt64) = (2048, 1024)
    /// Samples of one track that follow each other are one chunk up to so many bytes.
    private static let chunkByteCount: UInt64 = 1 << 20

    /// Bytes to keep free: what the tables take at most, if the numbers are true within a twentieth.
    package var byteCount: UInt64 {
        let total = tracks.reduce(UInt64(0)) { $0 + UInt64(max(0, $1.sampleCount)) }
        let isLarge = mediaByteCount > UInt64(UInt32.max) / 8 * 7
        let tables = tracks.reduce(UInt64(0)) { sum, track in
            let samples = UInt64(max(0, track.sampleCount))
            // A chunk ends where samples of another track come, or a number of bytes is reached.
            let chunks = min(samples, total - samples + mediaByteCount / Self.chunkByteCount + 1)
            // Where other tracks have more samples, almost every chunk has one; else their sizes alternate.
            let chunkRuns = samples <= total - samples ? chunks / 4 + 1 : chunks
            var bytes = samples * 4 + chunks * (isLarge ? 8 : 4) + chunkRuns * 12
            if track.hasVariableDurations { bytes += samples * 8 }
            if track.isReordered { bytes += samples * 8 }
            if let syncs = track.syncSampleCount { bytes += UInt64(max(0, syncs)) * 4 }
            return sum + bytes + UInt64(max(0, track.configurationByteCount)) + Self.trackBoxes
        }
        let bytes = tables + tables / 20 + metadataByteCount + Self.movieBoxes
        return bytes <= Self.maximum ? bytes : 0
    }
}
