internal import FFmpegKit
internal import Foundation
internal import MediaAsset
internal import MediaCore
internal import MediaEngine
internal import MediaIO
internal import SampleBuffers

/// Encodes sound into a new file, which appears when it is complete.
final class SoundFileWriter: SoundFileWork {
    let fileFormat: AVAudioFormat
    let processingFormat: AVAudioFormat
    private let assembly: SampleAssembly
    private let sound: SoundAssembly
    private let form: PCMForm
    private(set) var length: Int64 = 0
    private var isMoved = false
    private var isOver = false
    private var failure: (any Error)?

    /// Frames that are encoded at once.
    private static let pieceLength = 1 << 16

    /// Begins a file, and finds out whether it can hold what the settings say.
    ///
    /// - Throws: `AVError.incorrectlyConfigured` for what makes no sense, `encoderNotFound`, and what making a file fails
    ///   with.
    init(
        _ url: URL, _ settings: [String: Any], _ common: AVAudioCommonFormat, isInterleaved: Bool
    ) throws {
        guard url.isFileURL else {
            throw AVError(
                .incorrectlyConfigured, reason: "the URL is that of no file: \(url.absoluteString.prefix(80))")
        }
        let kind = try AudioFileKind(url, settings)
        let settings = Self.completed(settings, kind)
        fileFormat = try Self.format(settings)
        processingFormat = try .usual(
            common, rate: fileFormat.sampleRate, channels: Int(fileFormat.channelCount), isInterleaved: isInterleaved,
            fileFormat.channelLayout)
        let encoding = try SoundEncodingSettings(settings)
        guard let form = try PCMForm(processingFormat.formatDescription) else {
            throw AVError(.incorrectlyConfigured, reason: "sound is not written as \(processingFormat)")
        }
        self.form = form
        try Self.check(encoding, kind.fileType)
        do {
            let place = try RunFiles(reading: []).output(url.path, replaces: true)
            // Movies tell lengths in their own ticks.
            assembly = try SampleAssembly(
                kind.fileType, tracks: 1, at: place, temporaryFolder: nil, limits: MediaLimits(),
                movieTimescale: Int32(clamping: form.sampleRate), fileMetadata: [:])
        } catch {
            throw writerError(for: error)
        }
        do {
            sound = try SoundAssembly(assembly, track: 0, target: Self.target(encoding, form))
        } catch {
            let shown = assembly.failure(error)
            assembly.abandon(because: shown)
            throw shown
        }
    }

    /// The settings of the file itself, in which channels never lie apart.
    private static func completed(_ settings: [String: Any], _ kind: AudioFileKind) -> [String: Any] {
        var settings = settings
        settings[AVLinearPCMIsNonInterleaved] = nil
        if kind.prefersBigEndian, settings[AVLinearPCMIsBigEndianKey] == nil {
            settings[AVLinearPCMIsBigEndianKey] = true
        }
        return settings
    }

    private static func format(_ settings: [String: Any]) throws(AVError) -> AVAudioFormat {
        for key in [AVFormatIDKey, AVSampleRateKey, AVNumberOfChannelsKey] where settings[key] == nil {
            if key == AVNumberOfChannelsKey, settings[AVChannelLayoutKey] != nil { continue }
            throw AVError(.incorrectlyConfigured, reason: "\(key) is missing")
        }
        guard let format = AVAudioFormat(settings: settings) else {
            // They say what is wrong.
            _ = try SoundEncodingSettings(settings)
            throw AVError(.incorrectlyConfigured, reason: "more than two channels need an AVChannelLayoutKey")
        }
        return format
    }

    private static func check(_ encoding: SoundEncodingSettings, _ fileType: AVFileType) throws {
        guard let capabilities = EncoderCapabilities(ofEncoder: encoding.encoder) else {
            throw AVError(.encoderNotFound, reason: "this FFmpeg has no encoder \(encoding.encoder)")
        }
        guard try fileType.containerFormat(holding: [capabilities.codec]).canHold(codec: capabilities.codec) else {
            throw AVError(
                .incorrectlyConfigured,
                reason: "files of type \(fileType.name) cannot hold \(capabilities.codec.rawValue)")
        }
    }

    private static func target(_ encoding: SoundEncodingSettings, _ form: PCMForm) -> SoundTarget {
        var target = SoundTarget(
            encoder: encoding.encoder, sampleRate: form.sampleRate,
            channelLayout: encoding.channelLayout ?? form.channelLayout)
        target.bitRate = encoding.bitRate
        if target.bitRate == nil, encoding.isAAC {
            target.bitRate = SoundEncodingSettings.usualBitRate(channels: form.channels)
        }
        target.sampleFormat = encoding.sampleFormat
        return target
    }

    // MARK: Writing

    var position: Int64 {
        get { length }
        set { isMoved = newValue != length }
    }

    func read(into buffer: AVAudioPCMBuffer, count: Int) throws {
        throw AVError(.operationNotAllowed, reason: "the file was opened for writing")
    }

    func write(from buffer: AVAudioPCMBuffer) throws {
        if let failure { throw failure }
        try check(buffer)
        guard !isOver, !isMoved else {
            throw AVError(
                .operationNotAllowed,
                reason: isOver ? "the file is closed" : "frames are written one after the other, from no other place")
        }
        do {
            try buffer.withFilledPlanes { planes in
                let count = Int(buffer.frameLength)
                for start in stride(from: 0, to: count, by: Self.pieceLength) {
                    try append(planes, start..<min(count, start + Self.pieceLength))
                }
            }
        } catch {
            throw fail(error)
        }
    }

    private func append(_ planes: [UnsafeRawBufferPointer], _ part: Range<Int>) throws {
        let width = form.bytesPerFrame
        let bytes = (part.lowerBound * width)..<(part.upperBound * width)
        let frame = try form.frame(
            of: planes.map { UnsafeRawBufferPointer(rebasing: $0[bytes]) }, count: part.count)
        try sound.append(frame, at: CMTime(value: length, timescale: CMTimeScale(clamping: form.sampleRate)))
        length += Int64(part.count)
    }

    func finish() throws {
        if let failure { throw failure }
        guard !isOver else { return }
        isOver = true
        do {
            guard length > 0 else {
                throw AVError(.operationNotAllowed, reason: "a file without any sound is not written")
            }
            try sound.finish()
            var finishing = SampleAssembly.Finishing()
            finishing.optimizesForNetwork = true
            _ = try assembly.complete(finishing)
        } catch {
            throw fail(error)
        }
    }

    /// Stops writing; there will be no file.
    private func fail(_ error: any Error) -> any Error {
        let shown = assembly.failure(error)
        failure = shown
        assembly.abandon(because: shown)
        return shown
    }

    deinit { if !isOver { assembly.abandon() } }
}
