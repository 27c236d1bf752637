import Foundation
import MediaAsset
import MediaCore
import MediaIO
import MediaImage
import MediaPreviews
import MediaTestSupport
import Testing

@Suite struct `Contact sheets` {
    @Test(
        arguments: Tier.some(
            [
                "movie.mov", "vfr.mp4", "nonzero-start.mkv", "hevc-open-gop.mp4", "h264.ts", "anamorphic.mp4",
                "fragmented.mp4",
                "av1.webm", "odd-161x121.webm", "full-range.mp4", "long-gop.mp4", "alpha-png.mov",
            ], 4))
    func `Contact sheets show at each label the frame that is shown at its time`(_ name: String) async throws {
        let frames = try Sidecar.load(Fixture(name)).shownFrames
        let sheet = try await makeSheet(name)
        #expect(sheet.tiles.count + sheet.omittedCount == 16)
        for tile in sheet.tiles {
            let number = try sheet.picture(tile).frameNumber
            #expect(number != nil)
            #expect(number == frames.frame(shownAt: try time(ofLabel: tile.label)).number)
            #expect(number == frames.frame(shownAt: tile.requestedTime).number)
            #expect(frames.frame(shownAt: tile.actualTime).time == tile.actualTime)
        }
        #expect(Set(sheet.tiles.map(\.actualTime)).count == sheet.tiles.count)
    }

    @Test func `Contact sheets spread their times evenly, each in the middle of its share`() async throws {
        let sheet = try await makeSheet("movie.mov") { $0.count = 10 }
        // 10 s: 0.5 s, 1.5 s and so on.
        #expect(sheet.tiles.map(\.requestedTime) == (0..<10).map { CMTime(value: 2 * $0 + 1, timescale: 2) })
    }

    @Test func `Contact sheets spread their times over the video where the audio is longer`() async throws {
        // 2 s of pictures, 4 s of sound.
        let sheet = try await makeSheet("audio-longer.mp4") { $0.count = 4 }
        #expect(sheet.tiles.map { $0.requestedTime.seconds } == [0.25, 0.75, 1.25, 1.75])
        #expect(sheet.omittedCount == 0)
    }

    @Test func `Contact sheets lie on a grid`() async throws {
        let sheet = try await makeSheet("movie.mov") {
            ($0.columns, $0.rows, $0.scale) = (5, 3, .sheetWidth(1000))
            ($0.margin, $0.gap, $0.showsHeader, $0.labels) = (20, 10, false, .none)
        }
        // (1000 - 2 × 20 - 4 × 10) / 5 = 184, which makes 138 rows of 320x240.
        #expect(sheet.image.size == [1000, 20 + 3 * 138 + 2 * 10 + 20])
        for (index, tile) in sheet.tiles.enumerated() {
            #expect(tile.place == [20 + index % 5 * 194, 20 + index / 5 * 148])
            #expect(tile.size == [184, 138])
        }
    }

    @Test func `Contact sheets are no wider than stills of full size need`() async throws {
        let sheet = try await makeSheet("movie.mov") { ($0.columns, $0.rows, $0.scale) = (2, 1, .sheetWidth(4000)) }
        #expect(sheet.tiles.map(\.size) == [[320, 240], [320, 240]])
        #expect(sheet.image.width < 1000)
    }

    @Test func `Contact sheets fit stills into a box`() async throws {
        let sheet = try await makeSheet("movie.mov") { $0.scale = .tile(width: 100, height: 60) }
        #expect(sheet.tiles.allSatisfy { $0.size == [80, 60] })
    }

    @Test func `Contact sheets begin with the file's facts unless told not to`() async throws {
        let with = try await makeSheet("movie.mov")
        let without = try await makeSheet("movie.mov") { $0.showsHeader = false }
        let background = [28, 28, 30]
        let top = try #require(with.tiles.first).y
        #expect(top > 100)
        #expect(with.hasInk(rows: 0..<top, background: background))
        let bare = try #require(without.tiles.first).y
        #expect(bare < 40)
        #expect(!without.hasInk(rows: 0..<bare, background: background))
        #expect(with.image.height - without.image.height == top - bare)
    }

    @Test func `Contact sheets have times under their stills, on them or nowhere`() async throws {
        let background = [28, 28, 30]
        var heights: [Int] = []
        for labels in ContactSheet.Labels.allCases {
            let sheet = try await makeSheet("movie.mov", .times([.zero])) { $0.labels = labels }
            let tile = try #require(sheet.tiles.first)
            let bottom = tile.y + tile.height
            #expect(sheet.hasInk(rows: bottom..<sheet.image.height, background: background) == (labels == .under))
            heights.append(sheet.image.height)
            // The green square lies at the lower right.
            let corner = try sheet.picture(tile).color(x: 310, y: 232)
            #expect((PatternColor(near: corner) == .green) == (labels != .on))
        }
        #expect(heights[0] > heights[1] && heights[1] == heights[2])
    }

    @Test(arguments: [(RGBColor.white, [0, 0, 0]), (.black, [255, 255, 255]), (RGBColor("#ffff00")!, [0, 0, 0])])
    func `Contact sheets have black or white text, by the background`(
        _ background: RGBColor, _ ink: [Int]
    ) async throws {
        let sheet = try await makeSheet("movie.mov") { $0.background = background }
        let top = try #require(sheet.tiles.first).y
        let colors = (0..<top).flatMap { y in (0..<sheet.image.width).map { sheet.image.color(x: $0, y: y) } }
        #expect(colors.contains(ink))
    }

    @Test func `Contact sheets show the times that are asked for, in their order`() async throws {
        let times = [4, 2, 2, 0].map { CMTime(value: $0, timescale: 1) }
        let sheet = try await makeSheet("movie.mov", .times(times))
        #expect(sheet.tiles.map(\.requestedTime) == times)
        #expect(try sheet.tiles.map { try sheet.picture($0).frameNumber } == [100, 50, 50, 0])
        #expect(zip(sheet.tiles, sheet.tiles.dropFirst()).allSatisfy { $0.x < $1.x && $0.y == $1.y })
    }

    @Test func `Contact sheets show the starts of chapters with their titles`() async throws {
        let sheet = try await makeSheet("movie.mov", .chapters)
        #expect(sheet.tiles.map(\.title) == ["Opening", "Middle", "Ending"])
        #expect(sheet.tiles.map(\.label) == ["0:00:00.000", "0:00:03.000", "0:00:07.000"])
        #expect(try sheet.tiles.map { try sheet.picture($0).frameNumber } == [0, 75, 175])
    }

    @Test func `Contact sheets take representative frames if asked for`() async throws {
        let sheet = try await makeSheet("movie.mov") {
            ($0.count, $0.representativeWindow) = (4, CMTime(value: 1, timescale: 2))
        }
        #expect(sheet.tiles.allSatisfy { $0.choice != nil })
        #expect(sheet.tiles.allSatisfy { abs(($0.actualTime - $0.requestedTime).seconds) <= 0.51 })
    }

    /// Two times took one frame, and the last place stayed empty.
    @Test(
        arguments: Tier.some(["movie.mov", "vfr.mp4", "long-gop.mp4", "hevc-open-gop.mp4", "nonzero-start.mkv"], 2),
        [16, 20, 7])
    func `Contact sheets of representative frames have no hole`(_ name: String, _ count: Int) async throws {
        let exact = try await makeSheet(name) { ($0.count, $0.columns) = (count, 5) }
        let sheet = try await makeSheet(name) {
            ($0.count, $0.columns, $0.representativeWindow) = (count, 5, CMTime(value: 2, timescale: 1))
        }
        #expect(Set(sheet.tiles.map(\.actualTime)).count == sheet.tiles.count)
        #expect(sheet.tiles.count >= exact.tiles.count)
    }
}

@Suite struct `Contact sheets of odd films` {
    @Test(arguments: [
        ("rotate-90.mp4", [120, 160], [79, 10]), ("rotate-270.mp4", [120, 160], [40, 149]),
        ("anamorphic.mp4", [352, 193], [4, 60]),
    ])
    func `Contact sheets show video upright, in square pixels`(
        _ name: String, _ size: [Int], _ red: [Int]
    ) async throws {
        let sheet = try await makeSheet(name) {
            $0.gap = 0
            $0.margin = 16
            $0.count = 4
        }
        let tile = try #require(sheet.tiles.first)
        #expect(tile.size == size)
        // Under the bars, at the left, before the picture is turned.
        #expect(PatternColor(near: try sheet.picture(tile).color(x: red[0], y: red[1])) == .red)
    }

    @Test func `Contact sheets lay transparent stills over the background`() async throws {
        let sheet = try await makeSheet("alpha-png.mov", .times([.zero])) {
            $0.background = RGBColor(red: 0, green: 0, blue: 255)
        }
        let tile = try #require(sheet.tiles.first)
        let picture = try sheet.picture(tile)
        // Clear on the left, opaque on the right; the bars are opaque.
        #expect(picture.color(x: 1, y: 110) == [0, 0, 255])
        #expect(picture.color(x: 130, y: 110) != [0, 0, 255])
        #expect(PatternColor(near: picture.color(x: 2, y: 4)) == .white)
    }

    @Test func `Contact sheets show a single frame once`() async throws {
        let sheet = try await makeSheet("one-frame.mp4")
        #expect(sheet.tiles.map(\.label) == ["0:00:00.000"])
        #expect(sheet.omittedCount == 15)
    }

    @Test func `Contact sheets have room for the header above tiny stills`() async throws {
        let sheet = try await makeSheet("1x1.mp4")
        #expect(sheet.image.width == 600)
        #expect(sheet.tiles.allSatisfy { $0.size == [1, 1] })
        #expect(Set(sheet.tiles.map(\.x)).count == sheet.tiles.count)
    }

    @Test(arguments: ["audio-only.m4a", "attached-picture.mp3"])
    func `Contact sheets are not made of audio`(_ name: String) async {
        await #expect { try await makeSheet(name) } throws: { ($0 as? AVError)?.code == .noSourceTrack }
    }

    @Test func `Contact sheets of chapters need chapters`() async {
        await #expect { try await makeSheet("vfr.mp4", .chapters) } throws: {
            ($0 as? AVError)?.reason.contains("no chapters") == true
        }
    }

    @Test func `Contact sheets draw titles of any length, and count what no font has`() async throws {
        let plain = try await makeSheet("vfr.mp4")
        #expect(plain.missingCharacterCount == 0)
        let long = try await makeSheet("vfr.mp4", as: String(repeating: "漢字 العربية <b>😀 ", count: 1 << 16))
        #expect(long.missingCharacterCount == 0)
        #expect(long.image.width == plain.image.width)
        let unknown = try await makeSheet("vfr.mp4", as: "a\u{10FFFD}\n\u{202E}b.mp4")
        #expect(unknown.missingCharacterCount == 1)
    }
}

@Suite struct `Contact sheets that cannot be made` {
    /// A film with a part of its bytes gone, given as shares, at a path that goes with the folder.
    private func broken(
        _ name: String, from start: Double, to end: Double = 0.9, in folder: TemporaryFolder
    ) throws -> ContactSheetSource {
        var data = try Data(contentsOf: Fixture(name).url)
        for index in Int(Double(data.count) * start)..<Int(Double(data.count) * end) { data[index] = 0 }
        let url = folder.url.appendingPathComponent(name)
        try data.write(to: url)
        return ContactSheetSource(url: url)
    }

    @Test func `Contact sheets fail as a whole for one damaged frame`() async {
        await #expect { try await makeSheet("damaged.mp4") } throws: { ($0 as? AVError)?.code == .decodeFailed }
    }

    @Test func `Contact sheets show damage if it is allowed`() async throws {
        let sheet = try await makeSheet("damaged.mp4") { $0.allowsDamagedPictures = true }
        #expect(sheet.tiles.count == 16)
        #expect(sheet.tiles.contains { $0.damage != nil })
    }

    @Test func `Contact sheets are not made of placeholders alone`() async throws {
        let folder = try TemporaryFolder()
        let film = try broken("alpha-prores.mov", from: 0.00125, in: folder)
        await #expect(throws: AVError.self) { try await film.sheet { $0.allowsDamagedPictures = true } }
    }

    @Test func `Contact sheets fail for a time beyond the end, whatever is allowed`() async {
        await #expect {
            try await makeSheet("movie.mov", .times([CMTime(value: 11, timescale: 1)])) {
                $0.allowsDamagedPictures = true
            }
        } throws: { ($0 as? AVError)?.code == .noImageAtTime }
    }

    @Test func `Contact sheets are refused where they would be too large`() async {
        for (format, rows) in [(PreviewImageFormat.webp, 100), (.png, 300)] {
            await #expect(throws: MediaLimitError.self) {
                try await makeSheet("long-gop.mp4") {
                    ($0.format, $0.columns, $0.rows, $0.scale) = (format, 1, rows, .tile(width: 400, height: 300))
                }
            }
        }
        await #expect(throws: MediaLimitError.self) {
            try await makeSheet("movie.mov", .times(Array(repeating: .zero, count: 1000))) {
                ($0.columns, $0.scale) = (30, .tile(width: 400, height: 300))
            }
        }
        await #expect(throws: MediaLimitError.self) {
            try await makeSheet("movie.mov") { ($0.columns, $0.scale) = (100, .sheetWidth(500)) }
        }
    }

    @Test(arguments: [0, -1, 1001, Int.max])
    func `Contact sheets are refused with numbers that make no sense`(_ number: Int) async {
        let changes: [@Sendable (inout ContactSheet.Settings) -> Void] = [
            { $0.columns = number }, { $0.rows = number },
            { $0.scale = .tile(width: number == 1001 ? 1 : number, height: 100) },
        ]
        for change in changes {
            await #expect { try await makeSheet("movie.mov", .even, change) } throws: {
                ($0 as? AVError)?.code == .incorrectlyConfigured
            }
        }
    }

    @Test func `Contact sheets end when their task is cancelled`() async {
        let task = Task {
            try await makeSheet("long-gop.mp4") { ($0.columns, $0.rows) = (20, 20) }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}

/// A film that is no fixture.
private struct ContactSheetSource {
    let url: URL

    func sheet(_ change: (inout ContactSheet.Settings) -> Void) async throws -> ContactSheet {
        var settings = ContactSheet.Settings()
        change(&settings)
        return try await ContactSheet.make(of: AVURLAsset(url: url), name: url.lastPathComponent, settings: settings)
    }
}
