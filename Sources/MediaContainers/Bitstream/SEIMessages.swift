/// The messages of one SEI unit, one after the other (ISO/IEC 14496-10, 7.3.2.3.1; ITU-T H.265, 7.3.5).
///
/// They end where one is longer than what is left, and nothing is read outside the bytes whatever sizes say.
package struct SEIMessages<Bytes: RandomAccessCollection<UInt8>>: Sequence, IteratorProtocol where Bytes.Index == Int {
    package struct Message {
        package let type: Int
        /// Type, size and payload.
        package let range: Range<Int>
        package let payload: Range<Int>
    }

    private let bytes: Bytes
    private var position: Int

    /// - Parameter bytes: What follows the header of the unit.
    package init(_ bytes: Bytes) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    package mutating func next() -> Message? {
        let start = position
        guard let type = readNumber(), let size = readNumber(), size <= bytes.endIndex - position
        else {
            position = bytes.endIndex
            return nil
        }
        position += size
        return Message(type: type, range: start..<position, payload: (position - size)..<position)
    }

    /// A number as a run of bytes of 255 and one below.
    private mutating func readNumber() -> Int? {
        var sum = 0
        while position < bytes.endIndex {
            let byte = bytes[position]
            position += 1
            sum += Int(byte)
            if byte != 0xff { return sum }
        }
        return nil
    }
}
