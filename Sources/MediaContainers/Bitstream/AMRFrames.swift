/// The frames of adaptive multi-rate speech in a sample: several of 20 ms each may lie behind one another, where a decoder
/// takes one.
///
/// Source: RFC 4867, 5.3; 3GPP TS 26.101 and 26.201, annex A; 3GPP TS 26.244, 6.7.
package enum AMRFrames {
    /// The bytes of a frame by its type, without the one that tells the type.
    ///
    /// Of the speech modes, of silence and of nothing; `nil` for types that there are not.
    private static let narrow: [Int?] = [12, 13, 15, 17, 19, 20, 26, 31, 5, 6, 5, 5, nil, nil, nil, 0]
    private static let wide: [Int?] = [17, 23, 32, 36, 40, 46, 50, 58, 60, 5, nil, nil, nil, nil, 0, 0]

    /// Where the frames of a sample lie; `nil` if it does not consist of whole frames, or of more than a movie can tell.
    ///
    /// - Parameter isWide: Whether it is AMR-WB.
    package static func ranges(in sample: UnsafeRawBufferPointer, isWide: Bool) -> [Range<Int>]? {
        var ranges: [Range<Int>] = []
        var position = 0
        while position < sample.count {
            guard let size = (isWide ? wide : narrow)[Int(sample[position] >> 3 & 15)], ranges.count < 255,
                size < sample.count - position
            else { return nil }
            ranges.append(position..<(position + 1 + size))
            position += 1 + size
        }
        return ranges
    }
}
