import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaTestSupport

/// A film of shots of known lengths, made by `ffmpeg` in a folder of its own.
struct SceneFilm {
    /// What one shot shows, by ffmpeg's sources, and how many frames it has.
    struct Shot {
        let source: String
        let frames: Int
        var filter = "null"

        static func testCard(_ frames: Int, filter: String = "null") -> Shot {
            Shot(source: "testsrc2", frames: frames, filter: filter)
        }
        static func fractal(_ frames: Int, filter: String = "null") -> Shot {
            Shot(source: "mandelbrot", frames: frames, filter: filter)
        }
        static func bars(_ frames: Int) -> Shot { Shot(source: "smptebars", frames: frames) }
        static func color(_ name: String, _ frames: Int) -> Shot { Shot(source: "color=c=\(name):", frames: frames) }
    }

    struct Failed: Error { let text: String }

    let folder: TemporaryFolder
    let name: String
    var asset: AVURLAsset { AVURLAsset(url: folder.url.appendingPathComponent(name)) }

    /// - Parameters:
    ///   - filter: What is done to the whole film.
    ///   - options: Codec and container settings.
    init(
        _ shots: [Shot], name: String = "film.mp4", rate: String = "25", filter: String = "null",
        options: [String] = ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "3", "-pix_fmt", "yuv420p"]
    ) async throws {
        folder = try TemporaryFolder()
        self.name = name
        var inputs: [String] = []
        var graph = ""
        for (index, shot) in shots.enumerated() {
            let separator = shot.source.hasSuffix(":") ? "" : "="
            inputs += ["-f", "lavfi", "-i", "\(shot.source)\(separator)s=160x120:r=\(rate)"]
            graph += "[\(index)]trim=end_frame=\(shot.frames),format=yuv420p,setsar=1,\(shot.filter)[s\(index)];"
        }
        graph += shots.indices.map { "[s\($0)]" }.joined() + "concat=n=\(shots.count),\(filter)[v]"
        try await run(inputs + ["-filter_complex", graph, "-map", "[v]"] + options + [name])
    }

    private init(folder: TemporaryFolder, name: String) { (self.folder, self.name) = (folder, name) }

    private func run(_ arguments: [String]) async throws {
        let run = try await CommandRun.run("ffmpeg", ["-v", "error", "-nostdin"] + arguments, in: folder.url)
        guard run.exitCode == 0 else { throw Failed(text: run.errorOutput) }
    }

    /// The same film with its first seconds hidden by an edit list.
    func startingAt(_ time: String) async throws -> SceneFilm {
        try await run(["-ss", time, "-i", name, "-c", "copy", "cut-\(name)"])
        return SceneFilm(folder: folder, name: "cut-\(name)")
    }

    /// Overwrites bytes in the middle of the file's pictures.
    func damage(at share: Double, count: Int) throws {
        let url = folder.url.appendingPathComponent(name)
        var data = try Data(contentsOf: url)
        let start = Int(Double(data.count) * share)
        for index in start..<min(data.count, start + count) { data[index] = UInt8(truncatingIfNeeded: index &* 167) }
        try data.write(to: url)
    }
}
