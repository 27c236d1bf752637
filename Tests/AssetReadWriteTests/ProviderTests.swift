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

/// Samples that come and go without blocking: providers and receivers.
struct ProviderTests {
    private func writer(_ folder: TemporaryFolder, _ name: String) throws -> AVAssetWriter {
        let url = URL(fileURLWithPath: folder.path(name))
        return try AVAssetWriter(outputURL: url, fileType: #require(AVFileType(filenameExtension: url.pathExtension)))
    }

    private func hashes(_ path: String) async throws -> String {
        try await CommandRun.run(
            "ffmpeg", ["-v", "error", "-i", path, "-map", "0:v", "-map", "0:a", "-c", "copy", "-f", "streamhash", "-"]
        ).output
    }

    @Test func `Tracks are copied by tasks of their own`() async throws {
        let folder = try TemporaryFolder()
        let asset = Fixture("languages.mp4").asset
        let reader = try AVAssetReader(asset: asset)
        let writer = try writer(folder, "copy.mp4")
        var pairs:
            [(
                AVAssetReaderOutput.Provider<CMReadySampleBuffer<CMSampleBuffer.DynamicContent>>,
                AVAssetWriterInput.SampleBufferReceiver
            )] = []
        for track in try await asset.load(.tracks) {
            let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
            let input = AVAssetWriterInput(mediaType: track.mediaType, outputSettings: nil)
            pairs.append((reader.outputProvider(for: output), writer.inputReceiver(for: input)))
        }
        try reader.start()
        try writer.start()
        writer.startSession(atSourceTime: .zero)
        try await withThrowingTaskGroup { group in
            for (provider, receiver) in pairs {
                group.addTask {
                    while let sample = try await provider.next() { try await receiver.append(sample) }
                    receiver.finish()
                }
            }
            try await group.waitForAll()
        }
        await writer.finishWriting()
        #expect(reader.status == .completed)
        #expect(writer.status == .completed, "\(String(describing: writer.error))")
        #expect(try await hashes(folder.path("copy.mp4")) == hashes(Fixture("languages.mp4").path))
    }

    @Test(arguments: Tier.some(["mp4", "mov", "mkv"], 1))
    func `A written file is whole in whatever order its tracks come`(_ kind: String) async throws {
        // Eight tracks at once, each with its first and its last samples as soon as it can.
        let folder = try TemporaryFolder()
        let asset = Fixture("movie.mp4").asset
        let track = try #require(try await asset.loadTracks(withMediaType: .audio).first)
        let expected = try await Reading.read(asset, nil, of: .audio).samples.count
        for round in 0..<40 {
            let reader = try AVAssetReader(asset: asset)
            let writer = try writer(folder, "\(round).\(kind)")
            let pairs = (0..<8).map { _ in
                (
                    reader.outputProvider(for: AVAssetReaderTrackOutput(track: track, outputSettings: nil)),
                    writer.inputReceiver(for: AVAssetWriterInput(mediaType: .audio, outputSettings: nil))
                )
            }
            try reader.start()
            try writer.start()
            writer.startSession(atSourceTime: .zero)
            try await withThrowingTaskGroup { group in
                for (provider, receiver) in pairs {
                    group.addTask {
                        while let sample = try await provider.next() { try await receiver.append(sample) }
                        receiver.finish()
                    }
                }
                try await group.waitForAll()
            }
            await writer.finishWriting()
            try #require(writer.status == .completed, "\(String(describing: writer.error))")
            let told = try await ffprobe(
                writer.outputURL.path, ["-count_packets", "-show_entries", "stream=nb_read_packets"])
            // Matroska holds nothing before zero.
            try #require(told.count == 8)
            #expect(told.allSatisfy { Int($0) ?? 0 >= expected - (kind == "mkv" ? 2 : 0) }, "\(round): \(told)")
            try FileManager.default.removeItem(at: writer.outputURL)
        }
    }

    @Test func `Decoded samples of a provider are those of a blocking read`() async throws {
        let asset = Fixture("movie.mp4").asset
        let settings: [String: Any] = [
            kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        ]
        let blocking = try await Reading.read(asset, settings)
        let reader = try AVAssetReader(asset: asset)
        let pictures = reader.outputProvider(
            for: AVAssetReaderTrackOutput(
                track: try #require(try await asset.loadTracks(withMediaType: .video).first), outputSettings: settings))
        let sound = reader.outputProvider(
            for: AVAssetReaderTrackOutput(
                track: try #require(try await asset.loadTracks(withMediaType: .audio).first),
                outputSettings: [AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 16]))
        try reader.start()
        var index = 0
        while let sample = try await pictures.next() {
            guard case .pixelBuffer(let picture) = sample.content else {
                Issue.record("a picture is none")
                break
            }
            let planes = picture.accessUnsafeRawPlaneBytes { planes in
                planes.flatMap { plane in
                    let width =
                        plane.properties.size.width * (planes.count == 2 && plane.properties.size.width < 320 ? 2 : 1)
                    return (0..<plane.properties.size.height).flatMap { row in
                        Array(plane.bytes[(row * plane.properties.bytesPerRow)...].prefix(width))
                    }
                }
            }
            let isSame = planes == blocking.frames[index].bytes
            #expect(isSame)
            #expect(sample.presentationTimeStamp == blocking.frames[index].presentationTime)
            #expect(picture.size == CVImageSize(width: 320, height: 240))
            #expect(CMReadySampleBuffer<CVReadOnlyPixelBuffer>(sample)?.duration == blocking.frames[index].duration)
            #expect(CMReadySampleBuffer<CMReadOnlyDataBlockBuffer>(sample) == nil)
            index += 1
        }
        #expect(index == blocking.frames.count)
        var bytes = Data()
        while let sample = try await sound.next() {
            guard case .dataBuffer(let block) = sample.content else {
                Issue.record("sound is none")
                break
            }
            bytes.append(contentsOf: block)
            #expect(Data(block).count == sample.totalSampleSize)
        }
        let isSame = try await [UInt8](bytes) == ffmpegSound(of: Fixture("movie.mp4").path, "s16le")
        #expect(isSame)
        #expect(try await sound.next() == nil)
        #expect(reader.status == .completed)
    }

    @Test func `Frames of a pool are written at their times`() async throws {
        let folder = try TemporaryFolder()
        let writer = try writer(folder, "film.mov")
        let input = AVAssetWriterInput(
            mediaType: .video,
            outputSettings: [AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: 64, AVVideoHeightKey: 48])
        let receiver = writer.inputPixelBufferReceiver(
            for: input,
            pixelBufferAttributes: CVPixelBufferCreationAttributes(
                pixelFormatType: CVPixelFormatType(rawValue: kCVPixelFormatType_32BGRA),
                size: CVImageSize(width: 64, height: 48)))
        try writer.start()
        writer.startSession(atSourceTime: .zero)
        let pool = try #require(receiver.pixelBufferPool)
        for index in 0..<10 {
            var buffer = try pool.makeMutablePixelBuffer()
            buffer.accessUnsafeMutableRawPlaneBytes { planes in
                for plane in planes { _ = plane.bytes.initializeMemory(as: UInt8.self, repeating: UInt8(20 * index)) }
            }
            try await receiver.append(CVReadOnlyPixelBuffer(buffer), with: seconds(Int64(index), 10))
        }
        receiver.finish()
        writer.endSession(atSourceTime: seconds(1, 1))
        await writer.finishWriting()
        #expect(writer.status == .completed, "\(String(describing: writer.error))")
        let times = try await ffprobe(
            folder.path("film.mov"), ["-select_streams", "v:0", "-show_entries", "frame=pts_time"])
        let shown: [Double?] = times.map { line in Double(line.prefix { $0 != "," }) }
        #expect(shown == [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])
        let pixels = try await CommandRun.ffmpegPixels(
            of: folder.path("film.mov"), options: ["-fps_mode", "passthrough"])
        for index in 0..<10 {
            let (level, written) = (Int(pixels[index * 9216 + 4608]), 20 * index)
            #expect(abs(level - written) <= 3)
        }
    }

    @Test func `Metadata and other ranges are provided without blocking`() async throws {
        let folder = try TemporaryFolder()
        let writer = try writer(folder, "data.mov")
        let item = AVMutableMetadataItem()
        item.identifier = AVMetadataIdentifier(rawValue: "mdta/com.example.a")
        item.value = NSString("here")
        let group = AVTimedMetadataGroup(items: [item], timeRange: CMTimeRange(start: .zero, duration: seconds(1, 1)))
        let receiver = writer.inputMetadataReceiver(
            for: AVAssetWriterInput(
                mediaType: .metadata, outputSettings: nil, sourceFormatHint: group.copyFormatDescription()))
        try writer.start()
        writer.startSession(atSourceTime: .zero)
        try await receiver.append(group)
        #expect(
            try receiver.appendImmediately(
                AVTimedMetadataGroup(items: [], timeRange: CMTimeRange(start: seconds(1, 1), duration: seconds(1, 1)))))
        receiver.finish()
        await writer.finishWriting()
        let asset = AVURLAsset(url: URL(fileURLWithPath: folder.path("data.mov")))
        let track = try #require(try await asset.loadTracks(withMediaType: .metadata).first)
        let reader = try AVAssetReader(asset: asset)
        let (provider, controller) = reader.outputMetadataProviderWithRandomAccess(
            for: AVAssetReaderTrackOutput(track: track, outputSettings: nil))
        try reader.start()
        #expect(try await provider.next()?.items.map(\.stringValue) == ["here"])
        #expect(try await provider.next()?.items.isEmpty == true)
        #expect(try await provider.next() == nil)
        controller.resetForReading(timeRanges: [CMTimeRange(start: seconds(1, 2), duration: seconds(1, 4))])
        #expect(try await provider.next()?.items.map(\.stringValue) == ["here"])
        #expect(try await provider.next() == nil)
        #expect(reader.status == .reading)
        controller.markConfigurationAsFinal()
        #expect(reader.status == .completed)
    }

    @Test func `Errors of providers and receivers are thrown`() async throws {
        let folder = try TemporaryFolder()
        let asset = Fixture("damaged.mp4").asset
        let track = try #require(try await asset.loadTracks(withMediaType: .video).first)
        let reader = try AVAssetReader(asset: asset)
        let provider = reader.outputProvider(for: AVAssetReaderTrackOutput(track: track, outputSettings: [:]))
        await #expect(throws: AVError.self) { _ = try await provider.next() }
        try reader.start()
        var count = 0
        let error = await #expect(throws: AVError.self) { while try await provider.next() != nil { count += 1 } }
        #expect(error?.code == .decodeFailed || error?.code == .fileFailedToParse, "\(String(describing: error))")
        #expect(count > 0)

        let writer = try writer(folder, "none.mp4")
        let input = AVAssetWriterInput(
            mediaType: .video,
            outputSettings: [AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: 64, AVVideoHeightKey: 48])
        let receiver = writer.inputPixelBufferReceiver(for: input, pixelBufferAttributes: nil)
        #expect(receiver.pixelBufferPool == nil)
        let picture = try CVReadOnlyPixelBuffer(
            CVMutablePixelBuffer(
                CVPixelBufferCreationAttributes(
                    pixelFormatType: CVPixelFormatType(rawValue: kCVPixelFormatType_32BGRA),
                    size: CVImageSize(width: 64, height: 48))))
        try writer.start()
        await #expect(throws: AVError.self) { try await receiver.append(picture, with: .zero) }
        #expect(writer.status == .failed)
        #expect(throws: AVError.self) { try receiver.appendImmediately(picture, with: .zero) }
        #expect(try folder.contents().isEmpty)
    }

    @Test func `A task that was cancelled before ends reading and writing`() async throws {
        let folder = try TemporaryFolder()
        let asset = Fixture("movie.mp4").asset
        let track = try #require(try await asset.loadTracks(withMediaType: .video).first)
        let reader = try AVAssetReader(asset: asset)
        let provider = reader.outputProvider(for: AVAssetReaderTrackOutput(track: track, outputSettings: nil))
        let writer = try writer(folder, "film.mp4")
        let receiver = writer.inputReceiver(for: AVAssetWriterInput(mediaType: .video, outputSettings: nil))
        try reader.start()
        try writer.start()
        writer.startSession(atSourceTime: .zero)
        let sample = try #require(try await provider.next())
        try await receiver.append(sample)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            await #expect(throws: CancellationError.self) { try await receiver.append(sample) }
            _ = try await provider.next()
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(reader.status == .cancelled)
        #expect(writer.status == .cancelled)
        await writer.finishWriting()
        #expect(try folder.contents().isEmpty)
    }

    @Test func `Samples that would never be taken are an error`() async throws {
        let folder = try TemporaryFolder()
        let sample = try #require(try await Reading.read(Fixture("movie.mp4").asset, nil).samples.first)
        let ready = CMReadySampleBuffer(unsafeBuffer: sample)
        let writer = try writer(folder, "film.mp4")
        let receiver = writer.inputReceiver(for: AVAssetWriterInput(mediaType: .video, outputSettings: nil))
        try writer.start()
        #expect(throws: AVError.self) { try receiver.appendImmediately(ready) }
        writer.startSession(atSourceTime: .zero)
        #expect(try receiver.appendImmediately(ready))
        receiver.finish()
        #expect(throws: AVError.self) { try receiver.appendImmediately(ready) }
        await writer.finishWriting()
        #expect(writer.status == .completed, "\(String(describing: writer.error))")
        #expect(try folder.contents() == ["film.mp4"])
    }

    @Test func `A task that is cancelled meanwhile ends reading and writing`() async throws {
        let folder = try TemporaryFolder()
        let asset = Fixture("long-gop.mp4").asset
        let track = try #require(try await asset.loadTracks(withMediaType: .video).first)
        let reader = try AVAssetReader(asset: asset)
        let provider = reader.outputProvider(for: AVAssetReaderTrackOutput(track: track, outputSettings: [:]))
        let writer = try writer(folder, "film.mp4")
        let receiver = writer.inputReceiver(
            for: AVAssetWriterInput(
                mediaType: .video,
                outputSettings: [AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: 320, AVVideoHeightKey: 240]))
        try reader.start()
        try writer.start()
        writer.startSession(atSourceTime: .zero)
        let task = Task {
            while let sample = try await provider.next() { try await receiver.append(sample) }
        }
        try await Task.sleep(for: .milliseconds(20))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        reader.cancelReading()
        writer.cancelWriting()
        #expect(try folder.contents().isEmpty)
    }
}
