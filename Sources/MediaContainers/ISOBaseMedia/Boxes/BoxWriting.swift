internal import MediaIO

extension [UInt8] {
    /// A whole box.
    package static func box(_ type: FourCC, _ content: [UInt8]) -> [UInt8] {
        var bytes = boxHeader(type, contentLength: UInt64(content.count))
        bytes.reserveCapacity(bytes.count + content.count)
        bytes += content
        return bytes
    }

    /// A box's header, with a size of 64 bits if it needs one.
    package static func boxHeader(_ type: FourCC, contentLength: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        let isLarge = contentLength > UInt64(UInt32.max) - 8
        bytes.append(bigEndian: isLarge ? 1 : UInt32(contentLength + 8))
        bytes.append(bigEndian: type.rawValue)
        if isLarge { bytes.append(bigEndian: contentLength + 16) }
        return bytes
    }
}
