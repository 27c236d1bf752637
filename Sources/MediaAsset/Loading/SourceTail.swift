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
        if container == .ogg { return endsInsidePage ? "its last page is not whole" : nil }
        if let countedBytes, countedBytes > file.byteCount {
            return "\(countedBytes - file.byteCount) bytes are missing that its header counts"
        }
        return nil
    }

    /// Whether all is there that the header counts, whatever length it says; `false` if it counts nothing.
    package var isWhole: Bool { countedBytes.map { $0 <= file.byteCount } ?? false }

    // MARK: Transport streams

    /// Source: ISO/IEC 13818-1, 2.4.3; recorders put four bytes before, or parity bytes after each packet.
    private var endsInsidePacket: Bool {
        let head = file.read(at: 0, count: 8 * 204 + 188)
        for (length, first) in [(188, 0), (192, 4), (204, 0)] {
            let starts = Array(stride(from: first, to: head.count, by: length).prefix(8))
            guard starts.count >= 4, starts.allSatisfy({ head[$0] == 0x47 }) else { continue }
            return file.byteCount % UInt64(length) != 0
        }
        return false
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
}
