import Foundation
import MediaTestSupport
import Testing

/// Films that need a key: made by ffmpeg, or with the sample entries of FairPlay.
@Suite struct `Encrypted films` {
    private let folder: WorkFolder

    init() throws { folder = try WorkFolder() }

    private static let key = "00112233445566778899aabbccddeeff"
    private static let commands = [
        "thumbs --count 2 -o 'out/{index}.png'", "thumbs --keyframes -o 'out/{index}.png'",
        "thumbs --scenes -o 'out/{index}.png'", "sheet -o sheet.png", "storyboard -o board/", "scenes", "verify",
        "export --preset low -o out.mp4", "export --preset passthrough -o out.mov",
    ]

    private func encrypt(_ name: String, _ options: String = "") async throws {
        let source = Fixture("movie.mp4").path
        let run = try await Tool.shell(
            "ffmpeg -v error -i '\(source)' -map 0:v -map 0:a -c copy -t 2 -encryption_scheme cenc-aes-ctr "
                + "-encryption_key \(Self.key) -encryption_kid \(Self.key) \(options) \(name)", in: folder, limit: 60)
        try #require(run.exitCode == 0, "\(run)")
    }

    /// Gives the sample entries of a film other types.
    private func protect(_ fixture: String, as name: String, _ types: [String: String]) throws {
        var bytes = try Data(contentsOf: Fixture(fixture).url)
        for (old, new) in types {
            // Six reserved bytes follow the type, and the number of the data reference.
            let entry = try #require(bytes.range(of: Data(old.utf8) + [0, 0, 0, 0, 0, 0, 0, 1]))
            bytes.replaceSubrange(entry.lowerBound..<entry.lowerBound + 4, with: Data(new.utf8))
        }
        try bytes.write(to: folder.url.appendingPathComponent(name))
    }

    private func checkAll(_ name: String) async throws {
        for command in Self.commands {
            let run = try await Tool.shell("$AVTOOL \(command) --json \(name)", in: folder, limit: 60)
            let errors = try run.json().compactMap { $0["error"] as? [String: Any] }
            #expect(run.exitCode == 65 && !errors.isEmpty, "\(command) \(run)")
            for error in errors {
                #expect(error["code"] as? String == "contentIsProtected", "\(command) \(error)")
                #expect((error["message"] as? String)?.contains("encrypted") == true, "\(command) \(error)")
            }
        }
        let info = try await Tool.run("info", name, in: folder)
        #expect(info.exitCode == 0 && info.lines.count { $0.contains(", encrypted") } >= 2, "\(info)")
        let object = try #require(try await Tool.run("info", "--json", name, in: folder).json().first)
        let tracks = try #require(object["tracks"] as? [[String: Any]])
        #expect(object["isEncrypted"] as? Bool == true)
        for track in tracks where ["video", "audio"].contains(track["mediaType"] as? String) {
            #expect(track["isEncrypted"] as? Bool == true, "\(track)")
        }
    }

    @Test func `by Common Encryption are called so by every command`() async throws {
        try await encrypt("cenc.mp4")
        try await checkAll("cenc.mp4")
    }

    @Test func `in fragments are not called damaged`() async throws {
        try await encrypt("fragments.mp4", "-movflags frag_keyframe+empty_moov")
        try await checkAll("fragments.mp4")
    }

    @Test func `by FairPlay are called so by every command`() async throws {
        try protect("movie.mp4", as: "fairplay.mp4", ["avc1": "drmi", "mp4a": "drms"])
        try await checkAll("fairplay.mp4")
    }

    @Test func `by FairPlay are known by their sound, and by captions`() async throws {
        for type in ["drms", "p608", "enca"] {
            try protect("audio-only.m4a", as: "sound.m4a", ["mp4a": type])
            let object = try #require(try await Tool.run("info", "--json", "sound.m4a", in: folder).json().first)
            #expect(object["isEncrypted"] as? Bool == true, "\(type)")
            let run = try await Tool.run("export", "--preset", "passthrough", "-o", "out.m4a", "sound.m4a", in: folder)
            #expect(run.exitCode == 65 && run.diagnostics.contains("encrypted"), "\(type) \(run)")
        }
    }

    @Test func `keep their metadata readable and writable`() async throws {
        try await encrypt("cenc.mp4")
        let run = try await Tool.run("metadata", "set", "title=Locked", "-o", "named.mp4", "cenc.mp4", in: folder)
        #expect(run.exitCode == 0, "\(run)")
        let title = try await Tool.run("metadata", "get", "title", "named.mp4", in: folder)
        #expect(title.text == "Locked\n")
        let object = try #require(try await Tool.run("info", "--json", "named.mp4", in: folder).json().first)
        #expect(object["isEncrypted"] as? Bool == true)
    }
}
