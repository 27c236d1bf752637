/// How a photograph is to be turned and mirrored, as its EXIF data say.
///
/// Read from the file of the picture itself: JPEG (`APP1`), PNG (`eXIf`), WebP (`EXIF`) and TIFF.
///
/// Source: EXIF 2.32 (CIPA DC-008), tag 0x0112; TIFF 6.0.
struct PictureOrientation: Equatable {
    /// 1 for upright, to 8.
    let code: UInt16

    /// - Returns: `nil` for files that say nothing, or nothing that makes sense.
    init?(file: UnsafeRawBufferPointer) {
        guard let tiff = Self.exif(in: file), let code = Self.orientation(in: tiff), (1...8).contains(code) else {
            return nil
        }
        self.code = code
    }

    /// Nine values as in ISO/IEC 14496-12, without a shift.
    var displayMatrix: [Int32] {
        let (a, b, c, d): (Int32, Int32, Int32, Int32) =
            switch code {
            case 2: (-1, 0, 0, 1)
            case 3: (-1, 0, 0, -1)
            case 4: (1, 0, 0, -1)
            case 5: (0, 1, 1, 0)
            case 6: (0, 1, -1, 0)
            case 7: (0, -1, -1, 0)
            case 8: (0, -1, 1, 0)
            default: (1, 0, 0, 1)
            }
        return [a << 16, b << 16, 0, c << 16, d << 16, 0, 0, 0, 1 << 30]
    }

    // MARK: Where EXIF data lie

    private static func exif(in file: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer>? {
        if file.starts(with: [0xff, 0xd8]) { return exifOfJPEG(file) }
        if file.starts(with: [0x89, 0x50, 0x4e, 0x47]) { return chunk("eXIf", of: file, from: 8, isPNG: true) }
        if file.starts(with: "RIFF".utf8), file.dropFirst(8).starts(with: "WEBP".utf8) {
            return chunk("EXIF", of: file, from: 12, isPNG: false).map { withoutPrefix($0) }
        }
        return file.starts(with: [0x49, 0x49, 0x2a, 0]) || file.starts(with: [0x4d, 0x4d, 0, 0x2a]) ? file[...] : nil
    }

    private static let prefix = Array("Exif".utf8) + [0, 0]

    private static func withoutPrefix(_ data: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        data.starts(with: prefix) ? data.dropFirst(prefix.count) : data
    }

    private static func exifOfJPEG(_ file: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer>? {
        var position = 2
        while position + 4 <= file.count, file[position] == 0xff {
            let marker = file[position + 1]
            // Any number of bytes of ones may come before a marker.
            if marker == 0xff {
                position += 1
                continue
            }
            // Behind the start of a scan there is no more than the picture.
            guard marker != 0xda, marker != 0xd9 else { return nil }
            let length = Int(file[position + 2]) << 8 | Int(file[position + 3])
            guard length >= 2, position + 2 + length <= file.count else { return nil }
            let segment = file[(position + 4)..<(position + 2 + length)]
            if marker == 0xe1, segment.starts(with: prefix) { return segment.dropFirst(prefix.count) }
            position += 2 + length
        }
        return nil
    }

    /// The content of a chunk: in PNG its length comes first and a checksum last, in RIFF its name comes first.
    private static func chunk(
        _ name: String, of file: UnsafeRawBufferPointer, from start: Int, isPNG: Bool
    ) -> Slice<UnsafeRawBufferPointer>? {
        var position = start
        while position + 8 <= file.count {
            let length = number(file[...], at: isPNG ? position : position + 4, count: 4, isLittle: !isPNG) ?? 0
            let end = position + 8 + length
            guard end <= file.count else { return nil }
            if file[(position + (isPNG ? 4 : 0))...].starts(with: name.utf8) { return file[(position + 8)..<end] }
            position = end + (isPNG ? 4 : length % 2)
        }
        return nil
    }

    // MARK: What they say

    private static func orientation(in tiff: Slice<UnsafeRawBufferPointer>) -> UInt16? {
        let isLittle = tiff.first == 0x49
        func read(_ at: Int, _ count: Int) -> Int? { number(tiff, at: at, count: count, isLittle: isLittle) }
        guard read(2, 2) == 42, let directory = read(4, 4), let entries = read(directory, 2) else { return nil }
        for entry in 0..<entries {
            let place = directory + 2 + 12 * entry
            guard let tag = read(place, 2) else { return nil }
            // One number of 16 bits stands in the entry itself.
            if tag == 0x0112 { return read(place + 2, 2) == 3 ? read(place + 8, 2).map { UInt16($0) } : nil }
        }
        return nil
    }

    /// A number of 2 or 4 bytes, `nil` if it does not lie inside.
    private static func number(
        _ bytes: Slice<UnsafeRawBufferPointer>, at offset: Int, count: Int, isLittle: Bool
    ) -> Int? {
        guard offset >= 0, offset + count <= bytes.count else { return nil }
        let part = bytes.dropFirst(offset).prefix(count)
        return (isLittle ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | Int($1) }
    }
}
