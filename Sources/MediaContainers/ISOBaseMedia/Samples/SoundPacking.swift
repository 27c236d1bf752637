internal import MediaIO

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
