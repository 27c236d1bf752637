import MediaCore
import Testing

extension SeededGenerator {
    /// A time with any fields at all, extreme ones often.
    fileprivate mutating func arbitraryTime() -> CMTime {
        let values: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max, Int64(bitPattern: next())]
        let timescales: [Int32] = [.min, -1, 0, 1, 2, 600, .max - 1, .max, Int32(truncatingIfNeeded: next())]
        let flags: [UInt32] = [0, 1, 1, 1, 3, 5, 9, 17, 29, .max, UInt32(truncatingIfNeeded: next())]
        let epochs: [Int64] = [0, 0, 0, 1, -1, .min, .max]
        return CMTime(
            value: values.randomElement(using: &self)!, timescale: timescales.randomElement(using: &self)!,
            flags: CMTimeFlags(rawValue: flags.randomElement(using: &self)!),
            epoch: epochs.randomElement(using: &self)!)
    }

    fileprivate mutating func arbitraryRange() -> CMTimeRange {
        var duration = arbitraryTime()
        if Bool.random(using: &self) { duration.epoch = 0 }
        return CMTimeRange(start: arbitraryTime(), duration: duration)
    }
}

@Suite struct `Arbitrary input` {
    @Test func `Operations on arbitrary times do not trap, and numeric results have a timescale`() {
        var generator = SeededGenerator(seed: 20)
        let multipliers: [Int32] = [.min, -1, 0, 1, 7, .max]
        let doubles: [Double] = [0, -0.0, 0x1p-1074, 1e-29, 0.1, 3, 0x1p52, 1e19, 1e300, .infinity, .nan]
        for _ in 0..<10_000 {
            let (a, b) = (generator.arbitraryTime(), generator.arbitraryTime())
            let (range, other) = (generator.arbitraryRange(), generator.arbitraryRange())
            let multiplier = multipliers.randomElement(using: &generator)!
            let double = doubles.randomElement(using: &generator)! * (Bool.random(using: &generator) ? 1 : -1)
            let method = CMTimeRoundingMethod.allCases.randomElement(using: &generator)!
            let union = range.union(other)
            let intersection = range.intersection(other)
            let results = [
                a + b, a - b, CMTimeMultiply(a, multiplier: multiplier), CMTimeAbsoluteValue(a),
                CMTimeMultiplyByFloat64(a, multiplier: double), a.convertScale(b.timescale, method: method),
                CMTimeMultiplyByRatio(a, multiplier: multiplier, divisor: b.timescale), range.end,
                CMTimeMapTimeFromRangeToRange(a, fromRange: range, toRange: other),
                CMTimeMapDurationFromRangeToRange(a, fromRange: range, toRange: other),
                CMTimeFoldIntoRange(a, foldRange: range), union.duration, intersection.duration,
                CMTime(seconds: double, preferredTimescale: a.timescale),
            ]
            for (index, result) in results.enumerated() where result.isNumeric {
                #expect(result.timescale > 0, "result \(index) of \(Fields(a)), \(Fields(b)), \(range), \(other)")
            }
            #expect(CMTimeCompare(a, b) == -CMTimeCompare(b, a))
            #expect(a != b || a.hashValue == b.hashValue)
            #expect(!range.containsTime(a) || CMTimeClampToRange(a, range: range) == a)
            #expect(a.description.hasPrefix("{"))
        }
    }

    @Test func `Random text is parsed as a time that reads back, or an error with a part of the text`() {
        var generator = SeededGenerator(seed: 21)
        let pieces = [
            "0", "1", "12", "59", "s", "ms", ".", ":", "/", "%", "#", "+", "-", "..", "end", "start", " ", "é",
        ]
        var wellFormed = 0
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...6, using: &generator)
            let text = (0..<count).map { _ in pieces.randomElement(using: &generator)! }.joined()
            do throws(TimeExpressionError) {
                let expression = try TimeExpression.parse(text)
                wellFormed += 1
                #expect((try? TimeExpression.parse(expression.description)) == expression, "\(text)")
            } catch {
                #expect(error.offendingPart.isEmpty || text.contains(error.offendingPart), "\(text)")
            }
            do throws(TimeExpressionError) {
                let expression = try TimeRangeExpression.parse(text)
                wellFormed += 1
                #expect((try? TimeRangeExpression.parse(expression.description)) == expression, "\(text)")
            } catch {
                #expect(error.offendingPart.isEmpty || text.contains(error.offendingPart), "\(text)")
            }
        }
        #expect(wellFormed > 1000)
    }
}
