import Foundation
import MediaTestSupport
import Testing

@Suite(.serialized) struct `Metadata in words on the command line` {
    let folder: WorkFolder

    init() throws { folder = try WorkFolder() }

    @Test func `get prints the value and nothing else, and tells by its exit code if there is none`() async throws {
        try folder.copy("movie.mov", as: "a.mov")
        try folder.copy("languages.mkv", as: "a.mkv")
        let title = try await Tool.run("metadata", "get", "title", "a.mov", in: folder)
        #expect(title.exitCode == 0 && title.text == "Counting bars\n" && title.diagnostics.isEmpty, "\(title)")
        let make = try await Tool.run("metadata", "get", "mdta/com.apple.quicktime.make", "a.mov", in: folder)
        #expect(make.text == "Fixture Works\n", "\(make)")
        let none = try await Tool.run("metadata", "get", "album", "a.mov", in: folder)
        #expect(none.exitCode == 1 && none.text.isEmpty && none.diagnostics.isEmpty, "\(none)")
        let track = try await Tool.run("metadata", "get", "--track", "9", "language", "a.mkv", in: folder)
        #expect(track.exitCode == 65 && track.diagnosticLines.count == 1, "\(track)")
        let unknown = try await Tool.run("metadata", "get", "titel", "a.mov", in: folder)
        #expect(unknown.exitCode == 64 && unknown.diagnostics.contains("title"), "\(unknown)")
        let missing = try await Tool.run("metadata", "get", "title", "b.mov", in: folder)
        #expect(missing.exitCode == 66, "\(missing)")
    }

    @Test func `show has names that people know, identifiers on demand, and lines that can be read`() async throws {
        try folder.copy("movie.mov", as: "a.mov")
        let set = try await Tool.run("metadata", "set", "lyrics=One\nTwo\n\nThree", "track=3/12", "a.mov", in: folder)
        #expect(set.exitCode == 0, "\(set)")
        let shown = try await Tool.run("metadata", "show", "a.mov", in: folder)
        #expect(shown.text.contains("\n  title           Counting bars\n"), "\(shown)")
        #expect(shown.text.contains("\n  track           3/12\n"), "\(shown)")
        #expect(
            shown.text.contains("  lyrics          One\n                  Two\n\n                  Three\n"), "\(shown)"
        )
        #expect(shown.text.contains("\n  header-date     2024-05-06T07:08:09Z\n"), "\(shown)")
        #expect(!shown.text.contains("mdta/"), "\(shown)")
        let raw = try await Tool.run("metadata", "show", "--identifiers", "a.mov", in: folder)
        #expect(raw.text.contains("\n  mdta/title  Counting bars\n"), "\(raw)")
        let info = try await Tool.run("info", "a.mov", in: folder)
        #expect(info.text.contains("\n  title           Counting bars\n"), "\(info)")
    }

    @Test func `an APE tag that some players prefer is told of by show and by set`() async throws {
        // A tag as the specification of APEv2 has it: one item, no header.
        func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 255) } }
        let item = number(3) + number(0) + Array("Title".utf8) + [0] + Array("Old".utf8)
        var footer = Array("APETAGEX".utf8) + number(2000) + number(item.count + 32)
        footer += number(1) + [UInt8](repeating: 0, count: 12)
        let file = try Data(contentsOf: URL(fileURLWithPath: Fixture("audio-only.mp3").path))
        try (file + item + footer).write(to: folder.url.appendingPathComponent("a.mp3"))
        for arguments in ["show", "set title=New"] {
            let run = try await Tool.shell("\"$AVTOOL\" metadata \(arguments) a.mp3", in: folder)
            #expect(run.exitCode == 0 && run.diagnostics.contains("APE tag"), "\(run)")
            #expect(run.diagnostics.contains("Title “Old”"), "\(run)")
        }
    }

    @Test func `names lists what can be set, for all files or one kind`() async throws {
        let all = try await Tool.run("metadata", "names", in: folder)
        #expect(all.exitCode == 0 && all.lines.first?.hasPrefix("title ") == true, "\(all)")
        #expect(all.lines.contains { $0.hasPrefix("language ") && $0.contains("pt-BR") })
        let wav = try await Tool.run("metadata", "names", "--for", "wav", in: folder)
        #expect(wav.lines.count < all.lines.count && !wav.text.contains("album-artist"), "\(wav)")
        let json = try await Tool.run("metadata", "names", "--json", in: folder)
        let names = try json.json().compactMap { $0["name"] as? String }
        #expect(Set(names).isSuperset(of: ["title", "album-artist", "header-date", "language"]))
        #expect(try await Tool.run("metadata", "names", "--for", "xyz", in: folder).exitCode == 64)
    }

    @Test(arguments: ["languages.mp4", "languages.mkv"]) func `a track's number is that of info in every command`(
        _ name: String
    ) async throws {
        try folder.copy(name, as: name)
        let info = try await Tool.run("info", "--json", name, in: folder)
        let tracks = try #require(try info.json().first?["tracks"] as? [[String: Any]])
        for id in tracks.compactMap({ $0["id"] as? Int }) {
            let set = try await Tool.run(
                "metadata", "set", "--track", "\(id)", "language=cy", "name=Track \(id)", name, in: folder)
            #expect(set.exitCode == 0, "\(set)")
            let get = try await Tool.run("metadata", "get", "--track", "\(id)", "name", name, in: folder)
            #expect(get.text == "Track \(id)\n", "\(get)")
        }
        let probe = try await Tool.system(
            "ffprobe", "-v", "error", "-show_entries", "stream_tags=language", "-of", "csv=p=0", name, in: folder)
        #expect(
            probe.lines.count == tracks.count && probe.lines.allSatisfy { ["cym", "wel"].contains($0) }, "\(probe)")
        let text = try await Tool.run("info", name, in: folder)
        #expect(text.text.contains("“Track 1”"), "\(text)")
        for command in [["set", "name=X"], ["remove", "--name", "title"]] {
            let before = try folder.data(name)
            let run = try await Tool.shell(
                "\"$AVTOOL\" metadata \(command.joined(separator: " ")) --track 77 \(name)", in: folder)
            #expect(run.exitCode == 65 && run.diagnostics.contains("there is no track 77"), "\(run)")
            #expect(try folder.data(name) == before)
        }
    }

    @Test func `chapters outside of the film are refused, and left out if asked for`() async throws {
        try folder.copy("movie.mp4", as: "a.mp4")
        try folder.write("00:00:04.000 Four\n00:00:01.000 One\n01:00:00.000 Late\n", to: "c.txt")
        let before = try folder.data("a.mp4")
        let refused = try await Tool.run("chapters", "set", "--from", "c.txt", "a.mp4", in: folder)
        #expect(refused.exitCode == 65 && refused.diagnostics.contains("outside of the film"), "\(refused)")
        #expect(try folder.data("a.mp4") == before)
        let set = try await Tool.run("chapters", "set", "--leave-out-others", "--from", "c.txt", "a.mp4", in: folder)
        #expect(set.exitCode == 0 && set.diagnostics.contains("3600 s"), "\(set)")
        let probe = try await Tool.system(
            "ffprobe", "-v", "error", "-show_entries", "chapter_tags=title", "-of", "csv=p=0", "a.mp4", in: folder)
        #expect(probe.lines == ["One", "Four"])
        try folder.write("01:00:00.000 Late\n", to: "late.txt")
        let none = try await Tool.run(
            "chapters", "set", "--leave-out-others", "--from", "late.txt", "a.mp4", in: folder)
        #expect(none.exitCode == 65, "\(none)")
        let shown = try await Tool.run("chapters", "show", "--format", "text", "a.mp4", in: folder)
        #expect(shown.lines.count == 2, "\(shown)")
    }

    @Test func `chapters of MP3 say where they end`() async throws {
        try folder.copy("audio-only.mp3", as: "a.mp3")
        try folder.write("00:00:00.000 One\n00:00:01.000 Two\n", to: "c.txt")
        let set = try await Tool.run("chapters", "set", "--from", "c.txt", "a.mp3", in: folder)
        #expect(set.exitCode == 0, "\(set)")
        let probe = try await Tool.system(
            "ffprobe", "-v", "error", "-show_entries", "chapter=end_time:format=duration", "-of", "csv=p=0", "a.mp3",
            in: folder)
        let times = probe.lines.compactMap { Double($0.split(separator: ",").first ?? "") }
        #expect(times.count == 3 && times[0] == 1)
        // The last chapter ends with the sound, to the millisecond.
        #expect(abs(times[1] - times[2]) < 0.06, "\(probe)")
    }

    @Test func `pictures that are cut off or none are no covers`() async throws {
        try folder.copy("audio-only.mp3", as: "a.mp3")
        let made = try await Tool.run(
            "thumbs", "--at", "0", "-o", "whole.png", Fixture("movie.mov").path, in: folder)
        #expect(made.exitCode == 0)
        let jpeg = try await Tool.run(
            "thumbs", "--at", "0", "-o", "whole.jpg", Fixture("movie.mov").path, in: folder)
        #expect(jpeg.exitCode == 0)
        for name in ["png", "jpg"] {
            let whole = try folder.data("whole.\(name)")
            try whole.prefix(whole.count * 2 / 3).write(to: folder.url.appendingPathComponent("cut.\(name)"))
        }
        try Data([0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]).write(to: folder.url.appendingPathComponent("fake.jpg"))
        let before = try folder.data("a.mp3")
        for name in ["cut.png", "cut.jpg", "fake.jpg"] {
            let run = try await Tool.run("metadata", "artwork", "--set", name, "a.mp3", in: folder)
            #expect(run.exitCode == 65 && run.diagnostics.contains("no whole picture"), "\(run)")
            #expect(try folder.data("a.mp3") == before)
            let export = try await Tool.run(
                "export", "--preset", "passthrough", "--artwork", name, "-o", "b.mp3", "a.mp3", in: folder)
            #expect(export.exitCode == 65 && export.diagnostics.contains("no whole picture"), "\(export)")
        }
        for name in ["whole.png", "whole.jpg"] {
            let run = try await Tool.run("metadata", "artwork", "--set", name, "a.mp3", in: folder)
            #expect(run.exitCode == 0, "\(run)")
        }
    }

    @Test(arguments: ["movie.mp4", "movie.mov"]) func `a disk that is full at any moment leaves bytes and length`(
        _ name: String
    ) async throws {
        try folder.copy(name, as: "a")
        // Longer and longer comments, until there is room for them no more.
        let run = try await Tool.shell(
            """
            size=$(( ($(stat -c %s a) + 4095) / 4096 * 4 ))
            for room in 0 4 8 12 16 24 32 48 64; do
              mkdir -p small && mount -t tmpfs -o size=$((size + room))k none small || exit 99
              cp a small/a || exit 98
              for length in 10 1000 4000 8000 20000; do
                before=$(md5sum < small/a); bytes=$(stat -c %s small/a)
                "$AVTOOL" metadata set comment="$(head -c $length /dev/zero | tr '\\0' x)" small/a >/dev/null 2>&1
                code=$?
                [ $code = 0 ] && continue
                [ $code = 74 ] || echo "exit $code"
                [ "$before" = "$(md5sum < small/a)" ] || echo "changed: $room $length"
                [ "$bytes" = "$(stat -c %s small/a)" ] || echo "grown: $room $length"
                echo refused
              done
              umount small
            done
            """, in: folder, limit: 60)
        guard run.exitCode != 99 else { return }
        #expect(run.exitCode == 0, "\(run)")
        #expect(Set(run.lines) == ["refused"], "\(run)")
    }
}
