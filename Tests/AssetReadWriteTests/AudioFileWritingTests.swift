import AssetReadWrite
import Foundation
import MediaCore
import MediaEngine
import MediaTestSupport
import SampleBuffers
import Testing

/// New files of sound, read by other programs.
struct AudioFileWritingTests {
    private func url(_ folder: TemporaryFolder, _ name: String) -> URL { URL(fileURLWithPath: folder.path(name)) }

    private func pcm(_ more: [String: Any] = [:]) -> [String: Any] {
        [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2,
            AVLinearPCMBitDepthKey: 16,
        ].merging(more) { $1 }
    }

    /// Writes pieces of several lengths.
    private func write(_ sound: [[Float]], to file: AVAudioFile, rate: Double = 44_100) throws {
        let buffer = try AVAudioPCMBuffer.of(sound, rate: rate)
        var (place, step) = (0, 1)
        while place < Int(buffer.frameLength) {
            let end = min(Int(buffer.frameLength), place + step)
            try file.write(from: buffer.part(place..<end))
            (place, step) = (end, step * 7)
            #expect(file.length == AVAudioFramePosition(place))
            #expect(file.framePosition == file.length)
        }
    }

    private struct Kind: Sendable, CustomTestStringConvertible {
        var name: String
        var settings: [String: any Sendable]
        var codec: String
        var testDescription: String { "\(name) \(codec)" }
    }

    private static let exact = [
        Kind(name: "a.wav", settings: [:], codec: "pcm_s16le"),
        Kind(name: "a.aiff", settings: [:], codec: "pcm_s16be"),
        Kind(name: "a.aif", settings: [AVLinearPCMIsBigEndianKey: true], codec: "pcm_s16be"),
        Kind(name: "a.aifc", settings: [AVLinearPCMIsBigEndianKey: true], codec: "pcm_s16be"),
        Kind(name: "a.caf", settings: [AVLinearPCMIsBigEndianKey: false], codec: "pcm_s16le"),
        Kind(name: "b.wav", settings: [AVLinearPCMBitDepthKey: 24], codec: "pcm_s24le"),
        Kind(name: "c.wav", settings: [AVLinearPCMBitDepthKey: 32, AVLinearPCMIsFloatKey: true], codec: "pcm_f32le"),
        Kind(name: "d.wav", settings: [AVLinearPCMBitDepthKey: 64, AVLinearPCMIsFloatKey: true], codec: "pcm_f64le"),
        Kind(name: "e.wav", settings: [AVLinearPCMIsNonInterleaved: true], codec: "pcm_s16le"),
        Kind(name: "a.flac", settings: [AVFormatIDKey: kAudioFormatFLAC], codec: "flac"),
        Kind(name: "a.m4a", settings: [AVFormatIDKey: kAudioFormatAppleLossless], codec: "alac"),
        Kind(name: "b.caf", settings: [AVFormatIDKey: kAudioFormatAppleLossless], codec: "alac"),
    ]

    @Test(arguments: Tier.some(exact, 4))
    private func `A lossless audio file holds just the frames that were written`(_ kind: Kind) async throws {
        let folder = try TemporaryFolder()
        let file = try AVAudioFile(forWriting: url(folder, kind.name), settings: pcm(kind.settings))
        #expect(file.processingFormat.isStandard)
        let sound = sweep(70_001)
        try write(sound, to: file)
        file.close()
        #expect(!file.isOpen)
        #expect(try folder.contents() == [kind.name])
        let path = folder.path(kind.name)
        if kind.codec == "pcm_s24le" {
            let decoded = try await floats(ffmpegSound(of: path, "f32le"))
            #expect(decoded.count == 140_002)
            let written = (0..<70_001).flatMap { [sound[0][$0], sound[1][$0]] }
            #expect(zip(decoded, written).allSatisfy { abs($0 - $1) <= 1 / 8_388_608 })
        } else {
            #expect(try await isSame(ffmpegSound(of: path, "s16le"), interleaved16(sound)))
        }
        #expect(
            try await ffprobe(path, ["-show_entries", "stream=codec_name,sample_rate,channels"])
                == ["\(kind.codec),44100,2"])
        #expect(try AVAudioFile(forReading: url(folder, kind.name)).length == 70_001)
    }

    private static let lossy = [
        Kind(name: "a.m4a", settings: [AVFormatIDKey: kAudioFormatMPEG4AAC], codec: "aac"),
        Kind(
            name: "b.m4a", settings: [AVFormatIDKey: kAudioFormatMPEG4AAC, AVEncoderBitRateKey: 96_000], codec: "aac"),
        Kind(name: "a.mp3", settings: [AVFormatIDKey: kAudioFormatMPEGLayer3], codec: "mp3"),
        Kind(name: "a.opus", settings: [AVFormatIDKey: kAudioFormatOpus, AVSampleRateKey: 48_000], codec: "opus"),
        Kind(name: "a.ac3", settings: [AVFormatIDKey: kAudioFormatAC3, AVSampleRateKey: 48_000], codec: "ac3"),
    ]

    @Test(arguments: lossy)
    private func `A lossy audio file holds similar audio at the same times`(_ kind: Kind) async throws {
        let folder = try TemporaryFolder()
        let file = try AVAudioFile(forWriting: url(folder, kind.name), settings: pcm(kind.settings))
        let rate = file.processingFormat.sampleRate
        let sound = sweep(70_001, rate: rate)
        try write(sound, to: file, rate: rate)
        try file.finish()
        let path = folder.path(kind.name)
        #expect(
            try await ffprobe(path, ["-show_entries", "stream=codec_name,channels"]) == ["\(kind.codec),2"])
        let decoded = try await floats(ffmpegSound(of: path, "f32le"))
        #expect(decoded.count / 2 >= 70_001)
        // A frame of an encoder more at the most, but for the delay that AC-3 cannot tell.
        let spare = kind.codec == "ac3" ? 256 : 0
        #expect(decoded.count / 2 < 70_001 + spare + 2 * 1536)
        let left = stride(from: 2 * spare, to: decoded.count, by: 2).map { decoded[$0] }
        let (own, early) = (left.prefix(70_001), left.dropFirst().prefix(70_000))
        #expect(meanDifference(own, sound[0]) < 0.05)
        // A frame's shift is heard.
        #expect(meanDifference(own, sound[0]) < meanDifference(own, sound[0].dropFirst()))
        #expect(meanDifference(own, sound[0]) < meanDifference(early, sound[0]))
        #expect(try AVAudioFile(forReading: url(folder, kind.name)).length == AVAudioFramePosition(decoded.count / 2))
    }

    @Test func `An audio file takes samples of other formats, interleaved`() async throws {
        let folder = try TemporaryFolder()
        let file = try AVAudioFile(
            forWriting: url(folder, "a.wav"), settings: pcm(), commonFormat: .pcmFormatInt16, interleaved: true)
        let expected = interleaved16(sweep(5000))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 6000))
        buffer.frameLength = 5000
        buffer.withPlanes { $0[0].copyBytes(from: expected) }
        try file.write(from: buffer)
        file.close()
        #expect(try await isSame(ffmpegSound(of: folder.path("a.wav"), "s16le"), expected))
    }

    @Test func `An audio file takes the settings of a buffer's format`() async throws {
        let folder = try TemporaryFolder()
        let buffer = try AVAudioPCMBuffer.of(sweep(3000), rate: 44_100)
        let file = try AVAudioFile(forWriting: url(folder, "a.caf"), settings: buffer.format.settings)
        #expect(file.processingFormat == buffer.format)
        #expect(file.fileFormat.isInterleaved)
        try file.write(from: buffer)
        file.close()
        let samples = try await floats(ffmpegSound(of: folder.path("a.caf"), "f32le"))
        #expect(isSame(samples, (0..<3000).flatMap { [buffer.floats(0)[$0], buffer.floats(1)[$0]] }))
    }

    @Test func `Six channels are written where their layout says`() async throws {
        let folder = try TemporaryFolder()
        let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
        let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: layout)
        let file = try AVAudioFile(forWriting: url(folder, "a.wav"), settings: format.settings)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 100))
        buffer.frameLength = 100
        for channel in 0..<6 { for index in 0..<100 { buffer.floatChannelData?[channel][index] = Float(channel) / 8 } }
        try file.write(from: buffer)
        file.close()
        #expect(
            try await ffprobe(folder.path("a.wav"), ["-show_entries", "stream=channels,channel_layout"]) == ["6,5.1"])
        let samples = try await floats(ffmpegSound(of: folder.path("a.wav"), "f32le"))
        #expect(isSame(samples, (0..<600).map { (index: Int) -> Float in Float(index % 6) / 8 }))
    }

    @Test func `The kind of an audio file may be given by settings`() async throws {
        let folder = try TemporaryFolder()
        let file = try AVAudioFile(
            forWriting: url(folder, "sound.bin"), settings: pcm([AVAudioFileTypeKey: kAudioFileWAVEType]))
        try write(sweep(100), to: file)
        file.close()
        #expect(try await ffprobe(folder.path("sound.bin"), ["-show_entries", "format=format_name"]) == ["wav"])
    }

    // MARK: When the file is there

    @Test func `An audio file appears whole when it is closed, and replaces the old one`() throws {
        let folder = try TemporaryFolder()
        let place = url(folder, "a.wav")
        try Data("mine".utf8).write(to: place)
        let file = try AVAudioFile(forWriting: place, settings: pcm())
        try write(sweep(1000), to: file)
        #expect(try Data(contentsOf: place) == Data("mine".utf8))
        #expect(try folder.contents() == ["a.wav"])
        file.close()
        #expect(try folder.contents() == ["a.wav"])
        #expect(try AVAudioFile(forReading: place).length == 1000)
    }

    @Test func `An audio file is completed when its last reference goes`() throws {
        let folder = try TemporaryFolder()
        do {
            let file = try AVAudioFile(
                forWriting: url(folder, "a.flac"), settings: pcm([AVFormatIDKey: kAudioFormatFLAC]))
            try write(sweep(5000), to: file)
            #expect(try folder.contents().isEmpty)
        }
        #expect(try AVAudioFile(forReading: url(folder, "a.flac")).length == 5000)
    }

    @Test func `An audio file without frames is not made`() throws {
        let folder = try TemporaryFolder()
        let file = try AVAudioFile(forWriting: url(folder, "a.wav"), settings: pcm())
        file.close()
        #expect(code { try file.finish() } == .operationNotAllowed)
        #expect(try folder.contents().isEmpty)
    }

    @Test func `An audio file can be read while it is written anew`() throws {
        let folder = try TemporaryFolder()
        let place = url(folder, "a.wav")
        let first = try AVAudioFile(forWriting: place, settings: pcm())
        try write(sweep(4000), to: first)
        first.close()
        let source = try AVAudioFile(forReading: place)
        let target = try AVAudioFile(forWriting: place, settings: pcm())
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: source.processingFormat, frameCapacity: 999))
        for _ in 0..<2 {
            source.framePosition = 0
            while source.framePosition < source.length {
                try source.read(into: buffer)
                try target.write(from: buffer)
            }
        }
        target.close()
        #expect(try AVAudioFile(forReading: place).length == 8000)
    }

    // MARK: Mistakes

    private func code(_ body: () throws -> Void) -> AVError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? AVError)?.code
        }
    }

    @Test(
        arguments: [
            ("a.wav", [AVFormatIDKey: "wave"]), ("a.wav", [AVSampleRateKey: -1]), ("a.wav", [AVNumberOfChannelsKey: 0]),
            ("a.wav", [AVNumberOfChannelsKey: 6]), ("a.wav", [AVLinearPCMBitDepthKey: 17]), ("a.gif", [:]),
            ("a.txt", [:]), ("a", [:]), ("a.m3u8", [:]), ("a.flac", [:]), ("a.mp3", [:]),
            ("a.m4a", [AVFormatIDKey: kAudioFormatFLAC]), ("a.wav", [AVAudioFileTypeKey: 5]),
            ("a.mp3", [AVFormatIDKey: kAudioFormatMPEGLayer3, AVSampleRateKey: 44_101]),
            ("a.wav", [AVFormatIDKey: kAudioFormatAMR]), ("folder/none/a.wav", [:]),
        ] as [(String, [String: any Sendable])])
    func `Impossible settings of an audio file are errors, and nothing is made`(
        _ name: String, _ settings: [String: any Sendable]
    ) throws {
        let folder = try TemporaryFolder()
        let error = code { _ = try AVAudioFile(forWriting: url(folder, name), settings: pcm(settings)) }
        #expect([.incorrectlyConfigured, .encoderNotFound, .exportFailed].contains(error))
        #expect(try folder.contents().isEmpty)
    }

    @Test func `Missing settings of an audio file are named`() throws {
        let folder = try TemporaryFolder()
        for key in [AVFormatIDKey, AVSampleRateKey, AVNumberOfChannelsKey] {
            var settings = pcm()
            settings[key] = nil
            let error = #expect(throws: AVError.self) {
                _ = try AVAudioFile(forWriting: url(folder, "a.wav"), settings: settings)
            }
            #expect(error?.reason == "\(key) is missing")
        }
        #expect(
            code { _ = try AVAudioFile(forWriting: #require(URL(string: "https://a.b/c.wav")), settings: pcm()) }
                == .incorrectlyConfigured)
        #expect(try folder.contents().isEmpty)
    }

    @Test func `Wrong calls on an audio file for writing are errors`() throws {
        let folder = try TemporaryFolder()
        let file = try AVAudioFile(forWriting: url(folder, "a.wav"), settings: pcm())
        let buffer = try AVAudioPCMBuffer.of(sweep(10), rate: 44_100)
        try file.write(from: buffer)
        #expect(code { try file.write(from: .of(sweep(10), rate: 48_000)) } == .incorrectlyConfigured)
        #expect(code { try file.read(into: buffer) } == .operationNotAllowed)
        file.framePosition = 3
        #expect(code { try file.write(from: buffer) } == .operationNotAllowed)
        file.framePosition = 10
        try file.write(from: buffer)
        file.close()
        #expect(code { try file.write(from: buffer) } == .operationNotAllowed)
        #expect(try AVAudioFile(forReading: url(folder, "a.wav")).length == 20)
    }
}
