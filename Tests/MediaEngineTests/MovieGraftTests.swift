import FFmpegKit
import Foundation
import MediaContainers
import MediaCore
import MediaIO
import MediaMetadata
import MediaTestSupport
import Testing

@testable import MediaEngine

@Suite("Tracks that only movies hold go into muxed ones")
struct MovieGraftTests {
    private typealias Builder = MovieBuilder

    /// Ten seconds at 25 frames a second with timecode, metadata once a second, and captions.
    private static func film(brand: String = "isom") -> MovieBuilder {
        let timecode =
            Builder.zeros(7) + [1] + Builder.zeros(4) + Builder.u32(0) + Builder.u32(25) + Builder.u32(1) + [25, 0]
        var film = MovieBuilder(tracks: [
            MovieBuilder.Track(
                durations: Array(repeating: 4, count: 250), syncSamples: [1], samples: numbered(250),
                references: [("tmcd", [7]), ("chap", [9])]),
            MovieBuilder.Track(
                id: 7, handler: "tmcd", timescale: 25, entries: [("tmcd", timecode)], durations: [250],
                samples: [Builder.u32(1000)]),
            MovieBuilder.Track(
                id: 8, handler: "meta", timescale: 1000, entries: [("mett", Builder.zeros(7) + [1, 0, 0])],
                durations: Array(repeating: 1000, count: 10), samples: numbered(10, "m"),
                references: [("cdsc", [1, 9])]),
            MovieBuilder.Track(
                id: 9, handler: "text", timescale: 1000, entries: [("text", Builder.zeros(60))],
                durations: [10000], samples: numbered(1, "t")),
            MovieBuilder.Track(
                id: 10, handler: "clcp", timescale: 1000, entries: [("c608", Builder.zeros(7) + [1])],
                durations: Array(repeating: 500, count: 20), samples: numbered(20, "c")),
        ])
        film.head = Builder.box("ftyp", Array(brand.utf8) + Builder.zeros(4) + Array(brand.utf8))
        return film
    }

    private static func trim(_ film: MovieBuilder) throws -> MovieTrim {
        try MovieTrim(file: RandomAccessFile(bytes: film.bytes))
    }

    /// Puts tracks of the film into a muxed copy of a fixture that lasts ten seconds too.
    private func add(
        _ trim: MovieTrim, range: CMTimeRange?, to path: String, format: String = "mp4", room: UInt64 = 0,
        isOptimizedForNetwork: Bool = true
    ) throws -> (movie: MovieReading, losses: [MetadataLoss]) {
        let source = Fixture(format == "mov" ? "movie.mov" : "movie.mp4").path
        let copy = try UnfinishedCopy(source, to: path, format: format, roomByteCount: room)
        let graft = MovieGraft(MovieGraft.candidates(of: trim), of: trim, range: range, madeAnew: [1: 1])
        let output = try MediaOutput(copy.muxed, adding: graft, isOptimizedForNetwork: isOptimizedForNetwork)
        let finished = try output.finished(with: nil)
        try finished.write(to: copy.muxed.pending, isSynced: false)
        return (MovieReading([UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))), finished.losses)
    }

    private static let range = CMTimeRange(start: milliseconds(2000), end: milliseconds(6500))

    @Test func `Grafted tracks are those that are no video, audio or subtitles`() throws {
        #expect(MovieGraft.candidates(of: try Self.trim(Self.film())) == [7, 8, 10])
    }

    @Test(arguments: [0, 1 << 15], [true, false])
    func `Grafted tracks are cut to the range, with new numbers`(_ room: UInt64, _ isFirst: Bool) async throws {
        let folder = try TemporaryFolder()
        let (plain, path) = (folder.path("plain.mp4"), folder.path("a.mp4"))
        _ = try UnfinishedCopy(Fixture("movie.mp4").path, to: plain, format: "mp4").finish(title: nil, chapters: [])
        let old = MovieReading([UInt8](try Data(contentsOf: URL(fileURLWithPath: plain))))
        let (movie, losses) = try add(
            Self.trim(Self.film()), range: Self.range, to: path, room: room, isOptimizedForNetwork: isFirst)
        #expect(losses.isEmpty)
        #expect(movie.tracks.map(\.id) == [1, 2, 3, 4, 5])
        #expect(movie.nextTrackID == 6)
        #expect(movie.tracks.map(\.handler) == ["vide", "soun", "tmcd", "meta", "clcp"])
        #expect(movie.tracks[..<2].map(\.samples) == old.tracks.map(\.samples))
        #expect(movie.tracks[..<2].map(\.edits) == old.tracks.map(\.edits))
        #expect(movie.duration == old.duration && movie.timescale == old.timescale)
        // Two seconds are 50 frames.
        #expect(movie.tracks[2].samples.map(\.bytes) == [Builder.u32(1050)])
        #expect(movie.shown(movie.tracks[2]).map(\.end) == [milliseconds(4500)])
        #expect(movie.tracks[3].samples.map(\.bytes) == Array(numbered(10, "m")[2..<7]))
        #expect(movie.shown(movie.tracks[3]).map(\.start) == (0..<5).map { milliseconds($0 * 1000) })
        #expect(movie.tracks[4].samples.map(\.bytes) == Array(numbered(20, "c")[4..<13]))
        #expect(movie.tracks[2...].allSatisfy { $0.duration == movie.timescale * 9 / 2 })
        // Pictures refer to the timecode, metadata to the pictures; what is not there is not referred to.
        #expect(movie.tracks.map(\.references) == [["tmcd": [3]], [:], [:], ["cdsc": [1]], [:]])
        let types = movie.boxes.map(\.type).filter { $0 != "free" }
        #expect(types == (isFirst ? ["ftyp", "moov", "mdat", "mdat"] : ["ftyp", "mdat", "mdat", "moov"]))
        #expect(try await Probed.packets(path, streams: 2) == (try await Probed.packets(plain, streams: 2)))
        #expect(try await Probed(path).codecs.count == 5)
    }

    @Test func `Grafted tracks without a range are whole, up to the movie's end`() throws {
        let folder = try TemporaryFolder()
        var film = Self.film()
        let (movie, _) = try add(Self.trim(film), range: nil, to: folder.path("a.mp4"))
        #expect(movie.tracks[3].samples.map(\.bytes) == numbered(10, "m"))
        #expect(movie.tracks[2].samples.map(\.bytes) == [Builder.u32(1000)])
        film.tracks[2].durations = Array(repeating: 5000, count: 10)
        let (other, _) = try add(Self.trim(film), range: nil, to: folder.path("b.mp4"))
        #expect(other.tracks[3].samples.map(\.bytes) == Array(numbered(10, "m")[..<other.tracks[3].samples.count]))
        #expect(other.tracks[3].samples.count <= 3)
        #expect(other.duration == movie.duration)
    }

    @Test func `Grafted tracks take the form of the other kind of file, or are reported`() throws {
        let folder = try TemporaryFolder()
        var film = Self.film(brand: "qt  ")
        film.tracks[1].mediaHeader = Builder.box("gmhd", Builder.box("gmin", Builder.zeros(16)))
        let trim = try Self.trim(film)
        let (mp4, losses) = try add(trim, range: Self.range, to: folder.path("a.mp4"))
        #expect(mp4.tracks.map(\.handler) == ["vide", "soun", "tmcd", "meta"])
        #expect(losses == [MetadataLoss(item: "track 10", reason: "MP4 cannot hold c608")])
        let (mov, none) = try add(trim, range: Self.range, to: folder.path("a.mov"), format: "mov")
        #expect(mov.tracks.map(\.handler) == ["vide", "soun", "tmcd", "meta", "clcp"])
        #expect(none.isEmpty)
    }

    @Test func `Grafted tracks that are damaged are left out and reported`() throws {
        let folder = try TemporaryFolder()
        var film = Self.film()
        // Samples beyond the end of the file.
        film.tracks[2].sizeBox = Builder.box(
            "stsz", Builder.u32(0), Builder.u32(1 << 30), Builder.u32(10))
        let (movie, losses) = try add(Self.trim(film), range: Self.range, to: folder.path("a.mp4"))
        #expect(movie.tracks.map(\.handler) == ["vide", "soun", "tmcd", "clcp"])
        #expect(losses.map(\.item) == ["track 8"])
        #expect(movie.tracks[0].references == ["tmcd": [3]])
    }

    @Test func `Grafted tracks go beside the metadata of a muxed movie`() async throws {
        let folder = try TemporaryFolder()
        let copy = try UnfinishedCopy(
            Fixture("movie.mp4").path, to: folder.path("a.mp4"), format: "mp4", roomByteCount: 1 << 15)
        let trim = try Self.trim(Self.film())
        let output = try MediaOutput(
            copy.muxed, adding: MovieGraft([7, 8, 99, 1], of: trim, range: Self.range, madeAnew: [1: 1]))
        var metadata = output.metadata
        try metadata.set("title", "Ein Film")
        metadata.chapterLists = [ChapterList(form: .other, chapters: twoChapters)]
        let finished = try output.finished(with: metadata)
        #expect(finished.losses.isEmpty)
        try finished.write(to: copy.muxed.pending, isSynced: false)
        let movie = MovieReading([UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("a.mp4")))))
        #expect(movie.tracks.map(\.handler) == ["vide", "soun", "tmcd", "meta", "text"])
        #expect(movie.tracks[0].references == ["tmcd": [3], "chap": [5]])
        #expect(movie.tracks[3].samples.map(\.bytes) == Array(numbered(10, "m")[2..<7]))
        let probed = try await Probed(folder.path("a.mp4"))
        #expect(probed.title == "Ein Film")
        #expect(probed.chapters.count == 2)
    }
}
