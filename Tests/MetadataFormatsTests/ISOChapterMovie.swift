import Foundation
import MediaContainers
import MediaCore
import MediaIO
import MediaMetadata
import MetadataFormats

/// A movie of boxes put together by hand, with chapters and without media.
struct ISOChapterMovie {
    /// Samples lie here, after a header of 16 bytes.
    static let dataStart: UInt64 = 16

    var data: [UInt8] = []
    var traks: [[UInt8]] = []
    var userData: [UInt8] = []
    var timescale: UInt32 = 1000
    var duration: UInt32 = 10_000

    static func big(_ number: some FixedWidthInteger) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: number)
        return bytes
    }

    static func box(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
        let content = parts.flatMap { $0 }
        return big(UInt32(content.count + 8)) + Array(type.utf8) + content
    }

    /// A track whose samples follow one another, one chunk for all.
    struct Track {
        var trackID: UInt32 = 2
        var handler = "text"
        var entry = "text"
        var timescale: UInt32 = 1000
        var language: UInt16 = 0x55C4
        var extendedLanguage: String?
        /// Duration and bytes.
        var samples: [(UInt32, [UInt8])] = []
        /// Duration in the movie's ticks and media time.
        var edits: [(UInt32, Int32)]?
        /// Bytes that `tref` has.
        var references: [UInt8] = []
    }

    mutating func add(_ track: Track) {
        func big(_ number: some FixedWidthInteger) -> [UInt8] { Self.big(number) }
        let start = Self.dataStart + UInt64(data.count)
        data += track.samples.flatMap(\.1)
        let table = Self.box(
            "stbl",
            Self.box("stsd", [0, 0, 0, 0, 0, 0, 0, 1], Self.box(track.entry, [0, 0, 0, 0, 0, 0, 0, 1])),
            Self.box(
                "stts", [0, 0, 0, 0], big(UInt32(track.samples.count)),
                track.samples.flatMap { big(UInt32(1)) + big($0.0) }),
            Self.box(
                "stsc", [0, 0, 0, 0, 0, 0, 0, 1], big(UInt32(1)), big(UInt32(track.samples.count)), big(UInt32(1))),
            Self.box(
                "stsz", [0, 0, 0, 0, 0, 0, 0, 0], big(UInt32(track.samples.count)),
                track.samples.flatMap { big(UInt32($0.1.count)) }),
            Self.box("stco", [0, 0, 0, 0, 0, 0, 0, 1], big(UInt32(start))))
        let language = track.extendedLanguage.map { Self.box("elng", [0, 0, 0, 0] + Array($0.utf8) + [0]) } ?? []
        let edits = track.edits.map { edits in
            Self.box(
                "edts",
                Self.box(
                    "elst", [0, 0, 0, 0], big(UInt32(edits.count)),
                    edits.flatMap { big($0.0) + big($0.1) + [0, 1, 0, 0] }))
        }
        let header = Self.box(
            "mdhd", Array(repeating: 0, count: 12), big(track.timescale), big(UInt32(0)), big(track.language), [0, 0])
        traks.append(
            Self.box(
                "trak",
                Self.box("tkhd", Array(repeating: 0, count: 12), big(track.trackID), Array(repeating: 0, count: 68)),
                edits ?? [], track.references.isEmpty ? [] : Self.box("tref", track.references),
                Self.box(
                    "mdia", header, language,
                    Self.box(
                        "hdlr", [0, 0, 0, 0, 0, 0, 0, 0], Array(track.handler.utf8), Array(repeating: 0, count: 13)),
                    Self.box("minf", table))))
    }

    /// A track that refers to others for its chapters.
    mutating func addSound(chapters: UInt32...) {
        let references = chapters.isEmpty ? [] : Self.box("chap", chapters.flatMap { Self.big($0) })
        add(Track(trackID: 1, handler: "soun", entry: "mp4a", references: references))
    }

    var bytes: [UInt8] {
        let header = Self.box(
            "mvhd", Array(repeating: 0, count: 12), Self.big(timescale), Self.big(duration),
            Array(repeating: 0, count: 80))
        let movie = Self.box("moov", header, traks.flatMap { $0 }, userData.isEmpty ? [] : Self.box("udta", userData))
        return Self.box("free") + Self.box("mdat", data) + movie
    }

    var lists: (lists: [ChapterList], problems: [String]) { Self.lists(in: bytes) }

    static func lists(in bytes: [UInt8]) -> (lists: [ChapterList], problems: [String]) {
        let file = RandomAccessFile(bytes: bytes)
        guard let movie = BoxReader(file: file).box(["moov"], in: 0..<file.byteCount) else { return ([], ["no moov"]) }
        return ISOChapters.lists(in: movie, of: file)
    }

    /// A text sample: text with its length before it, and boxes.
    static func text(_ text: String, _ boxes: [UInt8]...) -> [UInt8] {
        big(UInt16(text.utf8.count)) + Array(text.utf8) + boxes.flatMap { $0 }
    }

    /// The box that says UTF-8, as all writers have it.
    static let encoding = box("encd", [0, 0, 1, 0])
}

extension CMTime {
    /// Milliseconds.
    static func ms(_ value: Int64) -> CMTime { CMTime(value: value, timescale: 1000) }
}
