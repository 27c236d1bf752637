import AssetReadWrite
import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaTestSupport
import SampleBuffers
import Testing

/// What is read of several tracks together, and of compositions.
struct ComposedReadingTests {
    private let float: [String: Any] = [
        AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 32, AVLinearPCMIsFloatKey: true,
        AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
    ]

    /// A film with a tone of 440 Hz and a shorter one of 1000 Hz, whose samples stay as they are.
    private func twoTones(_ folder: TemporaryFolder) async throws -> AVURLAsset {
        let path = folder.path("tones.mov")
        _ = try await CommandRun.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "sine=440:d=3:r=48000", "-f", "lavfi", "-i",
                "sine=1000:d=2:r=48000", "-map", "0", "-map", "1", "-ac", "2", "-c", "pcm_s16le", path,
            ])
        return AVURLAsset(url: URL(fileURLWithPath: path))
    }

    private func floats(_ reading: Reading) -> [Float] {
        reading.soundBytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    private func ffmpegMix(_ path: String, _ filter: String) async throws -> [Float] {
        let run = try await CommandRun.run(
            "ffmpeg", ["-v", "error", "-i", path, "-filter_complex", filter, "-f", "f32le", "-ac", "2", "-"])
        return run.standardOutput.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    private func expectClose(_ one: [Float], _ other: [Float], within limit: Float = 1e-5) {
        #expect(one.count == other.count)
        #expect(zip(one, other).allSatisfy { abs($0 - $1) <= limit })
    }

    /// Numbered frames, GOPs of 50: the second segment begins in the middle of one.
    @Test func `Coded samples of a composition are those of its segments, moved`() async throws {
        let asset = Fixture("movie.mp4").asset
        let composition = AVMutableComposition()
        try await composition.insertTimeRange(range(seconds(4000), seconds(6000)), of: asset, at: .zero)
        try await composition.insertTimeRange(range(seconds(1000), seconds(2000)), of: asset, at: seconds(2000))
        let track = try #require(try await composition.loadTracks(withMediaType: .video).first)
        let reading = try Reading.read(
            composition, AVAssetReaderTrackOutput(track: track, outputSettings: nil), isDecoded: false)
        #expect(reading.status == .completed, "\(String(describing: reading.error))")
        let shown = reading.samples.filter { sample in
            let all = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false) as? [[String: Any]]
            return all?.first?[String(describing: kCMSampleAttachmentKey_DoNotDisplay)] == nil
        }
        let times = shown.map(CMSampleBufferGetPresentationTimeStamp).sorted()
        #expect(times == (0..<75).map { seconds(Int64($0) * 40) })
        // Sizes of packets tell them apart.
        let source = try await Reading.read(asset, nil, of: .video)
        var sizes: [CMTime: Int] = [:]
        for sample in source.samples {
            sizes[CMSampleBufferGetPresentationTimeStamp(sample)] = CMSampleBufferGetTotalSampleSize(sample)
        }
        for sample in shown {
            let time = CMSampleBufferGetPresentationTimeStamp(sample)
            let original = time < seconds(2000) ? time + seconds(4000) : time - seconds(1000)
            #expect(CMSampleBufferGetTotalSampleSize(sample) == sizes[original])
        }
        let part = try Reading.read(
            composition, AVAssetReaderTrackOutput(track: track, outputSettings: nil), isDecoded: false,
            range: range(seconds(1960), seconds(2040)))
        #expect(part.status == .completed)
        let shownTimes = part.samples.map(CMSampleBufferGetPresentationTimeStamp)
        #expect(shownTimes.contains(seconds(1960)) && shownTimes.contains(seconds(2000)))
        #expect(!shownTimes.contains(seconds(2040)))
    }

    @Test func `Audio of several tracks is read as their sum`() async throws {
        let folder = try TemporaryFolder()
        let asset = try await twoTones(folder)
        let tracks = try await asset.loadTracks(withMediaType: .audio)
        let output = AVAssetReaderAudioMixOutput(audioTracks: tracks, audioSettings: float)
        let reading = try Reading.read(asset, output)
        #expect(reading.status == .completed, "\(String(describing: reading.error))")
        let (long, short) = try await (
            ffmpegMix(asset.url.path, "[0:a:0]anull"), ffmpegMix(asset.url.path, "[0:a:1]anull")
        )
        #expect(long.count == 2 * 144_000)
        #expect(short.count == 2 * 96_000)
        let sum = long.indices.map { (index: Int) -> Float in
            index < short.count ? long[index] + short[index] : long[index]
        }
        expectClose(floats(reading), sum)
    }

    @Test func `Each track is as loud as the audio mix says`() async throws {
        let folder = try TemporaryFolder()
        let asset = try await twoTones(folder)
        let tracks = try await asset.loadTracks(withMediaType: .audio)
        let quieter = AVMutableAudioMixInputParameters(track: tracks[1])
        quieter.setVolume(0.25, at: .zero)
        let mix = AVMutableAudioMix()
        mix.inputParameters = [quieter]
        let output = AVAssetReaderAudioMixOutput(audioTracks: tracks, audioSettings: float)
        output.audioMix = mix
        let reading = try Reading.read(asset, output, range: range(seconds(500), seconds(1500)))
        let expected = try await ffmpegMix(
            asset.url.path,
            "[0:a:1]volume=0.25[b];[0:a:0][b]amix=inputs=2:duration=longest:normalize=0:dropout_transition=0,"
                + "atrim=0.5:1.5")
        #expect(reading.sound.first?.time == seconds(500))
        #expect(expected.count == 2 * 48_000)
        expectClose(floats(reading), expected)
    }

    @Test func `A mix of one track gives the samples of a track output`() async throws {
        for name in ["movie.mp4", "audio-only.flac", "audio-longer.mp4"] {
            let asset = Fixture(name).asset
            let track = try #require(try await asset.loadTracks(withMediaType: .audio).first)
            let whole = try Reading.read(asset, AVAssetReaderAudioMixOutput(audioTracks: [track], audioSettings: float))
            let alone = try await Reading.read(asset, float, of: .audio)
            #expect(whole.status == .completed, "\(String(describing: whole.error))")
            // The mix goes on to the end that the track states, and lets no noise through that a decoder makes up.
            let (mixed, expected) = (floats(whole), floats(alone))
            let shorter = min(mixed.count, expected.count)
            #expect(shorter > 0 && max(mixed.count, expected.count) - shorter <= 2 * 1024)
            expectClose(Array(mixed.prefix(shorter)), Array(expected.prefix(shorter)))
        }
    }

    @Test func `Video of a composition is read as it is shown`() async throws {
        let composition = AVMutableComposition()
        let track = try #require(composition.addMutableTrack(withMediaType: .video, preferredTrackID: 1))
        let film = try #require(try await Fixture("movie.mp4").asset.loadTracks(withMediaType: .video).first)
        try track.insertTimeRange(range(seconds(2000), seconds(3000)), of: film, at: .zero)
        try track.insertTimeRange(range(seconds(500), seconds(1000)), of: film, at: seconds(1000))
        let reading = try await Reading.read(
            composition, pictures(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange))
        #expect(reading.status == .completed, "\(String(describing: reading.error))")
        #expect(reading.frames.map(\.number) == (Array(50..<75) + Array(12..<25)).map { $0 })
        let times = reading.frames.map(\.presentationTime.seconds)
        #expect(times == times.sorted())
        var numbers: [Int?] = []
        let frames = composition.frames(
            in: range(seconds(900), seconds(1200)), format: kCVPixelFormatType_420YpCbCr8Planar)
        for try await frame in frames {
            numbers.append(
                ReadFrame(
                    presentationTime: frame.presentationTime, duration: frame.duration, outputTime: frame.time,
                    buffer: frame.pixelBuffer
                ).number)
        }
        #expect(numbers.first == 72)
    }

    @Test func `Audio of a composition is read as it is heard`() async throws {
        let folder = try TemporaryFolder()
        let asset = try await twoTones(folder)
        let source = try await asset.loadTracks(withMediaType: .audio)[0]
        let composition = AVMutableComposition()
        let track = try #require(composition.addMutableTrack(withMediaType: .audio, preferredTrackID: 1))
        try track.insertTimeRange(range(seconds(1000), seconds(2000)), of: source, at: seconds(250))
        let reading = try await Reading.read(composition, float, of: .audio)
        let expected = try await ffmpegMix(asset.url.path, "[0:a:0]atrim=1:2,asetpts=PTS-STARTPTS,adelay=250:all=1")
        expectClose(floats(reading), expected)
        var count = 0
        for try await piece in composition.sound(in: range(seconds(250), seconds(1250))) { count += piece.sampleCount }
        #expect(count == 48_000)
    }

    @Test func `Composed frames have the size, the times and the layers of the video composition`() async throws {
        let asset = Fixture("movie.mp4").asset
        let track = try #require(try await asset.loadTracks(withMediaType: .video).first)
        let layer = AVMutableVideoCompositionLayerInstruction(assetTrack: track)
        layer.setTransform(CGAffineTransform(translationX: 40, y: 20), at: .zero)
        let instruction = AVMutableVideoCompositionInstruction()
        instruction.timeRange = range(.zero, .positiveInfinity)
        instruction.layerInstructions = [layer]
        let drawn = AVMutableVideoComposition()
        (drawn.renderSize, drawn.frameDuration) = (CGSize(width: 400, height: 300), seconds(1, 10))
        drawn.instructions = [instruction]
        let output = AVAssetReaderVideoCompositionOutput(
            videoTracks: [track], videoSettings: pictures(kCVPixelFormatType_32BGRA))
        output.videoComposition = drawn
        let reading = try Reading.read(asset, output, range: range(seconds(1000), seconds(2000)))
        #expect(reading.status == .completed, "\(String(describing: reading.error))")
        #expect(reading.frames.map(\.presentationTime) == (10..<20).map { seconds($0, 10) })
        #expect(reading.frames.allSatisfy { CVPixelBufferGetWidth($0.buffer) == 400 })
        let size = try await ffprobe(
            Fixture("movie.mp4").path, ["-select_streams", "v", "-show_entries", "stream=width,height"])
        let expected = try await CommandRun.ffmpegPixels(
            of: Fixture("movie.mp4").path,
            options: ["-vf", "select=eq(n\\,25),pad=400:300:40:20:black", "-frames:v", "1"], format: "bgra")
        #expect(!size.isEmpty)
        let first = try #require(reading.frames.first).bytes
        #expect(first.count == expected.count)
        let differences = zip(first, expected).map { abs(Int($0) - Int($1)) }
        #expect(differences.reduce(0, +) <= 2 * differences.count)
        let without = AVAssetReaderVideoCompositionOutput(videoTracks: [track], videoSettings: nil)
        let refused = try Reading.read(asset, without)
        #expect((refused.error as? AVError)?.code == .invalidVideoComposition)
    }

    @Test func `Outputs of tracks of other kinds, or other assets, are refused`() async throws {
        let asset = Fixture("movie.mp4").asset
        let reader = try AVAssetReader(asset: asset)
        let pictures = try await asset.loadTracks(withMediaType: .video)
        let other = try await Fixture("audio-only.m4a").asset.loadTracks(withMediaType: .audio)
        for tracks in [[], pictures, other] {
            #expect(!reader.canAdd(AVAssetReaderAudioMixOutput(audioTracks: tracks, audioSettings: nil)))
        }
        #expect(reader.canAdd(AVAssetReaderVideoCompositionOutput(videoTracks: pictures, videoSettings: nil)))
    }

    @Test func `An output that is not read to its end stops its threads`() async throws {
        let asset = Fixture("movie.mp4").asset
        let tracks = try await asset.loadTracks(withMediaType: .audio)
        for _ in 0..<20 {
            let reader = try AVAssetReader(asset: asset)
            let output = AVAssetReaderAudioMixOutput(audioTracks: tracks, audioSettings: nil)
            reader.add(output)
            #expect(reader.startReading())
            #expect(output.copyNextSampleBuffer() != nil)
            reader.cancelReading()
            #expect(output.copyNextSampleBuffer() == nil)
            #expect(reader.status == .cancelled)
        }
    }
}
