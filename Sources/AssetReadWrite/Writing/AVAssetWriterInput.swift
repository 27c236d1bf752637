public import Foundation
public import MediaAsset
public import MediaCore
internal import MediaEngine
public import MediaMetadata
public import SampleBuffers
internal import Synchronization

/// What a writer takes the samples of one track by.
///
/// Samples come in the order of their times, coded pictures in the order in which they are decoded. Settings count as they
/// are when the writer's session starts.
///
/// `@unchecked Sendable`: settings are behind a lock, work behind another one.
open class AVAssetWriterInput: NSObject, @unchecked Sendable {
    /// What the track holds.
    public let mediaType: AVMediaType
    /// How samples are encoded; `nil` for samples that stay as they are.
    public let outputSettings: [String: Any]?
    /// What samples will be; `nil` if the first one says it.
    public let sourceFormatHint: CMFormatDescription?

    private struct Settings {
        var metadata: [AVMetadataItem] = []
        var languageCode: String?
        var extendedLanguageTag: String?
        var transform = CGAffineTransform.identity
        var saysTransform = false
        var mediaTimeScale: CMTimeScale = 0
        var isEnabled = true
        var isRealTime = false
        var wantsPasses = false
        var associations: [TrackAssociation] = []
        weak var writer: AVAssetWriter?
        var isAttached = false
        var isFinished = false
        /// Asked to bring samples, until it is finished.
        var supplier: SampleSupplier?
    }

    private let settings = Mutex(Settings())
    /// Held while a sample is taken, so that several threads bring one after the other.
    private let writing = NSLock()
    private let work = Mutex(InputWork())

    /// An input for samples of a kind.
    ///
    /// - Parameters:
    ///   - mediaType: What the track holds.
    ///   - outputSettings: `nil` for samples that stay as they are. Of pictures `AVVideoCodecKey`, `AVVideoWidthKey`,
    ///     `AVVideoHeightKey`, and what `AVVideo…` keys say of scaling, colours, pixels and the encoder. Of sound
    ///     `AVFormatIDKey`, and `AVSampleRateKey`, `AVNumberOfChannelsKey`, `AVEncoderBitRateKey` and the like.
    public convenience init(mediaType: AVMediaType, outputSettings: [String: Any]?) {
        self.init(mediaType: mediaType, outputSettings: outputSettings, sourceFormatHint: nil)
    }

    /// An input for samples of a kind.
    ///
    /// - Parameters:
    ///   - mediaType: What the track holds.
    ///   - outputSettings: As for ``init(mediaType:outputSettings:)``.
    ///   - sourceFormatHint: What samples will be, so that the file can be begun before they come where it is the
    ///     description of a reader's track, or of timed metadata.
    /// - Note: Unlike in AVFoundation not all coded samples that no reader gave are written, but those of H.264, HEVC,
    ///   JPEG, PNG, ProRes, linear PCM, AAC, MP3, AC-3 and E-AC-3.
    public init(mediaType: AVMediaType, outputSettings: [String: Any]?, sourceFormatHint: CMFormatDescription?) {
        (self.mediaType, self.outputSettings, self.sourceFormatHint) = (mediaType, outputSettings, sourceFormatHint)
        super.init()
    }

    // MARK: Settings

    /// What the track says of itself; none at first.
    open var metadata: [AVMetadataItem] {
        get { settings.withLock { $0.metadata } }
        set { settings.withLock { $0.metadata = newValue } }
    }

    /// The track's language, by ISO 639-2; `nil` for what the samples' track says, or unknown.
    open var languageCode: String? {
        get { settings.withLock { $0.languageCode } }
        set { settings.withLock { $0.languageCode = newValue } }
    }

    /// The track's language, by BCP 47; `nil` for what ``languageCode`` says.
    ///
    /// MP4, MOV and Matroska files have the whole tag, others only the language itself.
    open var extendedLanguageTag: String? {
        get { settings.withLock { $0.extendedLanguageTag } }
        set { settings.withLock { $0.extendedLanguageTag = newValue } }
    }

    /// How pictures are turned to be seen; not at first.
    open var transform: CGAffineTransform {
        get { settings.withLock { $0.transform } }
        set { settings.withLock { ($0.transform, $0.saysTransform) = (newValue, true) } }
    }

    /// Ticks in a second of the track's times; 0, as at first, for as many as suit the samples.
    ///
    /// For pictures that are encoded these are ticks in which the times of the first two are whole, at least 10,000 and
    /// at most 10,000,000; for samples that stay as they are, the ticks that the reader's track has. Sound that is
    /// encoded has those of its rate in any case.
    open var mediaTimeScale: CMTimeScale {
        get { settings.withLock { $0.mediaTimeScale } }
        set { settings.withLock { $0.mediaTimeScale = newValue } }
    }

    /// Whether players are to show the track; true at first.
    open var marksOutputTrackAsEnabled: Bool {
        get { settings.withLock { $0.isEnabled } }
        set { settings.withLock { $0.isEnabled = newValue } }
    }

    /// Whether samples come as they are recorded; false at first.
    ///
    /// Of no effect here: no sample is left out.
    open var expectsMediaDataInRealTime: Bool {
        get { settings.withLock { $0.isRealTime } }
        set { settings.withLock { $0.isRealTime = newValue } }
    }

    /// Whether pictures may be encoded in several passes; false at first.
    ///
    /// - Note: Unlike in AVFoundation it is only kept: there is one pass, and ``canPerformMultiplePasses`` says so.
    open var performsMultiPassEncodingIfSupported: Bool {
        get { settings.withLock { $0.wantsPasses } }
        set { settings.withLock { $0.wantsPasses = newValue } }
    }

    /// Whether pictures are encoded in several passes: never.
    open var canPerformMultiplePasses: Bool { false }

    // MARK: Other tracks

    /// Whether the track can refer to that of another input: the type is a code of four characters, and writing has not
    /// started.
    open func canAddTrackAssociation(withTrackOf input: AVAssetWriterInput, type trackAssociationType: String) -> Bool {
        input !== self && trackAssociationType.utf8.count == 4 && trackAssociationType.utf8.allSatisfy { $0 < 0x80 }
            && [nil, .unknown].contains(settings.withLock { $0.writer }?.status)
    }

    /// Has the track refer to that of another input, as ``AVAssetTrack/AssociationType`` says: timed metadata to the
    /// pictures that it is about, pictures to titles of chapters.
    ///
    /// MP4 files and QuickTime movies have such references.
    ///
    /// - Parameters:
    ///   - input: An input of the same writer.
    ///   - trackAssociationType: A code of four characters.
    /// - Note: AVFoundation raises an exception for what makes no sense. Here the writer does not start.
    open func addTrackAssociation(withTrackOf input: AVAssetWriterInput, type trackAssociationType: String) {
        let association = TrackAssociation(
            input: input, type: trackAssociationType,
            isSound: canAddTrackAssociation(withTrackOf: input, type: trackAssociationType))
        settings.withLock { $0.associations.append(association) }
    }

    // MARK: Samples

    /// Whether a sample would be taken without waiting, or refused for good: when the writer has failed or was cancelled,
    /// ``append(_:)`` tells it those who wait for room.
    open var isReadyForMoreMediaData: Bool {
        if refusesAll { return true }
        guard isTaking else { return false }
        return work.withLock { $0.intake?.hasRoom ?? false }
    }

    /// Whether samples are taken now, or as soon as there are not too many: a session was started, and the input is not
    /// finished.
    var isInSession: Bool { isTaking && work.withLock { $0.intake != nil } }

    /// Whether its last sample lasts until the file ends.
    var awaitsEnd: Bool { work.withLock { $0.intake?.awaitsEnd ?? false } }

    /// Whether the writer takes no sample any more, though the input is not finished.
    var refusesAll: Bool { settings.withLock { !$0.isFinished && [.failed, .cancelled].contains($0.writer?.status) } }

    private var isTaking: Bool {
        settings.withLock { !$0.isFinished && $0.writer?.run.isWriting == true }
    }

    /// Brings a sample; waits while there are too many.
    ///
    /// - Returns: Whether it was taken. Where not, the writer's ``AVAssetWriter/status`` and ``AVAssetWriter/error`` say
    ///   why: it failed, was cancelled, or the input is finished.
    open func append(_ sampleBuffer: CMSampleBuffer) -> Bool { take { try $0.append(sampleBuffer) } }

    /// Brings a picture.
    func append(_ buffer: CVPixelBuffer, at time: CMTime) -> Bool { take { try $0.append(buffer, at: time) } }

    private func take(_ body: (any SampleIntake) throws -> Void) -> Bool {
        let (writer, isFinished) = settings.withLock { ($0.writer, $0.isFinished) }
        guard let writer, writer.status == .writing else { return false }
        do {
            guard !isFinished, writer.run.isWriting else {
                throw AVError(.operationNotAllowed, reason: "a sample came after the input was finished")
            }
            return try writing.withLock {
                guard let intake = work.withLock({ $0.intake }) else {
                    throw AVError(.operationNotAllowed, reason: "samples come after startSession(atSourceTime:)")
                }
                try body(intake)
                return true
            }
        } catch {
            writer.fail(error)
            return false
        }
    }

    /// Says that no more samples come.
    open func markAsFinished() {
        let (wasFinished, writer) = settings.withLock { settings in
            defer { settings.isFinished = true }
            return (settings.isFinished, settings.writer)
        }
        guard !wasFinished, let writer else { return }
        stopSupplying()
        // A session's end may be told later.
        let isOpenEnded = isPicture || work.withLock { $0.intake?.awaitsEnd ?? false }
        guard writer.run.isWriting, writer.work.end != nil || !isOpenEnded else { return }
        do { try finish(at: writer.work.end) } catch { writer.fail(error) }
    }

    private var isPicture: Bool { mediaType == .video && outputSettings != nil }

    /// Asks a client for samples as often as some would be taken without waiting, until the input is finished.
    ///
    /// The client is asked a few times more when the writer has failed or was cancelled, too: `append` then says so.
    ///
    /// - Parameters:
    ///   - queue: Where the block is called.
    ///   - block: Brings samples while ``isReadyForMoreMediaData`` is true, and calls ``markAsFinished()`` after the last.
    open func requestMediaDataWhenReady(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void) {
        let supplier = SampleSupplier(self, queue: queue, block: block)
        let old = settings.withLock { settings in
            defer { settings.supplier = supplier }
            return settings.supplier
        }
        old?.stop()
        supplier.start()
    }

    func stopSupplying() {
        let old = settings.withLock { settings in
            defer { settings.supplier = nil }
            return settings.supplier
        }
        old?.stop()
    }

    // MARK: For writers

    var associations: [TrackAssociation] { settings.withLock { $0.associations } }

    /// Fails for references to other tracks that cannot be written.
    func checkAssociations(among inputs: [AVAssetWriterInput]) throws {
        let areSound = associations.allSatisfy { association in
            association.isSound && inputs.contains { $0 === association.input }
        }
        guard areSound else {
            throw AVError(
                .incorrectlyConfigured,
                reason:
                    "tracks are associated before writing starts, with those of other inputs of the writer, by types "
                    + "of four characters")
        }
    }

    var isAttached: Bool { settings.withLock { $0.isAttached } }

    /// Whether samples may still come, be they taken or refused.
    var isOpen: Bool {
        settings.withLock { !$0.isFinished && [.unknown, .writing, .failed, .cancelled].contains($0.writer?.status) }
    }

    func attach(to writer: AVAssetWriter) throws {
        let wasAttached = settings.withLock { settings in
            defer { (settings.isAttached, settings.writer) = (true, writer) }
            return settings.isAttached
        }
        guard !wasAttached else { throw AVError(.operationNotAllowed, reason: "an input belongs to one writer only") }
    }

    /// Fails for settings that make no sense.
    static func check(_ outputSettings: [String: Any]?, for mediaType: AVMediaType) throws {
        guard let outputSettings else { return }
        switch mediaType {
        case .video: _ = try PictureEncodingSettings(outputSettings)
        case .audio: _ = try SoundEncodingSettings(outputSettings)
        default:
            throw AVError(
                .incorrectlyConfigured,
                reason: "samples of \(mediaType.rawValue) are written as they are: outputSettings are nil")
        }
    }

    /// Starts taking samples.
    func begin(_ assembly: SampleAssembly, track: Int, _ session: IntakeSession) throws {
        let description = settings.withLock { settings in
            InputDescription(
                mediaType: mediaType, outputSettings: outputSettings, sourceFormatHint: sourceFormatHint,
                languageCode: settings.languageCode, extendedLanguageTag: settings.extendedLanguageTag,
                transform: settings.transform,
                mediaTimeScale: settings.mediaTimeScale > 0 ? settings.mediaTimeScale : nil,
                isEnabled: settings.isEnabled, saysTransform: settings.saysTransform)
        }
        let intake = try makeIntake(assembly, track: track, description, session)
        work.withLock { $0.intake = intake }
    }

    private func makeIntake(
        _ assembly: SampleAssembly, track: Int, _ description: InputDescription, _ session: IntakeSession
    ) throws -> any SampleIntake {
        switch (mediaType, outputSettings) {
        case (_, nil): try CodedIntake(assembly, track: track, description, session)
        case (.audio, _): try SoundIntake(assembly, track: track, description, session)
        default: try PictureIntake(assembly, track: track, description, session)
        }
    }

    /// Has the track completed; nothing happens the second time.
    func finish(at end: CMTime?) throws {
        settings.withLock { $0.isFinished = true }
        stopSupplying()
        try writing.withLock {
            let intake = work.withLock { work in
                defer { work.intake = nil }
                return work.intake
            }
            try intake?.finish(at: end)
        }
    }

    /// Has its writer fail.
    func failWriter(_ error: any Error) { settings.withLock { $0.writer }?.fail(error) }

    /// Lets go of what the samples went to.
    ///
    /// A client that is asked for some learns from ``append(_:)`` that none is taken.
    func end() { work.withLock { $0.intake = nil } }
}

/// How a track refers to another.
struct TrackAssociation {
    private(set) weak var input: AVAssetWriterInput?
    let type: String
    /// Whether it made sense when it was added.
    let isSound: Bool
}

/// What an input does.
///
/// `@unchecked Sendable`: an intake is used by the thread that holds the input's lock for writing.
private struct InputWork: @unchecked Sendable {
    var intake: (any SampleIntake)?
}

/// Inputs whose tracks are alternatives: sound in several languages, subtitles, of which players are to choose one.
///
/// - Note: AVFoundation's is a media selection group.
open class AVAssetWriterInputGroup: NSObject, @unchecked Sendable {
    // @unchecked Sendable: nothing changes.

    /// The inputs.
    public let inputs: [AVAssetWriterInput]
    /// The one whose track is to be played where nobody chooses; `nil` for none.
    public let defaultInput: AVAssetWriterInput?

    /// A group of inputs.
    ///
    /// - Parameters:
    ///   - inputs: Inputs of one writer.
    ///   - defaultInput: One of them; another one counts as none.
    public init(inputs: [AVAssetWriterInput], defaultInput: AVAssetWriterInput?) {
        self.inputs = inputs
        self.defaultInput = inputs.first { $0 === defaultInput }
        super.init()
    }
}

/// Brings pixel buffers to an input for pictures, and has a pool of them.
///
/// `@unchecked Sendable`: attributes are read only, and hold what a client does not change.
open class AVAssetWriterInputPixelBufferAdaptor: NSObject, @unchecked Sendable {
    /// The input.
    public let assetWriterInput: AVAssetWriterInput
    /// What buffers of the pool are, by the keys of Core Video; `nil` for no pool.
    public let sourcePixelBufferAttributes: [String: Any]?
    private let pool: CVPixelBufferPool?

    /// An adaptor of an input.
    ///
    /// - Parameters:
    ///   - input: An input for pictures that are encoded.
    ///   - sourcePixelBufferAttributes: What buffers of the pool are: format and size; sizes that are missing are those of
    ///     the input's settings. `nil` for no pool.
    public init(assetWriterInput input: AVAssetWriterInput, sourcePixelBufferAttributes: [String: Any]? = nil) {
        (assetWriterInput, self.sourcePixelBufferAttributes) = (input, sourcePixelBufferAttributes)
        pool = sourcePixelBufferAttributes.flatMap { Self.pool($0, for: input) }
        super.init()
    }

    private static func pool(_ attributes: [String: Any], for input: AVAssetWriterInput) -> CVPixelBufferPool? {
        var complete = attributes
        let encoded = input.outputSettings.flatMap { try? PictureEncodingSettings($0) }
        let sizes = [
            (String(describing: kCVPixelBufferWidthKey), encoded?.width),
            (String(describing: kCVPixelBufferHeightKey), encoded?.height),
        ]
        for (key, size) in sizes where complete[key] == nil { complete[key] = size }
        let format = String(describing: kCVPixelBufferPixelFormatTypeKey)
        if complete[format] == nil { complete[format] = kCVPixelFormatType_32BGRA }
        var made: CVPixelBufferPool?
        CVPixelBufferPoolCreate(nil, nil, complete as CFDictionary, &made)
        return made
    }

    /// Buffers to fill; `nil` without attributes, and with ones that make no sense.
    ///
    /// - Note: AVFoundation has it only while the writer writes.
    open var pixelBufferPool: CVPixelBufferPool? { pool }

    /// Brings a picture; waits while there are too many.
    ///
    /// The picture is copied: the buffer can be filled again.
    ///
    /// - Parameters:
    ///   - pixelBuffer: The picture.
    ///   - presentationTime: On the timeline of the samples, later than that of the picture before.
    /// - Returns: Whether it was taken; see ``AVAssetWriterInput/append(_:)``.
    open func append(_ pixelBuffer: CVPixelBuffer, withPresentationTime presentationTime: CMTime) -> Bool {
        assetWriterInput.append(pixelBuffer, at: presentationTime)
    }
}
