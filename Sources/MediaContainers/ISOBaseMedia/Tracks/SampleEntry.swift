internal import MediaIO

/// One entry of a sample description, as bytes.
package struct SampleEntry: Hashable, Sendable {
    /// What kind of samples it is for.
    package var type: FourCC
    /// What follows the type.
    package var content: [UInt8]

    /// An entry of its bytes.
    package init(type: FourCC, content: [UInt8]) { (self.type, self.content) = (type, content) }

    /// Whether all of it was read.
    package var isWhole: Bool { content.count < Self.maximumBytes }

    /// The entry in a track whose samples are all in its own file.
    var referringToOwnFile: SampleEntry {
        guard content.count >= 8 else { return self }
        return SampleEntry(type: type, content: content[..<6] + [0, 1] + content[8...])
    }

    /// The number of its data reference, from 1.
    var dataReference: Int { Int(content.bigEndian16(at: 6) ?? 1) }

    /// The types of entries whose samples need a key: those of Common Encryption, and FairPlay's.
    ///
    /// Source: ISO/IEC 14496-12, 8.12; the sample descriptions of what Apple's stores sold.
    package static let protectedTypes: Set<FourCC> = [
        "encv", "enca", "enct", "encs", "encm", "encf", "encp", "enc3", "drms", "drmi", "drmt", "p608",
    ]

    /// More entries than this are damage.
    private static let maximumEntries = 1024

    /// More of an entry than this is not read.
    private static let maximumBytes = 1 << 16

    /// The entries in the content of `stsd`.
    ///
    /// - Parameter limit: No more bytes than this are read; the types of the others are there all the same.
    static func all(in descriptions: Range<UInt64>, _ reader: BoxReader, limit: Int = .max) -> [SampleEntry] {
        guard descriptions.length > 8 else { return [] }
        var left = limit
        return reader.boxes(in: descriptions.dropping(8)).prefix(maximumEntries).map { box in
            let content = reader.bytes(of: box, limit: min(left, maximumBytes))
            left -= content.count
            return SampleEntry(type: box.type, content: content)
        }
    }

    /// Where its own boxes begin if it is one of pictures.
    private static let pictureFields = 78

    /// The content of the first of an entry's boxes that is of one of some types, if it is an entry of pictures.
    package func pictureBox(_ types: FourCC...) -> [UInt8]? {
        let reader = BoxReader(file: RandomAccessFile(bytes: Array(content.dropFirst(Self.pictureFields))))
        let box = reader.boxes(in: 0..<reader.file.byteCount).first { types.contains($0.type) }
        return box.map { reader.bytes(of: $0, limit: Self.maximumBytes) }
    }
}
