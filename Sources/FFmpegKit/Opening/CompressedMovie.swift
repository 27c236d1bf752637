internal import MediaFile

/// A movie box that was compressed with zlib, as QuickTime once wrote them.
///
/// FFmpeg takes the memory for what it claims to become before it unpacks a byte.
enum CompressedMovie {
    /// No movie of that time had tables of this size.
    private static let maximumBytes: UInt32 = 64 << 20
    /// Boxes before the movie box that are hopped over.
    private static let maximumBoxes = 1 << 10
    private static let names: Set<String> = ["ftyp", "moov", "mdat", "free", "skip", "wide", "pnot"]

    /// Why a file is not to be opened; `nil` if nothing of this kind speaks against it.
    static func objection(toFile path: String) -> String? {
        guard let file = RandomAccessFile(path: path) else { return nil }
        var position: UInt64 = 0
        for _ in 0..<maximumBoxes {
            guard let box = box(file, position), names.contains(box.name) else { return nil }
            if box.name == "moov" {
                guard let claim = claim(in: file, position + box.headerSize), claim > maximumBytes else { return nil }
                return "a compressed movie box claims to have \(claim) bytes, more than \(maximumBytes >> 20) MiB"
            }
            let (next, overflow) = position.addingReportingOverflow(box.size)
            guard !overflow, next < file.byteCount else { return nil }
            position = next
        }
        return nil
    }

    /// What the header of compressed data (`cmov`, `dcom`, `cmvd`) says of their size.
    private static func claim(in file: RandomAccessFile, _ position: UInt64) -> UInt32? {
        guard box(file, position)?.name == "cmov", let method = box(file, position + 8), method.name == "dcom",
            method.size < 1 << 20, case let data = position + 8 + method.size, box(file, data)?.name == "cmvd"
        else { return nil }
        return file.read(at: data + 8, count: 4).bigEndian32(at: 0)
    }

    private static func box(
        _ file: RandomAccessFile, _ position: UInt64
    ) -> (name: String, size: UInt64, headerSize: UInt64)? {
        let header = file.read(at: position, count: 16)
        guard header.count >= 8, let size = header.bigEndian32(at: 0) else { return nil }
        let name = String(latin1: header[4..<8])
        if size == 1 { return header.bigEndian64(at: 8).flatMap { $0 >= 16 ? (name, $0, 16) : nil } }
        return size >= 8 ? (name, UInt64(size), 8) : nil
    }
}
