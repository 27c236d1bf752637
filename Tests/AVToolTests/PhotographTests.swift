import Foundation
import MediaTestSupport
import Testing

/// Times of photographs: one picture, shown for as long as the file is nominally.
@Suite struct `Stills of photographs` {
    let folder: WorkFolder

    init() throws { folder = try WorkFolder() }

    /// A photograph of a kind, made by ffmpeg.
    private func photograph(_ kind: String) async throws -> String {
        let encoder =
            switch kind {
            case "jpg": ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p"]
            case "webp": ["-c:v", "libwebp"]
            case "avif": ["-c:v", "libaom-av1", "-still-picture", "1"]
            default: ["-c:v", kind]
            }
        let run = try await Tool.run(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48", "-frames:v", "1"] + encoder
                + ["photo.\(kind)"],
            in: folder, limit: 30)
        try #require(run.exitCode == 0, "\(run.diagnostics)")
        return folder.path("photo.\(kind)")
    }

    static let kinds = ["png", "jpg", "webp", "tiff", "bmp", "gif", "avif"]

    // The end of a photograph was beyond a cut that there is not.
    @Test(arguments: kinds) func `any time names the one picture`(_ kind: String) async throws {
        let photograph = try await photograph(kind)
        let times = ["end", "100%", "1/1", "50%", "1/3", "#0", "#-1", "0", "start", "end-1ms"]
        let run = try await Tool.run("thumbs", "--at", times.joined(separator: ","), "--json", photograph, in: folder)
        #expect(run.exitCode == 0)
        #expect(run.diagnostics.isEmpty)
        let stills = try run.json()
        #expect(stills.count == times.count)
        #expect(stills.allSatisfy { ($0["actual"] as? [String: Any])?["value"] as? Int == 0 })
    }

    @Test(
        arguments: kinds,
        [
            ("--count 3", 3), ("--every 1s", 1), ("--keyframes", 1), ("--scenes", 1), ("--at end --tolerance 1s", 1),
            ("--at end --representative", 1), ("--count 2 --from 25% --to 75%", 2), ("--keyframes --to end", 1),
        ] as [(String, Int)])
    func `every way to choose gives it`(_ kind: String, _ choice: (options: String, count: Int)) async throws {
        let photograph = try await photograph(kind)
        let run = try await Tool.shell("\"$AVTOOL\" thumbs \(choice.options) '\(photograph)'", in: folder)
        #expect(run.exitCode == 0)
        #expect(run.diagnostics.isEmpty)
        #expect(run.lines.count == choice.count)
        #expect(run.lines.allSatisfy { $0.contains(" → 0  ") })
    }

    @Test(arguments: kinds) func `it is whole to every command`(_ kind: String) async throws {
        let photograph = try await photograph(kind)
        for command in ["verify", "scenes", "sheet --at end -o 1.png", "sheet --scenes -o 2.png", "sheet -o 3.png"] {
            let run = try await Tool.shell("\"$AVTOOL\" \(command) '\(photograph)'", in: folder)
            #expect(run.exitCode == 0, "\(command)")
            #expect(!run.diagnostics.contains("cut short"), "\(command)")
        }
    }
}
