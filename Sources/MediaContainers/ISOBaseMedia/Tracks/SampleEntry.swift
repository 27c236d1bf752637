package import MediaIO

/// One entry of a sample description, as bytes.
package struct SampleEntry: Hashable, Sendable {
    /// What kind of samples it is for.
    package var type: FourCC
    /// What follows the type.
    package var content: [UInt8]

    /// An entry of its bytes.
    package init(type: FourCC, content: [UInt8]) { (self.type, self.content) = (type, content) }

    /// Whether all of it was read.
    var isWhole: Bool { content.count < Self.maximumBytes }

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

/// The sample entry of coded sound, which QuickTime and MP4 write differently.
///
/// QuickTime puts the codec's parameters into a `wave` box behind fields of
/// its own; MP4 has them right in the entry.
///
/// Source: QuickTime File Format, sound sample descriptions; ISO/IEC 14496-12 and -14.
struct SoundEntry {
    private let entry: SampleEntry
    /// The boxes behind the fields.
    private let boxes: [(type: FourCC, content: [UInt8])]

    /// Bytes of the fields that both formats have.
    private static let fieldCount = 28
    /// Bytes of what QuickTime's version 1 has behind them.
    private static let extensionCount = 16
    /// Entries whose parameters are a box that both formats know, by that box.
    private static let parameterBoxes: [FourCC: FourCC] = [
        "mp4a": "esds", "alac": "alac", "ac-3": "dac3", "ec-3": "dec3",
    ]

    /// - Returns: `nil` for an entry of a form that cannot be brought into the other one.
    init?(_ entry: SampleEntry) {
        guard Self.parameterBoxes[entry.type] != nil, entry.content.count >= Self.fieldCount,
            let version = entry.content.bigEndian16(at: 8), version <= 1
        else { return nil }
        self.entry = entry
        let start = Self.fieldCount + (version == 1 ? Self.extensionCount : 0)
        guard entry.content.count >= start else { return nil }
        boxes = Self.boxes(in: entry.content[start...])
        guard parameters != nil else { return nil }
    }

    private static func boxes(in bytes: ArraySlice<UInt8>) -> [(type: FourCC, content: [UInt8])] {
        let bytes = Array(bytes)
        let reader = BoxReader(file: RandomAccessFile(bytes: bytes))
        return reader.boxes(in: 0..<UInt64(bytes.count)).prefix(64).map {
            ($0.type, reader.bytes(of: $0, limit: 1 << 16))
        }
    }

    /// The codec's parameters.
    private var parameters: [UInt8]? {
        let type = Self.parameterBoxes[entry.type] ?? .none
        if let own = boxes.first(where: { $0.type == type }) { return own.content }
        guard let wave = boxes.first(where: { $0.type == "wave" }) else { return nil }
        return Self.boxes(in: wave.content[...]).first { $0.type == type }?.content
    }

    /// The entry in MP4's form.
    var forMP4: [UInt8] {
        var content = Array(entry.content[..<Self.fieldCount])
        // Version, revision and vendor, and what is said of QuickTime's compression, are reserved there.
        content.replaceSubrange(8..<16, with: [UInt8](repeating: 0, count: 8))
        content.replaceSubrange(20..<24, with: [0, 0, 0, 0])
        content += .box(Self.parameterBoxes[entry.type] ?? .none, parameters ?? [])
        for other in boxes where !["wave", "chan", Self.parameterBoxes[entry.type]].contains(other.type) {
            content += .box(other.type, other.content)
        }
        return .box(entry.type, content)
    }

    /// The entry in QuickTime's form.
    var forQuickTime: [UInt8] {
        var content = Array(entry.content[..<Self.fieldCount])
        content.replaceSubrange(8..<10, with: [0, 1])
        // The compression varies from packet to packet.
        content.replaceSubrange(20..<22, with: [0xFF, 0xFE])
        for number in [Self.samplesOfPacket[entry.type] ?? 0, 0, 0, 2] { content.append(bigEndian: number) }
        let type = Self.parameterBoxes[entry.type] ?? .none
        var wave = [UInt8].box("frma", entry.type.bytes)
        if entry.type == "mp4a" { wave += .box("mp4a", [0, 0, 0, 0]) }
        wave += .box(type, parameters ?? []) + .box(.none, [])
        content += .box("wave", wave)
        for other in boxes where other.type != type && other.type != "wave" {
            content += .box(other.type, other.content)
        }
        return .box(entry.type, content)
    }

    private static let samplesOfPacket: [FourCC: UInt32] = [
        "mp4a": 1024, "alac": 4096, "ac-3": 1536, "ec-3": 1536,
    ]
}

extension BrandConversion {
    /// A track's sample descriptions in the form of the other family.
    ///
    /// - Parameter content: Of a `stsd` box.
    func soundDescriptions(_ content: [UInt8]) -> [UInt8] {
        let reader = BoxReader(file: RandomAccessFile(bytes: content))
        let entries = SampleEntry.all(in: 0..<reader.file.byteCount, reader)
        var result = Array(content.prefix(8))
        for entry in entries {
            let converted = SoundEntry(entry).map { toQuickTime ? $0.forQuickTime : $0.forMP4 }
            result += converted ?? [UInt8].box(entry.type, entry.content)
        }
        return .box("stsd", result)
    }
}

/// How a movie describes the pictures of a track.
package enum ImageDescription {
    /// Longer than any with a table of 256 colours; what follows that is not needed.
    private static let limit = 4096

    /// The first sample description of a track, with its length and type; `nil` if there is none.
    package static func bytes(of trackID: Int32, in file: RandomAccessFile) -> [UInt8]? {
        let reader = BoxReader(file: file)
        guard let movie = reader.boxes(in: 0..<file.byteCount).first(where: { $0.type == "moov" }) else { return nil }
        let track = reader.boxes(in: movie.content).first { box in
            guard box.type == "trak" else { return false }
            let header = TrackHeader(in: reader.boxes(in: box.content), reader)
            return header.flatMap { Int32(exactly: $0.trackID) } == trackID
        }
        guard let track, let list = reader.box(["mdia", "minf", "stbl", "stsd"], in: track.content),
            list.content.length > 8,
            let entry = reader.firstBox(in: (list.content.lowerBound + 8)..<list.content.upperBound)
        else { return nil }
        return file.read(at: entry.start, count: Int(min(UInt64(limit), entry.content.upperBound - entry.start)))
    }
}

/// The part of pictures that is to be seen: `clap`, fractions, the offsets from the picture's centre.
package struct CleanAperture: Hashable, Sendable {
    package var width: Double
    package var height: Double
    package var horizontalOffset: Double
    package var verticalOffset: Double

    /// An aperture.
    package init(width: Double, height: Double, horizontalOffset: Double, verticalOffset: Double) {
        (self.width, self.height) = (width, height)
        (self.horizontalOffset, self.verticalOffset) = (horizontalOffset, verticalOffset)
    }

    /// Reads the content of a box; `nil` for an aperture of less than a pixel.
    package init?(_ bytes: [UInt8]) {
        let values = (0..<4).compactMap { index -> Double? in
            guard let numerator = bytes.bigEndian32(at: index * 8),
                let denominator = bytes.bigEndian32(at: index * 8 + 4),
                denominator != 0
            else { return nil }
            // Widths are unsigned, but offsets are signed in both parts.
            return Double(Int32(bitPattern: numerator)) / Double(Int32(bitPattern: denominator))
        }
        guard values.count == 4, values[0] >= 1, values[1] >= 1 else { return nil }
        self.init(width: values[0], height: values[1], horizontalOffset: values[2], verticalOffset: values[3])
    }
}

extension MovieTrack {
    /// The part of pictures that is to be seen, as the first sample description says it.
    package var cleanAperture: CleanAperture? { entries.first?.pictureBox("clap").flatMap { CleanAperture($0) } }

    /// The track to whose pictures this one's are the alpha.
    ///
    /// Source: ISO/IEC 23000-22, `auxl` and `auxi`.
    package var alphaOf: UInt32? {
        let kind = entries.first?.pictureBox("auxi").map {
            String(decoding: $0.dropFirst(4).prefix { $0 != 0 }, as: UTF8.self)
        }
        guard ["urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1"].contains(kind) else {
            return nil
        }
        return references.first { $0.type == "auxl" }?.tracks.first
    }
}

/// How MPEG-4 describes the coding of one stream: what the `esds` box holds, and some magic cookies are.
///
/// Source: ISO/IEC 14496-1, 7.2.6.5 to 7.2.6.7 and 8.3.3.
package struct ElementaryStreamDescriptor {
    /// The coding, as the registration authority counts them: 0x40 for AAC, 0x69 and 0x6B for MPEG audio.
    let objectType: UInt8
    /// What the decoder gets, such as an `AudioSpecificConfig`; empty where there is nothing.
    package let decoderConfiguration: [UInt8]

    /// `nil` for bytes that begin with no such descriptor, or end within it.
    package init?(_ bytes: ArraySlice<UInt8>) {
        var outer = Content(bytes: bytes)
        guard var stream = outer.take(tag: 3), let flags = stream.take(3)?.last else { return nil }
        if flags & 0x80 != 0 { guard stream.take(2) != nil else { return nil } }
        if flags & 0x40 != 0 {
            guard let length = stream.take(1)?.first, stream.take(Int(length)) != nil else { return nil }
        }
        if flags & 0x20 != 0 { guard stream.take(2) != nil else { return nil } }
        // Object type, stream type, size of the buffer and two rates.
        guard var decoder = stream.take(tag: 4), let head = decoder.take(13), let type = head.first else { return nil }
        objectType = type
        decoderConfiguration = decoder.take(tag: 5).map { Array($0.bytes) } ?? []
    }

    /// Bytes that are not read yet.
    private struct Content {
        var bytes: ArraySlice<UInt8>

        mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard bytes.count >= count else { return nil }
            defer { bytes = bytes.dropFirst(count) }
            return bytes.prefix(count)
        }

        /// The content of the descriptor that comes next, if it has a tag.
        mutating func take(tag: UInt8) -> Content? {
            guard take(1)?.first == tag else { return nil }
            var length = 0
            for _ in 0..<4 {
                guard let byte = take(1)?.first else { return nil }
                length = length << 7 | Int(byte & 0x7F)
                if byte & 0x80 == 0 { break }
            }
            return take(length).map { Content(bytes: $0) }
        }
    }
}

/// How a movie describes a track whose samples are neither pictures nor sound nor subtitles: timed metadata, timecode,
/// titles of chapters.
package struct DataTrackDescription: Hashable, Sendable {
    /// `meta`, `tmcd`, `text` and so on.
    package var handler: FourCC
    package var entry: SampleEntry
    /// The box that says what kind of media it is; empty for the usual one.
    package var mediaHeader: [UInt8]

    /// A description of its parts.
    package init(handler: FourCC, entry: SampleEntry, mediaHeader: [UInt8]) {
        (self.handler, self.entry, self.mediaHeader) = (handler, entry, mediaHeader)
    }

    /// A description of boxed metadata.
    package init(_ metadata: BoxedMetadataDescription) {
        self.init(handler: "meta", entry: metadata.entry, mediaHeader: [])
    }

    /// The description in a track; `nil` where there are several ways of its samples, or one at great length.
    package init?(_ track: MovieTrack) {
        guard track.entries.count == 1, let entry = track.entries.first, entry.isWhole else { return nil }
        self.init(handler: track.handler, entry: entry.referringToOwnFile, mediaHeader: track.otherMediaHeader)
    }
}

/// The description of a timecode track, as far as advancing its start needs it.
///
/// Source: QuickTime File Format, timecode media.
struct TimecodeDescription {
    private let flags: UInt32
    private let timescale: UInt32
    private let frameDuration: UInt32
    private let framesPerSecond: UInt8

    /// - Parameter entry: The sample entry's content after its type.
    init?(_ entry: SampleEntry) {
        guard entry.type == "tmcd", entry.content.count >= 25 else { return nil }
        let table = TableBytes(bytes: entry.content)
        (flags, timescale, frameDuration) = (table.u32(12), table.u32(16), table.u32(20))
        framesPerSecond = entry.content[24]
        guard timescale > 0, frameDuration > 0, framesPerSecond > 0 else { return nil }
    }

    /// A sample that begins later.
    ///
    /// - Parameters:
    ///   - sample: A frame number, or a counter, of 32 bits.
    ///   - ticks: How much of the sample's time is cut off.
    func advanced(_ sample: [UInt8], by ticks: Int64, timescale mediaTimescale: UInt32) -> [UInt8] {
        guard sample.count >= 4 else { return sample }
        let (isDropFrame, wraps, isCounter) = (flags & 1 != 0, flags & 2 != 0, flags & 8 != 0)
        // A hundredth of a frame is rounding: the cut is where a frame begins.
        let denominator = Int128(mediaTimescale) * Int128(frameDuration)
        let hundredths = (Int128(ticks) * Int128(timescale) * 100).divided(by: denominator, .down) + 1
        var frames = hundredths / 100
        if isCounter { frames /= Int128(framesPerSecond) }
        var value = Int128(Int32(bitPattern: TableBytes(bytes: sample).u32(0))) + frames
        let perDay = Int128(framesPerSecond) * 86400
        // Of each ten minutes nine lose two numbers, four at twice the rate.
        let day = isDropFrame ? perDay - Int128(framesPerSecond / 30) * 2 * 9 * 144 : perDay
        if wraps, !isCounter, value >= day { value %= day }
        var result = sample
        result.set(bigEndian: UInt32(bitPattern: Int32(clamping: value)), at: 0)
        return result
    }
}
