/// Divides packets of AV1 into open bitstream units (AV1 specification, 5.3);
/// nothing is read outside the packet whatever the sizes say.
enum AV1Units {
    /// Calls `body` with each unit's type, its layers and its payload until it returns false.
    static func forEach(
        in bytes: UnsafeRawBufferPointer, _ body: (_ type: UInt8, _ layers: UInt8, UnsafeRawBufferPointer) -> Bool
    ) {
        var position = 0
        while position < bytes.count {
            let header = bytes[position]
            position += 1
            var layers: UInt8 = 0
            if header & 4 != 0, position < bytes.count {
                layers = bytes[position] >> 3
                position += 1
            }
            var size = bytes.count - position
            if header & 2 != 0 {
                size = 0
                for shift in stride(from: 0, to: 56, by: 7) {
                    guard position < bytes.count else { return }
                    let byte = bytes[position]
                    position += 1
                    size |= Int(byte & 0x7f) << shift
                    if byte & 0x80 == 0 { break }
                }
            }
            guard position <= bytes.count, size >= 0, size <= bytes.count - position else { return }
            let payload = UnsafeRawBufferPointer(rebasing: bytes[position..<(position + size)])
            if !body(header >> 3 & 15, layers, payload) { return }
            position += size
        }
    }
}
