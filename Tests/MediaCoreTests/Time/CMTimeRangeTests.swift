import MediaCore
import Testing

/// The fields of both times of a range.
private func fields(_ range: CMTimeRange) -> [Fields] { [Fields(range.start), Fields(range.duration)] }

struct RangeCase: CustomTestStringConvertible, Sendable {
    var range: CMTimeRange
    var other: CMTimeRange
    var result: CMTimeRange

    init(_ range: CMTimeRange, _ other: CMTimeRange, is result: CMTimeRange) {
        (self.range, self.other, self.result) = (range, other, result)
    }

    var testDescription: String { "\(range) and \(other)" }
}

@Suite struct `Ranges of time` {
    @Test func `Constants of ranges have the documented fields`() {
        #expect(fields(.zero) == [.numeric(0, 1), .numeric(0, 1)])
        #expect(fields(.invalid) == [.invalid, .invalid])
        #expect(fields(CMTimeRange()) == [.invalid, .invalid])
        #expect(kCMTimeRangeZero == .zero)
        #expect(kCMTimeRangeInvalid == .invalid)
    }

    @Test func `A duration in an epoch makes the range invalid`() {
        #expect(fields(CMTimeRange(start: t(1), duration: t(2, 1, epoch: 1))) == [.invalid, .invalid])
        #expect(fields(CMTimeRangeMake(start: t(1), duration: t(2, 1, epoch: 1))) == [.invalid, .invalid])
        #expect(fields(CMTimeRange(start: t(1), end: t(2, 1, epoch: 1))) == [.invalid, .invalid])
        #expect(CMTimeRange(start: t(1, 1, epoch: 1), duration: t(2)).isValid)
    }

    @Test func `A range of a start and an end has their difference as its duration`() {
        #expect(fields(CMTimeRange(start: t(1, 2), end: t(5, 3))) == [.numeric(1, 2), .numeric(7, 6)])
        #expect(
            fields(CMTimeRangeFromTimeToTime(start: .zero, end: .positiveInfinity)) == [
                .numeric(0, 1), .positiveInfinity,
            ])
        let inEpoch = CMTimeRange(start: t(1, 1, epoch: 3), end: t(4, 1, epoch: 3))
        #expect(fields(inEpoch) == [Fields(1, 1, epoch: 3), .numeric(3, 1)])
        #expect(Fields(inEpoch.end) == Fields(4, 1, epoch: 3))
        #expect(Fields(CMTimeRangeGetEnd(r(t(1, 2), t(7, 6)))) == .numeric(10, 6))
    }

    @Test(arguments: [
        (CMTimeRange.zero, "valid empty"), (r(t(1), t(2)), "valid"), (r(t(-1), t(0, 600)), "valid empty"),
        (r(t(1), t(-1)), ""), (.invalid, ""), (r(.invalid, t(1)), ""), (r(t(1), .invalid), ""),
        (r(t(1), .indefinite), "valid indefinite"), (r(.indefinite, t(1)), "valid indefinite"),
        (r(.zero, .positiveInfinity), "valid"), (r(.indefinite, .zero), "valid indefinite empty"),
    ])
    func `Predicates of ranges follow the definitions`(_ range: CMTimeRange, _ expected: String) {
        let names = [
            range.isValid ? "valid" : nil, range.isIndefinite ? "indefinite" : nil, range.isEmpty ? "empty" : nil,
        ]
        #expect(names.compactMap { $0 }.joined(separator: " ") == expected)
        #expect(CMTIMERANGE_IS_VALID(range) == range.isValid)
        #expect(CMTIMERANGE_IS_INVALID(range) == !range.isValid)
        #expect(CMTIMERANGE_IS_INDEFINITE(range) == range.isIndefinite)
        #expect(CMTIMERANGE_IS_EMPTY(range) == range.isEmpty)
    }

    @Test(arguments: [
        (r(t(1), t(2)), t(1), true), (r(t(1), t(2)), t(2999, 1000), true), (r(t(1), t(2)), t(3), false),
        (r(t(1), t(2)), t(999, 1000), false), (r(t(1), .zero), t(1), false),
        (r(.zero, .positiveInfinity), t(.max, 1), true), (r(.zero, .positiveInfinity), .positiveInfinity, false),
        (r(.zero, .positiveInfinity), .indefinite, false), (r(.zero, .positiveInfinity), .invalid, false),
        (r(.zero, .indefinite), t(1), false), (.invalid, t(1), false), (r(t(1), t(-2)), t(0), false),
        (r(t(1, 1, epoch: 1), t(2)), t(2), false), (r(t(1, 1, epoch: 1), t(2)), t(2, 1, epoch: 1), true),
        (r(t(1, 1, epoch: 1), t(2)), t(2, 1, epoch: 2), false),
    ])
    func `A range contains its start and not its end`(_ range: CMTimeRange, _ time: CMTime, _ expected: Bool) {
        #expect(range.containsTime(time) == expected)
        #expect(CMTimeRangeContainsTime(range, time: time) == expected)
    }

    @Test(arguments: [
        (r(t(0), t(10)), r(t(2), t(3)), true), (r(t(0), t(10)), r(t(0), t(10)), true),
        (r(t(0), t(10)), r(t(0), t(11)), false), (r(t(1), t(10)), r(t(0), t(3)), false),
        (r(t(0), t(10)), r(t(10), .zero), true), (r(t(0), t(10)), r(t(11), .zero), false),
        (r(t(0), .positiveInfinity), r(t(5), .positiveInfinity), true), (r(t(0), t(10)), .invalid, false),
        (.invalid, r(t(0), t(1)), false), (r(t(0), t(10)), r(t(0), .indefinite), false),
        (r(t(0), t(10)), r(t(2, 1, epoch: 1), t(3)), false),
    ])
    func `A range contains another if both ends lie within it`(
        _ range: CMTimeRange, _ other: CMTimeRange, _ expected: Bool
    ) {
        #expect(range.containsTimeRange(other) == expected)
        #expect(CMTimeRangeContainsTimeRange(range, otherRange: other) == expected)
    }

    @Test(arguments: [
        RangeCase(r(t(0), t(5)), r(t(3), t(5)), is: r(t(0), t(8))),
        RangeCase(r(t(0), t(1)), r(t(3), t(1)), is: r(t(0), t(4))),
        RangeCase(r(t(0), t(9)), r(t(3), t(1)), is: r(t(0), t(9))),
        RangeCase(r(t(0), t(1)), r(t(3), .zero), is: r(t(0), t(3))),
        RangeCase(r(t(4), .positiveInfinity), r(t(3), t(1)), is: r(t(3), .positiveInfinity)),
        RangeCase(r(t(0), t(1)), .invalid, is: .invalid),
        RangeCase(r(t(0, 1, epoch: 1), t(1)), r(t(0), t(1)), is: .invalid),
        RangeCase(r(t(0, 1, epoch: 1), t(1)), r(t(2, 1, epoch: 1), t(1)), is: r(t(0, 1, epoch: 1), t(3))),
    ])
    func `The union of ranges is the smallest range that holds both`(_ c: RangeCase) {
        #expect(c.range.union(c.other) == c.result)
        #expect(CMTimeRangeGetUnion(c.other, otherRange: c.range) == c.result)
    }

    @Test(arguments: [
        RangeCase(r(t(0), t(5)), r(t(3), t(5)), is: r(t(3), t(2))),
        RangeCase(r(t(0), t(9)), r(t(3), t(1)), is: r(t(3), t(1))),
        RangeCase(r(t(0), t(1)), r(t(3), t(1)), is: .zero), RangeCase(r(t(0), t(3)), r(t(3), t(1)), is: .zero),
        RangeCase(r(t(4), .positiveInfinity), r(t(3), t(9)), is: r(t(4), t(8))),
        RangeCase(r(t(4), .indefinite), r(t(3), t(9)), is: r(t(4), t(8))),
        RangeCase(r(t(0), t(1)), .invalid, is: .invalid),
        RangeCase(r(t(0, 1, epoch: 1), t(1)), r(t(0), t(1)), is: .invalid),
    ])
    func `The intersection of ranges is the largest range within both`(_ c: RangeCase) {
        #expect(c.range.intersection(c.other) == c.result)
        #expect(CMTimeRangeGetIntersection(c.other, otherRange: c.range) == c.result)
    }

    @Test func `Ranges are equal if their instants are`() {
        #expect(r(t(1, 2), t(4, 2)) == r(t(2, 4), t(2)))
        #expect(CMTimeRangeEqual(r(t(1, 2), t(4, 2)), r(t(2, 4), t(2))))
        #expect(r(t(1, 2), t(4, 2)).hashValue == r(t(2, 4), t(2)).hashValue)
        #expect(r(t(1, 2), t(4, 2)) != r(t(1, 2), t(3, 2)))
        #expect(!CMTimeRangeEqual(r(t(1, 2), t(4, 2)), r(t(1, 3), t(4, 2))))
    }

    @Test func `Text and dictionary of a range hold both times`() throws {
        let range = r(t(1, 2), .positiveInfinity)
        #expect(range.description == "{{1/2 = 0.500}, {+INFINITY}}")
        #expect(CMTimeRangeCopyDescription(allocator: nil, range: range) == range.description)
        let dictionary = try #require(CMTimeRangeCopyAsDictionary(range, allocator: nil))
        #expect(dictionary.keys.sorted() == ["duration", "start"])
        #expect(fields(CMTimeRangeMakeFromDictionary(dictionary)) == fields(range))
        #expect(CMTimeRangeMakeFromDictionary(["start": 1]) == .invalid)
        #expect(CMTimeRangeMakeFromDictionary(nil) == .invalid)
    }
}

@Suite struct `Fitting times to ranges` {
    @Test(arguments: [
        (t(5), r(t(0), t(10)), Fields.numeric(5, 1)), (t(-5, 3), r(t(1, 2), t(10)), .numeric(1, 2)),
        (t(50), r(t(0), t(10)), .numeric(10, 1)), (t(10), r(t(0), t(10)), .numeric(10, 1)),
        (.positiveInfinity, r(t(0), t(10)), .numeric(10, 1)), (.negativeInfinity, r(t(2), t(10)), .numeric(2, 1)),
        (t(5), r(t(5), .zero), .invalid), (.invalid, r(t(0), t(10)), .invalid), (.indefinite, r(t(0), t(10)), .invalid),
        (t(5), .invalid, .invalid), (t(99), r(t(0), .positiveInfinity), .numeric(99, 1)),
    ])
    func `A clamped time is the nearest in the range`(_ time: CMTime, _ range: CMTimeRange, _ expected: Fields) {
        #expect(Fields(CMTimeClampToRange(time, range: range)) == expected)
    }

    // Expected values: exact fractions, computed apart from this module.
    @Test(arguments: [
        (t(5), r(t(0), t(10)), r(t(100), t(20)), Fields.numeric(110, 1)),
        (t(1, 3), r(t(0), t(1)), r(t(0), t(7, 30)), .numeric(7, 90)),
        (t(1001, 30000), r(t(0), t(2002, 30000)), r(t(1, 2), t(1, 44100)), .numeric(44101, 88200)),
        (t(-5), r(t(5), t(10)), r(t(0), t(1)), .numeric(-1, 1)),
        (t(1 << 62), r(t(0), t(1, .max)), r(t(0), t(1 << 62)), .positiveInfinity),
        (t(5), r(t(0), .positiveInfinity), r(t(7), .positiveInfinity), .numeric(12, 1)),
        (t(5), r(t(0), .positiveInfinity), r(t(7), t(1)), .invalid), (t(5), r(t(0), .zero), r(t(7), t(1)), .invalid),
        (t(5), r(t(0), t(1)), r(t(7), .zero), .invalid), (t(5, 1, epoch: 1), r(t(0), t(1)), r(t(7), t(1)), .invalid),
        (t(5), .invalid, r(t(7), t(1)), .invalid), (.invalid, r(t(0), t(1)), r(t(7), t(1)), .invalid),
        (.indefinite, r(t(0), t(1)), r(t(7), t(1)), .indefinite),
        (t(5, 1, epoch: 1), r(t(3, 1, epoch: 1), t(1)), r(t(7), t(2)), .numeric(11, 1)),
    ])
    func `A time is mapped from one range to another`(
        _ time: CMTime, _ from: CMTimeRange, _ to: CMTimeRange, _ expected: Fields
    ) {
        #expect(Fields(CMTimeMapTimeFromRangeToRange(time, fromRange: from, toRange: to)) == expected)
    }

    @Test func `A mapped offset that no timescale holds is rounded once, at the largest`() {
        let from = r(t(0), t(2 * 1_000_003, 1_000_033))
        // 5/7 × 44101/90001 ÷ (2000006/1000033), over 2³¹ − 1.
        let exact = (Int128(5) * 44101 * 1_000_033, Int128(7) * 90001 * 2_000_006)
        let ticks = (2 * exact.0 * Int128(Int32.max) + exact.1) / (2 * exact.1)
        let mapped = CMTimeMapTimeFromRangeToRange(t(5, 7), fromRange: from, toRange: r(.zero, t(44101, 90001)))
        #expect(Fields(mapped) == .numeric(Int64(ticks), .max, rounded: true))
    }

    @Test(arguments: [
        (t(5), r(t(3), t(10)), r(t(100), t(20)), Fields.numeric(10, 1)),
        (t(1, 3), r(t(3), t(1)), r(t(100), t(1, 2)), .numeric(1, 6)),
        (t(5), r(t(0), .positiveInfinity), r(t(7), .positiveInfinity), .numeric(5, 1)),
        (t(5, 1, epoch: 1), r(t(0), t(1)), r(t(7), t(1)), .invalid), (t(5), r(t(0), .zero), r(t(7), t(1)), .invalid),
        (.positiveInfinity, r(t(0), t(1)), r(t(7), t(1)), .positiveInfinity),
    ])
    func `A duration is mapped by the ratio of two ranges`(
        _ time: CMTime, _ from: CMTimeRange, _ to: CMTimeRange, _ expected: Fields
    ) {
        #expect(Fields(CMTimeMapDurationFromRangeToRange(time, fromRange: from, toRange: to)) == expected)
    }

    @Test func `A time mapped there and back is the same while timescales allow it`() {
        var generator = SeededGenerator(seed: 9)
        func small() -> CMTime {
            t(Int64.random(in: 1...30, using: &generator), Int32.random(in: 1...12, using: &generator))
        }
        for _ in 0..<2000 {
            let (from, to, time) = (r(small(), small()), r(small(), small()), small())
            let there = CMTimeMapTimeFromRangeToRange(time, fromRange: from, toRange: to)
            #expect(!there.hasBeenRounded)
            #expect(CMTimeMapTimeFromRangeToRange(there, fromRange: to, toRange: from) == time)
        }
    }

    @Test(arguments: [
        (t(5), r(t(0), t(10)), Fields.numeric(5, 1)), (t(25), r(t(0), t(10)), .numeric(5, 1)),
        (t(10), r(t(0), t(10)), .numeric(0, 1)), (t(-1), r(t(0), t(10)), .numeric(9, 1)),
        (t(-20), r(t(0), t(10)), .numeric(0, 1)), (t(17, 2), r(t(1), t(3)), .numeric(5, 2)),
        (t(7, 3), r(t(0), t(1, 2)), .numeric(2, 6)), (t(5), r(t(0), .positiveInfinity), .numeric(5, 1)),
        (t(-5), r(t(0), .positiveInfinity), .invalid), (t(5), r(t(0), .zero), .invalid), (t(5), .invalid, .invalid),
        (.positiveInfinity, r(t(0), t(1)), .invalid), (t(5, 1, epoch: 1), r(t(0), t(1)), .invalid),
        (t(5, 1, epoch: 1), r(t(0, 1, epoch: 1), t(2)), Fields(1, 1, epoch: 1)),
        (t(.min, 1), r(t(0), t(.max, 1)), .numeric(.max - 1, 1)),
    ])
    func `A folded time is the one in the range after whole turns`(
        _ time: CMTime, _ range: CMTimeRange, _ expected: Fields
    ) {
        #expect(Fields(CMTimeFoldIntoRange(time, foldRange: range)) == expected)
    }

    @Test func `A folded time lies in the range, a whole number of turns away`() {
        var generator = SeededGenerator(seed: 10)
        for _ in 0..<2000 {
            let start = t(Int64.random(in: -500...500, using: &generator), Int32.random(in: 1...40, using: &generator))
            let duration = t(Int64.random(in: 1...500, using: &generator), Int32.random(in: 1...40, using: &generator))
            let time = t(
                Int64.random(in: -90000...90000, using: &generator), Int32.random(in: 1...40, using: &generator))
            let folded = CMTimeFoldIntoRange(time, foldRange: r(start, duration))
            #expect(r(start, duration).containsTime(folded))
            let moved = time - folded
            let turns = (
                Int128(moved.value) * Int128(duration.timescale), Int128(moved.timescale) * Int128(duration.value)
            )
            #expect(turns.0 % turns.1 == 0, "\(time) in \(r(start, duration))")
        }
    }
}

@Suite struct `Time mappings` {
    static let source = r(t(1), t(2))
    static let target = r(t(3), t(4))

    @Test func `A mapping keeps its ranges`() {
        let mapping = CMTimeMappingMake(source: Self.source, target: Self.target)
        #expect(mapping.source == Self.source)
        #expect(mapping.target == Self.target)
        #expect(mapping.isValid)
        #expect(!mapping.isEmpty)
        #expect(mapping == CMTimeMapping(source: Self.source, target: Self.target))
    }

    @Test func `An empty edit has an invalid source and a valid target`() {
        let mapping = CMTimeMappingMakeEmpty(target: Self.target)
        #expect(fields(mapping.source) == [.invalid, .invalid])
        #expect(mapping.target == Self.target)
        #expect(CMTIMEMAPPING_IS_VALID(mapping))
        #expect(!CMTIMEMAPPING_IS_INVALID(mapping))
        #expect(CMTIMEMAPPING_IS_EMPTY(mapping))
    }

    @Test func `An invalid mapping is neither valid nor empty`() {
        for mapping in [CMTimeMapping.invalid, CMTimeMapping(), kCMTimeMappingInvalid] {
            #expect(!CMTIMEMAPPING_IS_VALID(mapping))
            #expect(CMTIMEMAPPING_IS_INVALID(mapping))
            #expect(!CMTIMEMAPPING_IS_EMPTY(mapping))
        }
    }

    @Test func `Durations in an epoch make a mapping invalid`() {
        var odd = Self.target
        odd.duration.epoch = 1
        #expect(!CMTimeMappingMake(source: Self.source, target: odd).isValid)
        #expect(!CMTimeMappingMake(source: odd, target: Self.target).isValid)
        #expect(!CMTimeMappingMakeEmpty(target: odd).isValid)
    }

    @Test func `Text and dictionary of a time mapping hold both ranges`() throws {
        let mapping = CMTimeMappingMakeEmpty(target: Self.target)
        #expect(mapping.description == "{{{INVALID}, {INVALID}}, {{3/1 = 3.000}, {4/1 = 4.000}}}")
        #expect(CMTimeMappingCopyDescription(allocator: nil, mapping: mapping) == mapping.description)
        let dictionary = try #require(CMTimeMappingCopyAsDictionary(mapping, allocator: nil))
        #expect(dictionary.keys.sorted() == ["source", "target"])
        #expect(CMTimeMappingMakeFromDictionary(dictionary) == mapping)
        #expect(!CMTimeMappingMakeFromDictionary(["source": 1]).isValid)
        #expect(!CMTimeMappingMakeFromDictionary(nil).isValid)
    }
}
