import AssetExport
import AssetReadWrite
import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaMetadata
import MediaTestSupport
import SampleBuffers
import Testing

/// New files of samples, read by other programs.
struct WriterTests {
    private func writer(_ folder: TemporaryFolder, _ name: String) throws -> AVAssetWriter {
        let url = URL(fileURLWithPath: folder.path(name))
        return try AVAssetWriter(outputURL: url, fileType: #require(AVFileType(filenameExtension: url.pathExtension)))
    }

    private func h264(_ width: Int = 64, _ height: Int = 48) -> [String: Any] {
        [AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: width, AVVideoHeightKey: height]
    }

    /// A picture of one grey.
    private func grey(_ value: UInt8, _ width: Int = 64, _ height: Int = 48) throws -> CVPixelBuffer {
        var made: CVPixelBuffer?
        CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &made)
        let buffer = try #require(made)
        buffer.withLockedPlanes([]) { planes in
            for row in 0..<height {
                let bytes = planes[0].row(row)
                // Alpha counts for nothing where the codec has none.
                for index in bytes.indices { bytes[index] = index % 4 == 3 ? 7 : value }
            }
        }
        return buffer
    }

    /// Copies tracks sample by sample, one after the other or by turns.
    private func copy(
        _ source: AVURLAsset, with writer: AVAssetWriter, from start: CMTime = .zero, inTurns: Bool = true,
        range: CMTimeRange? = nil
    ) async throws {
        let reader = try AVAssetReader(asset: source)
        if let range { reader.timeRange = range }
        var pairs: [(AVAssetReaderTrackOutput, AVAssetWriterInput)] = []
        for track in try await source.load(.tracks) {
            let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
            let input = AVAssetWriterInput(mediaType: track.mediaType, outputSettings: nil)
            reader.add(output)
            writer.add(input)
            pairs.append((output, input))
        }
        try reader.start()
        try writer.start()
        writer.startSession(atSourceTime: start)
        if !inTurns {
            for (output, input) in pairs {
                while let sample = output.copyNextSampleBuffer() { #expect(input.append(sample)) }
                input.markAsFinished()
            }
        }
        while inTurns, !pairs.isEmpty {
            for (index, (output, input)) in pairs.enumerated().reversed() {
                if let sample = output.copyNextSampleBuffer() {
                    #expect(input.append(sample))
                } else {
                    input.markAsFinished()
                    pairs.remove(at: index)
                }
            }
        }
        await writer.finishWriting()
        #expect(reader.status == .completed)
        #expect(writer.status == .completed, "\(String(describing: writer.error))")
    }

    private func streamHashes(_ path: String) async throws -> [String] {
        let run = try await CommandRun.run(
            "ffmpeg",
            ["-v", "error", "-i", path, "-map", "0:v?", "-map", "0:a?", "-c", "copy", "-f", "streamhash", "-"])
        return run.output.split(separator: "\n").map(String.init)
    }

    /// - Parameter stream: Of pictures or sound.
    private func frameHashes(_ path: String, of stream: String = "0:v:0") async throws -> [String] {
        let run = try await CommandRun.run(
            "ffmpeg", ["-v", "error", "-i", path, "-map", stream, "-fps_mode", "passthrough", "-f", "framemd5", "-"])
        return run.output.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { String($0.split(separator: ",").last ?? "") }
    }

    @Test(
        arguments: Tier.some(
            [
                "movie.mp4", "movie.mov", "cues.mkv", "languages.mp4", "edit-list-trim.mp4", "vfr.mp4",
                "hevc-open-gop.mp4",
                "anamorphic.mp4", "rotate-90.mp4", "long-gop.mp4",
            ], 3))
    func `A movie copied sample by sample has the same samples, frames and tracks`(_ name: String) async throws {
        for inTurns in [true, false] {
            let folder = try TemporaryFolder()
            try await copy(Fixture(name).asset, with: writer(folder, "copy.mp4"), inTurns: inTurns)
            #expect(try folder.contents() == ["copy.mp4"])
            #expect(try await streamHashes(folder.path("copy.mp4")) == streamHashes(Fixture(name).path))
            #expect(try await frameHashes(folder.path("copy.mp4")) == frameHashes(Fixture(name).path))
            for stream in ["v", "a"] where name.hasSuffix("mp4") {
                let facts = [
                    "-select_streams", stream, "-count_packets", "-show_entries",
                    "stream=codec_name,width,height,sample_aspect_ratio,start_time,nb_read_packets:stream_tags=language",
                ]
                #expect(try await ffprobe(folder.path("copy.mp4"), facts) == ffprobe(Fixture(name).path, facts))
            }
            // ffprobe counts no part of a picture that an edit list shows in part.
            let length = ["-show_entries", "format=duration"]
            let (made, known) = try await (
                ffprobe(folder.path("copy.mp4"), length), ffprobe(Fixture(name).path, length)
            )
            #expect(abs((Double(made.first ?? "") ?? 0) - (Double(known.first ?? "") ?? -1)) < 0.025)
        }
    }

    // In fragments FFmpeg tells of no sample of lossless sound how long it is, and raw pictures have no times at all.
    @Test(arguments: [
        ("sound.mov", ["-f", "lavfi", "-i", "sine=d=1:r=44100", "-c:a", "alac", "-use_editlist", "0"]),
        ("raw.h264", ["-f", "lavfi", "-i", "testsrc2=d=2:s=64x48", "-c:v", "libx264", "-bf", "3"]),
        (
            "raw.hevc",
            ["-f", "lavfi", "-i", "testsrc2=d=1:s=64x64", "-c:v", "libx265", "-x265-params", "log-level=none"]
        ),
    ])
    func `Samples without durations or times are copied completely`(_ name: String, _ options: [String]) async throws {
        let folder = try TemporaryFolder()
        let fragments = name.hasSuffix("mov") ? ["-movflags", "+frag_keyframe+empty_moov"] : []
        let made = try await CommandRun.run("ffmpeg", ["-v", "error"] + options + fragments + [folder.path(name)])
        #expect(made.exitCode == 0, "\(made.errorOutput)")
        try await copy(
            AVURLAsset(url: URL(fileURLWithPath: folder.path(name))), with: writer(folder, "copy.mov"))
        let wanted = try await frameHashes(folder.path(name), of: "0")
        #expect(try await frameHashes(folder.path("copy.mov"), of: "0") == wanted && wanted.count > 10)
        let times = try await ffprobe(folder.path("copy.mov"), ["-show_entries", "frame=pts_time"])
            .compactMap { Double($0.filter { $0.isNumber || $0 == "." }) }
        let steps = Set(zip(times.dropFirst(), times).map { (later, time) in ((later - time) * 1000).rounded() })
        #expect(times.first == 0 && steps.count == 1, "\(steps)")
    }

    @Test func `A range copied sample by sample shows just that range`() async throws {
        let folder = try TemporaryFolder()
        let part = range(seconds(2000), seconds(3000))
        try await copy(
            Fixture("long-gop.mp4").asset, with: writer(folder, "part.mp4"), from: seconds(2000), range: part)
        let frames = try await Reading.read(AVURLAsset(url: URL(fileURLWithPath: folder.path("part.mp4")))).frames
        #expect(frames.map(\.number) == (50..<75).map { $0 })
        #expect(frames.first?.presentationTime == .zero)
        let hashes = try await frameHashes(Fixture("long-gop.mp4").path)
        #expect(try await frameHashes(folder.path("part.mp4")) == Array(hashes[50..<75]))
    }

    @Test func `Frames are encoded at just their times`() async throws {
        let folder = try TemporaryFolder()
        let writer = try writer(folder, "film.mp4")
        let input = AVAssetWriterInput(mediaType: .video, outputSettings: h264())
        let adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: input)
        writer.add(input)
        try writer.start()
        writer.startSession(atSourceTime: seconds(1, 1))
        // Seven pictures at uneven times of a clock of 1001/30000 s.
        let ticks: [Int64] = [30_000, 31_001, 32_002, 40_000, 40_001, 45_045, 60_000]
        for (index, tick) in ticks.enumerated() {
            #expect(adaptor.append(try grey(UInt8(30 * index)), withPresentationTime: seconds(tick, 30_000)))
        }
        writer.endSession(atSourceTime: seconds(3, 1))
        input.markAsFinished()
        await writer.finishWriting()
        #expect(writer.status == .completed, "\(String(describing: writer.error))")
        let times = try await ffprobe(
            folder.path("film.mp4"), ["-select_streams", "v:0", "-show_entries", "frame=pts"])
        let base = try await ffprobe(folder.path("film.mp4"), ["-show_entries", "stream=time_base"])
        let scale = try #require(base.first?.split(separator: "/").last.flatMap { Int64($0) })
        #expect(scale % 30_000 == 0)
        #expect(times.compactMap { Int64($0.split(separator: ",")[0]) } == ticks.map { ($0 - 30_000) * scale / 30_000 })
        let length = try await ffprobe(folder.path("film.mp4"), ["-show_entries", "format=duration"])
        #expect(length == ["2.000000"])
        let pixels = try await CommandRun.ffmpegPixels(
            of: folder.path("film.mp4"), options: ["-fps_mode", "passthrough"])
        #expect(pixels.count == 7 * 64 * 48 * 3)
        for index in 0..<7 { #expect(abs(Int(pixels[index * 9216 + 4608]) - 30 * index) <= 3) }
    }

    @Test func `Audio is encoded with silence where there is none`() async throws {
        let folder = try TemporaryFolder()
        let writer = try writer(folder, "sound.m4a")
        let input = AVAssetWriterInput(
            mediaType: .audio,
            outputSettings: [AVFormatIDKey: kAudioFormatAppleLossless, AVEncoderBitDepthHintKey: 16])
        writer.add(input)
        try writer.start()
        writer.startSession(atSourceTime: .zero)
        let tone = [Float](repeating: 0.5, count: 4800)
        for start in [0, 4800, 14_400] {
            let piece = try #require(
                SoundPiece(channels: [tone], sampleRate: 48_000, time: seconds(Int64(start), 48_000)))
            #expect(input.append(try piece.sampleBuffer(at: piece.time)))
        }
        input.markAsFinished()
        await writer.finishWriting()
        #expect(writer.status == .completed, "\(String(describing: writer.error))")
        let bytes = try await ffmpegSound(of: folder.path("sound.m4a"), "s16le")
        let samples = stride(from: 0, to: bytes.count, by: 2).map {
            Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
        }
        let expected =
            [Int16](repeating: 16_384, count: 9600) + [Int16](repeating: 0, count: 4800)
            + [Int16](repeating: 16_384, count: 4800)
        #expect(isSame(samples, expected))
    }

    @Test func `A transcode keeps frames, times and audio`() async throws {
        let folder = try TemporaryFolder()
        let writer = try writer(folder, "new.mp4")
        let asset = Fixture("movie.mp4").asset
        let reader = try AVAssetReader(asset: asset)
        var pairs: [(AVAssetReaderTrackOutput, AVAssetWriterInput)] = []
        for track in try await asset.load(.tracks) where [.video, .audio].contains(track.mediaType) {
            let isPicture = track.mediaType == .video
            let output = AVAssetReaderTrackOutput(
                track: track, outputSettings: isPicture ? [:] : [AVFormatIDKey: kAudioFormatLinearPCM])
            let input = AVAssetWriterInput(
                mediaType: track.mediaType,
                outputSettings: isPicture ? h264(320, 240) : [AVFormatIDKey: kAudioFormatMPEG4AAC])
            reader.add(output)
            writer.add(input)
            pairs.append((output, input))
        }
        try reader.start()
        try writer.start()
        writer.startSession(atSourceTime: .zero)
        for (output, input) in pairs {
            while let sample = output.copyNextSampleBuffer() { #expect(input.append(sample)) }
            input.markAsFinished()
        }
        await writer.finishWriting()
        #expect(writer.status == .completed, "\(String(describing: writer.error))")
        let frames = try await Reading.read(AVURLAsset(url: URL(fileURLWithPath: folder.path("new.mp4")))).frames
        #expect(frames.map(\.number) == (0..<250).map { $0 })
        #expect(frames.map(\.presentationTime) == (0..<250).map { seconds($0, 25) })
        let codecs = try await ffprobe(folder.path("new.mp4"), ["-show_entries", "stream=codec_name"])
        #expect(codecs.sorted() == ["aac", "h264"])
        let ssim = try await CommandRun.run(
            "ffmpeg",
            [
                "-i", folder.path("new.mp4"), "-i", Fixture("movie.mp4").path, "-lavfi", "[0:v][1:v]ssim", "-f", "null",
                "-",
            ])
        let all = try #require(ssim.errorOutput.firstMatch(of: /All:([0-9.]+)/)).output.1
        #expect(try #require(Double(all)) > 0.97)
    }

    @Test func `A written file has the properties that were set`() async throws {
        let folder = try TemporaryFolder()
        let writer = try writer(folder, "said.mov")
        let input = AVAssetWriterInput(mediaType: .video, outputSettings: h264())
        input.transform = CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 48, ty: 0)
        input.languageCode = "swe"
        input.mediaTimeScale = 24_000
        let title = AVMutableMetadataItem()
        title.identifier = .commonIdentifierTitle
        title.value = "Ett namn" as NSString
        writer.metadata = [title]
        writer.movieTimeScale = 48_000
        writer.shouldOptimizeForNetworkUse = true
        writer.add(input)
        try writer.start()
        writer.startSession(atSourceTime: .zero)
        for index in 0..<3 {
            let format = try CMFormatDescription(imageBuffer: grey(9))
            let sample = try CMSampleBuffer(
                imageBuffer: grey(9), formatDescription: format,
                sampleTiming: CMSampleTimingInfo(
                    duration: seconds(1, 24), presentationTimeStamp: seconds(Int64(index), 24),
                    decodeTimeStamp: .invalid))
            #expect(input.append(sample))
        }
        await writer.finishWriting()
        #expect(writer.status == .completed, "\(String(describing: writer.error))")
        let path = folder.path("said.mov")
        #expect(try await ffprobe(path, ["-show_entries", "stream=time_base"]).contains { $0.hasPrefix("1/24000") })
        #expect(try await ffprobe(path, ["-show_entries", "format_tags"]).contains { $0.contains("Ett namn") })
        #expect(
            try await ffprobe(path, ["-show_entries", "stream_side_data=rotation"]).contains { $0.contains("-90") })
        let asset = AVURLAsset(url: URL(fileURLWithPath: path))
        let track = try #require(try await asset.loadTracks(withMediaType: .video).first)
        #expect(try await track.load(.preferredTransform) == input.transform)
        #expect(try await track.load(.timeRange) == range(.zero, seconds(3, 24)))
        #expect(try await track.load(.extendedLanguageTag) == "sv")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let (moov, mdat) = (bytes.range(of: Data("moov".utf8)), bytes.range(of: Data("mdat".utf8)))
        #expect(try #require(moov).lowerBound < #require(mdat).lowerBound)
    }

    @Test func `Frames of another shape are fitted into the size`() async throws {
        for (mode, corner) in [
            (AVVideoScalingModeResizeAspect, 0), (AVVideoScalingModeResize, 200),
            (AVVideoScalingModeResizeAspectFill, 200),
        ] {
            let folder = try TemporaryFolder()
            let writer = try writer(folder, "fit.mp4")
            var settings = h264(64, 64)
            settings[AVVideoScalingModeKey] = mode
            let input = AVAssetWriterInput(mediaType: .video, outputSettings: settings)
            let adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: input)
            writer.add(input)
            try writer.start()
            writer.startSession(atSourceTime: .zero)
            for index in 0..<3 {
                #expect(adaptor.append(try grey(200, 128, 64), withPresentationTime: seconds(Int64(index), 25)))
            }
            await writer.finishWriting()
            let pixels = try await CommandRun.ffmpegPixels(of: folder.path("fit.mp4"), options: ["-frames:v", "1"])
            #expect(abs(Int(pixels[3 * (2 * 64 + 32)]) - corner) <= 6, "\(mode)")
            #expect(abs(Int(pixels[3 * (32 * 64 + 32)]) - 200) <= 6, "\(mode)")
        }
    }
}
