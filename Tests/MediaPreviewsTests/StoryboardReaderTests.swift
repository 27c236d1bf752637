import Foundation
import MediaCore
import MediaPreviews
import MediaTestSupport
import Testing

@Suite("Indexes of storyboards, read by others") struct StoryboardReaderTests {
    /// Writes a storyboard's indexes, with pictures that are JPEG files by their first and last bytes only.
    private func write(_ board: Storyboard, into folder: TemporaryFolder) throws {
        var bif = try BIFFile(imageCount: board.tiles.count, interval: board.interval)
        var pictures = Data()
        for index in board.tiles.indices {
            let picture = Data([0xff, 0xd8, 0xff]) + Data(count: index % 5) + Data([0xff, 0xd9])
            try bif.add(byteCount: picture.count)
            pictures += picture
        }
        let document = StoryboardDocument(
            source: .init(name: board.sourceName, byteCount: 1, modifiedSeconds: 0, nanoseconds: 0),
            storyboard: board, settings: StoryboardSettings(),
            files: [WebVTTIndex.fileName, HLSImagePlaylist.fileName, DASHThumbnails.fileName, BIFFile.fileName]
                + (0..<board.sheetCount).map(board.sheetName))
        for (name, data) in [
            (StoryboardDocument.fileName, try document.data()),
            (WebVTTIndex.fileName, Data(WebVTTIndex.text(of: board).utf8)),
            (HLSImagePlaylist.fileName, Data(HLSImagePlaylist.text(of: board).utf8)),
            (DASHThumbnails.fileName, Data(DASHThumbnails.manifest(of: board).utf8)),
            (BIFFile.fileName, try bif.header() + pictures),
        ] { try data.write(to: folder.url.appendingPathComponent(name)) }
    }

    private func read(_ folder: TemporaryFolder) async throws -> CommandRun {
        let script = Fixture.root.appendingPathComponent("Tests/Acceptance/readers/storyboard_indexes.py").path
        return try await CommandRun.run("python3", [script, folder.path])
    }

    @Test(arguments: [
        Storyboard.twoSheets(name: "\"--><b>.mp4"), .ntsc(), .ntsc(tileCount: 18),
        .sample(
            duration: CMTime(value: 1, timescale: 24), interval: CMTime(value: 10, timescale: 1), columns: 1, rows: 1,
            tileCount: 1, sheetByteCounts: [7]),
        .sample(
            duration: CMTime(value: 12_000_001, timescale: 1000), interval: CMTime(value: 1, timescale: 1), columns: 3,
            rows: 4, tileCount: 12001, sheetByteCounts: Array(repeating: 1234, count: 1001)),
    ])
    func `Readers of other programs find the tiles that were written`(board: Storyboard) async throws {
        let folder = try TemporaryFolder()
        try write(board, into: folder)
        let run = try await read(folder)
        #expect(run.exitCode == 0 && run.errorOutput.isEmpty, "\(run.errorOutput.prefix(2000))")
        #expect(run.output.contains("WebVTT: \(board.tiles.count) cues\n"))
        #expect(run.output.contains("BIF: \(board.tiles.count) pictures, "))
        #expect(run.output.contains("HLS: \(board.sheetCount) sheets\n"))
        #expect(run.output.contains("DASH: \(board.sheetCount) sheets\n"))
    }

    @Test(arguments: [
        (WebVTTIndex.fileName, "160,0,160,90", "160,1,160,90", "WebVTT: "),
        (WebVTTIndex.fileName, "00:00:10.000 -->", "00:00:10.001 -->", "WebVTT: "),
        (HLSImagePlaylist.fileName, "#EXTINF:60,", "#EXTINF:61,", "HLS: "),
        (HLSImagePlaylist.fileName, "LAYOUT=3x2", "LAYOUT=2x3", "HLS: "),
        (DASHThumbnails.fileName, "startNumber=\"1\"", "startNumber=\"0\"", "DASH: "),
        (DASHThumbnails.fileName, "duration=\"60\"", "duration=\"61\"", "DASH: "),
        (StoryboardDocument.fileName, "\"jpeg\"", "\"webp\"", "DASH: "),
    ])
    func `The independent reader finds wrong values in an index`(
        name: String, right: String, wrong: String, said: String
    ) async throws {
        let folder = try TemporaryFolder()
        try write(.twoSheets(), into: folder)
        let url = folder.url.appendingPathComponent(name)
        let text = try String(contentsOf: url, encoding: .utf8)
        #expect(text.contains(right))
        try Data(text.replacingOccurrences(of: right, with: wrong).utf8).write(to: url)
        let run = try await read(folder)
        #expect(run.exitCode == 1 && run.errorOutput.contains(said), "\(run.errorOutput.prefix(2000))")
    }

    @Test func `The independent reader finds an image of a BIF file that lies elsewhere`() async throws {
        let folder = try TemporaryFolder()
        try write(.twoSheets(), into: folder)
        let url = folder.url.appendingPathComponent(BIFFile.fileName)
        var data = try Data(contentsOf: url)
        data[68 + 8] += 1
        try data.write(to: url)
        let run = try await read(folder)
        #expect(run.exitCode == 1 && run.errorOutput.contains("BIF: picture 1 is no JPEG file"))
    }
}
