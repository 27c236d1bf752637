public import Foundation
internal import MediaCore
public import SampleBuffers

/// A file of sound, opened to be read or to be written, that gives and takes samples that are not compressed.
///
/// ```swift
/// let file = try AVAudioFile(forReading: url)
/// let buffer = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 4096)
/// while let buffer, file.framePosition < file.length {
///     try file.read(into: buffer)
///     listen(to: buffer)
/// }
/// ```
///
/// Whatever the file holds, buffers are of ``processingFormat``. Calls block, and one after the other is served.
///
/// - Note: A file that is written appears under its name, and replaces one that is there, when it is closed or nobody holds
///   the object any more; until then a file that was there stays as it was. AVFoundation begins it at once. What fails, a
///   program that ends before, and a file without any frames leave nothing.
///
/// `@unchecked Sendable`: what reads or writes is behind a lock, all else never changes.
open class AVAudioFile: NSObject, @unchecked Sendable {
    /// Where the file is.
    public let url: URL
    /// How the file holds the sound.
    public let fileFormat: AVAudioFormat
    /// How buffers have it: in the file's rate and channels.
    ///
    /// - Note: Unlike in AVFoundation channels are in the order of WAVE, whichever the file has.
    public let processingFormat: AVAudioFormat

    /// Held while the file is used.
    private let lock = NSLock()
    private let work: any SoundFileWork
    private var isClosed = false

    // MARK: Opening

    /// Opens a file to be read, as floating-point numbers of 32 bits, each channel by itself.
    ///
    /// - Parameter fileURL: A file with sound, also a film's.
    /// - Throws: As ``init(forReading:commonFormat:interleaved:)``.
    public init(forReading fileURL: URL) throws {
        work = try SoundFileReader(fileURL, .pcmFormatFloat32, isInterleaved: false)
        (url, fileFormat, processingFormat) = (fileURL, work.fileFormat, work.processingFormat)
        super.init()
    }

    /// Opens a file to be read.
    ///
    /// The file's beginning is decoded.
    ///
    /// - Parameters:
    ///   - fileURL: A file with sound, also a film's.
    ///   - format: The kind of samples; not `.otherFormat`.
    ///   - interleaved: Whether channels lie together.
    /// - Throws: `AVError.failedToLoadMediaData` for what cannot be opened, `fileFormatNotRecognized`,
    ///   `fileFailedToParse`, `noSourceTrack` without sound, `decoderNotFound`, `incorrectlyConfigured` for `.otherFormat`.
    public init(forReading fileURL: URL, commonFormat format: AVAudioCommonFormat, interleaved: Bool) throws {
        work = try SoundFileReader(fileURL, format, isInterleaved: interleaved)
        (url, fileFormat, processingFormat) = (fileURL, work.fileFormat, work.processingFormat)
        super.init()
    }

    /// Begins a file, whose frames come as floating-point numbers of 32 bits, each channel by itself.
    ///
    /// - Throws: As ``init(forWriting:settings:commonFormat:interleaved:)``.
    /// - Note: Files that are written are of the kinds of `AVFileType` that hold sound alone, and of movies;
    ///   AVFoundation has others. Errors are of `AVFoundationErrorDomain`.
    public init(forWriting fileURL: URL, settings: [String: Any]) throws {
        work = try SoundFileWriter(fileURL, settings, .pcmFormatFloat32, isInterleaved: false)
        (url, fileFormat, processingFormat) = (fileURL, work.fileFormat, work.processingFormat)
        super.init()
    }

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - fileURL: Where it goes; what is there is replaced once the file is complete. The extension says the kind of file
    ///     (`wav`, `aiff`, `aif`, `aifc`, `caf`, `m4a`, `flac`, `mp3`, `opus`, `ac3` and others), if `AVAudioFileTypeKey`
    ///     does not.
    ///   - settings: `AVFormatIDKey`, `AVSampleRateKey` and `AVNumberOfChannelsKey`, with more than two channels
    ///     `AVChannelLayoutKey`, and what the keys for linear PCM and for encoders say. Channels of linear PCM lie together
    ///     in files, whatever `AVLinearPCMIsNonInterleaved` says; without `AVLinearPCMIsBigEndianKey` they have the order
    ///     of bytes that is usual in the kind of file.
    ///   - format: The kind of samples that come; not `.otherFormat`.
    ///   - interleaved: Whether their channels lie together.
    /// - Throws: `AVError.incorrectlyConfigured` for settings that make no sense, and for what the kind of file cannot hold,
    ///   `encoderNotFound`, and what making a file fails with.
    /// - Note: Files that are written are of the kinds of `AVFileType` that hold sound alone, and of movies;
    ///   AVFoundation has others. Errors are of `AVFoundationErrorDomain`.
    public init(
        forWriting fileURL: URL, settings: [String: Any], commonFormat format: AVAudioCommonFormat, interleaved: Bool
    ) throws {
        work = try SoundFileWriter(fileURL, settings, format, isInterleaved: interleaved)
        (url, fileFormat, processingFormat) = (fileURL, work.fileFormat, work.processingFormat)
        super.init()
    }

    deinit { if !isClosed { try? work.finish() } }

    // MARK: Closing

    /// Whether it can be read or written.
    open var isOpen: Bool { lock.withLock { !isClosed } }

    /// Closes the file; one that is written is completed and appears.
    ///
    /// - Note: ``finish()`` tells whether it could be; AVFoundation has nothing that tells.
    open func close() { try? finish() }

    /// Closes the file as ``close()`` does, and tells what went wrong.
    ///
    /// Beyond AVFoundation.
    ///
    /// - Throws: What writing the file failed with, also after it was closed; `AVError.operationNotAllowed` for a file
    ///   without any frames. There is no file then.
    public func finish() throws {
        try lock.withLock {
            isClosed = true
            try work.finish()
        }
    }

    // MARK: Places

    /// How many frames the file has; of one that is written, how many were.
    ///
    /// It is exact: as many as are read from the beginning to the end. PCM in WAVE, AIFF and Core Audio files, and FLAC say
    /// so at their beginning. Others are decoded once for it, when somebody asks for the first time, unless they were read to
    /// the end before. Of a damaged file those count that come before the damage.
    ///
    /// - Note: Where a file has a gap, there is silence, which counts. AVFoundation says nothing of gaps, nor of files
    ///   that do not say their length to the frame.
    /// - Complexity: That of decoding the file, at most once.
    open var length: AVAudioFramePosition { lock.withLock { work.length } }

    /// Where the next frame is read or written, in frames from the first one on.
    ///
    /// A file that is read can be read from any place; a place below zero counts as zero.
    ///
    /// - Note: A file is written from its beginning to its end: after another place was set, writing fails.
    ///   AVFoundation lets it be set before writing too.
    open var framePosition: AVAudioFramePosition {
        get { lock.withLock { work.position } }
        set { lock.withLock { work.position = newValue } }
    }

    // MARK: Frames

    /// Fills a buffer with the next frames.
    ///
    /// - Parameter buffer: Of ``processingFormat``. Its `frameLength` becomes the number of frames read: as many as it has
    ///   room for, fewer at the end, 0 after it.
    /// - Throws: As ``read(into:frameCount:)``.
    /// - Note: Reading after the end is no error; AVFoundation does not say whether it is one.
    open func read(into buffer: AVAudioPCMBuffer) throws { try read(into: buffer, frameCount: buffer.frameCapacity) }

    /// Reads the next frames.
    ///
    /// - Parameters:
    ///   - buffer: Of ``processingFormat``. Its `frameLength` becomes the number of frames read: fewer than asked for at the
    ///     end, and 0 after it.
    ///   - frames: How many; more than the buffer has room for count as that.
    /// - Throws: `AVError.fileFailedToParse` and the like where the file is damaged, once all frames before that were read;
    ///   `incorrectlyConfigured` for a buffer of another format, `operationNotAllowed` for a file that is closed or was
    ///   opened for writing.
    /// - Note: Reading after the end is no error; AVFoundation does not say whether it is one.
    open func read(into buffer: AVAudioPCMBuffer, frameCount frames: AVAudioFrameCount) throws {
        try use { try $0.read(into: buffer, count: Int(frames)) }
    }

    /// Appends all frames of a buffer.
    ///
    /// - Parameter buffer: Of ``processingFormat``.
    /// - Throws: What encoding and writing fail with, after which there will be no file; `AVError.incorrectlyConfigured` for
    ///   a buffer of another format, `operationNotAllowed` for a file that is closed or was opened for reading.
    open func write(from buffer: AVAudioPCMBuffer) throws { try use { try $0.write(from: buffer) } }

    private func use(_ body: (any SoundFileWork) throws -> Void) throws {
        try lock.withLock {
            guard !isClosed else { throw AVError(.operationNotAllowed, reason: "the file is closed") }
            try body(work)
        }
    }
}
