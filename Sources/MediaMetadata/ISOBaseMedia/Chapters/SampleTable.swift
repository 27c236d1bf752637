internal import ISOBaseMedia
internal import MediaFile

extension ISOChapters {
    /// The samples of a track in its media's time, as far as they are allowed to be many.
    struct SampleTable {
        struct Sample {
            var position: UInt64
            var size: UInt32
            var start: Int64
            var end: Int64
        }

        private(set) var samples: [Sample] = []
        /// Whether its parts do not fit one another, or hold more than is allowed.
        private(set) var isCut = false

        /// Reads the tables of a `stbl` box.
        ///
        /// - Parameter maximum: No more samples than this are read.
        init(_ table: Box, maximum: Int, reader: BoxReader) {
            var boxes: [FourCC: Box] = [:]
            for box in reader.boxes(in: table.content) where boxes[box.type] == nil { boxes[box.type] = box }
            func bytes(_ type: FourCC, bytesPerEntry: Int) -> [UInt8] {
                boxes[type].map { reader.bytes(of: $0, limit: 12 + bytesPerEntry * maximum) } ?? []
            }
            let sizes = Self.sizes(bytes("stsz", bytesPerEntry: 4), maximum: maximum)
            isCut = sizes.isCut
            let times = Self.times(bytes("stts", bytesPerEntry: 8), count: sizes.sizes.count)
            let isLarge = boxes["stco"] == nil
            let chunks = Self.chunks(
                isLarge ? bytes("co64", bytesPerEntry: 8) : bytes("stco", bytesPerEntry: 4), isLarge: isLarge)
            let positions = Self.positions(
                bytes("stsc", bytesPerEntry: 12), chunks: chunks, sizes: sizes.sizes)
            let count = min(sizes.sizes.count, times.count, positions.count)
            if count < sizes.sizes.count { isCut = true }
            samples = (0..<count).map {
                Sample(
                    position: positions[$0], size: sizes.sizes[$0], start: times[$0].lowerBound,
                    end: times[$0].upperBound)
            }
        }

        private static func sizes(_ bytes: [UInt8], maximum: Int) -> (sizes: [UInt32], isCut: Bool) {
            guard let uniform = bytes.bigEndian32(at: 4), let count = bytes.bigEndian32(at: 8) else {
                return ([], true)
            }
            let wanted = min(Int(count), maximum)
            if uniform != 0 { return (Array(repeating: uniform, count: wanted), wanted < count) }
            let sizes = (0..<min(wanted, (bytes.count - 12) / 4)).compactMap { bytes.bigEndian32(at: 12 + 4 * $0) }
            return (sizes, sizes.count < count)
        }

        private static func times(_ bytes: [UInt8], count: Int) -> [Range<Int64>] {
            var times: [Range<Int64>] = []
            var start: Int64 = 0
            var offset = 8
            while times.count < count, let run = bytes.bigEndian32(at: offset),
                let duration = bytes.bigEndian32(at: offset + 4)
            {
                for _ in 0..<min(Int(run), count - times.count) {
                    // At most 65,536 samples of 32 bits each: this cannot overflow.
                    times.append(start..<(start + Int64(duration)))
                    start += Int64(duration)
                }
                offset += 8
            }
            return times
        }

        private static func chunks(_ bytes: [UInt8], isLarge: Bool) -> [UInt64] {
            let size = isLarge ? 8 : 4
            guard let count = bytes.bigEndian32(at: 4) else { return [] }
            return (0..<min(Int(count), (bytes.count - 8) / size)).compactMap {
                isLarge ? bytes.bigEndian64(at: 8 + 8 * $0) : bytes.bigEndian32(at: 8 + 4 * $0).map(UInt64.init)
            }
        }

        private static func positions(_ bytes: [UInt8], chunks: [UInt64], sizes: [UInt32]) -> [UInt64] {
            var positions: [UInt64] = []
            var offset = 8
            while let first = bytes.bigEndian32(at: offset), let perChunk = bytes.bigEndian32(at: offset + 4) {
                let next = bytes.bigEndian32(at: offset + 12).map(Int.init) ?? (chunks.count + 1)
                guard first >= 1, next > first else { break }
                for chunk in Int(first)..<next {
                    guard chunk <= chunks.count, positions.count < sizes.count else { return positions }
                    var position = chunks[chunk - 1]
                    for _ in 0..<min(Int(perChunk), sizes.count - positions.count) {
                        let size = UInt64(sizes[positions.count])
                        let (end, isTooFar) = position.addingReportingOverflow(size)
                        guard !isTooFar else { return positions }
                        positions.append(position)
                        position = end
                    }
                }
                offset += 12
            }
            return positions
        }
    }
}
