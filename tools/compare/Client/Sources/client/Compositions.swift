import Foundation
import OpenAVFoundation

private func seconds(_ value: Double) -> CMTime { CMTime(seconds: value, preferredTimescale: 600) }

private func range(_ start: Double, _ duration: Double) -> CMTimeRange {
    CMTimeRange(start: seconds(start), duration: seconds(duration))
}

/// Segments of several assets, one of them slower, with a gap.
private func edited(_ workspace: Workspace) async throws -> AVMutableComposition {
    let composition = AVMutableComposition()
    for type in [AVMediaType.video, .audio] {
        guard
            let track = composition.addMutableTrack(
                withMediaType: type, preferredTrackID: kCMPersistentTrackID_Invalid)
        else { throw ClientError.noTrack }
        var end = CMTime.zero
        for (name, part) in [
            ("movie.mp4", range(1, 0.8)), ("movie.mov", range(4, 0.4)), ("audio-longer.mp4", range(0, 0.6)),
        ] {
            let asset = AVURLAsset(url: workspace.fixture(name))
            guard let source = try await asset.loadTracks(withMediaType: type).first else { continue }
            try track.insertTimeRange(part, of: source, at: end)
            end = CMTimeAdd(end, part.duration)
        }
        track.insertEmptyTimeRange(range(0.8, 0.2))
    }
    composition.scaleTimeRange(range(0, 0.4), toDuration: seconds(0.8))
    composition.removeTimeRange(range(2, 0.1))
    return composition
}

/// Compositions: what they say, read, show and export.
@Sendable func compositions(_ workspace: Workspace) async throws {
    let composition = try await edited(workspace)
    var found = ["duration \(text(composition.duration))"]
    for track in composition.tracks {
        found.append("track \(track.trackID) \(track.mediaType.rawValue)")
        for segment in track.segments {
            let mapping = segment.timeMapping
            found.append("  \(segment.isEmpty) \(text(mapping.source)) → \(text(mapping.target))")
        }
    }
    try workspace.write("segments.txt", found)
    let video = composition.tracks(withMediaType: .video)
    let audio = composition.tracks(withMediaType: .audio)
    guard let first = video.first else { throw ClientError.noTrack }
    let frames = AVAssetReaderTrackOutput(track: first, outputSettings: pixelFormat(kCVPixelFormatType_32BGRA))
    try read("frames", composition, frames, nil, workspace)
    let mix = AVMutableAudioMix()
    mix.inputParameters = audio.map { track in
        let parameters = AVMutableAudioMixInputParameters(track: track)
        parameters.setVolume(0.5, at: .zero)
        parameters.setVolumeRamp(fromStartVolume: 0.5, toEndVolume: 0, timeRange: range(1, 0.5))
        return parameters
    }
    let mixed = AVAssetReaderAudioMixOutput(audioTracks: audio, audioSettings: linearPCM)
    mixed.audioMix = mix
    try read("audio", composition, mixed, nil, workspace)
    let generator = exactGenerator(composition)
    for time in [0.1, 0.9, 1.3, 1.7] {
        let line = await outcome { text(try await generator.image(at: seconds(time)).actualTime) }
        try workspace.write("still-\(time).txt", [line])
        if let image = try? await generator.image(at: seconds(time)).image {
            try workspace.write("still-\(time).png", try pngData(image))
        }
    }
    for (preset, type, name) in [
        (AVAssetExportPresetPassthrough, AVFileType.mov, "passthrough.mov"),
        (AVAssetExportPreset640x480, .mp4, "encoded.mp4"), (AVAssetExportPresetAppleM4A, .m4a, "audio.m4a"),
    ] {
        guard let session = AVAssetExportSession(asset: composition, presetName: preset) else {
            throw ClientError.noSession
        }
        session.audioMix = preset == AVAssetExportPresetPassthrough ? nil : mix
        let line = await outcome { try await session.export(to: workspace.result(name), as: type) }
        try workspace.write("\(name).txt", [line])
    }
}

/// Two videos, one above the other, by layer instructions.
private func layered(_ workspace: Workspace) async throws -> (AVMutableComposition, AVMutableVideoComposition) {
    let composition = AVMutableComposition()
    var layers: [AVMutableVideoCompositionLayerInstruction] = []
    for (name, transform) in [
        ("rotate-90.mp4", CGAffineTransform(scaleX: 0.5, y: 0.5).concatenating(.init(translationX: 30, y: 20))),
        ("movie.mp4", .identity),
    ] {
        let asset = AVURLAsset(url: workspace.fixture(name))
        guard let source = try await asset.loadTracks(withMediaType: .video).first,
            let track = composition.addMutableTrack(
                withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid)
        else { throw ClientError.noTrack }
        try track.insertTimeRange(range(0, 0.3), of: source, at: .zero)
        let layer = AVMutableVideoCompositionLayerInstruction(assetTrack: track)
        layer.setTransform(transform, at: .zero)
        layers.append(layer)
    }
    layers[0].setOpacityRamp(fromStartOpacity: 0, toEndOpacity: 1, timeRange: range(0, 0.2))
    layers[1].setCropRectangle(CGRect(x: 10, y: 20, width: 250, height: 180), at: seconds(0.1))
    let instruction = AVMutableVideoCompositionInstruction()
    instruction.timeRange = range(0, 0.3)
    instruction.layerInstructions = layers
    instruction.backgroundColor = CGColor(red: 0.2, green: 0.4, blue: 0, alpha: 1)
    let video = AVMutableVideoComposition()
    video.instructions = [instruction]
    video.frameDuration = CMTime(value: 1, timescale: 25)
    video.renderSize = CGSize(width: 320, height: 240)
    return (composition, video)
}

/// What the compositor is to do with a track's frames.
final class NegativeInstruction: NSObject, AVVideoCompositionInstructionProtocol {
    let timeRange: CMTimeRange
    let enablePostProcessing = false
    let containsTweening = false
    let requiredSourceTrackIDs: [NSValue]?
    let passthroughTrackID = kCMPersistentTrackID_Invalid
    let trackID: CMPersistentTrackID

    init(trackID: CMPersistentTrackID, timeRange: CMTimeRange) {
        (self.trackID, self.timeRange) = (trackID, timeRange)
        requiredSourceTrackIDs = [NSNumber(value: trackID)]
        super.init()
    }
}

/// Shows frames as negatives.
final class NegativeCompositor: NSObject, AVVideoCompositing {
    var sourcePixelBufferAttributes: [String: any Sendable]? { pixelFormat(kCVPixelFormatType_32BGRA) }

    var requiredPixelBufferAttributesForRenderContext: [String: any Sendable] {
        pixelFormat(kCVPixelFormatType_32BGRA)
    }

    func renderContextChanged(_ newRenderContext: AVVideoCompositionRenderContext) {}

    func startRequest(_ request: AVAsynchronousVideoCompositionRequest) {
        guard let instruction = request.videoCompositionInstruction as? NegativeInstruction,
            let source = request.sourceFrame(byTrackID: instruction.trackID),
            let target = request.renderContext.newPixelBuffer()
        else { return request.finish(with: ClientError.noImage) }
        CVPixelBufferLockBaseAddress(source, .readOnly)
        CVPixelBufferLockBaseAddress(target, [])
        let height = min(CVPixelBufferGetHeight(source), CVPixelBufferGetHeight(target))
        let width = min(CVPixelBufferGetWidth(source), CVPixelBufferGetWidth(target))
        if let from = CVPixelBufferGetBaseAddress(source), let to = CVPixelBufferGetBaseAddress(target) {
            for row in 0..<height {
                let input = (from + row * CVPixelBufferGetBytesPerRow(source)).assumingMemoryBound(to: UInt8.self)
                let output = (to + row * CVPixelBufferGetBytesPerRow(target)).assumingMemoryBound(to: UInt8.self)
                for index in 0..<(4 * width) { output[index] = index % 4 == 3 ? 255 : 255 - input[index] }
            }
        }
        CVPixelBufferUnlockBaseAddress(target, [])
        CVPixelBufferUnlockBaseAddress(source, .readOnly)
        request.finish(withComposedVideoFrame: target)
    }

    func cancelAllPendingVideoCompositionRequests() {}
}

/// Video compositions: layers, the asset's own properties, and a compositor of the client's.
@Sendable func compositors(_ workspace: Workspace) async throws {
    let (composition, layers) = try await layered(workspace)
    try await use("layers", composition, layers, workspace)
    let movie = AVURLAsset(url: workspace.fixture("movie.mp4"))
    guard let track = try await movie.loadTracks(withMediaType: .video).first else { throw ClientError.noTrack }
    let negative = try await AVMutableVideoComposition.videoComposition(withPropertiesOf: movie)
    negative.customVideoCompositorClass = NegativeCompositor.self
    negative.instructions = [
        NegativeInstruction(
            trackID: track.trackID, timeRange: CMTimeRange(start: .zero, duration: try await movie.load(.duration)))
    ]
    try await use("negative", movie, negative, workspace)
    for name in ["rotate-90.mp4", "anamorphic.mp4", "vfr.mp4"] {
        let asset = AVURLAsset(url: workspace.fixture(name))
        let own = try await AVMutableVideoComposition.videoComposition(withPropertiesOf: asset)
        let first = own.instructions.first as? AVVideoCompositionInstruction
        let count = first?.layerInstructions.count ?? 0
        try workspace.write("own-\(name).txt", ["\(own.renderSize) \(text(own.frameDuration)) \(count)"])
    }
}

private func use(_ name: String, _ asset: AVAsset, _ video: AVVideoComposition, _ workspace: Workspace) async throws {
    let generator = exactGenerator(asset)
    generator.videoComposition = video
    let image = try await generator.image(at: seconds(0.16)).image
    try workspace.write("\(name).png", try pngData(image))
    let tracks = try await asset.loadTracks(withMediaType: .video)
    let output = AVAssetReaderVideoCompositionOutput(
        videoTracks: tracks, videoSettings: pixelFormat(kCVPixelFormatType_32BGRA))
    output.videoComposition = video
    try read("\(name)-frames", asset, output, range(0, 0.3), workspace)
    guard let session = AVAssetExportSession(asset: asset, presetName: AVAssetExportPreset640x480) else {
        throw ClientError.noSession
    }
    session.videoComposition = video
    session.timeRange = range(0, 0.3)
    let line = await outcome { try await session.export(to: workspace.result("\(name).mp4"), as: .mp4) }
    try workspace.write("\(name).mp4.txt", [line])
}
