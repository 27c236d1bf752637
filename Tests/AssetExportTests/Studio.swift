import AssetExport
import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaTestSupport
import Testing

/// Films of one colour, made by ffmpeg, and what exports show of them, by ffmpeg.
struct Studio {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A film of one colour, two seconds of ten pictures each, without loss.
    func film(_ color: String, width: Int, height: Int, sound: String? = nil, name: String? = nil) async throws
        -> AVURLAsset
    {
        let path = folder.path((name ?? color) + ".mkv")
        var options = [
            "-v", "error", "-f", "lavfi", "-i", "color=c=\(color):s=\(width)x\(height):r=10:d=2,format=gbrp",
        ]
        if let sound { options += ["-f", "lavfi", "-i", sound, "-c:a", "pcm_s16le"] }
        let run = try await CommandRun.run("ffmpeg", options + ["-c:v", "ffv1", path])
        #expect(run.exitCode == 0, "\(run.errorOutput)")
        return AVURLAsset(url: URL(fileURLWithPath: path))
    }

    func export(
        _ asset: AVAsset, _ preset: String = "prores-4444", as type: AVFileType = .mov,
        _ change: (AVAssetExportSession) -> Void
    ) async throws -> StudioFilm {
        let session = AVAssetExportSession(asset: asset, preset: try ExportPresetCatalog.builtIn.preset(preset))
        change(session)
        let url = folder.url.appendingPathComponent("\(UUID().uuidString).\(type.filenameExtensions[0])")
        try await session.export(to: url, as: type)
        return StudioFilm(url: url, result: try #require(session.result))
    }
}

struct StudioFilm {
    let url: URL
    let result: ExportResult

    /// All pictures as packed RGB, by ffmpeg.
    func pictures() async throws -> [[UInt8]] {
        // Transport streams tell it for each programme too.
        let size = try await probe(["-select_streams", "v:0", "-show_entries", "stream=width,height"])
            .split(whereSeparator: \.isNewline)[0].split(separator: ",")
        let count = try 3 * #require(Int(size[0])) * #require(Int(size[1]))
        let run = try await CommandRun.run(
            "ffmpeg",
            ["-v", "error", "-i", url.path, "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
        let bytes = [UInt8](run.standardOutput)
        return stride(from: 0, to: bytes.count, by: count).map { Array(bytes[$0..<min($0 + count, bytes.count)]) }
    }

    func probe(_ options: [String]) async throws -> String {
        let run = try await CommandRun.run("ffprobe", ["-v", "error"] + options + ["-of", "csv=p=0", url.path])
        #expect(run.errorOutput.isEmpty)
        return run.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func samples() async throws -> [Float] {
        let run = try await CommandRun.run(
            "ffmpeg", ["-v", "error", "-i", url.path, "-map", "0:a:0", "-ac", "1", "-f", "f32le", "-"])
        return run.standardOutput.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }
}

extension [UInt8] {
    /// The colour of a pixel of a picture of packed RGB.
    func color(_ x: Int, _ y: Int, width: Int) -> [Int] {
        (0..<3).map { Int(self[3 * (y * width + x) + $0]) }
    }
}

func expect(
    _ color: [Int], isNear wanted: [Double], _ what: String, within tolerance: Double = 2,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    for (made, wanted) in zip(color, wanted) {
        #expect(
            abs(Double(made) - wanted) <= tolerance, "\(what): \(color), not \(wanted)", sourceLocation: sourceLocation)
    }
}
