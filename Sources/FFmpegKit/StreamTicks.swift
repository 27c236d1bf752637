/// A time of each stream by its position, which are few and begin with 0; read and written for each packet.
package struct StreamTicks: Sendable {
    /// `.min` for none.
    private var ticks: [Int64] = []

    /// No times.
    package init() {}

    /// The time of a stream; `nil` for none.
    package subscript(stream: Int) -> Int64? {
        guard stream >= 0, stream < ticks.count, ticks[stream] != .min else { return nil }
        return ticks[stream]
    }

    /// Takes a time of a stream if it is later than the one that is there.
    package mutating func advance(_ stream: Int, to time: Int64) {
        guard stream >= 0 else { return }
        while ticks.count <= stream { ticks.append(.min) }
        if time > ticks[stream] { ticks[stream] = time }
    }

    /// The streams that have times, with these.
    package var all: [(stream: Int, ticks: Int64)] {
        ticks.enumerated().compactMap { $1 == .min ? nil : ($0, $1) }
    }
}
