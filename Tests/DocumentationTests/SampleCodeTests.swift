import Foundation
import MediaTestSupport
import OpenAVFoundation
import OpenAVFoundationExtras
import Testing

/// The code of the article on reading and writing samples.
@Suite struct `Code on samples` {
    let url = Fixture("movie.mp4").url
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func output(_ name: String) -> URL { URL(fileURLWithPath: folder.path(name)) }

    private func duration(_ output: URL) async throws -> CMTime { try await AVURLAsset(url: output).load(.duration) }

    @Test func `Documented code reads the frames of a range`() async throws {
        // code: read
        let asset = AVURLAsset(url: url)
        guard let track = try await asset.loadTracks(withMediaType: .video).first else { return }
        let reader = try AVAssetReader(asset: asset)
        reader.timeRange = CMTimeRange(
            start: CMTime(value: 2, timescale: 1), duration: CMTime(value: 1, timescale: 1))
        let output = AVAssetReaderTrackOutput(
            track: track, outputSettings: [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA])
        reader.add(output)
        guard reader.startReading() else { throw reader.error ?? CocoaError(.fileReadUnknown) }
        while let sample = output.copyNextSampleBuffer() {
            guard let buffer = CMSampleBufferGetImageBuffer(sample) else { continue }
            CVPixelBufferLockBaseAddress(buffer, .readOnly)
            defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
            guard let pixels = CVPixelBufferGetBaseAddress(buffer) else { continue }
            let blue = pixels.load(as: UInt8.self)
            print(CMSampleBufferGetPresentationTimeStamp(sample).seconds, blue)
        }
        if reader.status == .failed { throw reader.error ?? CocoaError(.fileReadUnknown) }
        // end of code
        #expect(reader.status == .completed)
    }

    @Test func `Documented code copies with providers and receivers and adds timed metadata`() async throws {
        let asset = AVURLAsset(url: url)
        let output = output("places.mov")
        // code: async
        let reader = try AVAssetReader(asset: asset)
        let writer = try AVAssetWriter(outputURL: output, fileType: .mov)
        guard let track = try await asset.loadTracks(withMediaType: .video).first else { return }
        let provider = reader.outputProvider(for: AVAssetReaderTrackOutput(track: track, outputSettings: nil))
        let pictures = AVAssetWriterInput(mediaType: .video, outputSettings: nil)
        let receiver = writer.inputReceiver(for: pictures)
        let place = AVMutableMetadataItem()
        place.identifier = .quickTimeMetadataLocationISO6709
        place.dataType = kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709
        place.value = "+48.2085+016.3721/" as NSString
        let group = AVTimedMetadataGroup(
            items: [place], timeRange: CMTimeRange(start: .zero, duration: CMTime(value: 2, timescale: 1)))
        let places = AVAssetWriterInput(
            mediaType: .metadata, outputSettings: nil, sourceFormatHint: group.copyFormatDescription())
        places.addTrackAssociation(
            withTrackOf: pictures, type: AVAssetTrack.AssociationType.metadataReferent.rawValue)
        let metadata = writer.inputMetadataReceiver(for: places)
        try reader.start()
        try writer.start()
        writer.startSession(atSourceTime: .zero)
        try await metadata.append(group)
        metadata.finish()
        while let sample = try await provider.next() { try await receiver.append(sample) }
        receiver.finish()
        await writer.finishWriting()
        if writer.status != .completed { throw writer.error ?? CocoaError(.fileWriteUnknown) }
        // end of code
        let made = AVURLAsset(url: output)
        #expect(try await made.loadTracks(withMediaType: .metadata).count == 1)
    }

    @Test func `Documented code encodes pixel buffers`() async throws {
        let output = output("grey.mp4")
        var pictures: [CVPixelBuffer] = []
        for _ in 0..<5 {
            var buffer: CVPixelBuffer?
            CVPixelBufferCreate(nil, 320, 240, kCVPixelFormatType_32BGRA, nil, &buffer)
            pictures.append(try #require(buffer))
        }
        // code: write
        let writer = try AVAssetWriter(outputURL: output, fileType: .mp4)
        let settings: [String: Any] = [
            AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: 320, AVVideoHeightKey: 240,
        ]
        let input = AVAssetWriterInput(mediaType: .video, outputSettings: settings)
        let adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: input)
        writer.add(input)
        guard writer.startWriting() else { throw writer.error ?? CocoaError(.fileWriteUnknown) }
        writer.startSession(atSourceTime: .zero)
        for (number, picture) in pictures.enumerated() {
            let time = CMTime(value: Int64(number), timescale: 25)
            guard adaptor.append(picture, withPresentationTime: time) else { break }
        }
        writer.endSession(atSourceTime: CMTime(value: Int64(pictures.count), timescale: 25))
        input.markAsFinished()
        await writer.finishWriting()
        if writer.status != .completed { throw writer.error ?? CocoaError(.fileWriteUnknown) }
        // end of code
        #expect(try await duration(output) == CMTime(value: 5, timescale: 25))
    }

    @Test func `Documented code copies coded samples`() async throws {
        let asset = AVURLAsset(url: url)
        let output = output("copy.mp4")
        // code: copy
        let reader = try AVAssetReader(asset: asset)
        let writer = try AVAssetWriter(outputURL: output, fileType: .mp4)
        var pairs: [(AVAssetReaderTrackOutput, AVAssetWriterInput)] = []
        for track in try await asset.load(.tracks) {
            let samples = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
            let input = AVAssetWriterInput(mediaType: track.mediaType, outputSettings: nil)
            reader.add(samples)
            writer.add(input)
            pairs.append((samples, input))
        }
        try reader.start()
        try writer.start()
        writer.startSession(atSourceTime: .zero)
        while !pairs.isEmpty {
            for (index, (samples, input)) in pairs.enumerated().reversed() {
                if let sample = samples.copyNextSampleBuffer(), input.append(sample) { continue }
                input.markAsFinished()
                pairs.remove(at: index)
            }
        }
        if reader.status == .failed {
            writer.cancelWriting()
            throw reader.error ?? CocoaError(.fileReadUnknown)
        }
        await writer.finishWriting()
        if writer.status != .completed { throw writer.error ?? CocoaError(.fileWriteUnknown) }
        // end of code
        #expect(reader.status == .completed)
    }

    @Test func `Documented code reads frames and audio as sequences`() async throws {
        let asset = AVURLAsset(url: url)
        // code: frames
        let range = CMTimeRange(start: .zero, duration: CMTime(value: 2, timescale: 1))
        for try await frame in asset.frames(
            in: range, every: CMTime(value: 1, timescale: 2), format: kCVPixelFormatType_24RGB)
        {
            let size = frame.withPlane(0) { bytes, _ in bytes.byteCount }
            print(frame.time.seconds, frame.presentationTime.seconds, size ?? 0)
        }
        for try await piece in asset.sound(in: range, sampleRate: 16_000, channels: 1) {
            let loudest = piece.withChannel(0) { samples in
                var loudest: Float = 0
                for index in samples.indices { loudest = max(loudest, abs(samples[index])) }
                return loudest
            }
            print(piece.time.seconds, loudest ?? 0)
        }
        // end of code
    }

    @Test func `Documented code writes a media file of frames and audio`() async throws {
        let asset = AVURLAsset(url: url)
        let output = output("film.mp4")
        let range = CMTimeRange(start: .zero, duration: CMTime(value: 2, timescale: 1))
        // code: film
        try await MediaWriter.write(to: output) { writer in
            let pictures = try writer.addPictures(.init(width: 320, height: 240))
            let sound = try writer.addSound()
            try writer.start()
            for try await frame in asset.frames(in: range) {
                try await pictures.append(frame.pixelBuffer, at: frame.time)
            }
            try await pictures.finish(at: range.end)
            for try await piece in asset.sound(in: range) {
                try await sound.append(piece)
            }
            try await sound.finish()
        }
        // end of code
        #expect(try await duration(output) == range.duration)
    }

    @Test func `Documented code makes a waveform`() async throws {
        let asset = AVURLAsset(url: url)
        let output = output("peaks.json")
        // code: waveform
        var settings = WaveformSettings()
        settings.resolution = .pointsPerSecond(20)
        let waveform = try await asset.waveform(settings)
        try waveform.json.write(to: output)
        // end of code
        #expect(waveform.samplesPerPoint == 2400)
    }
}
