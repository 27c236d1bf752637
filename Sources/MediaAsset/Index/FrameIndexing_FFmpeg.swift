internal import FFmpegKit
internal import MediaContainers
package import MediaCore
internal import MediaIO

/// One pass over a file's packets, which finds out where every frame lies; nothing is decoded.
struct FrameIndexing {
    private let source: AssetSource
    private let demuxer: Demuxer
    private let wanted: [(trackID: Int32, streamIndex: Int)]
    private let progress: @Sendable (Double) -> Void

    /// - Parameter demuxer: At the file's beginning.
    init(
        of source: AssetSource, _ demuxer: Demuxer, tracks: [(trackID: Int32, streamIndex: Int)],
        _ progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) {
        (self.source, self.demuxer, self.progress) = (source, demuxer, progress)
        wanted = tracks.sorted { $0.trackID < $1.trackID }
    }

    func tracks() throws(FFmpegError) -> [FrameIndex.Track] {
        var builders = Dictionary(
            wanted.map { ($0.streamIndex, TrackBuilder(ofStream: $0.streamIndex, demuxer)) }
        ) { first, _ in first }
        let byteCount = Double(max(1, demuxer.byteCount ?? 1))
        var count = 0
        try demuxer.forEachSample(ofStreams: Set(builders.keys)) { packet, time, length in
            count += 1
            if count % 4096 == 0, let position = packet.position { progress(min(1, Double(position) / byteCount)) }
            return builders[packet.streamIndex]?.add(packet, time, length) ?? false
        }
        var tracks: [FrameIndex.Track] = []
        for (trackID, stream) in wanted {
            guard let frames = try builders[stream]?.finish(demuxer) else { continue }
            let base = demuxer.streams[stream].timeBase
            tracks.append(
                FrameIndex.Track(
                    trackID: trackID, streamIndex: stream,
                    tick: (Int64(base.numerator), Int64(base.denominator)), frames: frames,
                    truncation: source.truncation(ofStream: stream, readBy: demuxer)))
        }
        return tracks
    }
}

/// The frames of one track that were read so far.
private struct TrackBuilder {
    private let streamIndex: Int
    private let classifier: EntryClassifier?
    private var pictures: ShownPictures?
    private let counter: PictureCounter?
    private var frames: [FrameIndex.Frame] = []
    /// Which frames the container shows, until a picture was found at which decoding can start.
    private var unhidden: [Int] = []
    /// The pictures that are shown, where some may have no time in the container.
    private var counted: [Counted] = []

    private struct Counted {
        let frame: Int
        let count: PictureCounter.Count
        let isTimed: Bool
    }

    init(ofStream index: Int, _ demuxer: Demuxer) {
        streamIndex = index
        let stream = demuxer.streams[index]
        guard stream.kind == .video else {
            (classifier, counter) = (nil, nil)
            return
        }
        classifier = EntryClassifier(
            codec: stream.codec, extradata: stream.extradata, isIntraOnly: stream.video?.isIntraOnly ?? false)
        pictures = demuxer.makeShownPictures(ofStream: index)
        counter = demuxer.container.has(.lacksIndex) ? demuxer.makePictureCounter(ofStream: index) : nil
    }

    /// - Returns: Whether it takes up time.
    mutating func add(_ packet: Packet, _ time: Int64, _ length: Int64) -> Bool {
        let isShown = pictures?.shows(packet) ?? !packet.isDiscarded
        if pictures?.hasStarted == false, !packet.isDiscarded { unhidden.append(frames.count) }
        if let counter {
            let count = counter.next(packet)
            let isTimed = packet.presentationTicks != nil
            if isShown { counted.append(Counted(frame: frames.count, count: count, isTimed: isTimed)) }
        }
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

    /// The frames, after the last one was added.
    mutating func finish(_ demuxer: Demuxer) throws(FFmpegError) -> [FrameIndex.Frame] {
        guard let pictures else { return frames }
        // Where no packet looks like a start, nothing tells the pictures apart.
        if !pictures.hasStarted { for index in unhidden { frames[index].isShown = true } }
        let leading = Set(try demuxer.decodableLeadingTicks(pictures, stream: streamIndex))
        if !leading.isEmpty {
            for index in frames.indices where leading.contains(frames[index].presentation) {
                frames[index].isShown = true
            }
        }
        leaveOutLeading()
        setMissingTimes()
        return frames
    }

    /// Pictures that precede the first one, where that only looks like a start, lack what they are predicted from.
    private mutating func leaveOutLeading() {
        guard let first = counted.first, frames[first.frame].entry != .clean, !first.isTimed else { return }
        let end = counted.dropFirst().firstIndex { $0.count.resetsOrder } ?? counted.endIndex
        let leading = counted[..<end].filter { $0.count.number < first.count.number }.map(\.frame)
        for index in leading { frames[index].isShown = false }
        counted.removeAll { !frames[$0.frame].isShown }
    }

    /// Pictures without a time follow the one that is shown before them, as what a decoder gives for them does.
    private mutating func setMissingTimes() {
        guard counted.contains(where: { !$0.isTimed }) else { return }
        var shown = counted
        for (picture, place) in zip(counted, PictureCounter.places(of: counted.map(\.count))) { shown[place] = picture }
        var last: Int64?
        for picture in shown {
            if !picture.isTimed {
                let duration = frames[picture.frame].duration
                frames[picture.frame].presentation = last.map { $0.addingReportingOverflow(duration).partialValue } ?? 0
            }
            last = frames[picture.frame].presentation
        }
    }
}

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
            let tracks = try source.indexableTracks(trackIDs)
            return try source.makeFrameIndex(of: tracks, cancellation, progress)
        }
    }
}

extension FileFingerprint {
    /// The digest of a file; `nil` if it cannot be read.
    static func digest(of file: RandomAccessFile) -> String? {
        guard let digest = try? ContentDigest() else { return nil }
        digest.add(Array("\(file.byteCount)\n".utf8))
        return sample.forEachPart(of: file, digest.add) ? digest.finish() : nil
    }
}
