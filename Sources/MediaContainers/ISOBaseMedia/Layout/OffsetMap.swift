/// Where the parts of a file lie in its new version.
struct OffsetMap {
    /// Positions from where on everything lies further back or forth, in rising order.
    private var changes: [(position: UInt64, shift: Int64)] = []

    /// Adds a change of length at a position, not before those already there.
    mutating func append(_ shift: Int64, from position: UInt64) {
        guard shift != 0 else { return }
        changes.append((position, (changes.last?.shift ?? 0) + shift))
    }

    /// Whether everything stays where it is.
    var isIdentity: Bool { changes.isEmpty }

    /// How much further back the byte at a position lies.
    func shift(at position: UInt64) -> Int64 { changes.last { $0.position <= position }?.shift ?? 0 }

    /// The new position of what is at a position; one that cannot be, as damaged
    /// files have, stays.
    func callAsFunction(_ position: UInt64) -> UInt64 {
        let shift = shift(at: position)
        let (result, overflow) =
            shift < 0
            ? position.subtractingReportingOverflow(shift.magnitude)
            : position.addingReportingOverflow(shift.magnitude)
        return overflow ? position : result
    }
}
