internal import MediaIO

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
    private let version: UInt16

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
        self.version = version
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
