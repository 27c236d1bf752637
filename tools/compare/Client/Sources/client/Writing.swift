import Foundation
import OpenAVFoundation

/// A frame of a pattern that moves.
func drawnFrame(_ number: Int, width: Int, height: Int) throws -> CVPixelBuffer {
    var created: CVPixelBuffer?
    CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &created)
    guard let pixels = created else { throw ClientError.noImage }
    CVPixelBufferLockBaseAddress(pixels, [])
    defer { CVPixelBufferUnlockBaseAddress(pixels, []) }
    guard let base = CVPixelBufferGetBaseAddress(pixels) else { throw ClientError.noImage }
    let stride = CVPixelBufferGetBytesPerRow(pixels)
    for y in 0..<height {
        let row = (base + y * stride).assumingMemoryBound(to: UInt8.self)
        for x in 0..<width {
            row[4 * x] = UInt8(truncatingIfNeeded: x * 3 + number * 5)
            row[4 * x + 1] = UInt8(truncatingIfNeeded: y * 4)
            row[4 * x + 2] = UInt8(truncatingIfNeeded: (x + y) * 2 + number)
            row[4 * x + 3] = 255
        }
    }
    return pixels
}

/// Files of drawn frames, and of samples that a reader gives.
@Sendable func writing(_ workspace: Workspace) async throws {
    for (name, type, codec) in [
        ("drawn.mp4", AVFileType.mp4, AVVideoCodecType.h264), ("drawn.mov", .mov, .proRes422),
        ("drawn-hevc.mp4", .mp4, .hevc),
    ] {
        try await draw(to: workspace.result(name), type, codec)
    }
    for (source, type, target) in [
        ("movie.mp4", AVFileType.mp4, "copied.mp4"), ("movie.mov", .mov, "copied.mov"),
        ("languages.mp4", .mp4, "copied-languages.mp4"), ("hevc-open-gop.mp4", .mp4, "copied-hevc.mp4"),
    ] {
        try await copy(workspace.fixture(source), to: workspace.result(target), type)
    }
    try await transcode(workspace.fixture("movie.mp4"), to: workspace.result("transcoded.mp4"))
    try await addTimedMetadata(workspace.fixture("movie.mp4"), to: workspace.result("places.mov"))
}

private func finish(_ writer: AVAssetWriter) async throws {
    await writer.finishWriting()
    guard writer.status == .completed else { throw writer.error ?? ClientError.failed("writing") }
}

private func draw(to url: URL, _ type: AVFileType, _ codec: AVVideoCodecType) async throws {
    let writer = try AVAssetWriter(outputURL: url, fileType: type)
    let settings: [String: Any] = [AVVideoCodecKey: codec, AVVideoWidthKey: 96, AVVideoHeightKey: 64]
    let input = AVAssetWriterInput(mediaType: .video, outputSettings: settings)
    let adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: input)
    writer.add(input)
    guard writer.startWriting() else { throw writer.error ?? ClientError.failed("starting") }
    writer.startSession(atSourceTime: .zero)
    for number in 0..<12 {
        let frame = try drawnFrame(number, width: 96, height: 64)
        while !input.isReadyForMoreMediaData { try await Task.sleep(for: .milliseconds(1)) }
        guard adaptor.append(frame, withPresentationTime: CMTime(value: Int64(number), timescale: 12)) else { break }
    }
    writer.endSession(atSourceTime: CMTime(value: 1, timescale: 1))
    input.markAsFinished()
    try await finish(writer)
}

private func copy(_ source: URL, to url: URL, _ type: AVFileType) async throws {
    let asset = AVURLAsset(url: source)
    let reader = try AVAssetReader(asset: asset)
    let writer = try AVAssetWriter(outputURL: url, fileType: type)
    let title = AVMutableMetadataItem()
    title.identifier = .commonIdentifierTitle
    title.value = "A copy" as NSString
    writer.metadata = [title]
    var pairs: [(output: AVAssetReaderTrackOutput, input: AVAssetWriterInput)] = []
    for track in try await asset.load(.tracks) where track.mediaType == .video || track.mediaType == .audio {
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
        let format = try await track.load(.formatDescriptions).first
        let input = AVAssetWriterInput(mediaType: track.mediaType, outputSettings: nil, sourceFormatHint: format)
        reader.add(output)
        writer.add(input)
        pairs.append((output, input))
    }
    try reader.start()
    try writer.start()
    writer.startSession(atSourceTime: .zero)
    while !pairs.isEmpty {
        for (index, pair) in pairs.enumerated().reversed() {
            if let sample = pair.output.copyNextSampleBuffer(), pair.input.append(sample) { continue }
            pair.input.markAsFinished()
            pairs.remove(at: index)
        }
    }
    try await finish(writer)
}

private func transcode(_ source: URL, to url: URL) async throws {
    let asset = AVURLAsset(url: source)
    guard let track = try await asset.loadTracks(withMediaType: .video).first else { throw ClientError.noTrack }
    let reader = try AVAssetReader(asset: asset)
    reader.timeRange = CMTimeRange(start: CMTime(value: 1, timescale: 1), duration: CMTime(value: 1, timescale: 1))
    let output = AVAssetReaderTrackOutput(
        track: track, outputSettings: pixelFormat(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange))
    reader.add(output)
    let writer = try AVAssetWriter(url: url, fileType: .mp4)
    writer.shouldOptimizeForNetworkUse = true
    let input = AVAssetWriterInput(
        mediaType: .video,
        outputSettings: [
            AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: 160, AVVideoHeightKey: 120,
            AVVideoCompressionPropertiesKey: [
                AVVideoAverageBitRateKey: 200_000, AVVideoMaxKeyFrameIntervalKey: 10,
            ],
        ])
    input.transform = CGAffineTransform(rotationAngle: .pi / 2)
    writer.add(input)
    try reader.start()
    try writer.start()
    writer.startSession(atSourceTime: CMTime(value: 1, timescale: 1))
    while let sample = output.copyNextSampleBuffer() {
        while !input.isReadyForMoreMediaData { try await Task.sleep(for: .milliseconds(1)) }
        guard input.append(sample) else { break }
    }
    input.markAsFinished()
    try await finish(writer)
}

private func addTimedMetadata(_ source: URL, to url: URL) async throws {
    let asset = AVURLAsset(url: source)
    guard let track = try await asset.loadTracks(withMediaType: .video).first else { throw ClientError.noTrack }
    let reader = try AVAssetReader(asset: asset)
    let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
    let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
    let frames = AVAssetWriterInput(mediaType: .video, outputSettings: nil)
    let location = AVMutableMetadataItem()
    location.identifier = .quickTimeMetadataLocationISO6709
    location.dataType = kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709
    location.value = "+48.2085+016.3721/" as NSString
    let group = AVTimedMetadataGroup(
        items: [location], timeRange: CMTimeRange(start: .zero, duration: CMTime(value: 2, timescale: 1)))
    let places = AVAssetWriterInput(
        mediaType: .metadata, outputSettings: nil, sourceFormatHint: group.copyFormatDescription())
    let adaptor = AVAssetWriterInputMetadataAdaptor(assetWriterInput: places)
    reader.add(output)
    writer.add(frames)
    writer.add(places)
    try reader.start()
    try writer.start()
    writer.startSession(atSourceTime: .zero)
    guard adaptor.append(group) else { throw writer.error ?? ClientError.failed("appending") }
    places.markAsFinished()
    while let sample = output.copyNextSampleBuffer(), frames.append(sample) {}
    frames.markAsFinished()
    try await finish(writer)
}
