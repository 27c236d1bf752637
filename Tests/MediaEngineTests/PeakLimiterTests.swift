import Foundation
import Testing

@testable import MediaEngine

@Suite struct `Peak limiters` {
    /// A quiet tone with bursts that are too loud.
    private let peaks: [Float] = (0..<48000).map { index in
        let isBurst = index % 9000 > 8900 || index > 47990 || index < Self.startOfQuiet
        return isBurst ? 2.5 : abs(0.5 * Float(sin(Double(index) / 7)))
    }

    /// It begins with one.
    private static let startOfQuiet = 30

    private func gains(inBlocksOf size: Int) -> [Float] {
        var limiter = PeakLimiter(highest: 0.8, sampleRate: 48000)
        var gains: [Float] = []
        var rest = peaks[...]
        while !rest.isEmpty {
            gains += limiter.add(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return gains + limiter.finish()
    }

    @Test func `Peak limiters let no sample above the bound, and leave quiet samples alone`() {
        let gains = gains(inBlocksOf: 1024)
        #expect(gains.count == peaks.count)
        #expect(zip(peaks, gains).allSatisfy { $0 * $1 <= 0.80001 })
        #expect(gains[7000..<8500].allSatisfy { $0 > 0.95 })
        #expect(zip(gains, gains.dropFirst()).allSatisfy { abs($0 - $1) < 0.02 })
        #expect(gains[17000] > 0.95)
    }

    @Test func `Peak limiters give the same whatever the size of the blocks`() {
        let whole = gains(inBlocksOf: 48000)
        for size in [1, 7, 960, 4096] { #expect(gains(inBlocksOf: size) == whole) }
    }
}
