import MediaCore
import Testing

@Suite struct `Order, equality and hash of times` {
    /// Classes of equal times, in ascending order.
    static let ladder: [[CMTime]] = [
        [.negativeInfinity, CMTime(value: 9, timescale: 9, flags: [.valid, .negativeInfinity], epoch: 1)],
        [t(.max, 1, epoch: -1)],
        [t(.min, 1)],
        [t(.min, 2), t(.min / 2, 1)],
        [t(-1, 3), t(-2, 6)],
        [.zero, t(0, 600), t(0, .max)],
        [t(1, .max)],
        [t(1, .max - 1)],
        [t(1, 3), t(100, 300)],
        [t(333_333_333_333_333_334, 1_000_000_000), t(166_666_666_666_666_667, 500_000_000)],
        [t(.max - 1, 1)],
        [t(.max, 1)],
        [t(.min, 1, epoch: 1)],
        [.indefinite, CMTime(value: 9, timescale: 9, flags: [.valid, .indefinite], epoch: 1)],
        [.positiveInfinity, CMTime(value: 9, timescale: 9, flags: [.valid, .positiveInfinity], epoch: 1)],
        [.invalid, CMTime(value: 9, timescale: 9, flags: .hasBeenRounded, epoch: 1), t(5, 0), t(5, -1)],
    ]

    @Test func `Times compare by their place in the order of kinds and values`() {
        for (i, lower) in Self.ladder.enumerated() {
            for (j, upper) in Self.ladder.enumerated() {
                for a in lower {
                    for b in upper {
                        let expected: Int32 = i < j ? -1 : (i == j ? 0 : 1)
                        #expect(CMTimeCompare(a, b) == expected, "\(Fields(a)) and \(Fields(b))")
                        #expect((a < b) == (i < j))
                        #expect((a <= b) == (i <= j))
                        #expect((a > b) == (i > j))
                        #expect((a == b) == (i == j))
                        #expect(Fields(CMTimeMinimum(a, b)) == Fields(i <= j ? a : b))
                        #expect(Fields(CMTimeMaximum(a, b)) == Fields(i >= j ? a : b))
                    }
                }
            }
        }
    }

    @Test func `Equal times hash alike`() {
        for rung in Self.ladder {
            #expect(Set(rung).count == 1, "\(rung)")
            #expect(Set(rung.map(\.hashValue)).count == 1, "\(rung)")
        }
        #expect(Set(Self.ladder.joined()).count == Self.ladder.count)
    }

    @Test func `Random times compare by cross multiplication, and hash alike when equal`() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<5000 {
            let (a, b) = (generator.time(), generator.time())
            let difference = Int128(a.value) * Int128(b.timescale) - Int128(b.value) * Int128(a.timescale)
            #expect(CMTimeCompare(a, b) == Int32(difference.signum()))
            let small = t(generator.time(maximumBits: 40).value, Int32.random(in: 1...1000, using: &generator))
            let factor = Int32.random(in: 1...1000, using: &generator)
            let same = t(small.value * Int64(factor), small.timescale * factor)
            #expect(small == same)
            #expect(small.hashValue == same.hashValue)
        }
    }

    @Test func `Rounding does not matter for the equality of times`() {
        let rounded = CMTime(value: 1, timescale: 2, flags: [.valid, .hasBeenRounded], epoch: 0)
        #expect(rounded == t(2, 4))
        #expect(rounded.hashValue == t(2, 4).hashValue)
    }
}
