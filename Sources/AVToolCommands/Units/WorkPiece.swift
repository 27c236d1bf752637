internal import ArgumentParser

/// A share of the work on one film.
package struct WorkPiece: ExpressibleByArgument, Codable, Hashable, Sendable {
    /// Which one, from 0; `nil` for what joins them all.
    package let index: Int?
    /// How many there are.
    package let count: Int

    /// Shares of one film: a plan has a line for each.
    package static let maximumCount = 100_000

    /// One of several.
    package init(_ index: Int, of count: Int) { (self.index, self.count) = (index, count) }

    package init?(argument: String) {
        let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let count = Int(parts[1]), (1...Self.maximumCount).contains(count) else { return nil }
        self.count = count
        guard parts[0] != "all" else {
            index = nil
            return
        }
        guard let index = Int(parts[0]), (0..<count).contains(index) else { return nil }
        self.index = index
    }

    package var defaultValueDescription: String { "\(index.map { "\($0)" } ?? "all")/\(count)" }

    /// Which of so many things belong to it; all for what joins them.
    package func range(of total: Int) -> Range<Int> {
        guard let index else { return 0..<total }
        return Self.border(index, of: count, total)..<Self.border(index + 1, of: count, total)
    }

    private static func border(_ index: Int, of count: Int, _ total: Int) -> Int {
        Int(clamping: Int128(total) * Int128(index) / Int128(count))
    }
}
