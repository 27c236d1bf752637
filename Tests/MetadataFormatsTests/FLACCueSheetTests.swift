import MediaCore
import MediaIO
import MediaMetadata
import Testing

@testable import MetadataFormats

/// A FLAC file with a cue sheet, made by hand after RFC 9639.
private struct CueSheetFile {
    struct Track {
        var offset: UInt64
        var number: UInt8
        var recordingCode = ""
        var points: [UInt64] = [0]
    }

    /// The tracks that FFmpeg 5.1 reads as chapters at 0, 1 and 2 s, the first one called `123456789012`.
    static let tracks = [
        Track(offset: 0, number: 1, recordingCode: "123456789012"),
        Track(offset: 44100, number: 2, points: [0, 588]), Track(offset: 88200, number: 3),
        Track(offset: 162_496, number: 170, points: []),
    ]

    static func content(_ tracks: [Track] = tracks, isCD: Bool = true) -> [UInt8] {
        var bytes = Array("1234567890123".utf8) + [UInt8](repeating: 0, count: 115)
        bytes.append(bigEndian: UInt32(0))
        bytes.append(bigEndian: UInt32(88200))
        bytes += [isCD ? 0x80 : 0] + [UInt8](repeating: 0, count: 258) + [UInt8(tracks.count)]
        for track in tracks {
            bytes += number(track.offset) + [track.number] + Array(track.recordingCode.utf8)
            bytes += [UInt8](repeating: 0, count: 12 - track.recordingCode.utf8.count + 14)
            bytes.append(UInt8(track.points.count))
            for (index, point) in track.points.enumerated() { bytes += number(point) + [UInt8(index + 1), 0, 0, 0] }
        }
        return bytes
    }

    private static func number(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    /// 44,100 samples a second.
    private static let information =
        [0x10, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0x0A, 0xC4, 0x42, 0xF0] + [UInt8](repeating: 0, count: 20)

    static func bytes(_ content: [UInt8] = content(), comments: [String] = ["TITLE=A"]) -> [UInt8] {
        FLACBytes([
            .init(type: 0, content: information), .init(type: 5, content: content),
            .init(type: 4, content: VorbisBytes.comments(comments)), FLACBytes.padding(3000),
        ]).bytes
    }
}

@Suite struct `Cue sheets of FLAC files` {
    private func read(_ bytes: [UInt8]) throws -> FileMetadata { try FLACFormat.read(RandomAccessFile(bytes: bytes)) }

    private func changed(
        _ bytes: [UInt8], losing items: [String] = [], _ change: (inout FileMetadata) -> Void
    ) throws -> FLACBytes {
        var metadata = try read(bytes)
        change(&metadata)
        let rewrite = try FLACFormat.rewrite(RandomAccessFile(bytes: bytes), with: metadata)
        #expect(rewrite.losses.map(\.item) == items)
        let new = rewrite.rewrite.result(of: bytes)
        // Each moment of a change in place has the old chapters or the new ones.
        let (old, wanted) = (try read(bytes).chapterLists, try read(new).chapterLists)
        for moment in rewrite.rewrite.moments(of: bytes) ?? [] {
            let now = try read(moment).chapterLists
            #expect(now == old || now == wanted)
        }
        return try #require(FLACBytes(parsing: new))
    }

    private let list = ChapterList(
        form: .vorbisComment, chapters: [Chapter(start: CMTime(value: 1, timescale: 2), titles: [.init("B")])])

    @Test func `Cue sheets of FLAC files are chapters, the lead-out their end`() throws {
        let lists = try read(CueSheetFile.bytes()).chapterLists
        #expect(lists.count == 1)
        #expect(lists.first?.form == .cueSheet)
        let chapters = lists.first?.chapters ?? []
        #expect(chapters.map(\.start) == [0, 44100, 88200].map { CMTime(value: $0, timescale: 44100) })
        #expect(chapters.map(\.title) == ["123456789012", "", ""])
        #expect(chapters.last?.end == CMTime(value: 162_496, timescale: 44100))
    }

    @Test func `Cue sheets of FLAC files give way to comments`() throws {
        let comments = ["CHAPTER001=00:00:00.500", "CHAPTER001NAME=B"]
        #expect(try read(CueSheetFile.bytes(comments: comments)).chapterLists == [list])
    }

    @Test(arguments: [["TITLE=A"], ["CHAPTER001=00:00:00.700"]])
    func `Cue sheets of FLAC files stay when other things change`(_ comments: [String]) throws {
        let old = CueSheetFile.bytes(comments: comments)
        let new = try changed(old) { $0.entries = [.comment("TITLE", "Other")] }
        #expect(new.blocks.contains { $0.type == 5 && $0.content == CueSheetFile.content() })
        #expect(try read(new.bytes).chapterLists == read(old).chapterLists)
    }

    // ffprobe 5.1 showed the tracks of a cue sheet that stayed, and not the chapters that were set.
    @Test(arguments: [["TITLE=A"], ["CHAPTER001=00:00:00.700"]])
    func `Cue sheets of FLAC files are replaced by new chapters, and reported as lost`(_ comments: [String]) throws {
        let new = try changed(CueSheetFile.bytes(comments: comments), losing: ["cue sheet"]) {
            $0.chapterLists = [list]
        }
        #expect(!new.blocks.contains { $0.type == 5 })
        #expect(try read(new.bytes).chapterLists == [list])
    }

    @Test(arguments: [["TITLE=A"], ["CHAPTER001=00:00:00.500"]])
    func `Cue sheets of FLAC files are removed with all chapters`(_ comments: [String]) throws {
        let new = try changed(CueSheetFile.bytes(comments: comments)) { $0.chapterLists = [] }
        #expect(!new.blocks.contains { $0.type == 5 })
        #expect(try read(new.bytes).chapterLists == [])
    }

    @Test func `Damaged cue sheets of FLAC files give no chapters, and stay`() throws {
        let whole = CueSheetFile.content()
        for count in 0..<whole.count {
            let old = CueSheetFile.bytes(Array(whole.prefix(count)))
            #expect(try read(old).chapterLists == [])
            guard count % 50 == 0 else { continue }
            let new = try changed(old) { $0.entries = [] }
            #expect(new.blocks.contains { $0.type == 5 && $0.content.count == count })
        }
        let far = CueSheetFile.content([.init(offset: .max, number: 1), .init(offset: .max, number: 170)])
        #expect(try read(CueSheetFile.bytes(far)).chapterLists == [])
    }
}
