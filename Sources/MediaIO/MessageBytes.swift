/// A value that goes to another process as bytes.
///
/// By hand, because what the standard library's coding looks up at run time takes longer than all else that a small
/// file costs.
package protocol MessageValue: Sendable {
    func write(to message: inout MessageWriter)
    init(from message: inout MessageReader) throws(MessageError)
}

/// Bytes that are no such value.
package struct MessageError: Error, Sendable {
    package init() {}
}

/// The bytes of a value, front to back.
package struct MessageWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func put(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: Int64(truncatingIfNeeded: value).littleEndian) { bytes += $0 }
    }

    package mutating func put(_ value: Bool) { bytes.append(value ? 1 : 0) }
    package mutating func put(_ value: Double) { put(value.bitPattern) }

    package mutating func put(_ value: String) {
        var value = value
        value.withUTF8 { utf8 in
            put(utf8.count)
            bytes += utf8
        }
    }

    package mutating func put(_ value: [UInt8]) {
        put(value.count)
        bytes += value
    }

    package mutating func put(_ value: some MessageValue) { value.write(to: &self) }

    package mutating func put<Value>(_ value: Value?, _ body: (inout MessageWriter, Value) -> Void) {
        put(value != nil)
        if let value { body(&self, value) }
    }

    package mutating func put<Values: Collection>(
        list values: Values, _ body: (inout MessageWriter, Values.Element) -> Void
    ) {
        put(values.count)
        for value in values { body(&self, value) }
    }
}

/// What bytes that another process sent say; that process may be anybody's by now.
package struct MessageReader: Sendable {
    private var rest: ArraySlice<UInt8>

    package init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    private mutating func take(_ count: Int) throws(MessageError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= rest.count else { throw MessageError() }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    package mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) throws(MessageError)
        -> Value
    {
        let bits = try take(8).withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
        if Value.isSigned || Value.bitWidth < 64 {
            guard let value = Value(exactly: Int64(bitPattern: bits)) else { throw MessageError() }
            return value
        }
        return Value(truncatingIfNeeded: bits)
    }

    package mutating func flag() throws(MessageError) -> Bool { try take(1).first == 1 }
    package mutating func number() throws(MessageError) -> Double { Double(bitPattern: try integer(UInt64.self)) }
    package mutating func text() throws(MessageError) -> String { String(decoding: try list(), as: UTF8.self) }
    package mutating func list() throws(MessageError) -> [UInt8] { Array(try take(try integer(Int.self))) }
    package mutating func value<Value: MessageValue>(_ type: Value.Type = Value.self) throws(MessageError) -> Value {
        try Value(from: &self)
    }

    package mutating func optional<Value>(
        _ body: (inout MessageReader) throws(MessageError) -> Value
    ) throws(MessageError) -> Value? {
        try flag() ? try body(&self) : nil
    }

    package mutating func list<Value>(
        _ body: (inout MessageReader) throws(MessageError) -> Value
    ) throws(MessageError) -> [Value] {
        let count = try integer(Int.self)
        // Every value takes a byte at least, so that a number that somebody made up takes no memory.
        guard count >= 0, count <= rest.count else { throw MessageError() }
        var values: [Value] = []
        for _ in 0..<count { values.append(try body(&self)) }
        return values
    }
}

extension MessageWriter {
    package mutating func put(_ value: (some MessageValue)?) { put(value) { $0.put($1) } }
    package mutating func put(_ value: String?) { put(value) { $0.put($1) } }
    package mutating func put(_ value: (some FixedWidthInteger)?) { put(value) { $0.put($1) } }
    package mutating func put(_ values: [some MessageValue]) { put(list: values) { $0.put($1) } }
    package mutating func put(_ values: [String]) { put(list: values) { $0.put($1) } }
}

extension MessageReader {
    package mutating func optionalValue<Value: MessageValue>() throws(MessageError) -> Value? {
        try flag() ? try value() : nil
    }

    package mutating func optionalText() throws(MessageError) -> String? { try flag() ? try text() : nil }

    package mutating func optionalInteger<Value: FixedWidthInteger>() throws(MessageError) -> Value? {
        try flag() ? try integer() : nil
    }

    package mutating func values<Value: MessageValue>() throws(MessageError) -> [Value] {
        try list { message throws(MessageError) in try message.value() }
    }

    package mutating func texts() throws(MessageError) -> [String] {
        try list { message throws(MessageError) in try message.text() }
    }

    /// An integer of a range.
    package mutating func integer<Value: FixedWidthInteger>(in range: ClosedRange<Value>) throws(MessageError) -> Value
    {
        let value = try integer(Value.self)
        guard range.contains(value) else { throw MessageError() }
        return value
    }

    /// A number that is finite.
    package mutating func finite() throws(MessageError) -> Double {
        let value = try number()
        guard value.isFinite else { throw MessageError() }
        return value
    }

    /// What comes next has to be all there is.
    package static func value<Value: MessageValue>(
        _ type: Value.Type = Value.self, of bytes: [UInt8]
    ) throws(MessageError) -> Value {
        var message = MessageReader(bytes)
        let value = try message.value(type)
        guard message.isAtEnd else { throw MessageError() }
        return value
    }
}

extension MessageValue {
    /// The value's bytes, as ``MessageReader/value(_:of:)`` reads them.
    package var bytes: [UInt8] {
        var message = MessageWriter()
        message.put(self)
        return message.bytes
    }
}

extension Range<UInt64> {
    /// - Throws: If it ends before it begins.
    init(from message: inout MessageReader) throws(MessageError) {
        let (start, end) = (try message.integer(UInt64.self), try message.integer(UInt64.self))
        guard start <= end else { throw MessageError() }
        self = start..<end
    }
}
