internal import MediaIO

/// Samples that show nothing, for media that can say so without being coded.
enum SilentSamples {
    /// Uncompressed sound: the bytes of a sample, all of which are the same.
    case sound(byte: UInt8, count: Int)
    /// A text without characters.
    case text([UInt8])

    private static let plain: Set<FourCC> = [
        "twos", "sowt", "in24", "in32", "fl32", "fl64", "lpcm", "ipcm", "fpcm",
    ]

    /// What shows nothing in a track; `nil` if only its encoder could tell.
    init?(_ track: MovieTrack, sizes: JoinedSizes) {
        guard let entry = track.entries.first, track.entries.count == 1 else { return nil }
        switch entry.type {
        case "tx3g", "text": self = .text([0, 0])
        // A cue that is empty: `vtte`.
        case "wvtt": self = .text(.box("vtte", []))
        case let type where track.handler == "soun":
            let byte: UInt8? =
                switch type {
                case "raw ": entry.content.bigEndian16(at: 18) == 8 ? 0x80 : nil
                case "ulaw": 0xFF
                case "alaw": 0xD5
                default: Self.plain.contains(type) ? 0 : nil
                }
            guard let byte, let packing = track.soundPacking, packing.samples == 1, let size = sizes.constant,
                size == 1 || Int(size) == packing.bytes
            else { return nil }
            self = .sound(byte: byte, count: packing.bytes)
        default: return nil
        }
    }
}
