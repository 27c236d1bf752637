import MediaCore
import Testing

@Suite struct `What is sorted` {
    @Test(arguments: 0..<20) func `A binary search finds what a linear one finds`(count: Int) {
        for start in 0...count {
            let values = (0..<count).map { $0 >= start }
            #expect(values.partitioningIndex { $0 } == start)
            #expect([0][...].dropFirst().partitioningIndex { _ in true } == 1)
            #expect((5..<(5 + count)).partitioningIndex { $0 >= 5 + start } == 5 + start)
        }
    }

    @Test func `A binary search takes few steps`() {
        var steps = 0
        let index = (0..<1_000_000).partitioningIndex {
            steps += 1
            return $0 >= 765_432
        }
        #expect(index == 765_432)
        #expect(steps <= 20)
    }
}

@Suite struct `What numbers have in common` {
    @Test func `Greatest common divisors and least common multiples are those found by trial`() {
        for a in UInt(0)...40 {
            for b in UInt(0)...40 {
                let expected = (1...41).last { a % $0 == 0 && b % $0 == 0 && (a > 0 || b > 0) && $0 <= max(a, b) } ?? 0
                #expect(greatestCommonDivisor(a, b) == expected)
                guard a > 0, b > 0 else { continue }
                #expect(leastCommonMultiple(a, b) == (1...(a * b)).first { $0 % a == 0 && $0 % b == 0 })
            }
        }
    }
}

@Suite struct `Random numbers with a seed` {
    @Test func `Random numbers with a seed are those of SplitMix64`() {
        // The first numbers of the algorithm's reference implementation for the seed 1234567.
        var generator = SeededGenerator(seed: 1_234_567)
        #expect(generator.next() == 6_457_827_717_110_365_317)
        #expect(generator.next() == 3_203_168_211_198_807_973)
    }
}
