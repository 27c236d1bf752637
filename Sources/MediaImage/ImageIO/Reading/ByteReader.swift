/// Numbers in bytes, none of which is taken to be there.
struct ByteReader {
    let bytes: [UInt8]
    var isLittle = false

    /// A number of up to four bytes; `nil` if it does not lie inside.
    func number(_ place: Int, _ count: Int) -> Int? {
        guard place >= 0, count <= bytes.count, place <= bytes.count - count else { return nil }
        var value = 0
        for index in 0..<count { value = value << 8 | Int(bytes[place + (isLittle ? count - 1 - index : index)]) }
        return value
    }

    /// Some of the bytes; `nil` if they do not lie inside.
    func part(_ place: Int, _ count: Int) -> ArraySlice<UInt8>? {
        guard place >= 0, count >= 0, count <= bytes.count, place <= bytes.count - count else { return nil }
        return bytes[place..<(place + count)]
    }

    /// Four letters.
    func name(_ place: Int) -> String? { part(place, 4).map { String(decoding: $0, as: UTF8.self) } }
}
