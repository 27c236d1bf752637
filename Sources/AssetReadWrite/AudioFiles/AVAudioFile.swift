public import Foundation
internal import MediaAsset
internal import MediaCore
internal import MediaEngine
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

/// What reads a file of sound, or makes a new one; one thread at a time may use it.
protocol SoundFileWork: AnyObject {
    /// How the file holds sound.
    var fileFormat: AVAudioFormat { get }
    /// How clients have it.
    var processingFormat: AVAudioFormat { get }
    /// How many frames there are.
    var length: AVAudioFramePosition { get }
    /// Where the next frame is read or written.
    var position: AVAudioFramePosition { get set }

    /// Fills a buffer with the next frames, as far as there are some.
    ///
    /// - Parameter count: No more than there is room for.
    func read(into buffer: AVAudioPCMBuffer, count: Int) throws
    /// Appends all frames of a buffer.
    func write(from buffer: AVAudioPCMBuffer) throws
    /// Lets go of the file that is read, completes the one that is written.
    func finish() throws
}

extension SoundFileWork {
    /// Fails for a buffer of another format than clients have sound in.
    func check(_ buffer: AVAudioPCMBuffer) throws(AVError) {
        guard buffer.format == processingFormat else {
            throw AVError(
                .incorrectlyConfigured,
                reason: "the buffer's format is \(buffer.format), the file's processingFormat \(processingFormat)")
        }
    }
}

extension AVAudioFormat {
    /// One of the usual formats, of any number of channels.
    ///
    /// - Parameter layout: `nil` for channels of which nothing is known.
    static func usual(
        _ common: AVAudioCommonFormat, rate: Double, channels: Int, isInterleaved: Bool, _ layout: AVAudioChannelLayout?
    ) throws(AVError) -> AVAudioFormat {
        let count = AVAudioChannelCount(clamping: channels)
        guard common != .otherFormat else {
            throw AVError(.incorrectlyConfigured, reason: "sound is not had in otherFormat, but in the usual ones")
        }
        if layout == nil, channels <= 2,
            let format = AVAudioFormat(
                commonFormat: common, sampleRate: rate, channels: count, interleaved: isInterleaved)
        {
            return format
        }
        guard let layout = layout ?? .unknown(channels: count) else {
            throw AVError(.incorrectlyConfigured, reason: "sound cannot have \(channels) channels")
        }
        return AVAudioFormat(
            commonFormat: common, sampleRate: rate, interleaved: isInterleaved, channelLayout: layout)
    }
}

/// Which kind of file a client wants sound written to.
struct AudioFileKind {
    let fileType: AVFileType

    /// - Throws: `AVError.incorrectlyConfigured` for kinds of files that are not written, and if nothing says which.
    init(_ url: URL, _ settings: [String: Any]) throws(AVError) {
        if let asked = try Values(settings).whole(AVAudioFileTypeKey, in: Int(Int32.min)...Int(UInt32.max)) {
            let code = AudioFileTypeID(truncatingIfNeeded: asked)
            guard let type = Self.types[code] else {
                throw AVError(
                    .incorrectlyConfigured, reason: "sound is not written to files of type \(fourCharacters(code))")
            }
            fileType = type
            return
        }
        guard let type = AVFileType(filenameExtension: url.pathExtension), type.isWritable,
            type.holdsSoundOnly || Self.alsoForSound.contains(type)
        else {
            throw AVError(
                .incorrectlyConfigured,
                reason: "sound is not written to files with the extension '\(url.pathExtension.prefix(20))'")
        }
        fileType = type
    }

    /// Whether PCM that says nothing of the order of its bytes has the higher one first.
    var prefersBigEndian: Bool { [.aiff, .aifc].contains(fileType) }

    private static let types: [AudioFileTypeID: AVFileType] = [
        kAudioFileAIFFType: .aiff, kAudioFileAIFCType: .aifc, kAudioFileWAVEType: .wav, kAudioFileCAFType: .caf,
        kAudioFileMPEG4Type: .mp4, kAudioFileM4AType: .m4a, kAudioFileM4BType: .m4a, kAudioFileMP3Type: .mp3,
        kAudioFileFLACType: .flac, kAudioFileAC3Type: .ac3,
    ]

    private static let alsoForSound: Set<AVFileType> = [.mp4, .mov, .matroska, .webM, .ogg]
}

/// The kind of a file of sound, by a code of four characters: a value of `AVAudioFileTypeKey`.
public typealias AudioFileTypeID = UInt32

/// AIFF.
public let kAudioFileAIFFType: AudioFileTypeID = 0x4149_4646
/// AIFF that may be compressed.
public let kAudioFileAIFCType: AudioFileTypeID = 0x4149_4643
/// WAVE.
public let kAudioFileWAVEType: AudioFileTypeID = 0x5741_5645
/// WAVE of more than 4 GB by the European Broadcasting Union.
///
/// - Note: Files of this type are not written, unlike in AVFoundation.
public let kAudioFileRF64Type: AudioFileTypeID = 0x5246_3634
/// WAVE of more than 4 GB by the International Telecommunication Union.
///
/// - Note: Files of this type are not written, unlike in AVFoundation.
public let kAudioFileBW64Type: AudioFileTypeID = 0x4257_3634
/// WAVE of more than 4 GB by Sony.
///
/// - Note: Files of this type are not written, unlike in AVFoundation.
public let kAudioFileWave64Type: AudioFileTypeID = 0x5736_3466
/// Core Audio format.
public let kAudioFileCAFType: AudioFileTypeID = 0x6361_6666
/// MPEG-4.
public let kAudioFileMPEG4Type: AudioFileTypeID = 0x6D70_3466
/// MPEG-4 that holds sound only.
public let kAudioFileM4AType: AudioFileTypeID = 0x6D34_6166
/// MPEG-4 that holds an audio book.
public let kAudioFileM4BType: AudioFileTypeID = 0x6D34_6266
/// MPEG layer 3.
public let kAudioFileMP3Type: AudioFileTypeID = 0x4D50_4733
/// Free Lossless Audio Codec.
public let kAudioFileFLACType: AudioFileTypeID = 0x666C_6163
/// Dolby Digital.
public let kAudioFileAC3Type: AudioFileTypeID = 0x6163_2D33
/// AAC in a stream without a container.
///
/// - Note: Files of this type are not written, unlike in AVFoundation.
public let kAudioFileAAC_ADTSType: AudioFileTypeID = 0x6164_7473

extension AVAudioChannelLayout {
    /// Channels of which nothing is known; `nil` for none or more than a tag can count.
    static func unknown(channels: AVAudioChannelCount) -> AVAudioChannelLayout? {
        guard (1...65535).contains(channels) else { return nil }
        return AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | channels)
    }

    /// Channels that lie in the order of WAVE's bits; `nil` for bits that WAVE has not.
    static func wave(mask: UInt64) -> AVAudioChannelLayout? {
        guard let bits = UInt32(exactly: mask), bits > 0 else { return nil }
        var layout = AudioChannelLayout()
        layout.mChannelLayoutTag = kAudioChannelLayoutTag_UseChannelBitmap
        layout.mChannelBitmap = AudioChannelBitmap(rawValue: bits)
        return AVAudioChannelLayout(layout: &layout)
    }
}
