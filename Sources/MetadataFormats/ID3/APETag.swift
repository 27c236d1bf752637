internal import MediaIO
internal import MediaMetadata

/// An APEv2 tag beside ID3's, which some players prefer; it is told of, and never changed.
///
/// Source: APEv2 specification, hydrogenaud.io.
struct APETag {
    /// The names and texts of its items, in file order.
    private(set) var items: [(name: String, text: String)] = []

    private static let footerLength: UInt64 = 32
    private static let sign = Array("APETAGEX".utf8)
    /// More bytes or items are not read.
    private static let (maximumLength, maximumItems): (UInt64, Int) = (16 << 20, 256)

    /// The tag that ends at a position; `nil` if there is none.
    init?(_ file: RandomAccessFile, endingAt end: UInt64) {
        guard end >= Self.footerLength else { return nil }
        let footer = file.read(at: end - Self.footerLength, count: Int(Self.footerLength))
        guard footer.starts(with: Self.sign), let size = footer.littleEndian32(at: 12).map(UInt64.init),
            let count = footer.littleEndian32(at: 16), size >= Self.footerLength, size <= min(end, Self.maximumLength)
        else { return nil }
        let bytes = file.read(at: end - size, count: Int(size - Self.footerLength))
        var position = 0
        for _ in 0..<min(Int(count), Self.maximumItems) {
            guard let length = bytes.littleEndian32(at: position).map(Int.init),
                let flags = bytes.littleEndian32(at: position + 4),
                let nameEnd = bytes.dropFirst(position + 8).firstIndex(of: 0), length <= bytes.count - nameEnd - 1
            else { return }
            let name = String(latin1: bytes[(position + 8)..<nameEnd])
            let value = bytes[(nameEnd + 1)..<(nameEnd + 1 + length)]
            // Bits 1 and 2 tell text, data or an address.
            if flags >> 1 & 3 != 1 { items.append((name, TextCoding.utf8OrLatin1(value))) }
            position = nameEnd + 1 + length
        }
    }

    /// What is told of it beside other tags.
    var problem: String {
        let shown = items.prefix(8).map { "\($0.name) “\($0.text)”" }.joined(separator: ", ")
        let rest = items.count > 8 ? " and \(items.count - 8) more" : ""
        return "an APE tag stands beside the ID3 tag, is not changed with it, and some players prefer it: "
            + (shown.isEmpty ? "it has no texts" : shown + rest)
    }
}
