import Testing

@testable import MediaEngine

/// The times at which pictures come, where they end, and what is to be seen.
struct SpacingCase: Sendable, CustomTestStringConvertible {
    var shortest: Int64 = 2
    var times: [Int64]
    var end: Int64?
    /// The place in the list, the start and the length of each.
    var shown: [[Int64]]
    var testDescription: String { "\(times) to \(end.map(String.init) ?? "?"), \(shortest) apart" }

    static let all = [
        SpacingCase(times: [], end: 5, shown: []),
        SpacingCase(times: [0], end: 9, shown: [[0, 0, 9]]),
        SpacingCase(times: [0], end: 1, shown: [[0, 0, 2]]),
        SpacingCase(times: [0], end: nil, shown: [[0, 0, 2]]),
        SpacingCase(times: [0, 4, 11], end: 13, shown: [[0, 0, 4], [1, 4, 7], [2, 11, 2]]),
        SpacingCase(times: [0, 4, 11], end: nil, shown: [[0, 0, 4], [1, 4, 7], [2, 11, 7]]),
        // The later one of two that are close.
        SpacingCase(times: [0, 8, 9, 19], end: 23, shown: [[0, 0, 8], [2, 8, 11], [3, 19, 4]]),
        SpacingCase(times: [0, 1, 2, 3, 4, 5], end: 6, shown: [[1, 0, 2], [3, 2, 2], [5, 4, 2]]),
        SpacingCase(times: [0, 0, 0, 7], end: 9, shown: [[2, 0, 7], [3, 7, 2]]),
        // A last one that is too short takes from the one before it, if that lasts.
        SpacingCase(times: [0, 4], end: 5, shown: [[0, 0, 3], [1, 3, 2]]),
        SpacingCase(times: [0, 4, 10], end: 10, shown: [[0, 0, 4], [1, 4, 4], [2, 8, 2]]),
        SpacingCase(times: [0, 3], end: 3, shown: [[1, 0, 3]]),
        SpacingCase(times: [0, 4, 6], end: 7, shown: [[0, 0, 4], [2, 4, 3]]),
        // Times may be as close as ticks.
        SpacingCase(shortest: 0, times: [0, 1, 1, 2], end: 3, shown: [[0, 0, 1], [2, 1, 1], [3, 2, 1]]),
        SpacingCase(shortest: 1, times: [5, 6], end: 6, shown: [[0, 5, 1], [1, 6, 1]]),
    ]
}

@Suite struct `The spacing of pictures` {
    @Test(arguments: SpacingCase.all)
    func `The spacing of frames moves only those that are too close`(_ c: SpacingCase) {
        var spacing = PictureSpacing<Int>(shortest: c.shortest)
        var shown: [[Int64]] = []
        func take(_ spaced: PictureSpacing<Int>.Spaced) {
            shown.append([Int64(spaced.picture), spaced.ticks, spaced.duration])
        }
        for (index, time) in c.times.enumerated() {
            if let spaced = spacing.add(index, at: time) { take(spaced) }
        }
        spacing.finish(at: c.end).forEach(take)
        #expect(shown == c.shown)
        #expect(spacing.dropped == c.times.count - shown.count)
    }
}
