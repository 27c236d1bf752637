import Foundation
import MediaTestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Names of strangers' files` {
    let folder: WorkFolder

    init() throws { folder = try WorkFolder() }

    /// The texts without the slash, which no name has.
    static let names: [String] =
        HostileText.all.filter { $0.bytes == nil }.map { $0.text.replacingOccurrences(of: "/", with: "_") + ".mp4" }
        + ["{ext}{index}{name}.mp4"]

    private static let commands = [
        "thumbs --at 0,9 -o {name}-{index}.png", "sheet --count 2", "storyboard --every 5s --with-player --hls --dash",
        "export --preset m4a", "scenes -o {name}.txt", "scenes --format edl -o {name}.edl", "info",
        "verify --samples 1",
        "metadata artwork", "metadata set title=x -o {name}-m.mp4", "chapters show",
        // Errors of several kinds.
        "thumbs --at 99", "thumbs --at 0 -o no/{name}/x.png", "export --preset passthrough -o {name}.xyz",
        "chapters show --format webvtt --language xx", "metadata artwork --track 9", "metadata set nonsense=x",
    ]

    @Test(arguments: names) func `do no harm where they are told`(_ name: String) async throws {
        try folder.copy("movie.mp4", as: name)
        for command in Self.commands {
            for json in [[], ["--json"]] {
                let words = command.split(separator: " ").map(String.init) + json + ["--force", "./" + name]
                let takesForce = ["-o", "sheet", "storyboard", "export"].contains { command.contains($0) }
                let run = try await Tool.run(
                    try Tool.executable(), words.filter { takesForce || $0 != "--force" }, in: folder, limit: 60)
                #expect(run.text.harm == [], "\(words): \(run.text)")
                #expect(run.diagnostics.harm == [], "\(words): \(run.diagnostics)")
                for line in run.lines where line.hasPrefix("{\"") && !json.isEmpty {
                    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
                }
            }
        }
        // What was made lies in the folder, and no shell has read a name.
        #expect(try !folder.names.contains("owned"))
        #expect(
            try !FileManager.default.contentsOfDirectory(atPath: folder.url.deletingLastPathComponent().path)
                .contains { $0.contains("owned") })
    }

    @Test(arguments: names) func `make no markup in a storyboard`(_ name: String) async throws {
        try folder.copy("movie.mp4", as: name)
        let run = try await Tool.run(
            "storyboard", "--every", "5s", "--with-player", "--hls", "--dash", "-o", "board", "./" + name, in: folder,
            limit: 60)
        #expect(run.exitCode == 0, "\(run.diagnostics)")
        let script = """
            import html.parser, json, sys
            class Page(html.parser.HTMLParser):
                def __init__(self):
                    super().__init__()
                    self.tags, self.attributes, self.texts, self.open = [], [], {}, []
                def handle_starttag(self, tag, attributes):
                    self.tags.append(tag); self.attributes += [a for a, _ in attributes]; self.open.append(tag)
                    self.attributes += [v for a, v in attributes if a in ("src", "href")]
                def handle_endtag(self, tag):
                    if tag in self.open: self.open = self.open[:len(self.open) - 1 - self.open[::-1].index(tag)]
                def handle_data(self, data):
                    if self.open: self.texts.setdefault(self.open[-1], []).append(data)
            page = Page(); page.feed(open(sys.argv[1], encoding="utf-8", newline="").read())
            data = json.loads(page.texts["script"][0])
            print(json.dumps({"tags": page.tags, "attributes": page.attributes, "title": page.texts["title"],
                              "heading": page.texts["h1"], "scripts": len(page.texts["script"])}))
            """
        let read = try await Tool.system("python3", "-c", script, "board/index.html", in: folder)
        let page = try #require(try read.json().first, "\(read.diagnostics)")
        // A plain name's page has the same elements.
        try folder.copy("movie.mp4", as: "plain.mp4")
        #expect(
            try await Tool.run(
                "storyboard", "--every", "5s", "--with-player", "--hls", "--dash", "-o", "plain", "plain.mp4",
                in: folder, limit: 60
            ).exitCode == 0)
        let other = try await Tool.system("python3", "-c", script, "plain/index.html", in: folder)
        let plain = try #require(try other.json().first)
        #expect(page["tags"] as? [String] == plain["tags"] as? [String])
        let attributes = try #require(page["attributes"] as? [String])
        #expect(!attributes.contains { $0.hasPrefix("on") || $0.contains(":") && !$0.hasPrefix("data:") })
        for part in ["title", "heading"] {
            let texts = try #require(page[part] as? [String])
            #expect(texts.count == 1 && texts.joined().harm == [], "\(texts)")
        }
        let html = String(decoding: try folder.data("board/index.html"), as: UTF8.self)
        #expect(html.harm == [])
        for file in ["storyboard.json", "storyboard.vtt", "storyboard.mpd", "images.m3u8"] {
            #expect(String(decoding: try folder.data("board/" + file), as: UTF8.self).harm == [], "\(file)")
        }
        let document = try JSONSerialization.jsonObject(with: try folder.data("board/storyboard.json"))
        let source = try #require((document as? [String: Any])?["source"] as? [String: Any])
        #expect((source["name"] as? String)?.utf8.elementsEqual(name.utf8) == true)
    }

    @Test(arguments: names) func `do no harm in progress`(_ name: String) async throws {
        try folder.copy("long-gop.mp4", as: name)
        let shown = try await shownOnTerminal(
            ["thumbs", "--every", "1/5s", "--size", "16x0", "-o", "out-{index}.png", "./" + name], in: folder)
        #expect(shown.contains("out-") && shown.harm == [], "\(shown)")
    }

    // `-.mp4` with `{name}` wrote to standard output, and `...mp4` into the folder above.
    @Test(arguments: [
        ("-rf.mp4", "{name}.png", "./-rf.png"), ("-.mp4", "{name}", "./-"), ("-.mp4", "{name}.{ext}", "./-.png"),
        ("...mp4", "out/{name}/x.png", "out/...mp4/x.png"), ("..mp4", "out/{name}/x.png", "out/..mp4/x.png"),
        ("...mp4", "{name}-1.png", "...mp4-1.png"), (".mp4", "out/{name}/x.png", "out/.mp4/x.png"),
        ("a.mp4", "{name}.png", "a.png"), ("$(id).mp4", "out/{name}/x.png", "out/$(id)/x.png"),
        ("{name}.mp4", "{name}.png", "{name}.png"),
    ])
    func `keep results in their folder`(_ name: String, _ pattern: String, _ path: String) async throws {
        try folder.copy("movie.mp4", as: name)
        let place = (path as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder.path(place), withIntermediateDirectories: true)
        let run = try await Tool.run(
            "thumbs", "--at", "0", "--format", "png", "-o", pattern, "./" + name, in: folder, limit: 60)
        #expect(run.exitCode == 0, "\(run.diagnostics)")
        #expect(run.lines == ["0 → 0  \(path)"])
        #expect(try folder.data(path).starts(with: [0x89, 0x50]))
        #expect(
            try folder.names.sorted()
                == Set([name, path.hasPrefix("out") ? "out" : (path as NSString).lastPathComponent]).sorted())
    }

    @Test func `that begin with a dash are told so that commands take them for files`() async throws {
        try folder.copy("movie.mp4", as: "-rf.mp4")
        for command in ["sheet --count 1", "storyboard --every 5s", "export --preset m4a", "thumbs --at 0"] {
            let run = try await Tool.shell("\"$AVTOOL\" \(command) --json -- -rf.mp4", in: folder, limit: 60)
            #expect(run.exitCode == 0, "\(run.diagnostics)")
            let object = try #require(try run.json().first)
            let told = ["file", "output", "folder"].compactMap { object[$0] as? String }
            #expect(told.count == 1 && told.allSatisfy { $0.hasPrefix("./-rf") }, "\(object)")
        }
    }
}
