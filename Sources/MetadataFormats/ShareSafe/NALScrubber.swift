internal import MediaMetadata

/// Looks through the NAL units of H.264 and HEVC.
///
/// Source: ITU-T H.264, 7.3 and annex D; ITU-T H.265, 7.3 and annex D.
struct NALScrubber: Sendable {
    let isHEVC: Bool
    /// The size of a unit's length field, `nil` for start codes.
    let lengthSize: Int?

    func patches(in bytes: UnsafeRawBufferPointer) -> [SamplePatch] {
        var patches: [SamplePatch] = []
        for range in units(in: bytes) { if let patch = patch(of: bytes, range) { patches.append(patch) } }
        return patches
    }

    /// The units of a configuration record, `avcC` or `hvcC`, or of bare units.
    func patches(inConfiguration bytes: UnsafeRawBufferPointer) -> [SamplePatch] {
        guard lengthSize != nil else { return patches(in: bytes) }
        guard isHEVC else { return [] }
        // ISO/IEC 14496-15, 8.3.2: arrays of units, each with its length in 16 bits.
        var patches: [SamplePatch] = []
        var position = 23
        for _ in 0..<(bytes.count > 22 ? Int(bytes[22]) : 0) {
            guard position + 3 <= bytes.count else { break }
            let count = Int(bytes[position + 1]) << 8 | Int(bytes[position + 2])
            position += 3
            for _ in 0..<count {
                guard position + 2 <= bytes.count else { return patches }
                let length = Int(bytes[position]) << 8 | Int(bytes[position + 1])
                let range = (position + 2)..<(position + 2 + length)
                guard range.upperBound <= bytes.count else { return patches }
                if let patch = patch(of: bytes, range) { patches.append(patch) }
                position = range.upperBound
            }
        }
        return patches
    }

    // MARK: Units

    private func units(in bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
        guard let lengthSize else { return Self.unitsBetweenStartCodes(bytes) }
        var units: [Range<Int>] = []
        var position = 0
        while position + lengthSize < bytes.count {
            let length = bytes[position..<(position + lengthSize)].reduce(0) { $0 << 8 | Int($1) }
            let start = position + lengthSize
            guard length > 0 else {
                position = start
                continue
            }
            let end = min(bytes.count, start + length)
            units.append(start..<end)
            position = end
        }
        return units
    }

    static func unitsBetweenStartCodes(_ bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
        var starts: [Int] = []
        var index = 2
        while index < bytes.count {
            if bytes[index] > 1 {
                index += 3
            } else if bytes[index] == 1, bytes[index - 1] == 0, bytes[index - 2] == 0 {
                starts.append(index + 1)
                index += 3
            } else {
                index += 1
            }
        }
        return starts.enumerated().compactMap { number, start in
            var end = number + 1 < starts.count ? starts[number + 1] - 3 : bytes.count
            // Zeros behind a unit belong to the next start code or fill the stream.
            while end > start, bytes[end - 1] == 0 { end -= 1 }
            return end > start ? start..<end : nil
        }
    }

    private func patch(of bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> SamplePatch? {
        let header = isHEVC ? 2 : 1
        guard range.count > header else { return nil }
        let type = isHEVC ? Int(bytes[range.lowerBound] >> 1 & 0x3F) : Int(bytes[range.lowerBound] & 0x1F)
        let content = UnsafeRawBufferPointer(rebasing: bytes[(range.lowerBound + header)..<range.upperBound])
        let offset = range.lowerBound + header
        if type == 6 && !isHEVC || isHEVC && (type == 39 || type == 40) {
            return SupplementalMessages(isHEVC: isHEVC).scrubbed(content).map {
                SamplePatch(offset: offset, bytes: $0.bytes, reason: $0.reason)
            }
        }
        let isFiller = type == (isHEVC ? 38 : 12)
        let isUnknown = isHEVC ? (41...61).contains(type) : type == 0 || (24...31).contains(type)
        guard isFiller || isUnknown else { return nil }
        let filler = [UInt8](repeating: 0xFF, count: content.count - 1) + [0x80]
        guard !content.elementsEqual(filler) else { return nil }
        if isFiller, content.allSatisfy({ [0xFF, 0x80, 0].contains($0) }) { return nil }
        return SamplePatch(
            offset: offset, bytes: filler,
            reason: isFiller ? "filler that is none" : "units of type \(type), which no standard has")
    }
}
