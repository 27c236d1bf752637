/// What the headers of a coded picture of MPEG video tell.
package struct CodedPicture: Equatable {
    /// Whether it is predicted from a later picture too, and no other picture from it.
    package var isBidirectional: Bool

    /// MPEG-1 and MPEG-2 (ISO/IEC 13818-2, 6.2.3): the type of the first picture.
    package static func mpegVideo(_ bytes: UnsafeRawBufferPointer) -> CodedPicture? {
        var position = 0
        while let start = NALUnits.startCode(in: bytes, from: position) {
            guard start + 2 < bytes.count else { return nil }
            if bytes[start] == 0 {
                return CodedPicture(isBidirectional: (bytes[start + 2] >> 3) & 7 == 3)
            }
            position = start
        }
        return nil
    }
}
