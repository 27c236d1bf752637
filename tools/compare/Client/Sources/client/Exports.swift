import Foundation
import OpenAVFoundation

/// Exports by presets, with ranges, metadata and filters; what presets fit what.
@Sendable func exports(_ workspace: Workspace) async throws {
    var found = ["presets \(AVAssetExportSession.allExportPresets().sorted())"]
    for name in ["movie.mp4", "audio-only.m4a", "vp9.webm", "10bit.mp4", "alpha-prores.mov"] {
        let asset = AVURLAsset(url: workspace.fixture(name))
        for preset in AVAssetExportSession.allExportPresets().sorted() {
            let fits = await AVAssetExportSession.compatibility(
                ofExportPreset: preset, with: asset, outputFileType: nil)
            let session = AVAssetExportSession(asset: asset, presetName: preset)
            let types = session.map { "\($0.supportedFileTypes.map(\.rawValue))" } ?? "no session"
            found.append("\(name) \(preset) \(fits) \(types)")
        }
    }
    try workspace.write("presets.txt", found)

    for (source, preset, type, name) in [
        ("movie.mp4", AVAssetExportPresetPassthrough, AVFileType.mp4, "passthrough.mp4"),
        ("movie.mov", AVAssetExportPresetPassthrough, .mov, "passthrough.mov"),
        ("languages.mp4", AVAssetExportPresetPassthrough, .mp4, "languages.mp4"),
        ("movie.mp4", AVAssetExportPresetLowQuality, .mp4, "low.mp4"),
        ("movie.mov", AVAssetExportPresetMediumQuality, .mov, "medium.mov"),
        ("rotate-90.mp4", AVAssetExportPresetHighestQuality, .mp4, "rotated.mp4"),
        ("10bit.mp4", AVAssetExportPresetHEVCHighestQuality, .mp4, "hevc.mp4"),
        ("alpha-prores.mov", AVAssetExportPresetAppleProRes4444LPCM, .mov, "prores.mov"),
        ("audio-only.flac", AVAssetExportPresetAppleM4A, .m4a, "audio.m4a"),
        ("text.mp4", AVAssetExportPresetPassthrough, .mp4, "refused.mp4"),
        ("truncated.mp4", AVAssetExportPresetPassthrough, .mp4, "truncated.mp4"),
    ] {
        let asset = AVURLAsset(url: workspace.fixture(source))
        guard let session = AVAssetExportSession(asset: asset, presetName: preset) else {
            try workspace.write("\(name).txt", ["no session"])
            continue
        }
        // What is shared must not keep what is cut out: such an export cannot start inside a GOP.
        if !["truncated.mp4", "passthrough.mov"].contains(where: { $0 == source || $0 == name }) {
            session.timeRange = CMTimeRange(
                start: CMTime(value: 1, timescale: 10), duration: CMTime(value: 6, timescale: 10))
        }
        session.shouldOptimizeForNetworkUse = true
        let title = AVMutableMetadataItem()
        title.identifier = .commonIdentifierTitle
        title.value = "Exported" as NSString
        if name == "passthrough.mp4" { session.metadata = [title] }
        if name == "passthrough.mov" { session.metadataItemFilter = .forSharing() }
        let line = await outcome { try await session.export(to: workspace.result(name), as: type) }
        try workspace.write("\(name).txt", [line, "\(session.status.rawValue)"])
    }
    // A name that is taken.
    let asset = AVURLAsset(url: workspace.fixture("movie.mp4"))
    if let session = AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough) {
        let line = await outcome { try await session.export(to: workspace.result("low.mp4"), as: .mp4) }
        try workspace.write("taken.txt", [line])
    }
}
