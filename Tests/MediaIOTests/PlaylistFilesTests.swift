import Foundation
import TestSupport
import Testing

@testable import MediaIO

/// `--force` replaced segments of the very playlist that was read.
@Suite struct `Files that a playlist names` {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("sub/deep"), withIntermediateDirectories: true)
    }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.url.appendingPathComponent(name))
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: folder.path(name), withDestinationPath: target)
    }

    private func isRefused(_ name: String, by files: RunFiles) -> Bool {
        do {
            _ = try files.output(folder.path(name), replaces: true)
            return false
        } catch {
            return error.kind == .isInput && error.path == folder.path(name)
        }
    }

    @Test(arguments: [
        "#EXTINF:2,\nsub/a.ts\n", "#EXTINF:2,\r\nsub/a.ts \t\r\n", "#EXTINF:2,\n./sub/../sub/./a.ts\n",
        "#EXT-X-MAP:URI=\"sub/a.ts\",BYTERANGE=\"10@0\"\n", "#EXT-X-KEY:METHOD=AES-128,URI=sub/a.ts,IV=0x1\n",
        "#EXT-X-MEDIA:TYPE=AUDIO,URI=\"sub/b.ts\",NAME=\"x\",X-URI=\"sub/a.ts\"\n",
        "#EXTINF:2,\nfile:FOLDER/sub/a.ts\n", "#EXTINF:2,\nFOLDER/sub/a.ts\n", "#EXTINF:2,\nlink.ts\n",
        "#EXTINF:2,\nhard.ts\n", "#EXTINF:2,\nother/../sub/a.ts\n", "#EXT-X-STREAM-INF:BANDWIDTH=1\nsub/nested.m3u8\n",
        "#EXT-X-MEDIA:TYPE=AUDIO,URI=\"sub/nested.m3u8\"\n",
    ])
    func `Files that a playlist names are inputs, however they are named`(_ lines: String) throws {
        for name in ["sub/a.ts", "free.ts"] { try write("precious", to: name) }
        try link("link.ts", to: "sub/a.ts")
        try link("other", to: "sub/deep")
        try FileManager.default.linkItem(atPath: folder.path("sub/a.ts"), toPath: folder.path("hard.ts"))
        try write("#EXTM3U\n#EXTINF:2,\na.ts\n../film.m3u8\n", to: "sub/nested.m3u8")
        try write(
            "#EXTM3U\n" + lines.replacingOccurrences(of: "FOLDER", with: folder.url.path) + "#EXT-X-ENDLIST\n",
            to: "film.m3u8")
        let files = RunFiles(reading: [folder.path("film.m3u8")])
        for name in ["sub/a.ts", "sub/deep/../a.ts", "hard.ts", "film.m3u8"] {
            #expect(isRefused(name, by: files), "\(name)")
        }
        #expect(!isRefused("free.ts", by: files))
    }

    // A playlist had the command open and read any other playlist of the machine.
    @Test(arguments: ["../other/far.m3u8", "FOLDER/other/far.m3u8", "link.m3u8"])
    func `Playlists beyond a playlist's folder are not read for inputs`(_ name: String) throws {
        for folder in ["in", "other"] {
            try FileManager.default.createDirectory(
                atPath: self.folder.path(folder), withIntermediateDirectories: true)
        }
        for name in ["other/a.ts", "in/near.ts"] { try write("precious", to: name) }
        try write("#EXTM3U\n#EXTINF:2,\na.ts\n", to: "other/far.m3u8")
        try link("in/link.m3u8", to: "../other/far.m3u8")
        let named = name.replacingOccurrences(of: "FOLDER", with: folder.url.path)
        try write("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n\(named)\nnear.ts\n", to: "in/film.m3u8")
        let files = RunFiles(reading: [folder.path("in/film.m3u8")])
        #expect(isRefused("in/near.ts", by: files))
        #expect(!isRefused("other/a.ts", by: files))
        let refused = RunFiles(reading: [folder.path("in/film.m3u8")], playsPlaylists: false)
        #expect(!isRefused("in/near.ts", by: refused))
    }

    @Test func `Files of a playlist that come or are replaced during the run are inputs`() throws {
        for name in ["a.ts", "b.ts", "c.ts"] { try write("old", to: name) }
        try write("#EXTM3U\n#EXTINF:2,\na.ts\n#EXTINF:2,\nlate.ts\n", to: "film.m3u8")
        let files = RunFiles(reading: [folder.path("film.m3u8")])
        try write("new", to: "other")
        #expect(rename(folder.path("other"), folder.path("a.ts")) == 0)
        try write("new", to: "late.ts")
        #expect(isRefused("a.ts", by: files) && isRefused("late.ts", by: files))
        #expect(!isRefused("c.ts", by: files))
        try write("#EXTM3U\n#EXTINF:2,\na.ts\n#EXTINF:2,\nlate.ts\n#EXTINF:2,\nb.ts\n", to: "film.m3u8")
        #expect(isRefused("b.ts", by: files))
    }

    @Test func `Only playlists are read for further inputs`() throws {
        for name in ["a.ts", "b.ts"] { try write("old", to: name) }
        try write("a.ts\n", to: "list.txt")
        try write("#EXTM3U\nhttps://example.org/a.ts\n#EXTINF:2,\nb.ts\n", to: "film.m3u8")
        #expect(mkfifo(folder.path("pipe.m3u8"), 0o600) == 0)
        let files = RunFiles(reading: ["list.txt", "film.m3u8", "pipe.m3u8", "none.m3u8"].map(folder.path))
        #expect(!isRefused("a.ts", by: files) && isRefused("b.ts", by: files))
    }

    @Test func `Every existing file is an input where a playlist is too large to be read`() throws {
        try write("old", to: "a.ts")
        let line = "#" + String(repeating: "x", count: 1023) + "\n"
        try write("#EXTM3U\n" + String(repeating: line, count: 17 << 10), to: "film.m3u8")
        let files = RunFiles(reading: [folder.path("film.m3u8")])
        #expect(isRefused("a.ts", by: files) && !isRefused("new.ts", by: files))
    }
}
