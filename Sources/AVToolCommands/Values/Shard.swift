internal import ArgumentParser
internal import MediaCore
internal import MediaIO

/// One of several shares of all files, told by their names alone, so that nobody has to know the others'.
package struct Shard: ExpressibleByArgument, Codable, Hashable, Sendable {
    /// Which one, from 0.
    package let index: UInt64
    /// How many there are.
    package let count: UInt64

    package init?(argument: String) {
        let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let index = UInt64(parts[0]), let count = UInt64(parts[1]), index < count else {
            return nil
        }
        (self.index, self.count) = (index, count)
    }

    package var defaultValueDescription: String { "\(index)/\(count)" }

    /// Whether a file belongs to it.
    package func contains(_ file: String) -> Bool { Self.hash(file.pathBytes) % count == index }

    /// FNV-1a of 64 bits, mixed once more as MurmurHash ends: its lowest bits alone would be those of a checksum.
    private static func hash(_ bytes: [UInt8]) -> UInt64 {
        var hash = FowlerNollVo.digest64(of: bytes)
        hash = (hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd
        hash = (hash ^ (hash >> 33)) &* 0xc4ce_b9fe_1a85_ec53
        return hash ^ (hash >> 33)
    }
}
