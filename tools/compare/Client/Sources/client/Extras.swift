import Foundation
import OpenAVFoundation
import OpenAVFoundationExtras

/// What the library has beyond AVFoundation: stills with details, previews, scenes, metadata files, times.
@Sendable func extras(_ workspace: Workspace) async throws {
    for name in ["movie.mp4", "vfr.mp4", "damaged.mp4", "h264.ts", "hevc-open-gop.ts"] {
        let asset = AVURLAsset(url: workspace.fixture(name))
        let generator = exactGenerator(asset)
        generator.sizes = [PixelSize(width: 160, height: 0), PixelSize(width: 80, height: 0)]
        var found: [String] = []
        for await result in generator.stills(for: [0, 9, 22, 38].map { CMTime(value: $0, timescale: 10) }) {
            switch result {
            case .success(let still):
                let sizes = try still.images.map { "\($0.width)x\($0.height) \(Digest(try pngData($0)))" }
                found.append(
                    "\(still.index) \(text(still.requestedTime)) \(text(still.actualTime)) \(text(still.duration))"
                        + " \(still.isSyncSample) \(still.isExact) \(still.damage ?? "undamaged") \(sizes)")
            case .failure(let failure): found.append("\(text(failure.requestedTime)) \(describe(failure.error))")
            }
        }
        try workspace.write("\(name)-stills.txt", found.sorted())
        let scenes = await outcome {
            try await asset.detectScenes().scenes.map { "\(text($0.timeRange)) \($0.firstFrame) \($0.lastFrame)" }
        }
        try workspace.write("\(name)-scenes.txt", [scenes])
        let times = await [
            outcome { text(try await asset.loadTime(of: TimeExpression.parse("1/3"))) },
            outcome { text(try await asset.loadTime(of: TimeExpression.parse("#20"))) },
            outcome { text(try await asset.loadTimeRange(of: TimeRangeExpression.parse("1s+1s"))) },
        ]
        try workspace.write("\(name)-times.txt", times)
    }
    let movie = AVURLAsset(url: workspace.fixture("movie.mp4"))
    var sheet = ContactSheet.Settings()
    sheet.columns = 3
    sheet.rows = 2
    let made = try await ContactSheet.make(of: movie, name: "movie.mp4", settings: sheet)
    try workspace.write("sheet.png", try made.image.pngData())
    try workspace.write("sheet.txt", made.tiles.map { "\($0.label) \(text($0.actualTime))" })
    var board = StoryboardSettings()
    board.interval = CMTime(value: 2, timescale: 1)
    board.extras = [.page, .bif]
    try await StoryboardMaker(settings: board).makeStoryboard(of: movie, at: workspace.result("storyboard").path)
    try changeMetadata(workspace)
}

private func changeMetadata(_ workspace: Workspace) throws {
    for name in ["movie.mp4", "movie.mov", "cues.mkv", "audio-only.mp3", "audio-only.flac", "theora.ogv"] {
        let url = workspace.result(name)
        try FileManager.default.copyItem(at: workspace.fixture(name), to: url)
        var file = try MetadataFile(url: url)
        var item = file.mediaItem
        item.name = "Bars, counted"
        item.trackNumber = 3
        file.apply(item)
        let losses = try file.plan().losses.map { "\($0.item) \($0.reason)" }
        try workspace.write("\(name)-losses.txt", losses)
        try file.save()
    }
}
