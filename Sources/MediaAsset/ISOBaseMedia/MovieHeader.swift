internal import ISOBaseMedia
internal import MediaFile
internal import MediaMetadata

/// What libavformat does not tell of a movie: its headers, edit lists, clean
/// apertures and handler types, read from the boxes themselves.
///
/// Source: ISO/IEC 14496-12 (`mvhd`, `tkhd`, `mdhd`, `elst`, `clap`); QuickTime
/// File Format.
struct MovieHeader {
    struct Edit {
        /// In the movie's timescale.
        var duration: UInt64
        /// In the track's timescale; -1 for an empty edit.
        var mediaTime: Int64
        /// 16.16 fixed point.
        var rate: Int32
    }

    struct Track {
        var trackID: UInt32
        var isEnabled: Bool
        var handler: FourCC
        var timescale: UInt32
        var extendedLanguageTag: String?
        var edits: [Edit]
        var cleanAperture: CleanAperture?
        var sampleEntryType: FourCC
        /// The track to whose pictures this one's are the alpha (ISO/IEC 23000-22, `auxl` and `auxi`).
        var alphaOf: UInt32?
    }

    /// The `clap` box: fractions, the offsets from the picture's centre.
    struct CleanAperture {
        var width: Double
        var height: Double
        var horizontalOffset: Double
        var verticalOffset: Double
    }

    var timescale: UInt32
    /// Ticks of the movie's timescale; `nil` where the header says that they are not known.
    var duration: UInt64?
    var rate: Int32
    var volume: Int16
    var canContainFragments: Bool
    var tracks: [Track]

    /// Edits kept for each track; files in use have a handful.
    private static let maximumEdits = 100_000

    /// Reads the headers, or gives `nil` if the file has no movie box.
    init?(_ file: RandomAccessFile) {
        let reader = BoxReader(file: file)
        guard let movie = reader.boxes(in: 0..<file.byteCount).first(where: { $0.type == "moov" }) else { return nil }
        let children = reader.boxes(in: movie.content)
        guard let header = children.first(where: { $0.type == "mvhd" }) else { return nil }
        let bytes = reader.bytes(of: header, limit: 256)
        let isLong = bytes.first == 1
        timescale = bytes.bigEndian32(at: isLong ? 20 : 12) ?? 0
        // All bits set stands for a duration that cannot be told.
        duration =
            isLong
            ? bytes.bigEndian64(at: 24).flatMap { $0 == .max ? nil : $0 }
            : bytes.bigEndian32(at: 16).flatMap { $0 == .max ? nil : UInt64($0) }
        rate = bytes.bigEndian32(at: isLong ? 32 : 20).map(Int32.init(bitPattern:)) ?? 1 << 16
        volume = bytes.bigEndian16(at: isLong ? 36 : 24).map(Int16.init(bitPattern:)) ?? 1 << 8
        canContainFragments = children.contains { $0.type == "mvex" }
        tracks = children.filter { $0.type == "trak" }.compactMap { Self.track($0, reader) }
    }

    private static func track(_ box: Box, _ reader: BoxReader) -> Track? {
        let children = reader.boxes(in: box.content)
        guard let header = children.first(where: { $0.type == "tkhd" }),
            let media = children.first(where: { $0.type == "mdia" })
        else { return nil }
        let bytes = reader.bytes(of: header, limit: 128)
        guard bytes.count >= 24 else { return nil }
        let mediaChildren = reader.boxes(in: media.content)
        func content(_ type: FourCC, limit: Int) -> [UInt8] {
            mediaChildren.first { $0.type == type }.map { reader.bytes(of: $0, limit: limit) } ?? []
        }
        let mediaHeader = content("mdhd", limit: 64)
        let handler = content("hdlr", limit: 32)
        let entry = sampleEntry(media, reader)
        return Track(
            trackID: bytes.bigEndian32(at: bytes[0] == 1 ? 20 : 12) ?? 0,
            isEnabled: bytes[3] & 1 != 0,
            handler: handler.fourCC(at: 8) ?? .none,
            timescale: mediaHeader.bigEndian32(at: mediaHeader.first == 1 ? 20 : 12) ?? 0,
            extendedLanguageTag: languageTag(content("elng", limit: 128)),
            edits: children.first { $0.type == "edts" }.map { edits($0, reader) } ?? [],
            cleanAperture: entry?.cleanAperture,
            sampleEntryType: entry?.type ?? .none,
            alphaOf: entry?.isAlpha == true ? auxiliaryTarget(children, reader) : nil)
    }

    /// The number of the track that the references of a track call its master.
    private static func auxiliaryTarget(_ children: [Box], _ reader: BoxReader) -> UInt32? {
        guard let references = children.first(where: { $0.type == "tref" }),
            let master = reader.boxes(in: references.content).first(where: { $0.type == "auxl" })
        else { return nil }
        return reader.bytes(of: master, limit: 4).bigEndian32(at: 0)
    }

    private static func languageTag(_ bytes: [UInt8]) -> String? {
        guard bytes.count > 4 else { return nil }
        let text = String(decoding: bytes[4...].prefix { $0 != 0 }, as: UTF8.self)
        return text.isEmpty ? nil : text
    }

    private static func edits(_ box: Box, _ reader: BoxReader) -> [Edit] {
        guard let list = reader.boxes(in: box.content).first(where: { $0.type == "elst" }) else { return [] }
        let bytes = reader.bytes(of: list)
        guard let count = bytes.bigEndian32(at: 4) else { return [] }
        let isLong = bytes.first == 1
        let size = isLong ? 20 : 12
        return (0..<min(Int(count), maximumEdits, max(0, bytes.count - 8) / size)).compactMap { index in
            let start = 8 + index * size
            let duration = isLong ? bytes.bigEndian64(at: start) : bytes.bigEndian32(at: start).map(UInt64.init)
            let time =
                isLong
                ? bytes.bigEndian64(at: start + 8).map(Int64.init(bitPattern:))
                : bytes.bigEndian32(at: start + 4).map { Int64(Int32(bitPattern: $0)) }
            let rate = bytes.bigEndian32(at: start + (isLong ? 16 : 8))
            guard let duration, let time, let rate else { return nil }
            return Edit(duration: duration, mediaTime: time, rate: Int32(bitPattern: rate))
        }
    }

    /// What the first sample entry says.
    private struct SampleEntry {
        var type: FourCC
        var cleanAperture: CleanAperture?
        var isAlpha = false
    }

    private static func sampleEntry(_ media: Box, _ reader: BoxReader) -> SampleEntry? {
        guard let descriptions = reader.box(["minf", "stbl", "stsd"], in: media.content),
            descriptions.content.count >= 16
        else { return nil }
        let entries = (descriptions.content.lowerBound + 8)..<descriptions.content.upperBound
        guard let entry = reader.boxes(in: entries).first else { return nil }
        // A visual sample entry is 78 bytes long before its own boxes begin.
        guard entry.content.count > 78 else { return SampleEntry(type: entry.type) }
        let boxes = reader.boxes(in: (entry.content.lowerBound + 78)..<entry.content.upperBound)
        func content(_ type: FourCC, limit: Int) -> [UInt8]? {
            boxes.first { $0.type == type }.map { reader.bytes(of: $0, limit: limit) }
        }
        let kind = content("auxi", limit: 128).map {
            String(decoding: $0.dropFirst(4).prefix { $0 != 0 }, as: UTF8.self)
        }
        return SampleEntry(
            type: entry.type, cleanAperture: content("clap", limit: 32).flatMap { cleanAperture($0) },
            isAlpha: ["urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1"].contains(kind))
    }

    private static func cleanAperture(_ bytes: [UInt8]) -> CleanAperture? {
        let values = (0..<4).compactMap { index -> Double? in
            guard let numerator = bytes.bigEndian32(at: index * 8),
                let denominator = bytes.bigEndian32(at: index * 8 + 4),
                denominator != 0
            else { return nil }
            // Widths are unsigned, but offsets are signed in both parts.
            return Double(Int32(bitPattern: numerator)) / Double(Int32(bitPattern: denominator))
        }
        guard values.count == 4, values[0] >= 1, values[1] >= 1 else { return nil }
        return CleanAperture(
            width: values[0], height: values[1], horizontalOffset: values[2], verticalOffset: values[3])
    }
}

extension MovieHeader.CleanAperture {
    /// The aperture in whole pixels of a coded picture, `nil` if it does not
    /// lie inside.
    func rect(in size: PixelSize) -> PixelRect? {
        let left = ((Double(size.width) - width) / 2 + horizontalOffset).rounded()
        let top = ((Double(size.height) - height) / 2 + verticalOffset).rounded()
        let rect = PixelRect(
            x: Int(clamping: left), y: Int(clamping: top), width: Int(clamping: width.rounded()),
            height: Int(clamping: height.rounded()))
        let isInside =
            rect.x >= 0 && rect.y >= 0 && rect.x + rect.width <= size.width && rect.y + rect.height <= size.height
        return isInside ? rect : nil
    }
}

extension Int {
    /// The nearest whole number that is small enough to calculate with.
    fileprivate init(clamping value: Double) {
        self = value.isFinite ? Int(Swift.min(1e9, Swift.max(-1e9, value))) : 0
    }
}
