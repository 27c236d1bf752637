package import MediaCore
package import MediaIO

/// How a movie is trimmed.
package struct MovieTrimOptions: Hashable, Sendable {
    /// Whether tracks that hold chapters' titles or pictures are left out, to be written anew.
    package var dropsChapterTracks = false
    /// Tracks that players are to show although the source says that they are not to.
    package var enabledTracks: Set<UInt32> = []
    /// The kind of file to make; `nil` for the source's own.
    package var targetBrand: MovieBrand?
    /// Whether samples that the edit lists hide and nothing shown needs are left out, even if nothing is cut.
    package var dropsHidden = false
    /// The movie's timescale; `nil` for one that holds the edits exactly.
    var movieTimescale: UInt32?
    /// The tracks' new numbers, those of tracks included that are left out here and may be referred to all the same;
    /// empty for the old ones.
    var trackIDs: [UInt32: UInt32] = [:]

    /// Options with their usual values.
    package init() {}
}

/// A movie cut to a range: its new tables, ready to be written.
package struct MovieTrimPlan: Sendable {
    /// What is kept of one track.
    package struct Track: Hashable, Sendable {
        package var id: UInt32
        package var handler: FourCC
        /// Samples that are kept, hidden ones included.
        package var sampleCount: Int
        /// Samples before the cut.
        package var sourceSampleCount: Int
        /// Bytes of the kept samples.
        package var byteCount: UInt64
        /// When the track shows something, on the new movie's timeline.
        package var presentedRange: CMTimeRange
    }

    /// What was asked for, on the source's timeline; the whole movie if nothing was.
    package var requestedRange: CMTimeRange
    /// What the new movie shows of the source's timeline.
    package var actualRange: CMTimeRange
    /// How much later the source's edit list puts its pictures than the timeline of the ranges here does.
    ///
    /// It is zero but for movies whose edit list begins while a picture is on
    /// screen: the ranges count from the first picture that begins then. Sound
    /// and all else are cut in step with the pictures.
    package var pictureShift: CMTime
    package var tracks: [Track]
    /// What is left out though nobody asked for that.
    package var losses: [MovieLoss]
    let assembly: MovieAssembly

    /// Bytes of the new file.
    package var byteCount: UInt64 { assembly.byteCount }

    /// The new file, made of parts of the source.
    package func rewrite() -> FileRewrite { assembly.rewrite() }
}
