import Foundation
import MediaTestSupport
import OpenAVFoundation
import OpenAVFoundationExtras
import Testing

/// A text that somebody put into a file to do harm.
struct HostileText: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    /// What stands in the file in the text's place; as long as the text.
    var bytes: [UInt8]?

    var testDescription: String { name }

    static let all: [HostileText] = [
        // Of a terminal, of C1, and ends of lines.
        HostileText(
            name: "controls",
            text: "a\u{1b}[31mb\u{1b}]0;x\u{7}c\u{1b}[2Jd\u{9b}31me\u{85}f\u{90}g\u{9c}\u{7f}h\r\ni\rj\nk\u{b}l\u{c}m"),
        // Overrides, isolates, marks, separators, and what is not seen.
        HostileText(
            name: "directions",
            text: "a\u{202a}b\u{202b}c\u{202c}d\u{202d}e\u{202e}f\u{2066}g\u{2067}h\u{2068}i\u{2069}j\u{200e}k\u{200f}l"
                + "\u{61c}m\u{feff}n\u{2060}o\u{e0001}p\u{2028}q\u{2029}r"),
        HostileText(
            name: "markup and shells",
            text: "</script><img onerror=x>--><b>&amp;\"'$(touch owned)`touch owned`;touch owned ../../x"),
        HostileText(
            name: "no UTF-8", text: "0123456789",
            bytes: [0xED, 0xA0, 0x80, 0xFF, 0xC3, 0x28, 0x1B, 0x5B, 0x9B, 0x6D]),
    ]
}

extension StringProtocol {
    /// What would steer a terminal, break its lines or turn the direction of its writing: the general categories Cc, Cf, Zl
    /// and Zp of Unicode, but for the ends of lines and tabs, which are the tool's own.
    var harm: [String] {
        unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control: scalar != "\n" && scalar != "\t"
            case .format, .lineSeparator, .paragraphSeparator, .surrogate: true
            default: false
            }
        }.map { "U+" + String($0.value, radix: 16) }
    }
}

/// What a command shows on a terminal, progress taken off.
func shownOnTerminal(_ command: [String], in folder: WorkFolder) async throws -> String {
    struct Shown: Decodable { let text: String }
    let script = Fixture.root.appendingPathComponent("Tests/Acceptance/readers/terminal.py").path
    let run = try await CommandRun.run(
        "python3", [script, "120", "xterm", "terminal", "0", try Tool.executable().path] + command, in: folder.url,
        limit: .seconds(240))
    return try JSONDecoder().decode(Shown.self, from: run.standardOutput).text
        .replacingOccurrences(of: "\r\u{1b}[K", with: "")
        // A terminal's own line ends, after one of the text's own as well.
        .replacingOccurrences(of: "\r\r\n", with: "\n").replacingOccurrences(of: "\r\n", with: "\n")
}

@Suite(.timeLimit(.minutes(5))) struct `Text of strangers in a file` {
    let folder: WorkFolder

    init() throws { folder = try WorkFolder() }

    /// A file that says a text wherever it can: in items, names of items, chapters, and of tracks the names, handlers and
    /// languages.
    private func write(_ hostile: HostileText, as name: String, of fixture: String) throws {
        try folder.copy(fixture, as: name)
        let url = folder.url.appendingPathComponent(name)
        var file = try MetadataFile(url: url)
        let text = hostile.text
        try file.set(["title", "artist", "comment"].map { MetadataAssignment(try MetadataName($0), text) })
        file.metadata.entries += [
            MetadataEntry(.quickTimeMetadata, .text("com.example." + text), .text(text)),
            MetadataEntry(.id3, .text("TXXX"), .text(text), extras: [.info: .text(text)]),
            MetadataEntry(.matroska, .text(text), .text(text)),
            MetadataEntry(.matroska, .text("ENCODER"), .text(text)),
        ].filter { file.metadata.container.keySpaces.contains($0.keySpace) }
        for index in file.metadata.labels.indices {
            file.metadata.labels[index].name = text
            file.metadata.labels[index].handlerName = text
            file.metadata.labels[index].languageTag = text
        }
        let starts = [CMTime.zero, CMTime(value: 1, timescale: 1)]
        file.chapterLists = [
            ChapterList(
                form: .quickTimeTrack, languageTag: text,
                chapters: starts.map { Chapter(start: $0, titles: [Chapter.Title(text)]) })
        ]
        try file.save()
        guard let bytes = hostile.bytes else { return }
        #expect(bytes.count == text.utf8.count)
        var data = try Data(contentsOf: url)
        while let place = data.range(of: Data(text.utf8)) { data.replaceSubrange(place, with: Data(bytes)) }
        try data.write(to: url)
    }

    static let files = [
        ("movie.mp4", "mp4"), ("movie.mov", "mov"), ("languages.mkv", "mkv"), ("audio-only.mp3", "mp3"),
    ]

    private static let commands = [
        ["info"], ["metadata", "show"], ["metadata", "show", "--identifiers"], ["metadata", "show", "--private"],
        ["chapters", "show"], ["export", "--preset", "wav", "--dry-run", "-o", "x.wav"],
    ]

    @Test(arguments: HostileText.all, files)
    func `does no harm where it is shown`(_ hostile: HostileText, _ file: (fixture: String, ending: String))
        async throws
    {
        let name = "film." + file.ending
        try write(hostile, as: name, of: file.fixture)
        var isShown = false
        for command in Self.commands {
            let run = try await Tool.run(try Tool.executable(), command + [name], in: folder, limit: 60)
            #expect([0, 65].contains(run.exitCode), "\(command): \(run.diagnostics)")
            #expect(run.text.harm == [], "\(command): \(run.text)")
            #expect(run.diagnostics.harm == [], "\(command): \(run.diagnostics)")
            let json = try await Tool.run(try Tool.executable(), command + ["--json", name], in: folder, limit: 60)
            #expect(json.text.harm == [], "\(command) --json: \(json.text)")
            #expect(json.text.utf8.allSatisfy { $0 != 0x0D })
            // What is escaped means the same.
            let objects = try json.json()
            if command == ["metadata", "show"] {
                let item = try #require(objects.first?["mediaItem"] as? [String: Any])
                if hostile.bytes == nil {
                    #expect((item["name"] as? String)?.utf8.elementsEqual(hostile.text.utf8) == true)
                }
                isShown = item["name"] != nil
            }
        }
        #expect(isShown)
        #expect(try folder.names == [name])
    }

    /// Other programs get the text itself; a terminal gets it escaped.
    @Test(arguments: HostileText.all)
    func `does no harm where it is a result by itself`(_ hostile: HostileText) async throws {
        try write(hostile, as: "film.mp4", of: "movie.mp4")
        let formats = ["webvtt", "xml", "text", "ogm", "ffmetadata"].map { ["chapters", "show", "--format", $0] }
        for command in [["metadata", "get", "title"]] + formats {
            let shown = try await shownOnTerminal(command + ["film.mp4"], in: folder)
            #expect(shown.harm == [], "\(command): \(shown)")
            #expect(!shown.isEmpty)
        }
        guard hostile.bytes == nil else { return }
        let run = try await Tool.run("metadata", "get", "title", "film.mp4", in: folder)
        #expect(run.output == Data((hostile.text + "\n").utf8))
    }

    @Test(arguments: HostileText.all) func `makes no markup in WebVTT and XML`(_ hostile: HostileText) async throws {
        try write(hostile, as: "film.mp4", of: "movie.mp4")
        let track = try await Tool.run("chapters", "show", "--format", "webvtt", "film.mp4", in: folder)
        try check(webVTT: track.text, cues: 2)
        #expect(!track.text.contains("<"))
        let run = try await Tool.run("chapters", "show", "--format", "xml", "film.mp4", in: folder)
        try run.output.write(to: folder.url.appendingPathComponent("chapters.xml"))
        let script = """
            import sys, xml.etree.ElementTree as tree
            for title in tree.parse(sys.argv[1]).getroot().iter("ChapterString"): print(ascii(title.text), len(title))
            """
        let read = try await Tool.system("python3", "-c", script, "chapters.xml", in: folder)
        #expect(
            read.lines.count == 2 && read.lines.allSatisfy { $0.hasSuffix(" 0") }, "\(read.text)\(read.diagnostics)")
    }

    /// The syntax of a WebVTT file: a header, and after each empty line a cue, whose first or second line has its times.
    private func check(webVTT text: String, cues: Int) throws {
        let blocks = text.replacingOccurrences(of: "\r\n", with: "\n").replacingOccurrences(of: "\r", with: "\n")
            .components(separatedBy: "\n\n")
        #expect(blocks.first == "WEBVTT")
        #expect(!text.utf8.contains(0))
        #expect(blocks.count == cues + 1, "\(text)")
        let times = /\d\d:\d\d:\d\d\.\d\d\d --> \d\d:\d\d:\d\d\.\d\d\d/
        for block in blocks.dropFirst() {
            let lines = block.split(separator: "\n", omittingEmptySubsequences: false)
            let index = try #require(lines.prefix(2).firstIndex { $0.wholeMatch(of: times) != nil }, "\(block)")
            #expect(lines.dropFirst(index + 1).allSatisfy { !$0.contains("-->") })
        }
    }

    @Test func `does no harm in a preset`() async throws {
        let text = HostileText.all.map(\.text).joined()
        let own = try await Tool.run("presets", "show", "--json", "m4a")
        var preset = try #require(try JSONSerialization.jsonObject(with: own.output) as? [String: Any])
        preset["name"] = "mine"
        preset["description"] = text
        for (name, value) in [("a.json", preset), ("b.json", [text: 1]), ("c.json", ["name": text])] {
            try JSONSerialization.data(withJSONObject: value).write(to: folder.url.appendingPathComponent(name))
            for command in ["show", "show --json", "check", "check --json"] {
                let words = ["presets"] + command.split(separator: " ").map(String.init) + ["./" + name]
                let run = try await Tool.run(try Tool.executable(), words, in: folder, limit: 30)
                #expect(run.text.harm == [] && run.diagnostics.harm == [], "\(command) \(name): \(run)")
                #expect(try await shownOnTerminal(words, in: folder).harm == [], "\(command) \(name)")
            }
        }
    }
}
