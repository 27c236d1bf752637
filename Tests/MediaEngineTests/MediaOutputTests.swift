import FFmpegKit
import Foundation
import MediaContainers
import MediaCore
import MediaIO
import MediaMetadata
import MediaTestSupport
import MetadataFormats
import Testing

@testable import MediaEngine

@Suite("Muxed files get their metadata")
struct MediaOutputTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var fixture: String
        var format: String
        var streams: Int
        /// Whether readers tell the title, and the chapters.
        var hasTitle = true
        var hasChapters = true
        var testDescription: String { "\(fixture) as \(format)" }
    }

    static let cases = [
        Case(fixture: "movie.mp4", format: "mp4", streams: 2),
        Case(fixture: "movie.mov", format: "mov", streams: 2),
        Case(fixture: "audio-only.m4a", format: "ipod", streams: 1),
        Case(fixture: "movie.mp4", format: "matroska", streams: 2),
        Case(fixture: "vp9.webm", format: "webm", streams: 1),
        Case(fixture: "audio-only.mp3", format: "mp3", streams: 1),
        Case(fixture: "audio-only.flac", format: "flac", streams: 1),
        Case(fixture: "theora.ogv", format: "ogv", streams: 1),
        Case(fixture: "h264.avi", format: "avi", streams: 1, hasChapters: false),
        Case(fixture: "animated.gif", format: "gif", streams: 1, hasTitle: false, hasChapters: false),
        Case(fixture: "h264.ts", format: "mpegts", streams: 1, hasTitle: false, hasChapters: false),
    ]

    @Test(arguments: Tier.some(cases, 4))
    func `Metadata of muxed files is read by ffprobe, without the muxer's own`(_ c: Case) async throws {
        let folder = try TemporaryFolder()
        let (plain, tagged) = (folder.path("plain"), folder.path("tagged"))
        let source = Fixture(c.fixture).path
        _ = try UnfinishedCopy(source, to: plain, format: c.format).finish(title: nil, chapters: [])
        let room = FrontRoom(tracks: Array(repeating: .init(sampleCount: 200, isReordered: true), count: c.streams))
        let copy = try UnfinishedCopy(source, to: tagged, format: c.format, room: room)
        let finished = try copy.finish()
        #expect(try folder.contents() == ["plain", "tagged"])
        let (before, after) = (try await Probed(plain), try await Probed(tagged))
        #expect(after.title == (c.hasTitle ? "Ein Film" : nil))
        // Matroska files have to name what wrote them.
        #expect(after.tags.keys.contains("encoder") == ["matroska", "webm"].contains(c.format))
        #expect(after.chapters.count == (c.hasChapters ? 2 : 0))
        #expect(abs(after.duration - before.duration) < 0.001)
        #expect(after.complaints == before.complaints)
        let packets = try await Probed.packets(tagged, streams: c.streams)
        #expect(packets.count > 5)
        #expect(packets == (try await Probed.packets(plain, streams: c.streams)))
        #expect(finished.losses.isEmpty == (c.hasTitle && c.hasChapters))
        #expect(finished.byteCount == UInt64(try Data(contentsOf: URL(fileURLWithPath: tagged)).count))
    }

    @Test func `Metadata that a muxed file cannot hold is reported as lost`() throws {
        let folder = try TemporaryFolder()
        let copy = try UnfinishedCopy(Fixture("animated.gif").path, to: folder.path("a.gif"), format: "gif")
        #expect(
            Set(try copy.finish().losses) == [
                MetadataLoss(item: "itsk/%A9nam", reason: "this kind of file holds no metadata"),
                MetadataLoss.chapters(reason: "this kind of file holds no metadata"),
            ])
    }

    // MARK: The movie box in front

    /// The tracks of some fixtures, as one would know them before muxing.
    private static let rooms: [String: FrontRoom] = [
        "movie.mp4": FrontRoom(
            tracks: [.init(sampleCount: 250, isReordered: true, syncSampleCount: 10), .init(sampleCount: 470)],
            metadataByteCount: 1200),
        "movie.mov": FrontRoom(
            tracks: [.init(sampleCount: 250, isReordered: true, syncSampleCount: 10), .init(sampleCount: 470)],
            metadataByteCount: 1200),
        "vfr.mp4": FrontRoom(
            tracks: [.init(sampleCount: 100, hasVariableDurations: true, isReordered: true, syncSampleCount: 10)],
            metadataByteCount: 1200),
        "languages.mp4": FrontRoom(
            tracks: [.init(sampleCount: 125, isReordered: true, syncSampleCount: 10)]
                + Array(repeating: .init(sampleCount: 240), count: 2)
                + Array(repeating: .init(sampleCount: 5, hasVariableDurations: true), count: 2),
            metadataByteCount: 1200),
        "audio-only.m4a": FrontRoom(tracks: [.init(sampleCount: 96)], metadataByteCount: 1200),
    ]

    @Test(arguments: rooms.keys.sorted())
    func `Metadata of muxed movies goes with the movie box into the room kept for it`(_ name: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path(name)
        let room = try #require(Self.rooms[name])
        let format = name.hasSuffix("mov") ? "mov" : "mp4"
        let copy = try UnfinishedCopy(Fixture(name).path, to: path, format: format, room: room)
        let length = copy.muxed.pending.byteCount
        _ = try copy.finish()
        let movie = MovieReading([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
        // The media are where the muxer put them; the chapters' samples come after them.
        #expect(
            movie.boxes.map(\.type) == ["ftyp", "moov", "free", format == "mov" ? "wide" : "free", "mdat", "mdat"])
        let used = movie.boxes[1].content.count + 8
        #expect(UInt64(used + movie.boxes[2].content.count + 8) == room.byteCount)
        // The room is no more than what such tables could take.
        #expect(UInt64(used * 3) > room.byteCount, "\(used) of \(room.byteCount)")
        #expect(movie.tracks.last?.handler == "text")
        // The movie box at the end is gone.
        #expect(UInt64(try Data(contentsOf: URL(fileURLWithPath: path)).count) < length)
    }

    @Test(arguments: Tier.some([0, 1, 2000, 4096], 2))
    func `The movie box of muxed files goes to the front even if the room is too small`(_ room: Int) async throws {
        let folder = try TemporaryFolder()
        let source = Fixture("movie.mp4").path
        let path = folder.path("a.mp4")
        let copy = try UnfinishedCopy(source, to: path, format: "mp4", roomByteCount: UInt64(room))
        _ = try copy.finish()
        #expect(try boxTypes(path) == ["ftyp", "moov", "free", "free", "mdat", "mdat"])
        #expect(try await Probed(path).chapters.count == 2)
        _ = try UnfinishedCopy(source, to: folder.path("b"), format: "mp4").finish(title: nil, chapters: [])
        #expect(
            try await Probed.packets(path, streams: 2) == (try await Probed.packets(folder.path("b"), streams: 2)))
    }

    @Test func `The movie box of muxed files goes to the end if asked for`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mp4")
        let copy = try UnfinishedCopy(Fixture("movie.mp4").path, to: path, format: "mp4")
        _ = try copy.finish(isOptimizedForNetwork: false)
        #expect(try boxTypes(path) == ["ftyp", "free", "mdat", "mdat", "moov"])
        let probed = try await Probed(path)
        #expect(probed.chapters == ["0.000000 0.500000 Anfang", "0.500000 \(probed.end) Ende"])
    }

    @Test func `The room for a movie box stays unused if the box goes to the end`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mp4")
        let copy = try UnfinishedCopy(
            Fixture("movie.mp4").path, to: path, format: "mp4", room: Self.rooms["movie.mp4"])
        _ = try copy.finish(isOptimizedForNetwork: false)
        #expect(try await Probed(path).chapters.count == 2)
        #expect(try await Probed.packets(path, streams: 2).count > 200)
    }

    @Test(arguments: ["mp4", "matroska"])
    func `Muxed files leave nothing on a full disk`(_ format: String) async throws {
        let folder = try TemporaryFolder()
        let mount = try await CommandRun.run("mount", ["-t", "tmpfs", "-o", "size=64k", "none", folder.path])
        guard mount.exitCode == 0 else {
            print("skipped: no small disk can be mounted here")
            return
        }
        let result = Result {
            _ = try UnfinishedCopy(Fixture("movie.mp4").path, to: folder.path("a"), format: format).finish()
        }
        let contents = try folder.contents()
        _ = try await CommandRun.run("umount", [folder.path])
        #expect(contents.isEmpty)
        let error = #expect(throws: FileWriteError.self) { try result.get() }
        #expect(error?.kind == .diskFull)
        #expect(error?.reason == "No space left on device")
        #expect(error?.path == folder.path("a"))
    }

    // MARK: Trims

    @Test(arguments: ["movie.mp4", "movie.mov", "languages.mp4", "audio-only.m4a"])
    func `Trims get their metadata in one pass`(_ name: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path(name)
        let file = try #require(RandomAccessFile(path: Fixture(name).path))
        var options = MovieTrimOptions()
        options.dropsChapterTracks = true
        let range = CMTimeRange(start: CMTime(value: 7, timescale: 25), end: CMTime(value: 31, timescale: 25))
        let plan = try MovieTrim(file: file).plan(range: range, options: options)
        let output = MediaOutput(plan.rewrite(), of: file)
        var metadata = output.metadata
        try metadata.set("title", "Ein Film")
        try metadata.set("artist", "Jemand")
        metadata.chapterLists = [ChapterList(form: .other, chapters: twoChapters)]
        let finished = try output.finished(with: metadata)
        #expect(finished.losses.isEmpty)
        let pending = try PendingFile(for: path, replaces: false)
        var progress: [UInt64] = []
        try finished.write(to: pending) { progress.append($0) }
        #expect(progress.last == finished.byteCount)
        let probed = try await Probed(path)
        #expect(probed.tags["title"] == "Ein Film")
        #expect(probed.tags["artist"] == "Jemand")
        #expect(probed.chapters == ["0.000000 0.500000 Anfang", "0.500000 0.960000 Ende"])
        #expect(probed.complaints.isEmpty)
        #expect(abs(probed.duration - 0.96) < 0.001)
        #expect(try boxTypes(path).filter { $0 != "free" } == ["ftyp", "moov", "mdat", "mdat"])
    }

    @Test func `A source that changes while metadata is added is an error`() throws {
        let folder = try TemporaryFolder()
        let source = folder.path("source.mp4")
        try FileManager.default.copyItem(atPath: Fixture("movie.mp4").path, toPath: source)
        let file = try #require(RandomAccessFile(path: source))
        let output = MediaOutput(try MovieTrim(file: file).plan().rewrite(), of: file)
        let finished = try output.finished(with: nil)
        let handle = try #require(FileHandle(forWritingAtPath: source))
        try handle.write(contentsOf: Data([0]))
        try handle.close()
        let pending = try PendingFile(for: folder.path("a.mp4"), replaces: false)
        #expect(throws: FileWriteError.self) { try finished.write(to: pending) }
        #expect(try folder.contents() == ["source.mp4"])
    }

    @Test func `A cancelled task leaves no file with metadata`() async throws {
        let folder = try TemporaryFolder()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            let file = try #require(RandomAccessFile(path: Fixture("movie.mp4").path))
            let finished = try MediaOutput(try MovieTrim(file: file).plan().rewrite(), of: file).finished(with: nil)
            try finished.write(to: try PendingFile(for: folder.path("a.mp4"), replaces: false))
        }
        let result = await task.result
        #expect(throws: FileWriteError.self) { try result.get() }
        #expect(try folder.contents().isEmpty)
    }
}

extension Probed {
    /// The duration as chapters tell it.
    fileprivate var end: String { String(format: "%.6f", duration) }
}
