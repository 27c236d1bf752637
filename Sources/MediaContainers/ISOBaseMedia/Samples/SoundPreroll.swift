internal import MediaCore
internal import MediaIO

/// How many packets of sound must be decoded before one for it to be right.
package struct SoundPreroll {
    /// By the track's own account: the `roll` and `prol` groups.
    private let rollDistance: Int
    private let packets: Int

    /// Sound that each packet holds whole.
    private static let independent = SoundPacking.uncompressed.union(["alac", "fLaC"])

    package init(_ track: MovieTrack, _ tables: SampleTables, _ reader: BoxReader) {
        let entry = track.entries.first ?? SampleEntry(type: .none, content: [])
        rollDistance =
            track.tableBoxes.filter { $0.type == "sgpd" }
            .map { Self.rollDistance(TableBytes(bytes: reader.bytes(of: $0, limit: 4096))) }.max() ?? 0
        let elementary = ElementaryStream(entry.content)
        let codec: Codec =
            switch entry.type {
            case let type where Self.independent.contains(type): .flac
            case "Opus": .opus
            case ".mp3", "ms\u{0}U", "ms\u{0}P": .mp3
            case _ where elementary.isMPEGAudio: .mp3
            default: .aac
            }
        let preroll = AudioPreroll(codec: codec, hasBandReplication: elementary.hasBandReplication)
        let duration = max(1, Int(tables.timing.duration(0)))
        let lasting = (Int(track.timescale) * preroll.milliseconds / 1000 + duration - 1) / duration
        packets = max(preroll.packets, lasting)
    }

    /// Packets to keep before a packet.
    package var count: Int { max(rollDistance, packets) }

    /// The furthest that any group rolls back.
    private static func rollDistance(_ table: TableBytes) -> Int {
        guard table.bytes.count >= 16, ["roll", "prol"].contains(table.bytes.fourCC(at: 4)) else { return 0 }
        // Version 1 has a default length before the count, 0 if each has its own; version 2 has another number there.
        let length = table.version == 1 ? Int(table.u32(8)) : 2
        let start = table.version >= 1 ? 12 : 8
        let hasLengths = table.version == 1 && length == 0
        let size = hasLengths ? 6 : max(2, length)
        return (0..<min(64, table.count(at: start, entrySize: size))).map { index in
            let at = start + 4 + index * size + (hasLengths ? 4 : 0)
            return max(0, -Int(Int16(bitPattern: table.u16(at))))
        }.max() ?? 0
    }
}

/// What the `esds` box of a sample entry says of its coding.
private struct ElementaryStream {
    private(set) var isMPEGAudio = false
    private(set) var hasBandReplication = false

    init(_ entry: [UInt8]) {
        // It may lie inside a `wave` box, at places that depend on the entry's version. A version and flags come first.
        guard entry.count > 24,
            let start = (16..<(entry.count - 8)).first(where: { entry.fourCC(at: $0) == "esds" }),
            let descriptor = ElementaryStreamDescriptor(entry[(start + 8)...])
        else { return }
        isMPEGAudio = descriptor.objectType == 0x69 || descriptor.objectType == 0x6B
        let configuration: [UInt8] = Array(descriptor.decoderConfiguration.prefix(8))
        guard let first = configuration.first else { return }
        // The extension is marked by 11 bits, named by 5, and present if the next bit is set.
        let extensionMark = configuration.indices.dropLast(2).contains { index in
            configuration[index] == 0x56 && configuration[index + 1] == 0xE5 && configuration[index + 2] & 0x80 != 0
        }
        let objectType = first >> 3
        hasBandReplication = objectType == 5 || objectType == 29 || extensionMark
    }
}

/// How many samples of sound share how many bytes, for tracks whose table of
/// sizes gives 1 for every sample.
///
/// QuickTime's older sound counts each moment as a sample of one byte, whatever
/// it takes, and leaves the truth to the sound description.
///
/// Source: QuickTime File Format, sound sample descriptions version 0, 1 and 2.
struct SoundPacking: Hashable {
    var samples: Int
    var bytes: Int

    /// Compressed sound whose version 0 description does not tell the packing: for one channel.
    private static let packets: [FourCC: SoundPacking] = [
        "ima4": SoundPacking(samples: 64, bytes: 34), "MAC3": SoundPacking(samples: 6, bytes: 2),
        "MAC6": SoundPacking(samples: 6, bytes: 1),
    ]

    /// Bytes of a moment of one channel, for uncompressed sound.
    private static let widths: [FourCC: Int] = [
        "in24": 3, "in32": 4, "fl32": 4, "fl64": 8, "ulaw": 1, "alaw": 1,
    ]

    /// Sample entries of uncompressed sound, which needs no running up.
    static let uncompressed = Set<FourCC>(widths.keys).union(["raw ", "twos", "sowt", "NONE", "lpcm", "ipcm", "fpcm"])

    /// The packing that a sample entry says, `nil` if it says none.
    ///
    /// - Parameter content: The sample entry after its type.
    init?(entry type: FourCC, content: [UInt8]) {
        guard let version = content.bigEndian16(at: 8), let channels = content.bigEndian16(at: 16),
            let bits = content.bigEndian16(at: 18)
        else { return nil }
        let channelCount = max(1, Int(channels))
        if version == 1, let samples = content.bigEndian32(at: 28), let bytes = content.bigEndian32(at: 36),
            samples > 0, bytes > 0, samples <= 1 << 16, bytes <= 1 << 20
        {
            self.init(samples: Int(samples), bytes: Int(bytes))
        } else if version == 2, let bytes = content.bigEndian32(at: 56), let samples = content.bigEndian32(at: 60),
            samples > 0, bytes > 0, samples <= 1 << 16, bytes <= 1 << 20
        {
            self.init(samples: Int(samples), bytes: Int(bytes))
        } else if let packet = Self.packets[type] {
            self.init(samples: packet.samples, bytes: packet.bytes * channelCount)
        } else if Self.uncompressed.contains(type) {
            self.init(samples: 1, bytes: channelCount * (Self.widths[type] ?? max(1, Int(bits) / 8)))
        } else {
            return nil
        }
    }

    init(samples: Int, bytes: Int) { (self.samples, self.bytes) = (samples, bytes) }
}
