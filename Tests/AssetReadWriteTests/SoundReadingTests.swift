import AssetReadWrite
import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaTestSupport
import SampleBuffers
import Testing

/// Decoded sound of a reader, held against that of `ffmpeg`.
struct SoundReadingTests {
    private func pcm(_ bits: Int, isFloat: Bool = false) -> [String: Any] {
        [AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: bits, AVLinearPCMIsFloatKey: isFloat]
    }

    @Test(arguments: [
        "movie.mp4", "audio-only.m4a", "audio-only.mp3", "audio-only.flac", "h264.ts", "cues.mkv", "languages.mkv",
        "audio-longer.mp4", "edit-list-trim.mp4", "vp9.webm", "theora.ogv", "wmv2.asf", "h264.flv", "mpeg2.ps",
    ])
    func `Audio that is read is that of a linear decode, sample by sample`(_ name: String) async throws {
        for (settings, format) in [(pcm(16), "s16le"), (pcm(32, isFloat: true), "f32le")] {
            let reading = try await Reading.read(Fixture(name).asset, settings, of: .audio)
            #expect(reading.status == .completed, "\(String(describing: reading.error))")
            let expected = try await ffmpegSound(of: Fixture(name).path, format)
            #expect(!expected.isEmpty)
            #expect(isSame(reading.soundBytes, expected))
        }
    }

    /// Speech with five frames in each sample, as telephones record it: one with a frame in each, with other tables.
    @Test func `Audio is complete where samples of speech hold several frames`() async throws {
        let folder = try TemporaryFolder()
        var random = SeededGenerator(seed: 7)
        let frames = (0..<250).flatMap { _ in [4] + (0..<12).map { _ in UInt8.random(in: 0...255, using: &random) } }
        let (speech, film) = (folder.url.appending(path: "a.amr"), folder.url.appending(path: "a.3gp"))
        try Data(Array("#!AMR\n".utf8) + frames).write(to: speech)
        let run = try await CommandRun.run(
            "ffmpeg", ["-v", "error", "-nostdin", "-i", speech.path, "-c", "copy", film.path])
        #expect(run.exitCode == 0, "\(run.errorOutput)")
        var movie = try Data(contentsOf: film)
        for (box, offset, old, new) in [
            ("stts", 8, 250, 50), ("stts", 12, 160, 800), ("stsz", 4, 13, 65), ("stsz", 8, 250, 50),
            ("stsc", 12, 250, 50),
        ] as [(String, Int, UInt32, UInt32)] {
            let place = try #require(movie.range(of: Data(box.utf8))).upperBound + offset
            let bytes = withUnsafeBytes(of: old.bigEndian) { Data($0) }
            #expect(movie[place..<(place + 4)] == bytes)
            movie.replaceSubrange(place..<(place + 4), with: withUnsafeBytes(of: new.bigEndian) { Data($0) })
        }
        try movie.write(to: film)
        let expected = try await ffmpegSound(of: speech.path, "s16le")
        #expect(expected.count == 80_000)
        let reading = try await Reading.read(AVURLAsset(url: film), pcm(16), of: .audio)
        #expect(reading.status == .completed, "\(String(describing: reading.error))")
        #expect(isSame(reading.soundBytes, expected))
        let part = try await Reading.read(
            AVURLAsset(url: film), pcm(16), of: .audio, range: range(seconds(1030), seconds(2070)))
        #expect(part.soundBytes.count == 2 * 8320)
    }

    @Test func `Audio comes in buffers of 8,192 frames`() async throws {
        for (name, settings) in [("movie.mp4", pcm(16)), ("audio-only.flac", pcm(24)), ("audio-only.mp3", pcm(16))] {
            let sound = try await Reading.read(Fixture(name).asset, settings, of: .audio).sound
            #expect(sound.count > 2)
            #expect(sound.dropLast().allSatisfy { $0.count == 8192 })
            #expect(sound.last.map { (1...8192).contains($0.count) } == true)
            for (piece, next) in zip(sound, sound.dropFirst()) {
                #expect(next.time == piece.time + seconds(8192, piece.time.timescale))
            }
        }
    }

    /// What an encoder adds lies outside of the edit list: 132,300 frames are 130 packets of 1,024, which hold 133,120.
    @Test func `Nothing is read of what lies behind the end of an edit list`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.m4a")
        let run = try await CommandRun.run(
            "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=440:r=44100:d=3", "-c:a", "aac", path])
        #expect(run.exitCode == 0, "\(run.errorOutput)")
        let url = URL(fileURLWithPath: path)
        let reading = try await Reading.read(AVURLAsset(url: url), pcm(16), of: .audio)
        #expect(reading.sound.reduce(0) { $0 + $1.count } == 132_300)
        let file = try AVAudioFile(forReading: url)
        #expect(file.length == 132_300)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 200_000))
        try file.read(into: buffer)
        #expect(buffer.frameLength == 132_300)
        let composition = AVMutableComposition()
        try await composition.insertTimeRange(range(.zero, seconds(3000)), of: AVURLAsset(url: url), at: .zero)
        let composed = try await Reading.read(composition, pcm(16), of: .audio)
        #expect(composed.sound.reduce(0) { $0 + $1.count } == 132_300)
    }

    @Test func `Audio is read in 24 bits, big-endian, and with separate channels`() async throws {
        let path = Fixture("audio-only.flac").path
        let asset = Fixture("audio-only.flac").asset
        #expect(try await isSame(Reading.read(asset, pcm(24), of: .audio).soundBytes, ffmpegSound(of: path, "s24le")))
        var settings = pcm(16)
        settings[AVLinearPCMIsBigEndianKey] = true
        #expect(try await isSame(Reading.read(asset, settings, of: .audio).soundBytes, ffmpegSound(of: path, "s16be")))
        settings = pcm(32, isFloat: true)
        settings[AVLinearPCMIsNonInterleaved] = true
        let apart = try await Reading.read(asset, settings, of: .audio)
        let together = try await Reading.read(asset, pcm(32, isFloat: true), of: .audio)
        let channels = together.soundBytes.count / 4 / together.sound.reduce(0) { $0 + $1.count }
        for (piece, whole) in zip(apart.sound, together.sound) {
            for channel in 0..<channels {
                for sample in [0, piece.count / 2, piece.count - 1] {
                    let one = piece.bytes.dropFirst(4 * (channel * piece.count + sample)).prefix(4)
                    let other = whole.bytes.dropFirst(4 * (sample * channels + channel)).prefix(4)
                    #expect(Array(one) == Array(other))
                }
            }
        }
    }

    @Test(arguments: ["movie.mp4", "audio-only.mp3", "h264.ts", "cues.mkv", "audio-only.flac"])
    func `Audio of a range is cut to the sample`(_ name: String) async throws {
        let asset = Fixture(name).asset
        let whole = try await Reading.read(asset, pcm(16), of: .audio)
        let rate = Int64(try #require(whole.sound.first).time.timescale)
        let count = whole.sound.reduce(0) { $0 + $1.count }
        let width = whole.soundBytes.count / count
        let zero = try #require(whole.sound.first).time.value
        for (start, end) in [(Int64(11_111), Int64(22_223)), (0, 1), (1023, 1025), (30_000, 47_000)] {
            let part = try await Reading.read(
                asset, pcm(16), of: .audio,
                range: range(seconds(zero + start, Int32(rate)), seconds(zero + end, Int32(rate))))
            #expect(part.status == .completed)
            #expect(part.sound.first?.time == seconds(zero + start, Int32(rate)))
            let first = Int(start) * width
            let expected = Array(whole.soundBytes[first..<(first + Int(end - start) * width)])
            #expect(part.soundBytes.count == expected.count)
            // Decoders of AAC make up noise, which depends on what came before; a sample's shift would be ten times as much.
            #expect(meanDifference(part.soundBytes, expected) <= (name.hasSuffix("flac") ? 0 : 30))
        }
    }

    /// Kinds of files that tell times to the millisecond, and codecs whose decoders depend on all that came before.
    @Test(
        arguments: Tier.some(
            [
                ("mkv", ["-c:a", "aac", "-aac_pns", "0"]), ("flv", ["-c:a", "libmp3lame"]),
                ("webm", ["-c:a", "libvorbis"]),
                ("mkv", ["-c:a", "flac"]), ("ts", ["-c:a", "aac", "-aac_pns", "0"]), ("ts", ["-c:a", "mp2"]),
                ("asf", ["-c:a", "wmav2"]), ("avi", ["-c:a", "libmp3lame"]),
                ("webm", ["-c:a", "libopus", "-ar", "48000"]),
                ("mkv", ["-c:a", "aac", "-aac_pns", "0", "-ss", "0.0137", "-copyts"]), ("tta", []), ("wav", []),
                ("mp3", []),
                ("mov", ["-c:a", "adpcm_ima_qt"]), ("mpg", ["-c:a", "mp2"]),
            ], 6))
    func `Audio of a range far into a file is that part of a decode from its beginning`(
        _ kind: String, _ options: [String]
    ) async throws {
        let folder = try TemporaryFolder()
        let film = folder.url.appending(path: "a.\(kind)")
        let sound = "aevalsrc=0.4*sin(600*t*(1+t/5))+0.2*random(0):c=mono:s=44100:d=9"
        let run = try await CommandRun.run(
            "ffmpeg", ["-v", "error", "-nostdin", "-f", "lavfi", "-i", sound] + options + [film.path])
        #expect(run.exitCode == 0, "\(run.errorOutput)")
        let whole = try await ffmpegSound(of: film.path, "s16le")
        let asset = AVURLAsset(url: film, options: [AVURLAssetAllowedFormatsKey: ["tta", "adpcm_ima_qt"]])
        let zero = try #require(try await Reading.read(asset, pcm(16), of: .audio).sound.first).time
        for (start, end) in [(70_001, 90_001), (143_000, 143_001), (250_123, 300_000), (391_005, 392_000)] {
            let part = try await Reading.read(
                asset, pcm(16), of: .audio,
                range: range(
                    zero + seconds(Int64(start), zero.timescale), zero + seconds(Int64(end), zero.timescale)))
            #expect(part.status == .completed)
            #expect(part.sound.first?.time == zero + seconds(Int64(start), zero.timescale))
            #expect(part.soundBytes.count == 2 * (end - start))
            // Decoders of Opus go on changing what they predict; of MPEG's layer 2 they carry what rounding lost.
            let tolerance = options.contains("libopus") ? 8 : options.contains("mp2") ? 1 : 0
            #expect(meanDifference(part.soundBytes, Array(whole[(2 * start)..<(2 * end)])) <= tolerance)
        }
    }

    /// Of some frames in a program stream FFmpeg tells the time of the frame after them.
    @Test func `Audio has no gap where a single time is wrong`() async throws {
        let folder = try TemporaryFolder()
        let film = folder.url.appending(path: "a.vob")
        let run = try await CommandRun.run(
            "ffmpeg",
            [
                "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=12", "-f", "lavfi", "-i",
                "aevalsrc=0.4*sin(600*t*(1+t/5))+0.2*random(0)|0.3*sin(900*t):c=stereo:s=48000:d=12", "-c:v",
                "mpeg2video", "-c:a", "ac3", film.path,
            ])
        #expect(run.exitCode == 0, "\(run.errorOutput)")
        let reading = try await Reading.read(AVURLAsset(url: film), pcm(16), of: .audio)
        #expect(try await isSame(reading.soundBytes, ffmpegSound(of: film.path, "s16le")))
        for (piece, next) in zip(reading.sound, reading.sound.dropFirst()) {
            #expect(piece.time + seconds(Int64(piece.count), 48_000) == next.time)
        }
    }

    @Test func `Audio is resampled and mixed down as asked`() async throws {
        var settings = pcm(32, isFloat: true)
        (settings[AVSampleRateKey], settings[AVNumberOfChannelsKey]) = (16_000, 1)
        let reading = try await Reading.read(Fixture("movie.mp4").asset, settings, of: .audio)
        let count = reading.sound.reduce(0) { $0 + $1.count }
        // 480,000 samples of 48 kHz.
        #expect(abs(count - 160_000) <= 1)
        #expect(reading.soundBytes.count == 4 * count)
        #expect(reading.sound.first?.time.timescale == 16_000)
    }

    @Test func `Audio has a format description of its samples`() async throws {
        let asset = Fixture("movie.mp4").asset
        let track = try #require(try await asset.loadTracks(withMediaType: .audio).first)
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: pcm(24))
        reader.add(output)
        #expect(reader.startReading())
        let sample = try #require(output.copyNextSampleBuffer())
        let stream = try #require(CMSampleBufferGetFormatDescription(sample)?.audioStreamBasicDescription)
        #expect(stream.mFormatID == kAudioFormatLinearPCM)
        #expect(stream.mSampleRate == 48_000)
        #expect(stream.mBitsPerChannel == 24)
        #expect(stream.mBytesPerFrame == 3 * stream.mChannelsPerFrame)
        #expect(CMSampleBufferGetDuration(sample) == seconds(Int64(CMSampleBufferGetNumSamples(sample)), 48_000))
    }
}
