/// A four-character code as a number.
public typealias FourCharCode = UInt32

extension FourCharCode {
    /// The characters of the code, a question mark for bytes that are none of ASCII's.
    package var characters: String {
        String(
            decoding: stride(from: 24, through: 0, by: -8).map { shift in
                let byte = UInt8(truncatingIfNeeded: self >> UInt32(shift))
                return (0x20..<0x7F).contains(byte) ? byte : UInt8(ascii: "?")
            }, as: UTF8.self)
    }
}
