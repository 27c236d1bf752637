package import FFmpegKit
internal import Foundation
internal import MediaContainers
package import MediaCore
package import MediaIO
internal import MediaMetadata
internal import MetadataFormats
internal import Synchronization

/// One media file behind an asset: opened when first needed, described once.
///
/// Calls block; the asset runs them away from the cooperative pool. The file
/// that was opened for the description is kept open for the first reader, so
/// that describing and decoding cost one open.
package final class AssetSource: Sendable {
    /// The file, opened when it is first read.
    package let input: MediaInput
    package let policy: SafetyPolicy
    /// How much the file may ask for.
    package var limits: MediaLimits { policy.limits }
    private let prefersPreciseDuration: Bool
    /// The video track asked for, `nil` for the usual one.
    private let videoTrackID: Int32?
    /// Whether a pipe is read to its end before anything else is done.
    private let readsPipesWhole: Bool
    private let state = Mutex(State())
    /// Held while the file is described, so that it is read once.
    private let describing = NSLock()
    /// Where frames lie, if nothing else leads to them.
    let frames: KnownFrames
    /// Who reads the file in place of this process, if it is to be isolated.
    package let remote: RemoteAsset?
    /// What stands in place of a file.
    package let composition: CompositionState?
    /// Why nothing is read at all.
    let refusal: AVError?

    private struct State: Sendable {
        var parked: [ParkedDemuxer] = []
        var description: Result<AssetDescription, any Error>?
        var metadata: Result<FileMetadata, any Error>?
        var scans: [Int: SampleScan] = [:]
        var samples: [Int: TrackSamples] = [:]
        var orders: [Int: KnownPictureOrder] = [:]
        var parts: FileParts?
        /// Whether reading more of the file has not told what some streams are.
        var isProbedInVain = false
        /// Streams of pictures that are shown in another order than the file's times tell.
        var unorderedStreams: Set<Int> = []
        /// Where the sound of a movie ends by its edit lists; `nil` for other files.
        var soundEnds: SoundEnds?
        /// Where the first frame of each stream's decoded sound ends.
        var firstSoundEnds: [Int: CMTime] = [:]
        /// What stops the reading that is under way for the asset itself, not that of pictures or exports.
        var reading: [Interrupt] = []
        /// Whether the file was found to ask for no more than it may.
        var isWithinLimits = false
    }

    /// `@unchecked Sendable`: a parked demuxer is used by nobody until exactly
    /// one reader takes it out.
    private struct ParkedDemuxer: @unchecked Sendable { let demuxer: Demuxer }

    package init(
        _ input: MediaInput, policy: SafetyPolicy, prefersPreciseDuration: Bool, readsPipesWhole: Bool = false,
        videoTrackID: Int32? = nil, isolation: AssetIsolation = .none, refusal: AVError? = nil,
        frames: KnownFrames? = nil
    ) {
        self.input = input
        self.policy = policy
        self.refusal = refusal
        composition = nil
        let opening = AssetOpening(
            path: input.path, policy: policy, prefersPreciseDuration: prefersPreciseDuration,
            readsPipesWhole: readsPipesWhole, videoTrackID: videoTrackID)
        remote = isolation.level == .none || refusal != nil ? nil : RemoteAsset(opening, isolation: isolation)
        self.readsPipesWhole = readsPipesWhole || prefersPreciseDuration
        self.prefersPreciseDuration = prefersPreciseDuration
        self.videoTrackID = videoTrackID
        self.frames = frames ?? KnownFrames(of: input)
    }

    /// A file that this process opens itself.
    package convenience init(path: String, policy: SafetyPolicy, prefersPreciseDuration: Bool) {
        self.init(
            MediaInput(path, limits: policy.limits), policy: policy, prefersPreciseDuration: prefersPreciseDuration)
    }

    /// A composition, of which nothing is read but the files that it is made of.
    init(composition: CompositionState) {
        (input, policy, videoTrackID) = (MediaInput(""), SafetyPolicy(), nil)
        (prefersPreciseDuration, readsPipesWhole) = (false, false)
        (self.composition, refusal, remote) = (composition, nil, nil)
        frames = KnownFrames(of: input)
    }

    /// What the file contains.
    ///
    /// Opens the file the first time.
    package func describe() throws -> AssetDescription {
        if let composition { return try composition.describe() }
        return try describing.withLock {
            if let known = state.withLock({ $0.description }) { return try known.get() }
            let result = Result { try load() }
            // A cancelled load says nothing about the file.
            if case .failure(let error) = result, error is CancellationError { throw error }
            state.withLock { $0.description = result }
            return try result.get()
        }
    }

    /// The file for readers of our own, opened once; `nil` for what is no regular
    /// file, and for a pipe that has not been read to its end.
    package var file: RandomAccessFile? {
        guard refusal == nil, remote == nil, composition == nil else { return nil }
        return input.file
    }

    /// The path of the file, or its address.
    package var path: String { input.path }

    /// Who opens the file, or those of a composition.
    package var access: FileAccess { composition?.content.sources.first?.access ?? input.access }

    /// Fails if our own readers asked for something of the file that the system did not read: what they made of the
    /// rest would pass for what the file contains.
    func checkOwnReading() throws {
        guard let failure = input.readFailure else { return }
        throw AVError(.failedToLoadMediaData, reason: failure.reason)
    }

    /// All bytes of the file: of a pipe, its copy, for which it is read to its end; `nil` for what cannot be opened.
    func completeFile() throws -> RandomAccessFile? {
        try checkIsOwn()
        _ = try openPipe(interrupt: Interrupt(), readsWhole: true)
        return file
    }

    /// Whether it is one regular file that this process reads, so that nobody keeps it waiting.
    package var isLocalFile: Bool {
        composition == nil && refusal == nil && remote == nil && input.isRegularFile
    }

    /// Whether nobody keeps it waiting, as ``isLocalFile``, or none of the files of a composition.
    package var readsLocalFiles: Bool { composition?.content.sources.allSatisfy(\.isLocalFile) ?? isLocalFile }

    /// Reads a pipe to its end, if that is how it is to be read.
    func readPipeIfWhole() throws { if readsPipesWhole { _ = try completeFile() } }

    /// Opens the pipe, if it is one, and reads it to its end if that is wanted.
    private func openPipe(interrupt: Interrupt, readsWhole: Bool) throws -> PipeSpool? {
        if input.pipe == nil, PipeSpool.isPipe(path, access: input.access) {
            do { _ = try input.open() } catch { throw publicError(for: FFmpegError(error)) }
        }
        guard let spool = input.pipe else { return nil }
        return try reading(interrupt) {
            do {
                if readsPipesWhole || readsWhole { try spool.fill { interrupt.state != .none } }
                return spool
            } catch let error as PipeError {
                throw publicError(for: FFmpegError(error, operation: .open))
            }
        }
    }

    /// Runs what `cancelReading` is to stop.
    func reading<T>(_ interrupt: Interrupt, _ body: () throws -> T) rethrows -> T {
        state.withLock { $0.reading.append(interrupt) }
        defer {
            state.withLock { state in
                // It may stand there twice, where one call reads within another.
                if let last = state.reading.lastIndex(where: { $0 === interrupt }) { state.reading.remove(at: last) }
            }
        }
        return try body()
    }

    /// Fails if the file is no longer what it was when it was opened.
    package func checkIsOneFile() throws {
        if let composition {
            for file in composition.content.sources { try file.checkIsOneFile() }
            return
        }
        try checkIsOwn()
        guard input.isUnchanged else {
            throw AVError(.invalidSourceMedia, reason: "the file was changed while it was read")
        }
    }

    /// The metadata that was read before, else what `read` gives.
    func remembered(_ read: () throws -> FileMetadata) throws -> FileMetadata {
        if let known = state.withLock({ $0.metadata }) { return try known.get() }
        let result = Result { try read() }
        if case .failure(let error) = result, error is CancellationError { throw error }
        state.withLock { $0.metadata = result }
        return try result.get()
    }

    /// A demuxer of this file for one reader, a fresh one or one used before.
    ///
    /// - Parameter interrupt: Stops the opening; the demuxer has an interrupt of its own.
    package func checkOut() throws -> Demuxer {
        while let parked = state.withLock({ $0.parked.popLast() }) {
            // Reading may have been cancelled after the demuxer was given back.
            guard parked.demuxer.interrupt.state == .none else { continue }
            try prepareTimes(of: parked.demuxer)
            return parked.demuxer
        }
        return try open()
    }

    /// Gives a demuxer back for the next reader.
    package func checkIn(_ demuxer: Demuxer) {
        guard demuxer.interrupt.state == .none else { return }
        let parked = ParkedDemuxer(demuxer: demuxer)
        state.withLock { state in if state.parked.count < 2 { state.parked.append(parked) } }
        ParkedSources.all.add(self)
    }

    /// Closes what waits for a next reader, and lets go of what is in memory for it.
    fileprivate func closeParked() {
        input.openFile?.forgetPart()
        let closed = state.withLock { state in
            defer { state.parked = [] }
            return state.parked
        }
        withExtendedLifetime(closed) {}
    }

    /// Another demuxer of this file, at its beginning.
    package func open(interrupt: Interrupt = Interrupt()) throws -> Demuxer {
        let demuxer = try openAsStored(interrupt: interrupt)
        try prepareTimes(of: demuxer)
        return demuxer
    }

    /// Has a demuxer give pictures their presentation times where finding these takes a pass over the file, and cut sound
    /// where it ends.
    private func prepareTimes(of demuxer: Demuxer) throws {
        let (unordered, soundEnds) = state.withLock { ($0.unorderedStreams, $0.soundEnds) }
        if demuxer.soundEnds == nil { demuxer.soundEnds = soundEnds }
        guard demuxer.isSeekable else { return }
        let toMeasure = demuxer.streams.indices.filter { index in
            demuxer.needsPictureOrder(ofStream: index, hasDecodeTimesOnly: unordered.contains(index))
        }
        for (index, order) in try pictureOrders(ofStreams: toMeasure, interrupt: demuxer.interrupt) {
            demuxer.setPictureOrder(order, ofStream: index)
        }
        for index in unordered.subtracting(toMeasure) { demuxer.orderPicturesByAnchors(ofStream: index) }
    }

    /// Where the first frame of a stream's decoded sound ends: what was found before, else what a closure finds.
    package func firstSoundEnd(ofStream index: Int, _ find: () throws -> CMTime?) rethrows -> CMTime? {
        if let known = state.withLock({ $0.firstSoundEnds[index] }) { return known }
        let found = try find()
        state.withLock { $0.firstSoundEnds[index] = found }
        return found
    }

    /// Has a demuxer that nothing was read from yet time the pictures of a stream whose container tells no times.
    ///
    /// Decoders do that for pictures that are decoded; where samples stay as they are, nobody else does.
    ///
    /// - Complexity: The first time, one pass over the file.
    package func timePictures(of demuxer: Demuxer, stream index: Int) throws {
        guard demuxer.isSeekable, demuxer.lacksTimes(ofStream: index) else { return }
        let orders = try pictureOrders(ofStreams: [index], interrupt: demuxer.interrupt)
        demuxer.countPictures(ofStream: index)
        if let order = orders[index] { demuxer.setPictureOrder(order, ofStream: index) }
    }

    /// The orders of the pictures of several streams; those not known yet are measured in one pass over the file.
    private func pictureOrders(ofStreams wanted: [Int], interrupt: Interrupt) throws -> [Int: KnownPictureOrder] {
        let known = state.withLock { $0.orders }.filter { wanted.contains($0.key) }
        let unknown = wanted.filter { known[$0] == nil }
        guard !unknown.isEmpty else { return known }
        do {
            let measured = try openAsStored(interrupt: interrupt).measurePictureOrders(ofStreams: unknown)
            state.withLock { $0.orders.merge(measured) { _, new in new } }
            return known.merging(measured) { _, new in new }
        } catch let error as FFmpegError {
            throw publicError(for: error)
        }
    }

    /// A demuxer that gives packets the times that the container stores, on one timeline.
    ///
    /// - Parameter readsWhole: Whether a pipe is read to its end first.
    private func openAsStored(interrupt: Interrupt = Interrupt(), readsWhole: Bool = false) throws -> Demuxer {
        let demuxer = try openApart(interrupt: interrupt, readsWhole: readsWhole)
        guard demuxer.isSeekable, let file else { return demuxer }
        let known = state.withLock { $0.parts }
        do {
            let parts =
                try known
                ?? FileParts(of: file, demuxer) { try openApart(interrupt: interrupt, readsWhole: readsWhole) }
            state.withLock { $0.parts = parts }
            parts.apply(to: demuxer)
        } catch let error as FFmpegError {
            throw publicError(for: error)
        }
        return demuxer
    }

    /// A demuxer that takes the parts that a file was put together of for one.
    private func openApart(interrupt: Interrupt, readsWhole: Bool) throws -> Demuxer {
        try checkIsOwn()
        _ = try openPipe(interrupt: interrupt, readsWhole: readsWhole)
        return try reading(interrupt) {
            do {
                try checkLimits(interrupt)
                let probesFurther = !state.withLock { $0.isProbedInVain }
                let demuxer = try Demuxer.open(
                    input, policy: policy, interrupt: interrupt, probesFurther: probesFurther)
                if demuxer.lacksFormats { state.withLock { $0.isProbedInVain = true } }
                return demuxer
            } catch let error as FFmpegError {
                throw publicError(for: error)
            }
        }
    }

    /// Fails if opening the file would take more memory than it may, once for each file.
    private func checkLimits(_ interrupt: Interrupt) throws {
        guard !state.withLock({ $0.isWithinLimits }) else { return }
        if let spool = input.pipe { try PipeHeader(spool: spool, limits: policy.limits).wait(interrupt) }
        interrupt.setDeadline(after: limits.openTime)
        defer { interrupt.setDeadline(after: nil) }
        guard let file = file ?? beginningOfPipe else { return }
        do {
            try PackedMetadata.check(file)
            BoxReader(file: file).keepMovie()
            ParkedSources.all.add(self)
            let start = PackedMetadata.end(ofTagsIn: file)
            try MovieIndexSize.check(file, from: start) { interrupt.state != .none }
        } catch let error as MovieError {
            throw AVError(MediaLimitError(reason: error.reason, limit: error.limit))
        } catch let error as MetadataError {
            throw publicError(for: error)
        }
        try interrupt.check(.open)
        // There is more to come of a pipe.
        state.withLock { $0.isWithinLimits = beginningOfPipe == nil }
    }

    /// What came through a pipe so far, where that is not all; `nil` for what is no pipe.
    private var beginningOfPipe: RandomAccessFile? {
        input.pipe.flatMap { $0.isComplete ? nil : $0.contents }
    }

    /// Interrupts all opening, and what is read for the asset's own properties.
    package func cancelReading() {
        remote?.cancelReading()
        for interrupt in state.withLock({ $0.reading }) { interrupt.cancel() }
    }

    /// All samples of one stream, read without decoding and kept.
    package func scan(stream index: Int) throws -> SampleScan {
        if let known = state.withLock({ $0.scans[index] }) { return known }
        let interrupt = Interrupt()
        do {
            let scan =
                try knownScan(ofStream: index)
                ?? reading(interrupt) {
                    try SampleScan(demuxer: open(interrupt: interrupt), stream: index, of: self)
                }
            state.withLock { $0.scans[index] = scan }
            return scan
        } catch let error as FFmpegError {
            try checkIsClear(error)
            throw publicError(for: error)
        }
    }

    /// The samples of one stream with all that cursors tell of them, read without decoding and kept.
    func samples(stream index: Int) throws -> TrackSamples {
        if let known = state.withLock({ $0.samples[index] }) { return known }
        if let remote {
            let samples = try remote.samples(stream: index)
            state.withLock { $0.samples[index] = samples }
            return samples
        }
        let origin = try describe().origin
        let interrupt = Interrupt()
        do {
            let samples = try reading(interrupt) {
                try TrackSamples(demuxer: open(interrupt: interrupt), stream: index, origin: origin)
            }
            state.withLock { $0.samples[index] = samples }
            return samples
        } catch let error as FFmpegError {
            throw publicError(for: error)
        }
    }

    private func load() throws -> AssetDescription {
        if let remote { return try remote.facts().description }
        let interrupt = Interrupt()
        return try reading(interrupt) { try load(interrupt: interrupt) }
    }

    private func load(interrupt: Interrupt) throws -> AssetDescription {
        let demuxer = try openForDescription(interrupt: interrupt)
        let isMovie = demuxer.container.isMovie
        let movie = isMovie ? file.flatMap(MovieOutline.init) : nil
        let fragments = movie?.canContainFragments == true ? file.flatMap(MovieFragments.init) : nil
        let unordered =
            try movie?.unorderedStreams(of: demuxer.streams, fragments: fragments)
            ?? streamsWithDecodeTimesOnly(of: demuxer, interrupt: interrupt)
        let soundEnds = movie.flatMap { $0.canContainFragments ? nil : $0.soundEnds(of: demuxer.streams) }
        state.withLock { ($0.unorderedStreams, $0.soundEnds) = (unordered, soundEnds) }
        var description = AssetDescription(demuxer: demuxer, movie: movie, fragments: fragments)
        if let movie, let file { description.takePurposes(of: movie, BoxReader(file: file)) }
        if demuxer.container.isMatroska, let file {
            description.shapePictures(MatroskaPictureShape.shapes(of: file))
        }
        try videoTrackID.map { try description.chooseVideoTrack($0) }
        // A pipe can be read once only, and that is for the pictures.
        if let joined = demuxer.joinedParts {
            (description.duration, description.durationIsEstimate) = (description.take(joined.ends), false)
        } else if demuxer.isSeekable, description.durationIsEstimate || (prefersPreciseDuration && !isMovie) {
            try measureDuration(of: &description, interrupt: interrupt)
        } else if demuxer.isSeekable, demuxer.container == .mpegTransportStream {
            try measureTail(of: &description, in: demuxer)
        }
        if demuxer.isSeekable { try measureFrameRates(of: &description, interrupt: interrupt) }
        try checkOwnReading()
        checkIn(demuxer)
        return description
    }

    /// A demuxer that can tell how long the media last.
    ///
    /// The header of a fragmented movie was written before its samples were known, and whatever it says of them may be
    /// wrong: through a pipe, the fragments have to come before it can be described.
    private func openForDescription(interrupt: Interrupt) throws -> Demuxer {
        let demuxer = try openAsStored(interrupt: interrupt)
        guard demuxer.container.isMovie, let beginning = beginningOfPipe,
            MovieOutline(beginning)?.canContainFragments ?? true
        else { return demuxer }
        return try openAsStored(interrupt: interrupt, readsWhole: true)
    }

    /// Sets durations to the ends of the last samples.
    private func measureDuration(of description: inout AssetDescription, interrupt: Interrupt) throws {
        let last = try measureEnds(of: &description, in: open(interrupt: interrupt))
        guard last > .zero else { return }
        description.duration = last
        description.durationIsEstimate = false
    }

    /// Sets durations of a transport stream to the ends of the last samples.
    ///
    /// libavformat goes by the times in the stream, of which many samples of sound have one in common: up to a second
    /// of sound follows the last one.
    private func measureTail(of description: inout AssetDescription, in demuxer: Demuxer) throws {
        var measured = description
        let last = try measureEnds(of: &measured, in: demuxer, lastBytes: Self.tailByteCount)
        do { try demuxer.rewind() } catch { throw publicError(for: error) }
        let others = measured.tracks.map(\.timeRange.end).filter(\.isNumeric).max() ?? last
        // Where recordings were joined unnoticed, the times near the end are not on the timeline of the beginning.
        guard last > .zero, CMTimeAbsoluteValue(last - description.duration) <= Self.longestTail else { return }
        measured.duration = max(last, others)
        description = measured
    }

    /// A multiple of 188, 192 and 204 bytes, the packets of transport streams; more than muxers interleave.
    private static let tailByteCount: Int64 = 188 * 192 * 204 / 48 * 28
    /// More than what one time can stand for.
    private static let longestTail = CMTime(value: 5, timescale: 1)

    /// Sets the tracks' ranges to the ends of their last samples.
    ///
    /// - Returns: The last end, zero if there are no samples.
    private func measureEnds(
        of description: inout AssetDescription, in demuxer: Demuxer, lastBytes: Int64? = nil
    ) throws -> CMTime {
        let playing = description.tracks.indices.filter {
            [.video, .audio].contains(description.tracks[$0].mediaType)
        }
        do {
            let tracks = playing.map { description.tracks[$0] }
            let indexed = lastBytes == nil ? try indexedEnds(of: tracks, from: description.origin, in: demuxer) : nil
            let ends =
                try indexed ?? demuxer.measureEnds(ofStreams: Set(tracks.map(\.streamIndex)), lastBytes: lastBytes)
            return description.take(ends)
        } catch let error as FFmpegError {
            throw publicError(for: error)
        }
    }
}

extension AssetDescription {
    /// Sets the tracks' ranges to where their streams end on the container's timeline.
    ///
    /// - Returns: The last end, zero without one.
    fileprivate mutating func take(_ ends: [Int: CMTime]) -> CMTime {
        var last = CMTime.zero
        for index in tracks.indices {
            let track = tracks[index]
            guard let end = ends[track.streamIndex].map({ $0 - origin }), end.isNumeric, end > .zero else { continue }
            tracks[index].timeRange = CMTimeRange(start: track.timeRange.start, end: end)
            tracks[index].isEndAssumed = false
            last = max(last, end)
        }
        return last
    }
}

/// The assets of this process whose files wait open for their next reader: a few, since each holds an index.
private final class ParkedSources: Sendable {
    static let all = ParkedSources()
    /// Assets whose files stay open: a demuxer's index takes from some kB to 100 MB.
    private static let maximumCount = 32

    private struct Record { weak var source: AssetSource? }

    private let records = Mutex<[Record]>([])

    /// Adds an asset, or makes it the latest, and closes the files of the one that waits longest where there are too many.
    func add(_ source: AssetSource) {
        let oldest = records.withLock { records -> Record? in
            records.removeAll { $0.source == nil || $0.source === source }
            records.append(Record(source: source))
            return records.count > Self.maximumCount ? records.removeFirst() : nil
        }
        oldest?.source?.closeParked()
    }
}
