import Foundation
import MediaCore
import MediaImage
import MediaTestSupport
import Testing

@testable import MediaPreviews

@Suite("The storyboard's page") struct PageTests {
    static let hostile = #"</script><img src=x onerror=alert(1)> "quoted" & 'quoted' <!-- \u003c שלום ‮gpj.exe"#

    private func milliseconds(_ value: CMTimeValue) -> CMTime { CMTime(value: value, timescale: 1000) }

    private func page(
        _ tiles: [Storyboard.Tile], duration: CMTimeValue = 40000, title: String? = nil, player: String? = nil,
        sheets: StoryboardPage.Sheets = .beside
    ) -> StoryboardPage {
        let board = Storyboard(
            sourceName: "film.mp4", duration: milliseconds(duration), interval: milliseconds(10000), tileWidth: 160,
            tileHeight: 90, columns: 2, rows: 1, format: .jpeg, tiles: tiles, sheetByteCounts: [])
        return StoryboardPage(storyboard: board, title: title, player: player, sheets: sheets)
    }

    private func tile(
        _ requested: CMTimeValue, _ actual: CMTimeValue, damage: String? = nil, gap: String? = nil
    ) -> Storyboard.Tile {
        Storyboard.Tile(
            requestedTime: milliseconds(requested), actualTime: milliseconds(actual), isSyncSample: actual % 2 == 0,
            isExact: false, damage: damage, gap: gap)
    }

    /// The page's data as its script reads it.
    private func data(_ html: String) throws -> [String: Any] {
        let start = try #require(html.range(of: #"<script type="application/json" id="data">"#)).upperBound
        let end = try #require(html.range(of: "</script>", range: start..<html.endIndex)).lowerBound
        return try #require(JSONSerialization.jsonObject(with: Data(html[start..<end].utf8)) as? [String: Any])
    }

    @Test func `Data of the storyboard's page names the cues, their frames and their tiles`() throws {
        let html = try page([tile(0, 400), tile(10000, 9001), tile(20000, 9001), tile(30000, 31000)]).html()
        let data = try data(html)
        #expect(data["starts"] as? [Int] == [0, 9001, 31000])
        #expect(data["frames"] as? [Int] == [400, 9001, 31000])
        #expect(data["tiles"] as? [Int] == [0, 1, 3])
        #expect(data["sync"] as? [Int] == [1, 0, 1])
        #expect(data["end"] as? Int == 40000)
    }

    @Test func `Damage and gaps are listed in the storyboard's page with their times`() throws {
        let html = try page([
            tile(0, 0), tile(10000, 9000, damage: "a </script> in it"), tile(20000, 9000, gap: "nothing\u{2028}there"),
            tile(30000, 9000, gap: "nor here"),
        ]).html()
        let notes = try #require(data(html)["notes"] as? [[String: Any]])
        #expect(notes.map { $0["kind"] as? String } == ["damage", "gap", "gap"])
        #expect(notes.map { $0["cue"] as? Int } == [1, 1, 1])
        #expect(notes.map { $0["from"] as? Int } == [9000, 20000, 30000])
        #expect(notes.map { $0["to"] as? Int } == [40000, 30000, 40000])
        #expect(notes.map { $0["text"] as? String } == ["a </script> in it", "nothing\u{2028}there", "nor here"])
        #expect(html.contains("<b>1 damaged</b>"))
        #expect(html.contains("<b>2 without a picture of their own</b>"))
    }

    @Test func `Untrusted text in the storyboard's page stays text`() throws {
        let tiles = [tile(0, 0, damage: Self.hostile), tile(10000, 10000, gap: Self.hostile)]
        let html = try page(tiles, title: Self.hostile, player: Self.hostile).html()
        #expect(html.components(separatedBy: "<script").count == 3)
        #expect(html.components(separatedBy: "</script").count == 3)
        #expect(html.components(separatedBy: "<img").count == 2)
        #expect(!html.contains("<!--"))
        #expect(html.contains("&lt;img src=x onerror=alert(1)&gt; &quot;quoted&quot; &amp; &#39;quoted&#39; &lt;!--"))
        let notes = try #require(data(html)["notes"] as? [[String: Any]])
        #expect(notes.map { $0["text"] as? String } == [Self.hostile, Self.hostile])
    }

    @Test func `Control characters do not reach the storyboard's page`() {
        #expect(
            "a\u{0}b\u{1B}[31m\u{9B}\u{7F}\u{FFFE}\tc\nd".htmlEscaped == "a\u{FFFD}b\u{FFFD}[31m"
                + "\u{FFFD}\u{FFFD}\u{FFFD} c d")
    }

    @Test(arguments: [
        ("film.mp4", "film.mp4"), ("../a b#c?d%e.mp4", "../a%20b%23c%3Fd%25e.mp4"),
        ("javascript:alert(1)", "javascript%3Aalert%281%29"), ("//example.com/film.mp4", "/example.com/film.mp4"),
        (#"\\host\film.mp4"#, "%5C%5Chost%5Cfilm.mp4"), ("ü/影.mp4", "%C3%BC/%E5%BD%B1.mp4"),
        ("\"><b>\n", "%22%3E%3Cb%3E%0A"),
    ])
    func `The media file's path in the storyboard's page is a path and nothing else`(path: String, url: String) throws {
        let html = try page([tile(0, 0)], player: path).html()
        #expect(html.contains(#"<video id="film" controls playsinline preload="metadata" src="\#(url)"></video>"#))
        let page = try #require(URL(string: "https://here.example/films/set/index.html"))
        let resolved = try #require(URL(string: url, relativeTo: page)).absoluteURL
        #expect(resolved.scheme == "https" && resolved.host() == "here.example" && resolved.query() == nil)
        #expect(resolved.fragment() == nil)
    }

    @Test func `Sheets can be embedded in the storyboard's page`() throws {
        let tiles = [tile(0, 0), tile(10000, 10000), tile(20000, 20000)]
        let inside = try page(tiles, sheets: .embedded([Data([1, 2, 3]), Data([255])])).html()
        #expect(inside.contains(#"src="data:image/jpeg;base64,AQID""#))
        #expect(inside.contains(#"src="data:image/jpeg;base64,/w==""#))
        #expect(!inside.contains("storyboard-00"))
        let beside = try page(tiles).html()
        #expect(beside.contains(#"src="storyboard-001.jpg" alt="Tiles 1 to 2""#))
        #expect(beside.contains(#"src="storyboard-002.jpg" alt="Tile 3""#))
    }

    @Test(arguments: [
        (0, "0:00:00.000"), (59999, "0:00:59.999"), (3_723_004, "1:02:03.004"), (360_000_000, "100:00:00.000"),
    ])
    func `Times in the storyboard's page are hours, minutes, seconds and milliseconds`(value: Int64, text: String) {
        #expect(value.clockText() == text)
    }
}

/// The page in Chromium, judged by a script that shares nothing with its maker.
@Suite("The storyboard's page in a browser") struct PageBrowserTests {
    /// A set in a folder: sheets on which every tile has its own colours, their WebVTT, and the page.
    struct Set {
        let folder: TemporaryFolder
        let board: Storyboard

        init(
            tiles: [Storyboard.Tile], duration: CMTime, interval: CMTime, format: PreviewImageFormat = .png,
            title: String? = nil, player: String? = nil, isEmbedded: Bool = false
        ) throws {
            folder = try TemporaryFolder()
            board = Storyboard(
                sourceName: "film.mp4", duration: duration, interval: interval, tileWidth: 64, tileHeight: 36,
                columns: 4, rows: 3, format: format, tiles: tiles, sheetByteCounts: [])
            var sheets: [Data] = []
            for sheet in 0..<(tiles.count + 11) / 12 {
                sheets.append(try format.data(of: #require(Self.picture(sheet: sheet)), quality: 95))
                try sheets[sheet].write(to: file(board.sheetName(sheet)))
            }
            try Data(Self.vtt(tiles, duration: duration, ending: format.filenameExtension).utf8)
                .write(to: file("storyboard.vtt"))
            let page = StoryboardPage(
                storyboard: board, title: title, player: player, sheets: isEmbedded ? .embedded(sheets) : .beside)
            try Data(page.html().utf8).write(to: file("index.html"))
        }

        func file(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

        /// A sheet of 4 by 3 tiles: nine bits of the tile's number as fields of 3 by 3 over a colour of its own.
        private static func picture(sheet: Int) -> CGImage? {
            var pixels: [UInt8] = []
            for y in 0..<108 {
                for x in 0..<256 {
                    let number = sheet * 12 + y / 36 * 4 + x / 64
                    let bit = y % 36 / 12 * 3 + min(x % 64 / 21, 2)
                    let isLit = number >> bit & 1 == 1
                    pixels += isLit ? [250, UInt8(number * 37 % 256), 240] : [UInt8(number * 53 % 200), 30, 10]
                }
            }
            return CGImage(width: 256, height: 108, hasAlpha: false, pixels: pixels)
        }

        /// Cues of tiles whose times ascend; those with the time of the one before have none.
        private static func vtt(_ tiles: [Storyboard.Tile], duration: CMTime, ending: String) -> String {
            func text(_ time: CMTime) -> String {
                let value = Int((time.seconds * 1000 - 1e-6).rounded(.up))
                return String(
                    format: "%02d:%02d:%02d.%03d", value / 3_600_000, value / 60000 % 60, value / 1000 % 60,
                    value % 1000)
            }
            let own = tiles.indices.filter { $0 == 0 || tiles[$0].actualTime > tiles[$0 - 1].actualTime }
            let starts = own.map { $0 == 0 ? CMTime.zero : tiles[$0].actualTime }
            var lines = ["WEBVTT", ""]
            for (index, tile) in own.enumerated() {
                let end = index + 1 < own.count ? starts[index + 1] : duration
                let sheet = String(format: "storyboard-%03d.", tile / 12 + 1) + ending
                lines.append("\(text(starts[index])) --> \(text(end))")
                lines.append("\(sheet)#xywh=\(tile % 4 * 64),\(tile % 12 / 4 * 36),64,36")
                lines.append("")
            }
            return lines.joined(separator: "\n")
        }

        func check(_ mode: String, _ options: [String] = []) async throws {
            let script = Fixture.root.appendingPathComponent("Tests/Acceptance/browser/storyboard_page.py").path
            let run = try await CommandRun.run("python3", [script, mode, folder.path] + options, limit: .seconds(600))
            let bad = run.output.split(separator: "\n").filter { !$0.hasPrefix("ok ") }.joined(separator: "\n")
            #expect(run.exitCode == 0, "\(bad)\n\(run.errorOutput)")
            #expect(run.output.contains("\nall passed"))
        }
    }

    /// A film at 29.97 frames per second, with one damaged picture and two intervals without one.
    private static func tiles(_ count: Int, every interval: CMTimeValue = 10) -> [Storyboard.Tile] {
        var tiles: [Storyboard.Tile] = []
        for index in 0..<count {
            let isGap = (7...8).contains(index)
            let time = CMTime(value: (CMTimeValue(index) * interval * 30000 / 1001 + 3) * 1001, timescale: 30000)
            tiles.append(
                Storyboard.Tile(
                    requestedTime: CMTime(value: CMTimeValue(index) * interval, timescale: 1),
                    actualTime: isGap ? tiles[6].actualTime : time, isSyncSample: index % 3 > 0, isExact: false,
                    damage: index == 4 ? PageTests.hostile : nil, gap: isGap ? PageTests.hostile : nil))
        }
        return tiles
    }

    @Test func `The storyboard's page shows the right tiles and runs nothing of a hostile title`() async throws {
        let set = try Set(
            tiles: Self.tiles(40), duration: CMTime(value: 397_397, timescale: 1000),
            interval: CMTime(value: 10, timescale: 1), title: PageTests.hostile)
        // What would turn the rest of the title round, "gpj.exe" into "exe.jpg", is left out.
        let title = String(String.UnicodeScalarView(PageTests.hostile.unicodeScalars.filter { $0 != "\u{202e}" }))
        try await set.check("page", ["--title", title, "--damaged", "5", "--gap", "7"])
        try await set.check("track")
    }

    @Test func `A video plays above its storyboard`() async throws {
        let tiles = (0..<20).map {
            Storyboard.Tile(
                requestedTime: CMTime(value: $0, timescale: 2), actualTime: CMTime(value: $0 * 12, timescale: 25),
                isSyncSample: false, isExact: true)
        }
        let set = try Set(
            tiles: tiles, duration: CMTime(value: 10, timescale: 1), interval: CMTime(value: 1, timescale: 2),
            format: .jpeg, player: "100% film #1?.mp4")
        try FileManager.default.copyItem(at: Fixture("movie.mp4").url, to: set.file("100% film #1?.mp4"))
        try await set.check("page", ["--film", "plays"])
    }

    @Test(.enabled(if: Tier.isFull, Comment(rawValue: Tier.skipReason)))
    func `A storyboard's page of two hours works without its video`() async throws {
        let set = try Set(
            tiles: Self.tiles(720), duration: CMTime(value: 7200, timescale: 1),
            interval: CMTime(value: 10, timescale: 1), player: "gone.mp4", isEmbedded: true)
        try await set.check("page", ["--film", "missing"])
    }
}
