public import Foundation
public import MediaAsset
public import MediaCore
internal import MediaEngine
package import MediaIO
public import MediaMetadata
public import SampleBuffers

/// Writes pictures and sound into a new file, with backpressure by `await`.
///
/// ```swift
/// try await MediaWriter.write(to: url) { writer in
///     let pictures = try writer.addPictures(.init(width: 1280, height: 720))
///     try writer.start()
///     for (number, picture) in images.enumerated() {
///         try await pictures.append(picture, at: CMTime(value: Int64(number), timescale: 25))
///     }
///     try await pictures.finish(at: CMTime(value: Int64(images.count), timescale: 25))
/// }
/// ```
///
/// The file appears when it is complete, or not at all: what the body throws, and cancelling its task, leave nothing.
///
/// Beyond AVFoundation.
public final class MediaWriter: Sendable {
    /// How pictures are encoded.
    public struct Pictures: Sendable, Hashable {
        /// The coding.
        public var codec: AVVideoCodecType
        /// In pixels, even.
        public var width: Int
        /// In pixels, even.
        public var height: Int
        /// Bits for each second on average, from 10,000 on; `nil` for as many as are hard to tell from what is brought.
        public var bitRate: Int?
        /// Pictures in a second, for the encoder's sake; `nil` for what the first two tell.
        public var frameRate: Double?

        /// Pictures of a size; those of another size are fitted into it, with black beside them.
        public init(
            codec: AVVideoCodecType = .h264, width: Int, height: Int, bitRate: Int? = nil, frameRate: Double? = nil
        ) {
            (self.codec, self.width, self.height) = (codec, width, height)
            (self.bitRate, self.frameRate) = (bitRate, frameRate)
        }

        var settings: [String: Any] {
            var properties: [String: Any] = [:]
            properties[AVVideoAverageBitRateKey] = bitRate
            properties[AVVideoExpectedSourceFrameRateKey] = frameRate
            return [
                AVVideoCodecKey: codec, AVVideoWidthKey: width, AVVideoHeightKey: height,
                AVVideoCompressionPropertiesKey: properties,
            ]
        }
    }

    /// How sound is encoded.
    public struct Sound: Sendable, Hashable {
        /// The coding: one of `kAudioFormat…`.
        public var format: AudioFormatID
        /// Samples in a second; `nil` for those of the first piece.
        public var sampleRate: Int?
        /// How many channels; `nil` for those of the first piece.
        public var channels: Int?
        /// Bits for each second; `nil` for the usual.
        public var bitRate: Int?

        /// Sound of a coding.
        public init(
            format: AudioFormatID = kAudioFormatMPEG4AAC, sampleRate: Int? = nil, channels: Int? = nil,
            bitRate: Int? = nil
        ) {
            (self.format, self.sampleRate, self.channels, self.bitRate) = (format, sampleRate, channels, bitRate)
        }

        var settings: [String: Any] {
            var settings: [String: Any] = [AVFormatIDKey: format]
            settings[AVSampleRateKey] = sampleRate
            settings[AVNumberOfChannelsKey] = channels
            settings[AVEncoderBitRateKey] = bitRate
            return settings
        }
    }

    private let writer: AVAssetWriter

    /// A writer of a file.
    ///
    /// - Parameters:
    ///   - url: A file that is not there yet.
    ///   - fileType: Its kind; `nil` for the one that the address' extension stands for.
    /// - Throws: As `AVAssetWriter.init(outputURL:fileType:)`.
    public convenience init(_ url: URL, fileType: AVFileType? = nil) throws {
        guard let type = fileType ?? AVFileType(filenameExtension: url.pathExtension) else {
            throw AVError(
                .incorrectlyConfigured, reason: "no kind of file has the extension '\(url.pathExtension)'")
        }
        self.init(try AVAssetWriter(outputURL: url, fileType: type))
    }

    private init(_ writer: AVAssetWriter) {
        self.writer = writer
        writer.shouldOptimizeForNetworkUse = true
    }

    /// Makes a file of what a body writes; there is none if the body throws or its task is cancelled.
    ///
    /// - Parameters:
    ///   - url: A file that is not there yet.
    ///   - fileType: Its kind; `nil` for the one that the address' extension stands for.
    ///   - metadata: What the file says of itself.
    ///   - body: Adds tracks, starts, and brings samples.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws, and what writing fails with.
    public static func write<Result>(
        to url: URL, fileType: AVFileType? = nil, metadata: [AVMetadataItem] = [],
        isolation: isolated (any Actor)? = #isolation, _ body: (MediaWriter) async throws -> Result
    ) async throws -> Result {
        try await MediaWriter(url, fileType: fileType).complete(metadata: metadata, after: body)
    }

    /// Makes a file at a place of what a body writes; there is none if the body throws or its task is cancelled.
    package static func write<Result>(
        to place: OutputPlace, fileType: AVFileType, limits: MediaLimits,
        isolation: isolated (any Actor)? = #isolation, _ body: (MediaWriter) async throws -> Result
    ) async throws -> Result {
        try await MediaWriter(AVAssetWriter(at: place, fileType: fileType, limits: limits)).complete(after: body)
    }

    /// Completes the file after a body has written to it.
    private func complete<Result>(
        metadata: [AVMetadataItem] = [], isolation: isolated (any Actor)? = #isolation,
        after body: (MediaWriter) async throws -> Result
    ) async throws -> Result {
        do {
            let result = try await body(self)
            try Task.checkCancellation()
            try await finish(metadata: metadata)
            return result
        } catch {
            cancel()
            throw error
        }
    }

    /// Adds a track of pictures, before ``start()``.
    ///
    /// - Throws: `AVError.incorrectlyConfigured` for settings that make no sense.
    public func addPictures(_ pictures: Pictures) throws -> PictureTrack {
        PictureTrack(try add(AVAssetWriterInput(mediaType: .video, outputSettings: pictures.settings)), self)
    }

    /// Adds a track of sound, before ``start()``.
    ///
    /// - Throws: `AVError.incorrectlyConfigured` for settings that make no sense.
    public func addSound(_ sound: Sound = Sound()) throws -> SoundTrack {
        SoundTrack(try add(AVAssetWriterInput(mediaType: .audio, outputSettings: sound.settings)), self)
    }

    private func add(_ input: AVAssetWriterInput) throws -> AVAssetWriterInput {
        try AVAssetWriterInput.check(input.outputSettings, for: input.mediaType)
        writer.add(input)
        if let error = writer.error { throw error }
        return input
    }

    /// Starts writing, once all tracks were added.
    ///
    /// - Throws: As `AVAssetWriter.start()`.
    public func start() throws {
        try writer.start()
        writer.startSession(atSourceTime: .zero)
        if let error = writer.error { throw error }
    }

    /// Completes the file.
    ///
    /// - Parameter metadata: What the file says of itself.
    /// - Throws: What writing fails with; `CancellationError` if it was cancelled.
    public func finish(metadata: [AVMetadataItem] = []) async throws {
        writer.metadata = metadata
        await withTaskCancellationHandler {
            await writer.finishWriting()
        } onCancel: {
            cancel()
        }
        try check()
    }

    /// Stops writing; there is no file.
    public func cancel() { writer.cancelWriting() }

    private func check() throws {
        if writer.status == .cancelled { throw CancellationError() }
        if let error = writer.error { throw error }
    }

    /// Does something that waits for encoders, away from the cooperative pool.
    fileprivate func append(_ body: @escaping @Sendable () -> Bool) async throws {
        let writer = writer
        let isTaken = try await BlockingWork.run(cancel: { writer.cancelWriting() }, body)
        if !isTaken { try check() }
        guard isTaken else { throw AVError(.operationNotAllowed, reason: "the writer takes no more samples") }
    }
}

extension MediaWriter {
    /// Takes the pictures of a track.
    public struct PictureTrack: Sendable {
        private let input: AVAssetWriterInput
        private let writer: MediaWriter

        fileprivate init(_ input: AVAssetWriterInput, _ writer: MediaWriter) {
            (self.input, self.writer) = (input, writer)
        }

        /// Brings a picture; waits while there are too many.
        ///
        /// - Parameter time: On the file's timeline, from zero on, later than that of the picture before.
        /// - Throws: What writing fails with; `CancellationError` if it was cancelled.
        public func append(_ buffer: CVPixelBuffer, at time: CMTime) async throws {
            let input = input
            try await writer.append { input.append(buffer, at: time) }
        }

        /// Says that there are no more pictures.
        ///
        /// - Parameter end: When the last one ends, on the file's timeline; `nil` for after as long as the one before
        ///   it.
        /// - Throws: What writing fails with; `CancellationError` if it was cancelled.
        public func finish(at end: CMTime? = nil) async throws {
            let input = input
            try await writer.append {
                do { try input.finish(at: end) } catch {
                    input.failWriter(error)
                    return false
                }
                return true
            }
        }
    }

    /// Takes the sound of a track.
    public struct SoundTrack: Sendable {
        private let input: AVAssetWriterInput
        private let writer: MediaWriter

        fileprivate init(_ input: AVAssetWriterInput, _ writer: MediaWriter) {
            (self.input, self.writer) = (input, writer)
        }

        /// Brings a piece of sound.
        ///
        /// Silence is put where there is a gap.
        ///
        /// - Parameter time: Of its first sample, on the file's timeline, from zero on; `nil` for its own.
        /// - Throws: What writing fails with; `CancellationError` if it was cancelled.
        public func append(_ piece: SoundPiece, at time: CMTime? = nil) async throws {
            let input = input
            let sample = try piece.sampleBuffer(at: time ?? piece.time)
            try await writer.append { input.append(sample) }
        }

        /// Says that there is no more sound.
        ///
        /// - Throws: What writing fails with; `CancellationError` if it was cancelled.
        public func finish() async throws {
            let input = input
            try await writer.append {
                input.markAsFinished()
                return true
            }
        }
    }
}
