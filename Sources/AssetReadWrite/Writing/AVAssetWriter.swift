public import Foundation
public import MediaAsset
public import MediaCore
internal import MediaEngine
internal import MediaIO
public import MediaMetadata
internal import Synchronization

/// Writes samples of several tracks into a new file: coded ones as they are, pictures and sound encoded.
///
/// ```swift
/// let writer = try AVAssetWriter(outputURL: url, fileType: .mp4)
/// let input = AVAssetWriterInput(mediaType: .video, outputSettings: settings)
/// writer.add(input)
/// guard writer.startWriting() else { throw writer.error ?? CocoaError(.fileWriteUnknown) }
/// writer.startSession(atSourceTime: .zero)
/// while let sample = nextSample() { guard input.append(sample) else { break } }
/// input.markAsFinished()
/// await writer.finishWriting()
/// if writer.status == .failed { throw writer.error ?? CocoaError(.fileWriteUnknown) }
/// ```
///
/// The file appears under its name when it is complete, or not at all: nothing is left where writing fails or is
/// cancelled. Tracks may be brought one after the other or by turns; a file that was brought by turns is read more easily.
/// A writer is used once.
///
/// - Note: ``AVAssetWriterInput/append(_:)`` waits while there are too many samples, where AVFoundation raises an exception
///   for samples that come while ``AVAssetWriterInput/isReadyForMoreMediaData`` is false.
///
/// `@unchecked Sendable`: settings are behind a lock.
open class AVAssetWriter: NSObject, @unchecked Sendable {
    /// Where a writer stands.
    public enum Status: Int, Sendable {
        /// It was not started.
        case unknown = 0
        /// It takes samples.
        case writing = 1
        /// The file is there.
        case completed = 2
        /// It cannot go on: ``AVAssetWriter/error`` says why. There is no file.
        case failed = 3
        /// It was cancelled. There is no file.
        case cancelled = 4
    }

    private struct Settings {
        var metadata: [AVMetadataItem] = []
        var optimizesForNetwork = false
        var temporaryDirectory: URL?
        var movieTimeScale: CMTimeScale = 0
        var fragmentInterval = CMTime.invalid
        var durationHint = CMTime.zero
        var inputs: [AVAssetWriterInput] = []
        var inputGroups: [AVAssetWriterInputGroup] = []
        var sessionStart: CMTime?
        var sessionEnd: CMTime?
        var assembly: SampleAssembly?
        var losses: [String] = []
        var warnings: [String] = []
        /// Where the file goes, if somebody has looked at that already.
        var place: OutputPlace?
        var limits = MediaLimits()
    }

    /// Where the file goes.
    public let outputURL: URL
    /// The kind of the file.
    public let outputFileType: AVFileType
    let run = WriterRun()
    private let settings = Mutex(Settings())

    /// A writer of a file.
    ///
    /// - Parameters:
    ///   - outputURL: A file that is not there when writing starts; its extension may be any.
    ///   - outputFileType: A kind of file that holds samples.
    /// - Throws: `AVError.incorrectlyConfigured` for an address that is no file's and for kinds of files that cannot be
    ///   written.
    public convenience init(outputURL: URL, fileType outputFileType: AVFileType) throws {
        try self.init(url: outputURL, fileType: outputFileType)
    }

    /// A writer of a file.
    ///
    /// - Throws: As ``init(outputURL:fileType:)``.
    public init(url outputURL: URL, fileType outputFileType: AVFileType) throws {
        (self.outputURL, self.outputFileType) = (outputURL, outputFileType)
        super.init()
        guard outputURL.isFileURL else {
            throw AVError(
                .incorrectlyConfigured, reason: "outputURL is the URL of no file: \(outputURL.absoluteString)")
        }
        guard outputFileType.isWritable else {
            throw AVError(
                .incorrectlyConfigured,
                reason: "files of the type \(outputFileType.rawValue) are not written from samples")
        }
        do {
            // A file that is there fails when writing starts, as programs expect that remove it in between.
            try RunFiles(reading: []).check(outputURL.path, replaces: true)
        } catch {
            throw writerError(for: error)
        }
    }

    /// A writer of a file at a place.
    init(at place: OutputPlace, fileType: AVFileType, limits: MediaLimits) throws {
        (outputURL, outputFileType) = (URL(fileURLWithPath: place.path), fileType)
        super.init()
        settings.withLock { ($0.place, $0.limits) = (place, limits) }
    }

    deinit { settings.withLock { $0.assembly }?.abandon() }

    // MARK: Settings

    /// What tracks may hold.
    open var availableMediaTypes: [AVMediaType] { [.video, .audio, .subtitle, .text, .timecode, .metadata] }

    /// Where the writer stands.
    open var status: Status { run.status }

    /// Why it failed or was cancelled, `nil` if it was not.
    open var error: (any Error)? { run.error }

    /// What the file says of itself; none at first.
    ///
    /// It counts as it is when the file is completed.
    open var metadata: [AVMetadataItem] {
        get { settings.withLock { $0.metadata } }
        set { settings.withLock { $0.metadata = newValue } }
    }

    /// Whether MP4 and MOV files begin with their tables, so that they can be played while they come; false at first.
    open var shouldOptimizeForNetworkUse: Bool {
        get { settings.withLock { $0.optimizesForNetwork } }
        set { settings.withLock { $0.optimizesForNetwork = newValue } }
    }

    /// Where the file grows; `nil` for beside the place where it goes.
    open var directoryForTemporaryFiles: URL? {
        get { settings.withLock { $0.temporaryDirectory } }
        set { settings.withLock { $0.temporaryDirectory = newValue } }
    }

    /// Ticks in a second of an MP4 or MOV file's own times; 0 for the usual.
    open var movieTimeScale: CMTimeScale {
        get { settings.withLock { $0.movieTimeScale } }
        set { settings.withLock { $0.movieTimeScale = newValue } }
    }

    /// How often the file could be read so far; invalid at first.
    ///
    /// - Note: Unlike in AVFoundation it is only kept: there is no file before it is whole.
    open var movieFragmentInterval: CMTime {
        get { settings.withLock { $0.fragmentInterval } }
        set { settings.withLock { $0.fragmentInterval = newValue } }
    }

    /// How long the file will be, as far as a client knows; zero at first.
    ///
    /// - Note: Unlike in AVFoundation it is only kept: files are not written in fragments.
    open var overallDurationHint: CMTime {
        get { settings.withLock { $0.durationHint } }
        set { settings.withLock { $0.durationHint = newValue } }
    }

    /// What the file cannot hold of ``metadata``, once it is there; a line each.
    ///
    /// Beyond AVFoundation.
    public var metadataLosses: [String] { settings.withLock { $0.losses } }

    /// What was asked for and not done, without harm to the file; a line each.
    ///
    /// Beyond AVFoundation.
    public var warnings: [String] { settings.withLock { $0.warnings } }

    /// The inputs that were added.
    open var inputs: [AVAssetWriterInput] { settings.withLock { $0.inputs } }

    /// Whether an input can have such settings.
    open func canApply(outputSettings: [String: Any]?, forMediaType mediaType: AVMediaType) -> Bool {
        (try? AVAssetWriterInput.check(outputSettings, for: mediaType)) != nil
    }

    /// Whether an input can be added: its settings make sense, it belongs to no writer yet, and this one was not started.
    open func canAdd(_ input: AVAssetWriterInput) -> Bool {
        status == .unknown && !input.isAttached
            && (try? AVAssetWriterInput.check(input.outputSettings, for: input.mediaType)) != nil
    }

    /// Adds an input.
    ///
    /// - Note: AVFoundation raises an exception for one that cannot be added. Here the writer does not start, and its error
    ///   says why.
    open func add(_ input: AVAssetWriterInput) {
        do {
            guard status == .unknown else {
                throw AVError(.operationNotAllowed, reason: "inputs are added before writing starts")
            }
            try AVAssetWriterInput.check(input.outputSettings, for: input.mediaType)
            try input.attach(to: self)
            settings.withLock { $0.inputs.append(input) }
        } catch {
            run.fail(error)
        }
    }

    /// The groups that were added.
    open var inputGroups: [AVAssetWriterInputGroup] { settings.withLock { $0.inputGroups } }

    /// Whether a group can be added: its inputs were, none is in another group, and the writer was not started.
    open func canAdd(_ inputGroup: AVAssetWriterInputGroup) -> Bool {
        let (inputs, groups) = settings.withLock { ($0.inputs, $0.inputGroups) }
        return status == .unknown && !inputGroup.inputs.isEmpty
            && inputGroup.inputs.allSatisfy { input in
                inputs.contains { $0 === input } && !groups.contains { $0.inputs.contains { $0 === input } }
            }
    }

    /// Adds a group: of the tracks of its inputs players are to choose one.
    ///
    /// MP4 files and QuickTime movies tell of it. Where it has a default input, that one's track is enabled and the others'
    /// are not.
    ///
    /// - Note: AVFoundation raises an exception for one that cannot be added. Here the writer does not start, and its error
    ///   says why.
    open func add(_ inputGroup: AVAssetWriterInputGroup) {
        guard canAdd(inputGroup) else {
            run.fail(
                AVError(
                    .incorrectlyConfigured,
                    reason: "a group is of inputs that were added, and of no other group, before writing starts"))
            return
        }
        settings.withLock { $0.inputGroups.append(inputGroup) }
        guard let chosen = inputGroup.defaultInput else { return }
        for input in inputGroup.inputs { input.marksOutputTrackAsEnabled = input === chosen }
    }

    // MARK: Writing

    /// Starts taking samples, once a session is started too.
    ///
    /// - Returns: Whether it could be started; ``error`` says why not.
    open func startWriting() -> Bool {
        do {
            try start()
            return true
        } catch {
            return false
        }
    }

    /// Starts taking samples, once a session is started too.
    ///
    /// - Throws: `AVError.operationNotAllowed` for a writer that was used, `incorrectlyConfigured` without inputs,
    ///   `fileAlreadyExists`, `diskFull`, and what making a file fails with.
    open func start() throws {
        if let error { throw error }
        let settings = settings.withLock { $0 }
        try run.begin()
        do {
            guard !settings.inputs.isEmpty else {
                throw AVError(.incorrectlyConfigured, reason: "a writer needs inputs")
            }
            for input in settings.inputs { try input.checkAssociations(among: settings.inputs) }
            let place = try settings.place ?? RunFiles(reading: []).output(outputURL.path, replaces: false)
            let assembly = try SampleAssembly(
                outputFileType, tracks: settings.inputs.count, at: place,
                temporaryFolder: settings.temporaryDirectory?.path, limits: settings.limits,
                movieTimescale: settings.movieTimeScale > 0 ? settings.movieTimeScale : nil, fileMetadata: [:])
            self.settings.withLock { $0.assembly = assembly }
        } catch {
            run.fail(writerError(for: error))
            throw run.error ?? error
        }
    }

    /// Says which time of the samples is the file's zero.
    ///
    /// What is shown before it is cut off: coded samples that others need are kept and hidden, where the kind of file can
    /// hide them.
    ///
    /// - Parameter startTime: A numeric time on the timeline of the samples.
    /// - Note: There is one session: a second one changes nothing but ``warnings``. Where it is called before writing
    ///   starts, the writer fails; AVFoundation raises an exception.
    open func startSession(atSourceTime startTime: CMTime) {
        do {
            guard run.isWriting else {
                throw AVError(.operationNotAllowed, reason: "a session is started after writing is")
            }
            guard startTime.isNumeric else {
                throw AVError(.incorrectlyConfigured, reason: "a session starts at a numeric time, not at \(startTime)")
            }
            let (inputs, assembly) = settings.withLock { settings -> ([AVAssetWriterInput], SampleAssembly?) in
                guard settings.sessionStart == nil else {
                    let start = startTime.secondsText()
                    settings.warnings.append("a session at \(start) s was not started: a file has one session")
                    return ([], nil)
                }
                settings.sessionStart = startTime
                return (settings.inputs, settings.assembly)
            }
            guard let assembly else { return }
            for (index, input) in inputs.enumerated() {
                try input.begin(assembly, track: index, IntakeSession(start: startTime))
            }
        } catch {
            fail(error)
        }
    }

    /// Says when the file ends.
    ///
    /// The last picture that an input encodes is shown until then. So is the last sample of pictures that stay as they
    /// are, if it does not say how long it lasts, and its input was not marked as finished before. In MP4 files and
    /// QuickTime movies nothing from there on is shown or heard, though the samples are there.
    ///
    /// - Parameter endTime: On the timeline of the samples, after the session's start.
    /// - Note: Unlike in AVFoundation there are kinds of files that cannot hide samples, all but these two: in them what
    ///   was brought from there on is shown and heard, the last picture for the shortest time that there is.
    open func endSession(atSourceTime endTime: CMTime) {
        guard endTime.isNumeric, let start = settings.withLock({ $0.sessionStart }), endTime > start else {
            return fail(
                AVError(.incorrectlyConfigured, reason: "a session ends after its start, not at \(endTime)"))
        }
        settings.withLock { $0.sessionEnd = endTime }
    }

    /// Stops writing; there is no file.
    ///
    /// Blocks until nothing is written any more.
    open func cancelWriting() {
        guard run.cancel() else { return }
        let (inputs, assembly) = settings.withLock { ($0.inputs, $0.assembly) }
        assembly?.abandon()
        for input in inputs { input.end() }
    }

    /// Completes the file, and calls a handler when it is there or cannot be; the outcome is in ``status``.
    open func finishWriting(completionHandler handler: @escaping @Sendable () -> Void) {
        Task {
            await finishWriting()
            handler()
        }
    }

    /// Completes the file; the outcome is in ``status``.
    open func finishWriting() async {
        guard run.beginFinishing() else {
            run.fail(AVError(.operationNotAllowed, reason: "there is nothing to finish"))
            return
        }
        await complete()
    }

    /// What stands in the way of writing: everything stops, and there is no file.
    func fail(_ error: any Error) {
        let (inputs, assembly) = settings.withLock { ($0.inputs, $0.assembly) }
        let first = assembly?.failure(error) ?? writerError(for: error)
        run.fail(first)
        assembly?.abandon(because: first)
        for input in inputs { input.end() }
    }

    /// Why nothing is taken any more.
    var refusal: any Error {
        switch status {
        case .cancelled: CancellationError()
        case .failed: error ?? AVError(.unknown, reason: "the writer failed")
        default: AVError(.operationNotAllowed, reason: "samples come while the writer writes")
        }
    }

    // MARK: For the work of finishing

    /// What is there to be completed.
    var work: (assembly: SampleAssembly?, inputs: [AVAssetWriterInput], start: CMTime?, end: CMTime?) {
        settings.withLock { ($0.assembly, $0.inputs, $0.sessionStart, $0.sessionEnd) }
    }

    func note(losses: [String]) { settings.withLock { $0.losses = losses } }
}
