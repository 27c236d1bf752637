internal import MediaIO

/// A part of the new movie box, some of whose numbers depend on where the media data will lie.
indirect enum MovieNode {
    case bytes([UInt8])
    case container(FourCC, [MovieNode])
    /// The table of chunk offsets of a track: places in the old file, or in the new data.
    case chunkOffsets(track: Int)
    /// The table of auxiliary information, which is one run in the new data.
    ///
    /// - Parameters:
    ///   - header: The box's bytes before the number of entries.
    case auxiliaryOffset(header: [UInt8], position: UInt64)
}

/// Writes nodes as bytes, given where the media data lie.
struct MovieNodeWriter {
    /// The new chunk offsets of each track, or as many zeros.
    var chunkOffsets: (Int) -> [UInt64]
    /// How many chunks each track has, and whether they need 64 bits.
    var chunkCounts: [(count: Int, isLong: Bool)]
    /// Where the new data begin.
    var newDataStart: UInt64

    func byteCount(of node: MovieNode) -> Int {
        switch node {
        case .bytes(let bytes): bytes.count
        case .container(_, let children): children.reduce(8) { $0 + byteCount(of: $1) }
        case .chunkOffsets(let track): 16 + chunkCounts[track].count * (chunkCounts[track].isLong ? 8 : 4)
        case .auxiliaryOffset(let header, _): 8 + header.count + 4 + 8
        }
    }

    func append(_ node: MovieNode, to output: inout [UInt8]) {
        switch node {
        case .bytes(let bytes): output.append(contentsOf: bytes)
        case .container(let type, let children):
            output.append(bigEndian: UInt32(byteCount(of: node)))
            output.append(bigEndian: type.rawValue)
            for child in children { append(child, to: &output) }
        case .chunkOffsets(let track):
            let (count, isLong) = chunkCounts[track]
            output.append(bigEndian: UInt32(byteCount(of: node)))
            output.append(bigEndian: (isLong ? "co64" : "stco" as FourCC).rawValue)
            output.append(bigEndian: UInt32(0))
            output.append(bigEndian: UInt32(count))
            for offset in chunkOffsets(track) {
                if isLong {
                    output.append(bigEndian: offset)
                } else {
                    output.append(bigEndian: UInt32(truncatingIfNeeded: offset))
                }
            }
        case .auxiliaryOffset(let header, let position):
            output.append(bigEndian: UInt32(byteCount(of: node)))
            output.append(bigEndian: ("saio" as FourCC).rawValue)
            output.append(contentsOf: header)
            output.append(bigEndian: UInt32(1))
            output.append(bigEndian: newDataStart + position)
        }
    }
}
