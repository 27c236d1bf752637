internal import MediaIO

/// One track's boxes, and what its small ones say.
package struct MovieTrack: Sendable {
    /// The `trak` box.
    package let box: Box
    package let children: [Box]
    package let mediaBoxes: [Box]
    package let informationBoxes: [Box]
    package let tableBoxes: [Box]
    package let header: TrackHeader
    package let mediaHeader: MediaHeader?
    /// `vide`, `soun`, `text` and so on.
    package let handler: FourCC
    /// Ticks in each second; what the track's length implies if its header says zero.
    package var timescale: UInt32
    package let isTimescaleImplied: Bool
    /// A BCP 47 tag, beside what the media header says.
    package let extendedLanguageTag: String?
    package var edits: [EditList.Segment]
    package let references: [TrackReference]
    package let entries: [SampleEntry]
    /// The box that says what kind of media it is, if these are neither pictures nor sound.
    let otherMediaHeader: [UInt8]

    /// Reads the headers; `nil` without a track header, so that there is no track to speak of.
    ///
    /// - Parameters:
    ///   - movieTimescale: Zero where the timescale is not to be guessed.
    ///   - limit: Bytes read of the sample descriptions.
    package init?(_ box: Box, _ reader: BoxReader, movieTimescale: UInt32 = 0, limit: Int = 16 << 20) {
        func inside(_ type: FourCC, _ boxes: [Box]) -> [Box] {
            boxes.first { $0.type == type }.map { reader.boxes(in: $0.content) } ?? []
        }
        func bytes(_ type: FourCC, _ boxes: [Box], limit: Int) -> [UInt8] {
            boxes.first { $0.type == type }.map { reader.bytes(of: $0, limit: limit) } ?? []
        }
        self.box = box
        children = reader.boxes(in: box.content)
        guard let header = TrackHeader(in: children, reader) else { return nil }
        self.header = header
        mediaBoxes = inside("mdia", children)
        informationBoxes = inside("minf", mediaBoxes)
        tableBoxes = inside("stbl", informationBoxes)
        let mediaHeader = MediaHeader(in: mediaBoxes, reader)
        self.mediaHeader = mediaHeader
        handler = bytes("hdlr", mediaBoxes, limit: 12).fourCC(at: 8) ?? .none
        let tag = bytes("elng", mediaBoxes, limit: 256).dropFirst(4).prefix { $0 != 0 }
        extendedLanguageTag = tag.isEmpty ? nil : String(decoding: tag, as: UTF8.self)
        let stated = mediaHeader?.timescale ?? 0
        let implied =
            stated == 0
            ? Self.timescale(
                of: mediaHeader?.duration ?? 0, lasting: header.duration ?? 0, movieTimescale: movieTimescale)
            : nil
        (timescale, isTimescaleImplied) = (implied ?? stated, implied != nil)
        edits = EditList(in: children, reader).segments
        references = TrackReference.all(in: children, reader)
        entries =
            tableBoxes.first { $0.type == "stsd" }.map { SampleEntry.all(in: $0.content, reader, limit: limit) } ?? []
        let other = informationBoxes.first { Self.otherMediaHeaders.contains($0.type) && $0.length <= 1024 }
        otherMediaHeader = other.map { reader.wholeBytes(of: $0) } ?? []
    }

    /// Whether samples are encrypted.
    package var isProtected: Bool { entries.contains { SampleEntry.protectedTypes.contains($0.type) } }

    /// The types of headers of media that are neither pictures nor sound.
    static let otherMediaHeaders: Set<FourCC> = ["gmhd", "nmhd", "sthd"]

    /// The track's number.
    package var id: UInt32 { header.trackID }

    /// Whether players show the track.
    package var isEnabled: Bool { header.isEnabled }

    /// How many ticks make a second if so many last as long as the track; `nil` unless that is a whole number.
    private static func timescale(of ticks: UInt64, lasting duration: UInt64, movieTimescale: UInt32) -> UInt32? {
        let (product, overflow) = ticks.multipliedReportingOverflow(by: UInt64(movieTimescale))
        guard !overflow, product > 0, duration > 0, product.isMultiple(of: duration) else { return nil }
        return UInt32(exactly: product / duration)
    }
}
