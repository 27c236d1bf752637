internal import MediaIO

/// What an ID3 tag claims to hold: FFmpeg looks through all that it has of a tag for each frame that it reads, so that
/// a tag of 200,000 frames in 4 MB takes minutes.
enum TagClaims {
    /// Frames of a tag: hundreds of chapters with their pictures have no more.
    private static let maximumFrames = 4096
    /// Bytes of a tag that has to be read whole to find its frames.
    private static let maximumUnsynchronised = 16 << 20

    /// Why a file is not to be opened; `nil` if nothing of this kind speaks against it.
    static func objection(to file: RandomAccessFile) -> String? {
        let head = file.read(at: 0, count: 10)
        guard head.count == 10, head.starts(with: Array("ID3".utf8)), (2...4).contains(head[3]) else { return nil }
        let size = UInt64(size(head[6..<10], bits: 7))
        let isUnsynchronised = head[5] & 0x80 != 0 && head[3] < 4
        guard isUnsynchronised else { return objection(to: file, 10..<(10 + size), version: head[3]) }
        guard size <= maximumUnsynchronised else {
            return "its ID3 tag has \(size) bytes, more than \(maximumUnsynchronised >> 20) MiB"
        }
        let bytes = file.read(at: 10, count: Int(size))
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        var isAfterAll = false
        for byte in bytes {
            if !isAfterAll || byte != 0 { plain.append(byte) }
            isAfterAll = byte == 0xFF
        }
        return objection(to: RandomAccessFile(bytes: plain), 0..<UInt64(plain.count), version: head[3])
    }

    private static func objection(to file: RandomAccessFile, _ range: Range<UInt64>, version: UInt8) -> String? {
        let length = version == 2 ? 6 : 10
        var (position, count) = (range.lowerBound, 0)
        while position + UInt64(length) <= range.upperBound {
            let head = file.read(at: position, count: length)
            guard head.count == length, head[0] != 0 else { return nil }
            let size = version == 2 ? size(head[3..<6], bits: 8) : size(head[4..<8], bits: version == 3 ? 8 : 7)
            position += UInt64(length) + UInt64(size)
            count += 1
            guard count <= maximumFrames else { return "its ID3 tag has more than \(maximumFrames) frames" }
        }
        return nil
    }

    private static func size(_ bytes: ArraySlice<UInt8>, bits: UInt32) -> UInt32 {
        bytes.reduce(0) { $0 << bits | UInt32($1) & (1 << bits - 1) }
    }
}
