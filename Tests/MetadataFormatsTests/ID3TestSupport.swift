import MediaIO
import MediaMetadata
import Testing

@testable import MetadataFormats

/// Bytes of ID3 tags, put together as the specifications have it.
enum ID3Bytes {
    static func synchsafe(_ number: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(number >> $0 & 0x7F) } }

    static func tag(_ version: UInt8, _ frames: [[UInt8]], flags: UInt8 = 0, padding: Int = 0) -> [UInt8] {
        let body = frames.flatMap { $0 } + Array(repeating: 0, count: padding)
        return Array("ID3".utf8) + [version, 0, flags] + synchsafe(body.count) + body
    }

    static func frame(_ version: UInt8, _ name: String, _ content: [UInt8], flags: UInt8 = 0) -> [UInt8] {
        let size = content.count
        let bytes = [24, 16, 8, 0].map { UInt8(size >> $0 & 0xFF) }
        switch version {
        case 2: return Array(name.utf8) + bytes.dropFirst() + content
        case 3: return Array(name.utf8) + bytes + [0, flags] + content
        default: return Array(name.utf8) + synchsafe(size) + [0, flags] + content
        }
    }

    /// A text frame in ISO 8859-1.
    static func text(_ version: UInt8, _ name: String, _ text: String) -> [UInt8] {
        frame(version, name, [0] + Array(text.utf8))
    }

    /// Two frames of MPEG-1 layer III, 32 kbit/s at 44.1 kHz: 104 bytes each.
    static let audio: [UInt8] = {
        let frame: [UInt8] = [0xFF, 0xFB, 0x10, 0xC4] + (4..<104).map { UInt8($0) }
        return frame + frame
    }()

    static func old(title: String, artist: String = "", track: UInt8 = 0, genre: UInt8 = 255) -> [UInt8] {
        func field(_ text: String, _ length: Int) -> [UInt8] {
            Array(text.utf8) + Array(repeating: 0, count: length - text.utf8.count)
        }
        return Array("TAG".utf8) + field(title, 30) + field(artist, 30) + field("", 30) + field("1999", 4)
            + field("", 28) + [0, track, genre]
    }
}

/// What a rewrite makes of a file.
extension MetadataFormat {
    /// What reading a file gives.
    static func read(_ file: RandomAccessFile) throws -> FileMetadata { try Self(reading: file).metadata }

    /// A file with other metadata.
    static func rewrite(_ file: RandomAccessFile, with metadata: FileMetadata) throws -> MetadataRewrite {
        try Self(reading: file).rewritten(with: metadata)
    }
}

enum Rewritten {
    static func bytes(_ rewrite: FileRewrite, of file: RandomAccessFile) -> [UInt8] {
        rewrite.segments.flatMap { segment in
            switch segment {
            case .bytes(let bytes): bytes
            case .source(let range): file.read(at: range.lowerBound, count: Int(range.upperBound - range.lowerBound))
            }
        }
    }

    /// The file after each step of the way to change it in place; `nil` if there is none.
    static func stages(_ rewrite: FileRewrite, of file: RandomAccessFile) -> [[UInt8]]? {
        guard let steps = rewrite.steps else { return nil }
        var bytes = file.read(at: 0, count: Int(file.byteCount))
        return steps.map { step in
            switch step {
            case .prepare(let new, let position), .commit(let new, let position):
                let end = Int(position) + new.count
                bytes += Array(repeating: 0, count: max(0, end - bytes.count))
                bytes.replaceSubrange(Int(position)..<end, with: new)
            case .truncate(let length): bytes.removeSubrange(Int(length)...)
            }
            return bytes
        }
    }

    /// The file with other metadata, and what that loses.
    static func file(
        _ format: any MetadataFormat.Type, _ bytes: [UInt8], change: (inout FileMetadata) -> Void
    ) throws -> (bytes: [UInt8], losses: [MetadataLoss]) {
        let file = RandomAccessFile(bytes: bytes)
        var metadata = try format.read(file)
        change(&metadata)
        let rewrite = try format.rewrite(file, with: metadata)
        let new = Self.bytes(rewrite.rewrite, of: file)
        if let stages = stages(rewrite.rewrite, of: file) { #expect(stages.last ?? bytes == new) }
        return (new, rewrite.losses)
    }

    static func entries(_ format: any MetadataFormat.Type, _ bytes: [UInt8]) throws -> [MetadataEntry] {
        try format.read(RandomAccessFile(bytes: bytes)).entries
    }

    /// Checks that damage anywhere keeps neither reading nor writing from ending.
    static func withstandDamage(_ format: any MetadataFormat.Type, _ bytes: [UInt8]) {
        var versions = bytes.indices.map { Array(bytes[..<$0]) }
        for value: UInt8 in [0, 1, 0x7F, 0xFF] {
            versions += bytes.indices.prefix(600).map { index in
                var version = bytes
                version[index] = value
                return version
            }
        }
        for version in versions {
            let file = RandomAccessFile(bytes: version)
            _ = format.recognizes(Array(version.prefix(64)), file)
            guard var metadata = try? format.read(file) else { continue }
            metadata.entries.append(MetadataEntry(.id3, .text("TPE4"), .text("x")))
            metadata.chapterLists = []
            _ = try? format.rewrite(file, with: metadata)
        }
    }
}

extension MetadataEntry {
    static func id3(_ frame: String, _ text: String, _ info: String? = nil) -> MetadataEntry {
        let key: MetadataKey =
            frame.count == 3 ? MetadataKey(fourCharacters: "\0" + frame) ?? .text(frame) : .text(frame)
        return MetadataEntry(.id3, key, .text(text), extras: info.map { [.info: .text($0)] } ?? [:])
    }
}
