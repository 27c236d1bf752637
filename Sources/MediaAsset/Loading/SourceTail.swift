package import MediaCore
package import MediaIO

/// Tells by a file's last bytes, or its header, whether the file is truncated.
///
/// Containers without an index do not tell how long they are, and demuxers take
/// the end of the file for that of the media.
package struct SourceTail {
    private let file: RandomAccessFile
    private let container: Container

    package init(_ file: RandomAccessFile, container: Container) {
        self.file = file
        self.container = container
    }

    /// What is cut off, `nil` if nothing is.
    package var truncation: String? {
        if container == .mpegTransportStream { return endsInsidePacket ? "its last packet is not whole" : nil }
        if container == .mpegProgramStream { return tornStream != nil ? "its last packet is not whole" : nil }
        if container == .ogg { return endsInsidePage ? "its last page is not whole" : nil }
        if container == .gif { return endsInsideBlock ? "its last picture is not whole" : nil }
        if let countedBytes, countedBytes > file.byteCount {
            return "\(countedBytes - file.byteCount) bytes are missing that its header counts"
        }
        return nil
    }

    /// Whether all is there that the header counts, whatever length it says; `false` if it counts nothing.
    package var isWhole: Bool { countedBytes.map { $0 <= file.byteCount } ?? false }

    // MARK: Transport streams

    /// The identifier of the packet that an MPEG stream ends inside of; `nil` if it does not, or before that is told.
    package var tornIdentifier: UInt16? {
        if container == .mpegProgramStream { return tornStream }
        guard container == .mpegTransportStream, let rest = bytesInside, rest.count > 2 else { return nil }
        // A packet that begins a unit ends the one before, and one without payload tears nothing.
        let hasPayload = rest.count < 4 || rest[rest.startIndex + 3] & 0x10 != 0
        guard rest[rest.startIndex + 1] & 0x40 == 0, hasPayload else { return nil }
        return UInt16(rest[rest.startIndex + 1] & 0x1F) << 8 | UInt16(rest[rest.startIndex + 2])
    }

    /// Source: ISO/IEC 13818-1, 2.4.3; recorders put four bytes before, or parity bytes after each packet.
    private var endsInsidePacket: Bool { bytesInside != nil }

    /// What there is of the last packet, if it is not whole.
    private var bytesInside: ArraySlice<UInt8>? {
        let head = file.read(at: 0, count: 8 * 204 + 188)
        for (length, first) in [(188, 0), (192, 4), (204, 0)] {
            let starts = Array(stride(from: first, to: head.count, by: length).prefix(8))
            guard starts.count >= 4, starts.allSatisfy({ head[$0] == 0x47 }) else { continue }
            let count = file.byteCount % UInt64(length)
            guard count > 0 else { return nil }
            return file.read(at: file.byteCount - count, count: Int(count)).dropFirst(first)
        }
        return nil
    }

    // MARK: Program streams

    /// The stream of the packet that the file ends inside of.
    ///
    /// Source: ISO/IEC 13818-1, 2.5.3.3 and 2.4.3.6.
    private var tornStream: UInt16? {
        let count = min(file.byteCount, 1 << 18)
        let bytes = file.read(at: file.byteCount - count, count: Int(count))
        let pack: [UInt8] = [0, 0, 1, 0xBA]
        guard var position = bytes.lastIndex(where: { $0 == 0xBA }) else { return nil }
        while position >= 3, !bytes[(position - 3)...].starts(with: pack) {
            guard let next = bytes[..<position].lastIndex(where: { $0 == 0xBA }) else { return nil }
            position = next
        }
        guard position >= 3 else { return nil }
        position += 1
        // The pack's header has a length of its own.
        guard position + 10 <= bytes.count else { return 0 }
        position += bytes[position] & 0xC0 == 0x40 ? 10 + Int(bytes[position + 9] & 7) : 8
        while position + 4 <= bytes.count {
            guard bytes[position...].starts(with: [0, 0, 1]) else { return nil }
            let stream = UInt16(bytes[position + 3])
            guard stream != 0xB9 else { return nil }
            guard position + 6 <= bytes.count else { return stream }
            position += 6 + (Int(bytes[position + 4]) << 8 | Int(bytes[position + 5]))
            // Neither padding nor what discs say of navigation holds pictures or sound.
            if position > bytes.count { return [0xBE, 0xBF].contains(stream) ? nil : stream }
        }
        // The header itself may be torn.
        guard position <= bytes.count else { return 0 }
        return bytes[position...].allSatisfy { $0 == 0 } ? nil : 0
    }

    // MARK: GIF

    /// Whether a GIF ends inside of a block; one that only lacks its trailer does not.
    ///
    /// Source: GIF89a Specification, "Data Sub-blocks", "Logical Screen Descriptor", "Image Descriptor".
    private var endsInsideBlock: Bool {
        var reader = WindowReader(file: file)
        func tableBytes(_ flags: UInt8) -> UInt64 { flags & 0x80 == 0 ? 0 : 3 << (UInt64(flags & 7) + 1) }
        guard let flags = reader.byte(at: 10) else { return false }
        var position = 13 + tableBytes(flags)
        // What says how the next picture is shown.
        var announcesPicture = false
        while let kind = reader.byte(at: position) {
            switch kind {
            case 0x21:
                announcesPicture = announcesPicture || reader.byte(at: position + 1) == 0xF9
                position += 2
            case 0x2C:
                announcesPicture = false
                guard let flags = reader.byte(at: position + 9) else { return true }
                position += 11 + tableBytes(flags)
            // The trailer, or what is no GIF any more.
            default: return false
            }
            while true {
                guard let count = reader.byte(at: position) else { return true }
                position += 1 + UInt64(count)
                if count == 0 { break }
            }
        }
        return position > file.byteCount || announcesPicture
    }

    /// Reads single bytes of a file, mostly one soon after the other.
    private struct WindowReader {
        let file: RandomAccessFile
        private var window: (start: UInt64, bytes: [UInt8]) = (0, [])

        init(file: RandomAccessFile) { self.file = file }

        mutating func byte(at position: UInt64) -> UInt8? {
            guard position < file.byteCount else { return nil }
            if position < window.start || position - window.start >= UInt64(window.bytes.count) {
                window = (position, file.read(at: position, count: 1 << 16))
            }
            let index = Int(position - window.start)
            return window.bytes.indices.contains(index) ? window.bytes[index] : nil
        }
    }

    // MARK: Ogg

    /// Source: RFC 3533, 6.
    private var endsInsidePage: Bool {
        let count = min(file.byteCount, Self.longestPage * 2)
        let start = file.byteCount - count
        let bytes = file.read(at: start, count: Int(count))
        let mark = Array("OggS".utf8)
        var position = bytes.count - 1
        while position >= 0 {
            defer { position -= 1 }
            guard bytes[position] == mark[0], bytes[position...].starts(with: mark) else { continue }
            guard let end = Self.pageEnd(bytes[position...]) else { return true }
            // A mark within a page's data is followed by something that is no page.
            let previous = bytes[..<position].isEmpty || isPageBorder(before: position, bytes)
            if previous { return end > bytes.count }
        }
        return false
    }

    /// Where a page ends, `nil` if not even its header is there.
    private static func pageEnd(_ page: ArraySlice<UInt8>) -> Int? {
        let start = page.startIndex
        guard page.count >= 27 else { return nil }
        let segments = Int(page[start + 26])
        guard page.count >= 27 + segments else { return nil }
        return start + 27 + segments + page[(start + 27)..<(start + 27 + segments)].reduce(0) { $0 + Int($1) }
    }

    /// Whether a page before ends just at a position.
    private func isPageBorder(before position: Int, _ bytes: [UInt8]) -> Bool {
        let mark = Array("OggS".utf8)
        var start = position - 1
        while start >= 0, position - start <= Int(Self.longestPage) {
            if bytes[start] == mark[0], bytes[start...].starts(with: mark), Self.pageEnd(bytes[start...]) == position {
                return true
            }
            start -= 1
        }
        return false
    }

    private static let longestPage: UInt64 = 27 + 255 + 255 * 255

    // MARK: ASF

    /// How many bytes the header says that the file has; `nil` if it does not.
    ///
    /// Source: the ASF specification, 3.2, the file properties object.
    private var countedBytes: UInt64? {
        if chunks != nil || container == .au { return dataEnd }
        guard container == .asf else { return nil }
        let identifier: [UInt8] = [
            0xA1, 0xDC, 0xAB, 0x8C, 0x47, 0xA9, 0xCF, 0x11, 0x8E, 0xE4, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65,
        ]
        let head = file.read(at: 0, count: 1 << 16)
        guard
            let start = head.indices.first(where: {
                head[$0] == identifier[0] && head[$0...].starts(with: identifier)
            }), start + 92 <= head.count
        else { return nil }
        func number(_ offset: Int, _ count: Int) -> UInt64 {
            head[(start + offset)..<(start + offset + count)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        // What is broadcast tells no size.
        let isBroadcast = number(88, 4) & 1 == 1
        let count = number(40, 8)
        return isBroadcast || count == 0 ? nil : count
    }
    // MARK: Sound in chunks

    /// How the chunks of a kind of file are told.
    private struct Chunks {
        var start: UInt64
        var nameBytes = 4
        var sizeBytes = 4
        var isLittleEndian = false
        /// Whether sizes count the header.
        var countsHeader = false
        var alignment: UInt64 = 2
        var data = "data"
    }

    private var chunks: Chunks? {
        switch container {
        case .wave: Chunks(start: 12, isLittleEndian: true)
        case .wave64:
            Chunks(start: 40, nameBytes: 16, sizeBytes: 8, isLittleEndian: true, countsHeader: true, alignment: 8)
        case .aiff: Chunks(start: 12, data: "SSND")
        case .caf: Chunks(start: 8, sizeBytes: 8, alignment: 1)
        default: nil
        }
    }

    private static let mostChunks = 10_000

    /// Where the samples end by their own chunk; `nil` where its size was written before it was known.
    ///
    /// What is written to a pipe gets a size of none, all ones, or the greatest that fits.
    private var dataEnd: UInt64? {
        if container == .au {
            let fields = file.read(at: 4, count: 8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let size = fields & 0xFFFF_FFFF
            return size == 0xFFFF_FFFF ? nil : (fields >> 32) + size
        }
        guard let chunks else { return nil }
        var position = chunks.start
        var longSize: UInt64?
        for _ in 0..<Self.mostChunks {
            let header = UInt64(chunks.nameBytes + chunks.sizeBytes)
            let head = file.read(at: position, count: Int(header) + 16)
            guard head.count >= Int(header) else { return nil }
            let digits = head[chunks.nameBytes..<Int(header)]
            let number = (chunks.isLittleEndian ? Array(digits.reversed()) : Array(digits)).reduce(0) {
                $0 << 8 | UInt64($1)
            }
            let size = chunks.countsHeader ? number.subtractingReportingOverflow(header).partialValue : number
            // RF64 tells it where there is room for it.
            if head.starts(with: "ds64".utf8), head.count >= Int(header) + 16 {
                longSize = head[(Int(header) + 8)..<(Int(header) + 16)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
            }
            let isShort = chunks.sizeBytes == 4
            if head.starts(with: chunks.data.utf8) {
                let isOpen = size == 0 || (isShort ? size == 0xFFFF_FFFF : size >= UInt64(Int64.max))
                if isShort, size == 0xFFFF_FFFF, let longSize { return end(position, header, longSize) }
                return isOpen || isShort && (0x7FFF_F000...0x7FFF_FFFF).contains(size)
                    ? nil : end(position, header, size)
            }
            guard let next = end(position, header, size), next < file.byteCount else { return nil }
            position = (next + chunks.alignment - 1) / chunks.alignment * chunks.alignment
        }
        return nil
    }

    private func end(_ position: UInt64, _ header: UInt64, _ size: UInt64) -> UInt64? {
        let (end, isBeyond) = (position + header).addingReportingOverflow(size)
        return isBeyond || end > UInt64(Int64.max) ? nil : end
    }
}
