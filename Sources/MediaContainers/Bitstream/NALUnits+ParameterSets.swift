extension NALUnits {
    private static let (sequenceParameterSet, delimiter): (UInt8, UInt8) = (7, 9)

    /// A packet of H.264 with start codes that a decoder may begin with, with
    /// parameter sets before its first unit that is no access unit delimiter.
    ///
    /// - Parameter parameterSets: With start codes.
    /// - Returns: `nil` if the packet has some of its own.
    package static func packet(
        _ bytes: UnsafeRawBufferPointer, beginningWith parameterSets: [UInt8]
    ) -> [UInt8]? {
        var place = 0
        var position = 0
        while let start = startCode(in: bytes, from: position), start < bytes.count {
            switch bytes[start] & 0x1f {
            case sequenceParameterSet: return nil
            case delimiter where place == 0: place = startCode(in: bytes, from: start).map { $0 - 3 } ?? bytes.count
            default: break
            }
            position = start
        }
        return Array(bytes[..<place]) + parameterSets + Array(bytes[place...])
    }
}
