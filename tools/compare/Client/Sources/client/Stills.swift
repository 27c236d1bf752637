import Foundation
import OpenAVFoundation

enum ClientError: Error {
    case noTrack, noSession, noImage
    case failed(String)
}

func pngData(_ image: CGImage) throws -> Data {
    let data = NSMutableData()
    guard let destination = CGImageDestinationCreateWithData(data, "public.png" as NSString, 1, nil) else {
        throw ClientError.noImage
    }
    CGImageDestinationAddImage(destination, image, nil)
    guard CGImageDestinationFinalize(destination) else { throw ClientError.noImage }
    return data as Data
}

func exactGenerator(_ asset: AVAsset) -> AVAssetImageGenerator {
    let generator = AVAssetImageGenerator(asset: asset)
    generator.appliesPreferredTrackTransform = true
    generator.requestedTimeToleranceBefore = .zero
    generator.requestedTimeToleranceAfter = .zero
    return generator
}

/// Stills of every fixture: digests of several times, and files of some.
@Sendable func stills(_ workspace: Workspace) async throws {
    let times = [0, 7, 13, 25, 40].map { CMTime(value: $0, timescale: 10) }
    for name in try workspace.all() {
        let asset = AVURLAsset(url: workspace.fixture(name))
        var lines = await digests("exact", exactGenerator(asset), at: times)
        let loose = AVAssetImageGenerator(asset: asset)
        loose.maximumSize = CGSize(width: 100, height: 90)
        lines += await digests("loose", loose, at: times)
        let half = exactGenerator(asset)
        half.requestedTimeToleranceAfter = CMTime(value: 1, timescale: 2)
        half.apertureMode = .encodedPixels
        half.appliesPreferredTrackTransform = false
        lines += await digests("half", half, at: times)
        try workspace.write("\(name).txt", lines)
    }
    for name in ["movie.mp4", "rotate-90.mp4", "alpha-prores.mov", "10bit.mp4", "anamorphic.mp4", "vp9.webm"] {
        let generator = exactGenerator(AVURLAsset(url: workspace.fixture(name)))
        let image = try await generator.image(at: CMTime(value: 1, timescale: 10)).image
        try workspace.write("\(name).png", try pngData(image))
    }
    try await older(workspace)
}

private func digests(_ name: String, _ generator: AVAssetImageGenerator, at times: [CMTime]) async -> [String] {
    var lines: [String] = []
    for await result in generator.images(for: times) {
        switch result {
        case .success(let requested, let image, let actual):
            let bytes = image.dataProvider?.data.map { "\(Digest($0 as Data))" } ?? "none"
            lines.append(
                "\(name) \(text(requested)) \(text(actual)) \(image.width)x\(image.height) \(image.bitsPerPixel)"
                    + " \(image.alphaInfo) \(image.colorSpace?.name as String? ?? "none") \(bytes)")
        case .failure(let requested, let error): lines.append("\(name) \(text(requested)) error: \(describe(error))")
        }
    }
    return lines.sorted()
}

/// The calls of the years before `async`.
private func older(_ workspace: Workspace) async throws {
    let generator = exactGenerator(AVURLAsset(url: workspace.fixture("movie.mov")))
    var actual = CMTime.invalid
    let image = try generator.copyCGImage(at: CMTime(value: 3, timescale: 2), actualTime: &actual)
    try workspace.write("older.txt", ["\(text(actual)) \(image.width)x\(image.height)"])
    try workspace.write("older.png", try pngData(image))
}
