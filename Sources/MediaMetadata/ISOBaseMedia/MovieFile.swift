internal import ISOBaseMedia
internal import MediaFile
internal import MediaTime

/// Where the parts of a movie file lie.
struct MovieFile {
    /// More boxes than this on one level are not read: a fragment a second for a day and a half.
    private static let maximumBoxes = 1 << 18

    let file: RandomAccessFile
    let reader: BoxReader
    let container: FileMetadata.Container
    /// The boxes of the file's top level.
    let boxes: [Box]
    /// The first `moov` box, which is the one that readers take.
    let movie: Box?

    init(_ file: RandomAccessFile) {
        self.file = file
        let reader = BoxReader(file: file)
        self.reader = reader
        let boxes = Self.boxes(in: 0..<file.byteCount, reader: reader)
        self.boxes = boxes
        movie = boxes.first { $0.type == "moov" }
        let brand = boxes.first { $0.type == "ftyp" }.map { reader.bytes(of: $0, limit: 4).fourCC(at: 0) }
        container = brand.map { $0 != "qt  " } == true ? .isoBaseMedia : .quickTime
    }

    /// All boxes of a range, however many.
    static func boxes(in range: Range<UInt64>, reader: BoxReader) -> [Box] {
        var boxes: [Box] = []
        var position = range.lowerBound
        while boxes.count < maximumBoxes {
            let more = reader.boxes(in: position..<range.upperBound)
            guard let last = more.last else { break }
            boxes += more
            position = last.range.upperBound
        }
        return boxes
    }

    /// Whether the boxes make up the whole file.
    var isWhole: Bool { boxes.last?.range.upperBound == file.byteCount }

    /// Whether a box states its size, instead of reaching to the end of the file.
    func hasExplicitSize(_ box: Box) -> Bool { file.read(at: box.start, count: 4) != [0, 0, 0, 0] }

    /// Where the boxes within a box begin.
    ///
    /// `meta` has a version before them in ISO files and none in QuickTime's,
    /// but writers do not keep to that; the type of the first box tells.
    static func children(of box: Box, reader: BoxReader) -> Range<UInt64> {
        guard box.type == "meta", box.content.length >= 4 else { return box.content }
        let head = reader.bytes(of: box, limit: 12)
        if let type = head.fourCC(at: 4), MetaBox.childTypes.contains(type) { return box.content }
        guard head.bigEndian32(at: 0) == 0 else { return box.content }
        return (box.content.lowerBound + 4)..<box.content.upperBound
    }

    /// A track's number, `nil` if its header is missing or cut short.
    static func trackID(of track: Box, reader: BoxReader) -> Int64? {
        guard let header = reader.box(["tkhd"], in: track.content) else { return nil }
        let bytes = reader.bytes(of: header, limit: 24)
        guard let version = bytes.first else { return nil }
        return bytes.bigEndian32(at: version == 1 ? 20 : 12).map(Int64.init)
    }
}

/// What is known of boxes by their type.
enum MetaBox {
    /// The types that a `meta` box begins with.
    static let childTypes: Set<FourCC> = ["hdlr", "keys", "ilst", "free", "mhdr"]
    /// The types that may remain in a `meta` box which holds nothing.
    static let structure: Set<FourCC> = ["hdlr", "keys", "mhdr", "ctry", "lang", "free", "skip"]
}

extension AVMetadataExtraAttributeKey {
    /// Whose name a free-form iTunes key is, in reverse domain order.
    static let mean = AVMetadataExtraAttributeKey(rawValue: "mean")
    /// The name in a free-form iTunes key, or the one that an item has beside its key.
    static let name = AVMetadataExtraAttributeKey(rawValue: "name")
    /// The country and language of an item's value as the file states them.
    static let locale = AVMetadataExtraAttributeKey(rawValue: "locale")
    /// What an item has beside values and names: whole boxes.
    static let otherBoxes = AVMetadataExtraAttributeKey(rawValue: "boxes")
    /// How the value lies in its box, where that is not what the key leads to expect:
    /// see `BoxLayout`.
    static let layout = AVMetadataExtraAttributeKey(rawValue: "layout")
    /// The number of a track on its album, in 3GPP's `albm`.
    static let trackNumber = AVMetadataExtraAttributeKey(rawValue: "trackNumber")
    /// Who rates or classifies, in 3GPP's `rtng` and `clsf`.
    static let entity = AVMetadataExtraAttributeKey(rawValue: "entity")
    /// By which rules: four characters in `rtng`, a number in `clsf`.
    static let criteria = AVMetadataExtraAttributeKey(rawValue: "criteria")
    /// What happened at a place: 0 shooting, 1 real place, 2 fictional place.
    static let role = AVMetadataExtraAttributeKey(rawValue: "role")
    /// The body in the sky that a place is on.
    static let astronomicalBody = AVMetadataExtraAttributeKey(rawValue: "astronomicalBody")
    /// Notes on a place.
    static let notes = AVMetadataExtraAttributeKey(rawValue: "notes")
}

/// How a value lies in its box, where that is not what the key leads to expect.
enum BoxLayout: String {
    /// The value is the content of the box.
    case content
    /// The content of the box is text and nothing else.
    case text

    var value: MetadataValue { .text(rawValue) }
}

/// Whose types of values a number in `dataType` is one of.
enum DataTypeNamespace {
    static let iTunes = "com.apple.itunes"
    static let quickTimeMetadata = "com.apple.quicktime.mdta"
    static let quickTimeUserData = "com.apple.quicktime.udta"
}
