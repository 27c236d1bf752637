internal import Bitstream
internal import FFmpegKit
public import MediaAsset
internal import MediaConcurrency
internal import MediaLoading
internal import MediaTime

extension AVURLAsset {
    /// Finds out where every frame lies, when it is shown and whether decoding can begin there.
    ///
    /// Beyond AVFoundation.
    ///
    /// - Parameters:
    ///   - trackIDs: Tracks of pictures or sound; all of them if `nil`.
    ///   - progress: Called with the fraction done, from 0 to 1, from another thread.
    /// - Throws: `AVError.noSourceTrack` without such a track; `CancellationError` if the task is cancelled; else what opening
    ///   the file fails with, as `AVAsset` tells.
    /// - Complexity: One pass over the file's bytes; nothing is decoded, but for leading pictures of which only that tells
    ///   whether they are shown. Each frame takes 64 bytes of memory.
    public func makeFrameIndex(
        trackIDs: [Int32]? = nil, progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws -> FrameIndex {
        let source = source
        let cancellation = Cancellation()
        return try await BlockingWork.run(cancel: {
            cancellation.cancel()
            source.cancelReading()
        }) {
            do {
                return try FrameIndexing(source, trackIDs, progress).run(cancellation)
            } catch let error as FFmpegError {
                throw publicError(for: error)
            }
        }
    }
}

/// One pass over a file's packets.
private struct FrameIndexing {
    private let source: AssetSource
    private let description: AssetDescription
    private let tracks: [TrackDescription]
    private let progress: @Sendable (Double) -> Void

    init(_ source: AssetSource, _ trackIDs: [Int32]?, _ progress: @escaping @Sendable (Double) -> Void) throws {
        (self.source, self.progress) = (source, progress)
        description = try source.describe()
        let all = description.tracks.filter { $0.video != nil || $0.audio != nil }
        tracks = all.filter { trackIDs?.contains($0.trackID) ?? true }.sorted { $0.trackID < $1.trackID }
        if let missing = trackIDs?.first(where: { number in !all.contains { $0.trackID == number } }) {
            throw AVError(.noSourceTrack, reason: "there is no track \(missing) of pictures or sound")
        }
        guard !tracks.isEmpty else {
            throw AVError(.noSourceTrack, reason: "the file has no track of pictures or sound")
        }
    }

    func run(_ cancellation: Cancellation) throws -> FrameIndex {
        let demuxer = try source.open()
        demuxer.interrupt.follow(cancellation)
        defer { cancellation.forget(demuxer.interrupt) }
        var builders = Dictionary(
            uniqueKeysWithValues: tracks.map { ($0.streamIndex, TrackBuilder($0, of: demuxer)) })
        let byteCount = Double(max(1, demuxer.byteCount ?? 1))
        var count = 0
        try demuxer.forEachSample(ofStreams: Set(builders.keys)) { packet, time, length in
            count += 1
            if count % 4096 == 0, let position = packet.position { progress(min(1, Double(position) / byteCount)) }
            return builders[packet.streamIndex]?.add(packet, time, length) ?? false
        }
        let finished = try tracks.compactMap { track in
            try builders[track.streamIndex]?.finish(
                track, demuxer, truncation: source.truncation(ofStream: track.streamIndex, readBy: demuxer))
        }
        try source.checkUnchanged(whileMaking: "the index")
        return FrameIndex(origin: description.origin, tracks: finished)
    }
}

/// The frames of one track that were read so far.
private struct TrackBuilder {
    private let classifier: EntryClassifier?
    private var pictures: ShownPictures?
    private var frames: [FrameIndex.Frame] = []
    /// Which frames the container shows, until a picture was found at which decoding can start.
    private var unhidden: [Int] = []

    init(_ track: TrackDescription, of demuxer: Demuxer) {
        let stream = demuxer.streams[track.streamIndex]
        guard track.video != nil else {
            classifier = nil
            return
        }
        classifier = EntryClassifier(
            codec: stream.codec, extradata: stream.extradata, isIntraOnly: stream.video?.isIntraOnly ?? false)
        pictures = demuxer.makeShownPictures(ofStream: track.streamIndex)
    }

    /// - Returns: Whether it takes up time.
    mutating func add(_ packet: Packet, _ time: Int64, _ length: Int64) -> Bool {
        let isShown = pictures?.shows(packet) ?? !packet.isDiscarded
        if pictures?.hasStarted == false, !packet.isDiscarded { unhidden.append(frames.count) }
        frames.append(
            FrameIndex.Frame(
                presentation: time, decode: packet.decodeTicks, duration: length, position: packet.position,
                byteCount: packet.byteCount, isKey: packet.isKey, entry: entry(packet), isShown: isShown))
        return isShown || pictures?.hasStarted == false
    }

    private func entry(_ packet: Packet) -> FrameIndex.Entry? {
        guard let classifier else { return packet.isKey ? .clean : nil }
        switch classifier.classify(packet) {
        case .clean: return .clean
        case .recovery: return .recovery
        case .gradual: return .gradual
        case .none: return nil
        }
    }

    mutating func finish(
        _ track: TrackDescription, _ demuxer: Demuxer, truncation: String?
    ) throws(FFmpegError) -> FrameIndex.Track {
        if let pictures {
            // Where no packet looks like a start, nothing tells the pictures apart.
            if !pictures.hasStarted { for index in unhidden { frames[index].isShown = true } }
            let leading = Set(try demuxer.decodableLeadingTicks(pictures, stream: track.streamIndex))
            for index in frames.indices where leading.contains(frames[index].presentation) {
                frames[index].isShown = true
            }
        }
        let base = demuxer.streams[track.streamIndex].timeBase
        return FrameIndex.Track(
            trackID: track.trackID, streamIndex: track.streamIndex,
            tick: (Int64(base.numerator), Int64(base.denominator)), frames: frames, truncation: truncation)
    }
}
