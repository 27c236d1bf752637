import MediaIO
import MediaMetadata
import MetadataFormats

/// Bytes of FLAC and Ogg files, made by hand after their specifications.
enum VorbisBytes {
    /// A comment header: vendor, number, comments.
    static func comments(_ comments: [[UInt8]], vendor: String = "maker") -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: UInt32(vendor.utf8.count))
        bytes += Array(vendor.utf8)
        bytes.append(littleEndian: UInt32(comments.count))
        for comment in comments {
            bytes.append(littleEndian: UInt32(comment.count))
            bytes += comment
        }
        return bytes
    }

    static func comments(_ texts: [String]) -> [UInt8] { comments(texts.map { Array($0.utf8) }) }

    /// The content of a PICTURE block.
    static func picture(
        type: UInt32 = 3, mimeType: String = "image/png", description: String = "", numbers: [UInt32] = [0, 0, 0, 0],
        data: [UInt8]
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: type)
        bytes.append(bigEndian: UInt32(mimeType.utf8.count))
        bytes += Array(mimeType.utf8)
        bytes.append(bigEndian: UInt32(description.utf8.count))
        bytes += Array(description.utf8)
        for number in numbers { bytes.append(bigEndian: number) }
        bytes.append(bigEndian: UInt32(data.count))
        return bytes + data
    }

    /// A PNG's header as far as its size tells: 7 × 5 pixels, 8 bits, RGB.
    static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13] + Array("IHDR".utf8)
        + [0, 0, 0, 7, 0, 0, 0, 5, 8, 2, 0, 0, 0, 1, 2, 3, 4]
    /// A JPEG's header as far as its size tells: 9 × 6 pixels, 8 bits, three components.
    static let jpeg: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xC2, 0, 17, 8, 0, 6, 0, 9, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]

    /// Bytes of which no two neighbours are equal.
    static func noise(_ count: Int, seed: Int = 0) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: ($0 &+ seed) &* 167 &+ (($0 &+ seed) >> 8) &* 13) }
    }
}

/// A FLAC file by its blocks.
struct FLACBytes {
    struct Block: Hashable {
        var type: UInt8
        var content: [UInt8]
    }

    var blocks: [Block]
    var audio = [0xFF, 0xF8] + VorbisBytes.noise(5000, seed: 9)

    var bytes: [UInt8] {
        var bytes = Array("fLaC".utf8)
        for (index, block) in blocks.enumerated() {
            bytes.append(block.type | (index == blocks.count - 1 ? 0x80 : 0))
            bytes += [
                UInt8(block.content.count >> 16), UInt8(block.content.count >> 8 & 255),
                UInt8(block.content.count & 255),
            ]
            bytes += block.content
        }
        return bytes + audio
    }

    init(_ blocks: [Block]) { self.blocks = blocks }

    /// Takes a file apart; `nil` if a length or the mark of the last block is wrong.
    init?(parsing bytes: [UInt8]) {
        guard bytes.starts(with: Array("fLaC".utf8)) else { return nil }
        blocks = []
        var position = 4
        var isLast = false
        while !isLast {
            guard position + 4 <= bytes.count else { return nil }
            isLast = bytes[position] & 0x80 != 0
            let count = Int(bytes[position + 1]) << 16 | Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
            guard position + 4 + count <= bytes.count else { return nil }
            let content = Array(bytes[(position + 4)..<(position + 4 + count)])
            blocks.append(Block(type: bytes[position] & 0x7F, content: content))
            position += 4 + count
        }
        audio = Array(bytes[position...])
    }

    /// Blocks that are neither comments nor pictures nor padding.
    var opaque: [Block] { blocks.filter { ![1, 4, 6].contains($0.type) } }

    static func padding(_ count: Int) -> Block { Block(type: 1, content: [UInt8](repeating: 0, count: count)) }
    static let streamInformation = Block(type: 0, content: VorbisBytes.noise(34, seed: 3))
}

/// A page of an Ogg file.
struct OggBytes: Hashable {
    var flags: UInt8 = 0
    var position: UInt64 = 0
    var serial: UInt32 = 1
    var sequence: UInt32
    var segments: [UInt8]
    var body: [UInt8]

    /// Bit by bit, as RFC 3533 describes it.
    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var value: UInt32 = 0
        for byte in bytes {
            value ^= UInt32(byte) << 24
            for _ in 0..<8 { value = value & 0x8000_0000 != 0 ? value << 1 ^ 0x04C1_1DB7 : value << 1 }
        }
        return value
    }

    var bytes: [UInt8] {
        var bytes = Array("OggS".utf8) + [0, flags]
        bytes.append(littleEndian: position)
        bytes.append(littleEndian: serial)
        bytes.append(littleEndian: sequence)
        let head = bytes
        let tail = [UInt8(segments.count)] + segments + body
        bytes.append(littleEndian: Self.checksum(head + [0, 0, 0, 0] + tail))
        return bytes + tail
    }

    /// The pages of a file; `nil` if one is not sound or does not continue its stream.
    static func pages(of bytes: [UInt8]) -> [OggBytes]? {
        var pages: [OggBytes] = []
        var rest = bytes[...]
        var next: [UInt32: (sequence: UInt32, isOpen: Bool)] = [:]
        while !rest.isEmpty {
            guard rest.starts(with: Array("OggS".utf8)), rest.count >= 27, let position = rest.littleEndian64(at: 6),
                let serial = rest.littleEndian32(at: 14), let sequence = rest.littleEndian32(at: 18)
            else { return nil }
            let count = Int(rest[rest.startIndex + 26])
            let segments = Array(rest.dropFirst(27).prefix(count))
            let size = segments.reduce(0) { $0 + Int($1) }
            let page = OggBytes(
                flags: rest[rest.startIndex + 5], position: position, serial: serial, sequence: sequence,
                segments: segments, body: Array(rest.dropFirst(27 + count).prefix(size)))
            guard Array(rest.prefix(27 + count + size)) == page.bytes else { return nil }
            let isFirst = page.flags & 2 != 0
            if !isFirst {
                guard let expected = next[serial], expected.sequence == sequence,
                    expected.isOpen == (page.flags & 1 != 0)
                else { return nil }
            }
            next[serial] = (sequence &+ 1, segments.last == 255)
            pages.append(page)
            rest = rest.dropFirst(page.bytes.count)
        }
        return pages
    }

    /// The packets of one stream.
    static func packets(_ pages: [OggBytes], serial: UInt32) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        var open: [UInt8] = []
        for page in pages where page.serial == serial {
            var rest = page.body[...]
            for segment in page.segments {
                open += rest.prefix(Int(segment))
                rest = rest.dropFirst(Int(segment))
                if segment < 255 {
                    packets.append(open)
                    open = []
                }
            }
        }
        return packets
    }

    /// Pages that hold packets; each inner list begins on a new page.
    static func stream(_ groups: [[[UInt8]]], serial: UInt32 = 1, segmentsPerPage: Int = 255) -> [OggBytes] {
        var pages: [OggBytes] = []
        for (number, packets) in groups.enumerated() {
            var segments = packets.flatMap { [UInt8](repeating: 255, count: $0.count / 255) + [UInt8($0.count % 255)] }[
                ...]
            var body = packets.flatMap { $0 }[...]
            var isOpen = false
            while !segments.isEmpty {
                let own = Array(segments.prefix(segmentsPerPage))
                let size = own.reduce(0) { $0 + Int($1) }
                let time = number < 2 ? 0 : UInt64(number) * 960
                let page = OggBytes(
                    flags: (isOpen ? 1 : 0) | (pages.isEmpty ? 2 : 0),
                    position: own.contains { $0 < 255 } ? time : UInt64.max, serial: serial,
                    sequence: UInt32(pages.count), segments: own, body: Array(body.prefix(size)))
                pages.append(page)
                isOpen = own.last == 255
                segments = segments.dropFirst(own.count)
                body = body.dropFirst(size)
            }
        }
        if !pages.isEmpty { pages[pages.count - 1].flags |= 4 }
        return pages
    }

    static func file(_ pages: [OggBytes]) -> [UInt8] { pages.flatMap(\.bytes) }
}

extension FileRewrite {
    /// The new version of a file in memory.
    func result(of file: [UInt8]) -> [UInt8] {
        segments.flatMap { segment in
            switch segment {
            case .bytes(let bytes): bytes
            case .source(let range): Array(file[Int(range.lowerBound)..<Int(range.upperBound)])
            }
        }
    }

    /// The file after each step, and with half of what a step prepares; `nil` if there are no steps.
    func moments(of file: [UInt8]) -> [[UInt8]]? {
        guard let steps else { return nil }
        var moments = [file]
        var now = file
        func put(_ bytes: some Collection<UInt8>, at position: UInt64) {
            let start = Int(position)
            while now.count < start + bytes.count { now.append(0) }
            now.replaceSubrange(start..<(start + bytes.count), with: bytes)
            moments.append(now)
        }
        for step in steps {
            switch step {
            case .prepare(let bytes, let position):
                put(bytes.prefix(bytes.count / 2), at: position)
                put(bytes, at: position)
            case .commit(let bytes, let position): put(bytes, at: position)
            case .truncate(let length):
                now.removeSubrange(Int(length)...)
                moments.append(now)
            }
        }
        return moments
    }
}

extension MetadataEntry {
    static func comment(_ name: String, _ text: String) -> MetadataEntry {
        MetadataEntry(.vorbisComment, .text(name), .text(text))
    }

    /// The name and the text of a comment; the number of bytes of a picture.
    var short: String {
        switch value {
        case .text(let text): "\(key.text)=\(text)"
        case .data(let bytes): "\(key.text):\(bytes.count)"
        default: "\(key.text)?"
        }
    }
}
