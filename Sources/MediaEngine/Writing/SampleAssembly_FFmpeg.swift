package import FFmpegKit
internal import Foundation
package import MediaAsset
package import MediaContainers
package import MediaCore
package import MediaIO
package import MediaMetadata
internal import MetadataFormats
internal import Synchronization

/// Puts samples of several tracks, as they are brought by threads of their own, into a new file.
///
/// The file's header needs to know all tracks: until each has said what its samples are, or that it has none, they wait in
/// memory. From then on a thread writes them, and waits for nobody: tracks may come one after the other.
///
/// There is no file before ``complete(_:)`` has ended well.
///
/// `@unchecked Sendable`: the file is written by the thread of the muxer, and by whoever completes it once that has ended.
package final class SampleAssembly: @unchecked Sendable {
    /// Stops everything.
    let cancellation = Cancellation()
    /// What encodes.
    ///
    /// Where the file is given up nobody waits for it: an encoder takes as long as it takes for a picture.
    let encoding: StageThreads
    private let muxing: StageThreads
    let fileType: AVFileType
    /// The container that is written if it holds the tracks' codecs.
    package let format: ContainerFormat
    private let target: PendingFile
    private let port: MuxPort
    private let movieTimescale: Int32?
    private let fileMetadata: [String: String]
    private let record: AssemblyRecord
    /// Held while the muxer is started: tracks come by threads of their own, and there is one file.
    private let starting = NSLock()
    private let frames = FrameCount()

    /// - Parameters:
    ///   - tracks: How many there will be at most, at least one.
    ///   - movieTimescale: Ticks in a second of the movie's own times; `nil` for the usual.
    ///   - fileMetadata: What the muxer is to write of the file, by FFmpeg's keys.
    package init(
        _ fileType: AVFileType, tracks: Int, at place: OutputPlace, temporaryFolder: String?, limits: MediaLimits,
        movieTimescale: Int32?, fileMetadata: [String: String]
    ) throws {
        (self.fileType, self.movieTimescale, self.fileMetadata) = (fileType, movieTimescale, fileMetadata)
        format = try fileType.containerFormat()
        target = try PendingFile(for: place, temporaryFolder: temporaryFolder, limits: limits)
        (encoding, muxing) = (StageThreads(cancellation), StageThreads(cancellation))
        let record = AssemblyRecord(tracks: tracks)
        self.record = record
        port = MuxPort(cancellation, tracks: tracks, capacity: .max, byteCapacity: AssemblyRecord.longestWait) {
            try record.admit($0)
        }
    }

    /// Whether parameter sets go into the file's header.
    var wantsGlobalHeader: Bool { format.wantsGlobalHeader }

    /// Whether what lies before the file's zero can be hidden.
    package var hidesByEditList: Bool { format.container.isMovie }

    var encodingPort: MuxPort { port }
    var encodedFrames: FrameCount { frames }

    /// Says what the samples of a track are.
    ///
    /// - Parameter description: How a movie describes samples that no muxer knows; `nil` for others.
    /// - Throws: Also for samples that only movies hold, where another kind of file is made.
    package func declare(_ coded: CodedStream, as description: DataTrackDescription? = nil, track: Int) throws {
        if let description, !format.container.isMovie {
            throw FFmpegError(
                kind: .unsupported, operation: .write,
                reason:
                    "\(format.container) cannot hold samples of \(description.entry.type.text), which MP4 files and "
                    + "QuickTime movies do")
        }
        let isNew = record.state.withLock { state in
            guard state.coded[track] == nil else { return false }
            (state.coded[track], state.descriptions[track]) = (coded, description)
            return true
        }
        if isNew { try startIfReady() }
    }

    /// What is known of the file once all samples were brought.
    package struct Finishing: Sendable {
        /// The file's items, those of tracks in the order of the tracks that have samples; `nil` for none.
        package var metadata: FileMetadata?
        /// Whether MP4 and MOV files begin with their movie box.
        package var optimizesForNetwork = false
        /// When a movie ends, whatever samples there are beyond; `nil` for with the last of them.
        package var end: CMTime?
        /// How tracks of a movie refer to others: `cdsc` from timed metadata to what it is about, and so on.
        package var references: [(track: Int, other: Int, type: FourCC)] = []
        /// Tracks of a movie of which one is to be played.
        package var alternatives: [[Int]] = []

        package init() {}
    }

    /// Brings a coded sample of a track that was declared; blocks while there are too many.
    ///
    /// - Throws: Also where too much waits for tracks that have said nothing yet.
    package func send(_ packet: Packet, track: Int, timeBase: TimeBase) throws {
        try cancellation.check()
        try port.send(packet, track: track, timeBase: timeBase)
    }

    /// Whether a sample would be taken without waiting.
    ///
    /// Before the file is begun samples wait in memory, and too many are an error.
    package var hasRoom: Bool { record.state.withLock { $0.muxing == nil } || port.hasRoom }

    /// Says that a track lasts until a time of the new file.
    package func note(end: CMTime) { record.state.withLock { $0.latestEnd = max($0.latestEnd ?? end, end) } }

    /// Until when the tracks last that said so; `nil` where none did.
    package var latestEnd: CMTime? { record.state.withLock { $0.latestEnd } }

    /// A track has no more samples.
    package func finish(track: Int) throws {
        let isNew = record.state.withLock { $0.finished.insert(track).inserted }
        guard isNew else { return }
        port.finish(track: track)
        try startIfReady()
    }

    /// Starts writing once all tracks are known.
    private func startIfReady() throws { try starting.withLock { try startOnce() } }

    private func startOnce() throws {
        let wanted = record.state.withLock { state -> [CodedStream?]? in
            let isReady = state.coded.indices.allSatisfy { state.coded[$0] != nil || state.finished.contains($0) }
            return isReady && state.muxing == nil ? state.coded : nil
        }
        guard let coded = wanted, coded.contains(where: { $0 != nil }) else { return }
        let format = try fileType.containerFormat(holding: coded.compactMap { $0?.codec })
        let muxed = MuxedFile(target, format: format)
        let mux = try MuxStage(
            format, sink: CountingSink(muxed), port: port, pass: 1, frames: frames, progress: ProgressReport { _ in })
        mux.setMetadata(fileMetadata)
        mux.endsAtATime()
        for stream in coded {
            if let stream { try mux.addTrack(stream, isCounted: true) } else { mux.leaveOutTrack() }
        }
        var options = MuxedFile.muxerOptions(for: format)
        if format.container.isMovie {
            options["movie_timescale"] = String(movieTimescale ?? 90_000)
            // A track of timecode is one of those that are brought, or there is none.
            options["write_tmcd"] = "0"
        }
        try mux.start(options: options)
        let outcome = muxing.start("mux", mux)
        record.state.withLock { $0.muxing = outcome }
    }

    /// Completes the file, after all tracks were finished, and gives it its name; blocks until it is there.
    ///
    /// - Returns: What the file cannot hold of the metadata.
    package func complete(_ finishing: Finishing) throws -> [MetadataLoss] {
        do {
            // A track that somebody finishes just now may be the one that the muxer waited for.
            starting.withLock {}
            muxing.wait()
            try cancellation.check()
            encoding.wait()
            // Whoever encoded last may have started it.
            muxing.wait()
            guard let made = record.state.withLock({ $0.muxing })?.value,
                made.tracks.contains(where: { $0.packets > 0 })
            else {
                throw FFmpegError(kind: .other, operation: .write, reason: "there are no samples to write")
            }
            let output = try MediaOutput(
                MuxedFile(target, format: format), details: trackDetails(made, finishing),
                isOptimizedForNetwork: finishing.optimizesForNetwork)
            let finished = try output.finished(with: finishing.metadata)
            try finished.write(to: target) { _ throws(FileWriteError) in
                guard !cancellation.isCancelled else {
                    throw FileWriteError(kind: .cancelled, path: target.path, reason: "cancelled")
                }
            }
            cancellation.forgetAll()
            return finished.losses
        } catch {
            throw failure(error)
        }
    }

    /// What tracks of a movie have to say that the muxer could not write, by the numbers it gave them.
    private func trackDetails(_ made: MuxStage.Outcome, _ finishing: Finishing) -> [UInt32: MovieTrackDetails] {
        guard format.container.isMovie else { return [:] }
        let state = record.state.withLock { $0 }
        // Those without samples are in no file, and have no number if they were not declared.
        var numbers: [Int: UInt32] = [:]
        for (number, track) in declaredTracks.enumerated() where made.tracks[track].packets > 0 {
            numbers[track] = UInt32(number + 1)
        }
        var details: [UInt32: MovieTrackDetails] = [:]
        for (track, number) in numbers {
            var own = MovieTrackDetails()
            (own.description, own.end) = (state.descriptions[track], finishing.end)
            // Beyond the numbers that the muxer gives tracks of a kind.
            if let group = finishing.alternatives.firstIndex(where: { $0.contains(track) }) {
                own.alternateGroup = UInt16(clamping: 0x100 + group)
            }
            for reference in finishing.references where reference.track == track {
                if let target = numbers[reference.other] { own.addReference(to: target, as: reference.type) }
            }
            if !own.isEmpty { details[number] = own }
        }
        return details
    }

    /// The tracks that have samples, by their place.
    package var declaredTracks: [Int] {
        record.state.withLock { state in state.coded.indices.filter { state.coded[$0] != nil } }
    }

    /// Stops everything, and waits until nothing is written any more; there will be no file.
    package func abandon(because reason: any Error = CancellationError()) {
        cancellation.cancel(because: reason)
        muxing.wait()
        cancellation.forgetAll()
    }

    /// What went wrong first, in the shape that callers know.
    package func failure(_ error: any Error) -> any Error {
        cancellation.cancel(because: error)
        return writingError(for: cancellation.reason ?? error)
    }
}

/// What is known of the tracks of an assembly.
private final class AssemblyRecord: Sendable {
    struct State {
        var coded: [CodedStream?]
        /// How tracks are described whose samples no muxer knows.
        var descriptions: [Int: DataTrackDescription] = [:]
        var latestEnd: CMTime?
        var finished: Set<Int> = []
        var muxing: StageOutcome<MuxStage.Outcome>?
        /// Bytes that wait for the header.
        var waiting = 0
    }

    let state: Mutex<State>

    /// So many bytes are taken at most before the muxer takes some.
    static let longestWait = 64 << 20

    init(tracks: Int) { state = Mutex(State(coded: [CodedStream?](repeating: nil, count: tracks))) }

    /// Fails where too much waits for tracks that have said nothing yet.
    func admit(_ bytes: Int) throws {
        try state.withLock { state in
            guard state.muxing == nil else { return }
            state.waiting += bytes
            guard state.waiting > Self.longestWait / 2 else { return }
            let silent = state.coded.indices.filter { state.coded[$0] == nil }.map { String($0 + 1) }
            throw FFmpegError(
                kind: .other, operation: .write,
                reason:
                    "input \(silent.joined(separator: ", ")) has no samples yet, which the file's header has to tell "
                    + "of: interleave samples, or mark inputs that stay empty as finished")
        }
    }
}
