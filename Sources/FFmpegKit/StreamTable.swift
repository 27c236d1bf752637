/// Values by the positions of streams, which are few and begin with 0; read and written for each packet.
package struct StreamTable<Value> {
    private var values: [Value?] = []

    /// A table without values.
    package init() {}

    /// The value of a stream; `nil` for none.
    package subscript(stream: Int) -> Value? {
        get { values.indices.contains(stream) ? values[stream] : nil }
        set {
            guard stream >= 0 else { return }
            while values.count <= stream { values.append(nil) }
            values[stream] = newValue
        }
    }

    /// The streams that have values, with these.
    package var all: [(stream: Int, value: Value)] {
        values.indices.compactMap { stream in values[stream].map { (stream, $0) } }
    }
}

extension StreamTable: Sendable where Value: Sendable {}
