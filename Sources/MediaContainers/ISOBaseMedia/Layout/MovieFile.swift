package import MediaIO

/// A movie file and the boxes of its top level.
package struct MovieFile: Sendable {
    /// More boxes than this on one level are not read: a fragment a second for a day and a half.
    private static let maximumBoxes = 1 << 18

    /// The file.
    package let file: RandomAccessFile
    /// The boxes of the file's top level.
    package let boxes: [Box]
    /// The first `moov` box, which is the one that readers take.
    package let movie: Box?
    /// The file's own name for its kind, `nil` if it has none: QuickTime movies of old.
    package let majorBrand: FourCC?

    /// Reads the boxes' headers.
    package init(_ file: RandomAccessFile) {
        let reader = BoxReader(file: file)
        var boxes: [Box] = []
        while boxes.count < Self.maximumBoxes {
            let more = reader.boxes(in: (boxes.last?.range.upperBound ?? 0)..<file.byteCount)
            if more.isEmpty { break }
            boxes += more
        }
        self.file = file
        self.boxes = boxes
        movie = boxes.first { $0.type == "moov" }
        majorBrand = boxes.first { $0.type == "ftyp" }
            .map { reader.bytes(of: $0, limit: 4).fourCC(at: 0) ?? .none }
    }

    /// A reader of the boxes within.
    package var reader: BoxReader { BoxReader(file: file) }

    /// Whether the file calls itself a QuickTime movie, or nothing at all.
    package var isQuickTime: Bool { majorBrand == nil || majorBrand == "qt  " }

    /// Whether the boxes make up the whole file.
    var isWhole: Bool { boxes.last?.range.upperBound == file.byteCount }

    /// Whether a box states its size, instead of reaching to the end of the file.
    func hasExplicitSize(_ box: Box) -> Bool { reader.hasExplicitSize(box) }
}
