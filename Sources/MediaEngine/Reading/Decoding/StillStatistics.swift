/// What the stills of a generator cost, as numbers of events since it was made.
public struct StillStatistics: Sendable, Hashable {
    /// How often decoding began anew, at an entry point of a GOP.
    public package(set) var entries = 0
    /// Pictures given to the decoder whole.
    ///
    /// Where several stills lie in one GOP, it leaves some of these out by itself.
    public package(set) var decoded = 0
    /// Pictures of which the decoder got no more than the headers, because only
    /// pictures that nobody wanted refer to them.
    public package(set) var headersOnly = 0
    /// Pictures passed over, because no picture refers to them.
    public package(set) var skipped = 0

    package init() {}

    package mutating func add(_ other: StillStatistics) {
        entries += other.entries
        decoded += other.decoded
        headersOnly += other.headersOnly
        skipped += other.skipped
    }
}
