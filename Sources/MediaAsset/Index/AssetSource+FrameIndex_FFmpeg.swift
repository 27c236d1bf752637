internal import FFmpegKit
package import MediaCore

extension AssetSource {
    /// The tracks that an index can be of.
    ///
    /// - Parameter trackIDs: Those wanted; all of pictures or sound if `nil`.
    func indexableTracks(_ trackIDs: [Int32]?) throws -> [TrackDescription] {
        let all = try describe().tracks.filter { $0.video != nil || $0.audio != nil }
        if let missing = trackIDs?.first(where: { number in !all.contains { $0.trackID == number } }) {
            throw AVError(.noSourceTrack, reason: "there is no track \(missing) of pictures or sound")
        }
        guard !all.isEmpty else {
            throw AVError(.noSourceTrack, reason: "the file has no track of pictures or sound")
        }
        return all.filter { trackIDs?.contains($0.trackID) ?? true }
    }

    /// Finds out where every frame of some tracks lies, by a pass over the file.
    func makeFrameIndex(
        of tracks: [TrackDescription], _ cancellation: Cancellation = Cancellation(),
        _ progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) throws -> FrameIndex {
        do {
            let demuxer = try open()
            demuxer.interrupt.follow(cancellation)
            defer { cancellation.forget(demuxer.interrupt) }
            let wanted = tracks.map { (trackID: $0.trackID, streamIndex: $0.streamIndex) }
            let made = try FrameIndexing(of: self, demuxer, tracks: wanted, progress).tracks()
            try checkUnchanged(whileMaking: "the index")
            return FrameIndex(origin: try describe().origin, tracks: made)
        } catch let error as FFmpegError {
            throw publicError(for: error)
        }
    }

    // MARK: Indexes that random access goes by

    /// What is known of a stream whose container leads to no sample: from an index that was given, or from a pass that was
    /// made before.
    package func knownFrames(ofStream index: Int) throws -> FrameIndex.Track? {
        remote == nil ? try frames.track(ofStream: index) : nil
    }

    /// The samples of a stream as an index tells them; `nil` without one.
    func knownScan(ofStream index: Int) throws -> SampleScan? {
        guard let track = try knownFrames(ofStream: index), let numerator = Int32(exactly: track.tick.numerator),
            let denominator = Int32(exactly: track.tick.denominator)
        else { return nil }
        return SampleScan(track, timeBase: TimeBase(numerator: numerator, denominator: denominator))
    }

    /// Finds out where a stream's frames lie, once for each asset.
    ///
    /// - Returns: Whether that is known now.
    package func makeFramesKnown(ofStream index: Int, _ cancellation: Cancellation) throws -> Bool {
        try frames.make(ofStream: index) {
            guard file != nil, let track = try describe().tracks.first(where: { $0.streamIndex == index }) else {
                return nil
            }
            return try makeFrameIndex(of: [track], cancellation)
        }
    }

    /// An index turned out not to be of this file, or to be of no use.
    package func forgetFrames() { frames.forget() }

    /// Where the tracks of a file end whose pictures only a pass over the file leads to; `nil` for other files.
    ///
    /// - Parameter demuxer: At the file's beginning.
    func indexedEnds(
        of tracks: [TrackDescription], from origin: CMTime, in demuxer: Demuxer
    ) throws -> [Int: CMTime]? {
        guard tracks.contains(where: { $0.video != nil }), demuxer.container.has(.lacksIndex), file != nil else {
            return nil
        }
        if try frames.index == nil {
            let wanted = tracks.map { (trackID: $0.trackID, streamIndex: $0.streamIndex) }
            frames.take(
                FrameIndex(origin: origin, tracks: try FrameIndexing(of: self, demuxer, tracks: wanted).tracks()))
        }
        var ends: [Int: CMTime] = [:]
        for track in tracks {
            guard let end = try frames.index?.tracks.first(where: { $0.streamIndex == track.streamIndex })?.end else {
                return nil
            }
            ends[track.streamIndex] = end
        }
        return ends
    }
}
