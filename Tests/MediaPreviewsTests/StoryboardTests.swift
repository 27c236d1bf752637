import MediaCore
import MediaPreviews
import Testing

@Suite("Storyboards") struct StoryboardTests {
    private func storyboard(
        actual: [CMTime], duration: CMTime, columns: Int = 3, rows: Int = 2, origin: CMTime = .zero,
        timeline: PreviewTimeline = .asset, part: CMTimeRange? = nil
    ) -> Storyboard {
        Storyboard(
            sourceName: "film.mp4", duration: duration, origin: origin, timeline: timeline, part: part,
            interval: CMTime(value: 10, timescale: 1), tileWidth: 160,
            tileHeight: 90, columns: columns, rows: rows, format: .jpeg,
            tiles: actual.enumerated().map { index, time in
                Storyboard.Tile(
                    requestedTime: CMTime(value: CMTimeValue(10 * index), timescale: 1), actualTime: time,
                    isSyncSample: true, isExact: false)
            }, sheetByteCounts: [])
    }

    @Test func `Cues begin at the first millisecond of their frames and leave no gaps`() {
        let board = storyboard(
            actual: [
                .zero, CMTime(value: 300_300, timescale: 30000), CMTime(value: 600_599, timescale: 30000),
            ], duration: CMTime(value: 25_040_040, timescale: 1_000_000))
        #expect(board.cues.map(\.start) == [0, 10010, 20020])
        #expect(board.cues.map(\.end) == [10010, 20020, 25041])
    }

    @Test func `Cues count from the container's zero where players do`() {
        let times = [CMTime.zero, CMTime(value: 10, timescale: 1)]
        let (duration, origin) = (CMTime(value: 20, timescale: 1), CMTime(value: 4979, timescale: 1000))
        let board = storyboard(actual: times, duration: duration, origin: origin, timeline: .container)
        // Until the film begins, players show its first picture.
        #expect(board.cues.map(\.start) == [0, 14979])
        #expect(board.cues.map(\.end) == [14979, 24979])
        let own = storyboard(actual: times, duration: duration, origin: origin)
        #expect(own.cues.map(\.end) == [10000, 20000])
        #expect(PreviewTimeline.ofPlayers(container: "matroska,webm") == .container)
        #expect(PreviewTimeline.ofPlayers(container: "mpegts") == .asset)
    }

    @Test func `Cues of a range begin and end with it`() {
        let part = CMTimeRange(
            start: CMTime(value: 100, timescale: 1), end: CMTime(value: 115, timescale: 1))
        let board = storyboard(
            actual: [CMTime(value: 99, timescale: 1), CMTime(value: 110, timescale: 1)],
            duration: CMTime(value: 200, timescale: 1), origin: CMTime(value: 5, timescale: 1), timeline: .container,
            part: part)
        #expect(board.cues.map(\.start) == [105_000, 115_000])
        #expect(board.cues.map(\.end) == [115_000, 120_000])
    }

    @Test func `Tiles of one frame share a cue`() {
        let board = storyboard(
            actual: [CMTime(value: 2, timescale: 1), CMTime(value: 2, timescale: 1), CMTime(value: 19, timescale: 1)],
            duration: CMTime(value: 30, timescale: 1))
        #expect(board.cues.map(\.tile) == [0, 2])
        #expect(board.cues.map(\.start) == [0, 19000])
    }

    @Test func `A video without a duration ends after its last cue has begun`() {
        let board = storyboard(actual: [.zero, CMTime(value: 8, timescale: 1)], duration: .indefinite)
        #expect(board.cues.map(\.end) == [8000, 8001])
    }

    @Test func `Places of tiles begin anew on each sheet`() {
        let board = storyboard(actual: Array(repeating: .zero, count: 14), duration: CMTime(value: 140, timescale: 1))
        #expect(board.sheetCount == 3)
        #expect(board.place(ofTile: 5) == Storyboard.Place(sheet: 0, x: 320, y: 90))
        #expect(board.place(ofTile: 6) == Storyboard.Place(sheet: 1, x: 0, y: 0))
        #expect(board.place(ofTile: 13) == Storyboard.Place(sheet: 2, x: 160, y: 0))
        #expect(board.sheetName(2) == "storyboard-003.jpg")
    }
}
