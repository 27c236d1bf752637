import AssetReadWrite
import Foundation
import MediaCore
import MediaEngine
import MediaTestSupport
import SampleBuffers
import Testing

/// Files of sound, read and held against what `ffmpeg` decodes.
struct AudioFileReadingTests {
    private func url(_ name: String) -> URL { URL(fileURLWithPath: Fixture(name).path) }

    /// A file that ffmpeg makes of a fixture's sound.
    private func made(_ folder: TemporaryFolder, _ name: String, _ options: [String]) async throws -> String {
        let path = folder.path(name)
        let run = try await CommandRun.run(
            "ffmpeg",
            ["-v", "error", "-nostdin", "-i", Fixture("audio-only.flac").path, "-map", "0:a:0"] + options + [path])
        #expect(run.exitCode == 0)
        return path
    }

    @Test(arguments: [
        "audio-only.flac", "audio-only.m4a", "audio-only.mp3", "attached-picture.mp3", "movie.mp4", "cues.mkv",
        "h264.ts", "edit-list-trim.mp4", "vp9.webm", "theora.ogv",
    ])
    func `An audio file gives the frames of a linear decode, and knows their number`(_ name: String) async throws {
        let expected = try await ffmpegSound(of: Fixture(name).path, "f32le")
        let file = try AVAudioFile(
            forReading: url(name), commonFormat: .pcmFormatFloat32, interleaved: true)
        let channels = Int(file.processingFormat.channelCount)
        let count = expected.count / 4 / channels
        #expect(count > 0)
        #expect(file.length == AVAudioFramePosition(count))
        #expect(try isSame(file.bytes(.max), expected))
        #expect(file.framePosition == file.length)
        // Once read to the end it is known anyway.
        let other = try AVAudioFile(forReading: url(name), commonFormat: .pcmFormatInt16, interleaved: true)
        #expect(try await isSame(other.bytes(.max, pieces: 997), ffmpegSound(of: Fixture(name).path, "s16le")))
        #expect(other.length == AVAudioFramePosition(count))
    }

    @Test(
        arguments: [
            ("a.wav", ["-c:a", "pcm_s16le"], 16), ("b.wav", ["-c:a", "pcm_s24le"], 24),
            ("c.wav", ["-c:a", "pcm_f32le"], 32), ("a.aiff", ["-c:a", "pcm_s16be"], 16),
            ("a.caf", ["-c:a", "pcm_s16be"], 16), ("d.wav", ["-c:a", "pcm_s16le", "-ac", "1", "-ar", "22050"], 16),
        ] as [(String, [String], UInt32)])
    func `An audio file of PCM knows its number of frames from the beginning`(
        _ name: String, _ options: [String], _ bits: UInt32
    ) async throws {
        let folder = try TemporaryFolder()
        let path = try await made(folder, name, options)
        let file = try AVAudioFile(forReading: URL(fileURLWithPath: path))
        let expected = try await ffmpegSound(of: path, "f32le")
        let facts = try await ffprobe(path, ["-show_entries", "stream=sample_rate,channels"])
        let numbers = try #require(facts.first).split(separator: ",").compactMap { Double($0) }
        #expect(file.processingFormat.isStandard)
        #expect([file.processingFormat.sampleRate, Double(file.processingFormat.channelCount)] == numbers)
        #expect(file.length == AVAudioFramePosition(expected.count / 4 / Int(file.processingFormat.channelCount)))
        let stream = file.fileFormat.streamDescription.pointee
        #expect(stream.mFormatID == kAudioFormatLinearPCM)
        #expect(stream.mBitsPerChannel == bits)
        #expect([stream.mSampleRate, Double(stream.mChannelsPerFrame)] == numbers)
        #expect(file.isOpen)
        #expect(file.url.path == path)
        let width = 4 * Int(file.processingFormat.channelCount)
        let other = try AVAudioFile(
            forReading: URL(fileURLWithPath: path), commonFormat: .pcmFormatFloat32, interleaved: true)
        for start in [12_345, 3, Int(file.length) - 100] {
            other.framePosition = AVAudioFramePosition(start)
            #expect(try isSame(other.bytes(100), expected[(width * start)...].prefix(width * 100)))
        }
    }

    @Test func `A gap in an audio file is silence, so that a frame's number is its time`() async throws {
        let folder = try TemporaryFolder()
        // From 0.3 to 0.6 s there is nothing.
        let path = try await made(
            folder, "gap.mkv", ["-af", "asetnsamples=480,aselect='not(between(t,0.3,0.599))'", "-c:a", "pcm_s16le"])
        let file = try AVAudioFile(
            forReading: URL(fileURLWithPath: path), commonFormat: .pcmFormatInt16, interleaved: true)
        let whole = try await ffmpegSound(of: Fixture("audio-only.flac").path, "s16le")
        #expect(file.length == AVAudioFramePosition(whole.count / 4))
        let read = try file.bytes(.max)
        let gap = (4 * 14_400)..<(4 * 28_800)
        #expect(isSame(read[..<gap.lowerBound], whole[..<gap.lowerBound]))
        #expect(read[gap].allSatisfy { $0 == 0 })
        #expect(isSame(read[gap.upperBound...], whole[gap.upperBound...]))
        file.framePosition = 28_000
        #expect(try isSame(file.bytes(1000), read[(4 * 28_000)...].prefix(4000)))
    }

    @Test func `Audio that changes its rate and channels is read in one format`() async throws {
        let folder = try TemporaryFolder()
        var data = Data()
        for (name, options) in [("a.mp3", ["-ar", "44100"]), ("b.mp3", ["-ar", "22050", "-ac", "1"])] {
            let path = try await made(folder, name, options + ["-write_xing", "0", "-id3v2_version", "0"])
            data += try Data(contentsOf: URL(fileURLWithPath: path))
        }
        let url = URL(fileURLWithPath: folder.path("both.mp3"))
        try data.write(to: url)
        let file = try AVAudioFile(forReading: url, commonFormat: .pcmFormatInt16, interleaved: true)
        #expect(file.processingFormat.channelCount == 2)
        let read = try file.bytes(.max)
        let rate = String(Int(file.processingFormat.sampleRate))
        let expected = try await ffmpegSound(of: url.path, "s16le", ["-ar", rate, "-ac", "2"])
        // Resamplers differ by a few frames where they begin anew, and a decoder's first frame may have the wrong rate.
        #expect(abs(read.count - expected.count) < 4 * 2000)
        #expect(file.length == AVAudioFramePosition(read.count / 4))
    }

    @Test func `An audio file gives each channel by itself`() async throws {
        let file = try AVAudioFile(forReading: url("audio-only.flac"))
        let channels = Int(file.processingFormat.channelCount)
        let buffer = try #require(
            AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(file.length)))
        try file.read(into: buffer)
        #expect(AVAudioFramePosition(buffer.frameLength) == file.length)
        let expected = try await floats(ffmpegSound(of: Fixture("audio-only.flac").path, "f32le"))
        for channel in 0..<channels {
            let own = stride(from: channel, to: expected.count, by: channels).map { expected[$0] }
            #expect(isSame(buffer.floats(channel), own))
        }
    }

    @Test(arguments: [
        "audio-only.flac", "audio-only.mp3", "audio-only.m4a", "movie.mp4", "cues.mkv", "h264.ts", "theora.ogv",
    ])
    func `An audio file gives the same frames from any position`(_ name: String) throws {
        let file = try AVAudioFile(forReading: url(name), commonFormat: .pcmFormatFloat32, interleaved: true)
        let whole = try floats(file.bytes(.max))
        let channels = Int(file.processingFormat.channelCount)
        let length = Int(file.length)
        // Back, near, far, and not in order.
        for start in [length / 2, 0, 1, 11_111, 11_500, length - 3000, 1023, length / 3, length / 3 + 1] {
            file.framePosition = AVAudioFramePosition(start)
            let part = try floats(file.bytes(2500))
            #expect(part.count == 2500 * channels)
            #expect(file.framePosition == AVAudioFramePosition(start + 2500))
            let expected = whole[(start * channels)...].prefix(2500 * channels)
            if name.hasSuffix("flac") {
                #expect(isSame(part, expected))
            } else {
                // Decoders make up noise by what came before; a frame's shift is more than that.
                let own = meanDifference(part, expected)
                #expect(own < 0.001, "\(start)")
                for shift in [-1, 1] where whole.indices.contains((start + shift) * channels) {
                    let other = whole[((start + shift) * channels)...].prefix(2500 * channels)
                    #expect(own <= meanDifference(part, other), "\(start) \(shift)")
                }
            }
        }
    }

    @Test(arguments: ["audio-only.flac", "audio-only.mp3", "audio-only.m4a", "cues.mkv"])
    func `Positions after the end of an audio file have no frames`(_ name: String) throws {
        let file = try AVAudioFile(forReading: url(name))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 100))
        let places: [AVAudioFramePosition] = [.max, .max / 2, file.length + 100_000_000, file.length]
        for place in places {
            file.framePosition = place
            buffer.frameLength = 100
            try file.read(into: buffer)
            #expect(buffer.frameLength == 0)
            #expect(file.framePosition == place)
        }
        file.framePosition = file.length - 7
        try file.read(into: buffer)
        #expect(buffer.frameLength == 7)
        file.framePosition = -5
        #expect(file.framePosition == 0)
    }

    @Test func `A position far after the end has no frames before the length is known`() throws {
        let file = try AVAudioFile(forReading: url("audio-only.mp3"))
        file.framePosition = .max
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 100))
        try file.read(into: buffer)
        #expect(buffer.frameLength == 0)
    }

    @Test func `An audio file reads as many frames as asked for, and as there is room`() throws {
        let file = try AVAudioFile(forReading: url("audio-only.flac"))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 1000))
        try file.read(into: buffer, frameCount: 300)
        #expect(buffer.frameLength == 300)
        try file.read(into: buffer, frameCount: 5000)
        #expect(buffer.frameLength == 1000)
        try file.read(into: buffer, frameCount: 0)
        #expect(buffer.frameLength == 0)
        #expect(file.framePosition == 1300)
    }

    @Test func `Audio files of more than two channels have a layout`() async throws {
        let folder = try TemporaryFolder()
        let path = try await made(folder, "six.wav", ["-c:a", "pcm_s16le", "-ac", "6"])
        let file = try AVAudioFile(
            forReading: URL(fileURLWithPath: path), commonFormat: .pcmFormatInt16, interleaved: true)
        #expect(file.processingFormat.channelCount == 6)
        #expect(file.processingFormat.channelLayout?.channelCount == 6)
        #expect(try await isSame(file.bytes(.max), ffmpegSound(of: path, "s16le")))
    }

    @Test func `An audio file without frames is empty`() async throws {
        let folder = try TemporaryFolder()
        let path = try await made(folder, "none.wav", ["-c:a", "pcm_s16le", "-t", "0"])
        let file = try AVAudioFile(forReading: URL(fileURLWithPath: path))
        #expect(file.length == 0)
        #expect(try file.bytes(10).isEmpty)
    }

    @Test func `A truncated audio file gives the frames that are there, and then fails`() async throws {
        let folder = try TemporaryFolder()
        let path = try await made(folder, "whole.wav", ["-c:a", "pcm_s16le"])
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let cut = URL(fileURLWithPath: folder.path("cut.wav"))
        try data.prefix(data.count / 2).write(to: cut)
        let file = try AVAudioFile(forReading: cut, commonFormat: .pcmFormatInt16, interleaved: true)
        let buffer = try #require(
            AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(data.count)))
        try file.read(into: buffer)
        // What was cut in two is damaged, and not there.
        let expected = try await ffmpegSound(of: cut.path, "s16le")
        let bytes = buffer.bytes
        #expect(bytes.count <= expected.count && bytes.count > expected.count - 16_384)
        #expect(isSame(bytes, expected.prefix(bytes.count)))
        #expect(file.framePosition == AVAudioFramePosition(buffer.frameLength))
        for _ in 0..<2 { #expect(throws: AVError.self) { try file.read(into: buffer) } }
        #expect(buffer.frameLength == 0)
        file.framePosition = 100
        #expect(try file.bytes(10).count == 10 * 2 * Int(file.processingFormat.channelCount))
    }

    private func code(_ body: () throws -> Void) -> AVError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? AVError)?.code
        }
    }

    @Test func `Files that cannot be read as audio fail with the reason`() throws {
        let folder = try TemporaryFolder()
        let text = URL(fileURLWithPath: folder.path("text.wav"))
        try Data("no sound at all, but some words of text".utf8).write(to: text)
        #expect(
            code { _ = try AVAudioFile(forReading: URL(fileURLWithPath: folder.path("none.wav"))) }
                == .failedToLoadMediaData)
        #expect(code { _ = try AVAudioFile(forReading: text) } == .fileFormatNotRecognized)
        #expect(code { _ = try AVAudioFile(forReading: url("long-gop.mp4")) } == .noSourceTrack)
        #expect(
            code {
                _ = try AVAudioFile(forReading: url("movie.mp4"), commonFormat: .otherFormat, interleaved: false)
            } == .incorrectlyConfigured)
    }

    @Test func `Wrong calls on an audio file for reading are errors`() throws {
        let file = try AVAudioFile(forReading: url("audio-only.flac"))
        let other = try AVAudioPCMBuffer.of([[0, 0]], rate: 8000)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 10))
        #expect(code { try file.read(into: other) } == .incorrectlyConfigured)
        #expect(code { try file.write(from: buffer) } == .operationNotAllowed)
        let length = file.length
        file.close()
        #expect(!file.isOpen)
        #expect(code { try file.read(into: buffer) } == .operationNotAllowed)
        #expect(file.length == length)
        file.close()
    }

    @Test func `Several threads get each frame of an audio file once`() async throws {
        let file = try AVAudioFile(forReading: url("audio-only.flac"))
        let total = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var count = 0
                    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 777))
                    repeat {
                        try file.read(into: buffer)
                        count += Int(buffer.frameLength)
                    } while buffer.frameLength > 0
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(AVAudioFramePosition(total) == file.length)
    }
}
