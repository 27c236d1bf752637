import MediaCore
import Testing

@Suite struct `CMTime layout and constants` {
    @Test(arguments: [
        (CMTime.invalid, Fields(0, 0, flags: 0)), (CMTime(), Fields(0, 0, flags: 0)),
        (.indefinite, Fields(0, 0, flags: 17)), (.positiveInfinity, Fields(0, 0, flags: 5)),
        (.negativeInfinity, Fields(0, 0, flags: 9)), (.zero, Fields(0, 1, flags: 1)),
        (kCMTimeInvalid, Fields(0, 0, flags: 0)), (kCMTimeIndefinite, Fields(0, 0, flags: 17)),
        (kCMTimePositiveInfinity, Fields(0, 0, flags: 5)), (kCMTimeNegativeInfinity, Fields(0, 0, flags: 9)),
        (kCMTimeZero, Fields(0, 1, flags: 1)),
    ])
    func `Constants of times have the documented fields`(_ time: CMTime, _ fields: Fields) {
        #expect(Fields(time) == fields)
    }

    @Test func `A time takes 24 bytes`() {
        #expect(MemoryLayout<CMTime>.size == 24)
        #expect(MemoryLayout<CMTime>.stride == 24)
    }

    @Test func `Flags and rounding methods of times have the documented raw values`() {
        #expect(CMTimeFlags.valid.rawValue == 1)
        #expect(CMTimeFlags.hasBeenRounded.rawValue == 2)
        #expect(CMTimeFlags.positiveInfinity.rawValue == 4)
        #expect(CMTimeFlags.negativeInfinity.rawValue == 8)
        #expect(CMTimeFlags.indefinite.rawValue == 16)
        #expect(CMTimeFlags.impliedValueFlagsMask.rawValue == 28)
        #expect(kCMTimeMaxTimescale == 0x7fff_ffff)
        let methods: [CMTimeRoundingMethod] = [
            .roundHalfAwayFromZero, .roundTowardZero, .roundAwayFromZero, .quickTime, .roundTowardPositiveInfinity,
            .roundTowardNegativeInfinity,
        ]
        #expect(methods.map(\.rawValue) == [1, 2, 3, 4, 5, 6])
        #expect(CMTimeRoundingMethod.default == .roundHalfAwayFromZero)
    }
}

struct PredicateCase: CustomTestStringConvertible, Sendable {
    var time: CMTime
    var expected: String

    init(_ time: CMTime, _ expected: String) { (self.time, self.expected) = (time, expected) }

    var testDescription: String { "\(Fields(time)): \(expected)" }
}

@Suite struct `CMTime predicates` {
    static let cases = [
        PredicateCase(.invalid, ""), PredicateCase(.zero, "valid numeric"), PredicateCase(t(-5, 3), "valid numeric"),
        PredicateCase(.indefinite, "valid indefinite"), PredicateCase(.positiveInfinity, "valid +inf"),
        PredicateCase(.negativeInfinity, "valid -inf"),
        PredicateCase(
            CMTime(value: 1, timescale: 2, flags: [.valid, .hasBeenRounded], epoch: 0), "valid numeric rounded"),
        PredicateCase(CMTime(value: 1, timescale: 2, flags: [.hasBeenRounded, .positiveInfinity], epoch: 0), ""),
        PredicateCase(
            CMTime(value: 0, timescale: 0, flags: [.valid, .hasBeenRounded, .indefinite], epoch: 0), "valid indefinite"),
    ]

    @Test(arguments: cases)
    func `Properties of a time follow its flags`(_ c: PredicateCase) {
        let time = c.time
        let names = [
            time.isValid ? "valid" : nil, time.isNumeric ? "numeric" : nil, time.hasBeenRounded ? "rounded" : nil,
            time.isIndefinite ? "indefinite" : nil, time.isPositiveInfinity ? "+inf" : nil,
            time.isNegativeInfinity ? "-inf" : nil,
        ]
        #expect(names.compactMap { $0 }.joined(separator: " ") == c.expected)
    }

    @Test(arguments: cases)
    func `Free functions of a time follow its flags`(_ c: PredicateCase) {
        let time = c.time
        let names = [
            CMTIME_IS_VALID(time) ? "valid" : nil, CMTIME_IS_NUMERIC(time) ? "numeric" : nil,
            CMTIME_HAS_BEEN_ROUNDED(time) ? "rounded" : nil, CMTIME_IS_INDEFINITE(time) ? "indefinite" : nil,
            CMTIME_IS_POSITIVEINFINITY(time) ? "+inf" : nil, CMTIME_IS_NEGATIVEINFINITY(time) ? "-inf" : nil,
        ]
        #expect(names.compactMap { $0 }.joined(separator: " ") == c.expected)
        #expect(CMTIME_IS_INVALID(time) == !c.expected.contains("valid"))
    }
}

struct SecondsCase: CustomTestStringConvertible, Sendable {
    var seconds: Double
    var timescale: Int32
    var fields: Fields

    init(_ seconds: Double, _ timescale: Int32, is fields: Fields) {
        (self.seconds, self.timescale, self.fields) = (seconds, timescale, fields)
    }

    var testDescription: String { "\(seconds) s at \(timescale)" }
}

@Suite struct `Making times` {
    @Test(arguments: [Int32](arrayLiteral: 0, -1, .min))
    func `A timescale that is not positive gives an invalid time`(_ timescale: Int32) {
        #expect(Fields(CMTime(value: 1, timescale: timescale)) == .invalid)
        #expect(Fields(CMTimeMake(value: 1, timescale: timescale)) == .invalid)
        #expect(Fields(CMTimeMakeWithEpoch(value: 1, timescale: timescale, epoch: 2)) == .invalid)
        #expect(Fields(CMTime(seconds: 1, preferredTimescale: timescale)) == .invalid)
        #expect(Fields(t(1).convertScale(timescale, method: .default)) == .invalid)
    }

    @Test func `Value, timescale and epoch of a time are kept as given`() {
        #expect(Fields(CMTime(value: 2, timescale: 4)) == Fields(2, 4))
        #expect(Fields(CMTimeMake(value: .min, timescale: .max)) == Fields(.min, .max))
        #expect(Fields(CMTimeMakeWithEpoch(value: 2, timescale: 4, epoch: -3)) == Fields(2, 4, epoch: -3))
    }

    // 7/60 itself rounds to a product of exactly 28; the next smaller number shows that nothing is rounded up.
    static let secondsCases = [
        SecondsCase(0, 600, is: .numeric(0, 600)),
        SecondsCase(1.5, 600, is: .numeric(900, 600)),
        SecondsCase(-1.5, 600, is: .numeric(-900, 600)),
        SecondsCase((7.0 / 60).nextDown, 240, is: .numeric(27, 240, rounded: true)),
        SecondsCase(-(7.0 / 60).nextDown, 240, is: .numeric(-27, 240, rounded: true)),
        SecondsCase(1.1, 1, is: .numeric(1, 1, rounded: true)),
        SecondsCase(0.999, 1, is: .numeric(0, 1, rounded: true)),
        SecondsCase(-0.999, 1, is: .numeric(0, 1, rounded: true)),
        SecondsCase(0.7, 10, is: .numeric(7, 10)),
        SecondsCase(0x1p62, 1, is: .numeric(1 << 62, 1)),
        SecondsCase(0x1p62, 2, is: .numeric(1 << 62, 1)),
        SecondsCase(0x1p62, 600, is: .numeric(1 << 62, 1)),
        SecondsCase(0x1p60, 600, is: .numeric(1 << 62, 4)),
        SecondsCase(-0x1p63, 1, is: .numeric(.min, 1)),
        SecondsCase(0x1p63, 1, is: .positiveInfinity),
        SecondsCase(-0x1p64, .max, is: .negativeInfinity),
        SecondsCase(.greatestFiniteMagnitude, .max, is: .positiveInfinity),
        SecondsCase(.infinity, 600, is: .positiveInfinity),
        SecondsCase(-.infinity, 600, is: .negativeInfinity),
        SecondsCase(.nan, 600, is: .invalid),
        SecondsCase(.leastNonzeroMagnitude, .max, is: .numeric(0, .max, rounded: true)),
    ]

    @Test(arguments: secondsCases)
    func `Seconds are truncated to whole ticks`(_ c: SecondsCase) {
        #expect(Fields(CMTime(seconds: c.seconds, preferredTimescale: c.timescale)) == c.fields)
        #expect(Fields(CMTimeMakeWithSeconds(c.seconds, preferredTimescale: c.timescale)) == c.fields)
    }

    @Test func `Seconds of a time are its value over its timescale, whatever the epoch`() {
        #expect(t(1, 4).seconds == 0.25)
        #expect(CMTimeGetSeconds(t(-3, 2, epoch: 7)) == -1.5)
        #expect(CMTime.positiveInfinity.seconds == .infinity)
        #expect(CMTime.negativeInfinity.seconds == -.infinity)
        #expect(CMTime.invalid.seconds.isNaN)
        #expect(CMTime.indefinite.seconds.isNaN)
        #expect(t(1, 0).seconds.isNaN)
    }
}

struct TextCase: CustomTestStringConvertible, Sendable {
    var time: CMTime
    var text: String

    init(_ time: CMTime, _ text: String) { (self.time, self.text) = (time, text) }

    var testDescription: String { text }
}

@Suite struct `Text and dictionary of a time` {
    // The digits are those that C's printf("%.3f") gives for the quotient.
    @Test(arguments: [
        TextCase(t(1, 2), "{1/2 = 0.500}"), TextCase(.zero, "{0/1 = 0.000}"), TextCase(t(-1, 2), "{-1/2 = -0.500}"),
        TextCase(
            CMTime(value: 629600, timescale: 600, flags: [.valid, .hasBeenRounded], epoch: 0),
            "{629600/600 = 1049.333, rounded}"),
        TextCase(t(1, 16), "{1/16 = 0.062}"), TextCase(t(3, 16), "{3/16 = 0.188}"),
        TextCase(t(5, 10000), "{5/10000 = 0.001}"), TextCase(t(15, 10000), "{15/10000 = 0.002}"),
        TextCase(t(19999, 20000), "{19999/20000 = 1.000}"), TextCase(t(-1, 90000), "{-1/90000 = -0.000}"),
        TextCase(t(.min, 1), "{-9223372036854775808/1 = -9223372036854775808.000}"),
        TextCase(.invalid, "{INVALID}"), TextCase(t(1, 0), "{INVALID}"), TextCase(.indefinite, "{INDEFINITE}"),
        TextCase(.positiveInfinity, "{+INFINITY}"), TextCase(.negativeInfinity, "{-INFINITY}"),
        TextCase(t(1, 2, epoch: 3), "{1/2 = 0.500, epoch 3}"),
    ])
    func `Text of a time shows its fields and seconds`(_ c: TextCase) {
        #expect(c.time.description == c.text)
        #expect(CMTimeCopyDescription(allocator: nil, time: c.time) == c.text)
    }

    @Test(arguments: Special.allCases)
    func `The dictionary of a time keeps every field`(_ special: Special) throws {
        var time = special.time
        time.epoch = -4
        let dictionary = try #require(CMTimeCopyAsDictionary(time, allocator: nil))
        #expect(dictionary.keys.sorted() == ["epoch", "flags", "timescale", "value"])
        #expect(Fields(CMTimeMakeFromDictionary(dictionary)) == Fields(time))
    }

    @Test(arguments: ["value", "timescale", "epoch", "flags"])
    func `A dictionary without an entry gives an invalid time`(_ key: String) {
        var dictionary: [String: Any] = ["value": 5, "timescale": 600, "epoch": UInt8(0), "flags": 1]
        #expect(Fields(CMTimeMakeFromDictionary(dictionary)) == Fields(5, 600))
        dictionary[key] = "5"
        #expect(Fields(CMTimeMakeFromDictionary(dictionary)) == .invalid)
        dictionary[key] = nil
        #expect(Fields(CMTimeMakeFromDictionary(dictionary)) == .invalid)
    }

    @Test func `A dictionary with a number that does not fit gives an invalid time`() {
        let tooLarge: [String: Any] = ["value": 5, "timescale": Int64(1) << 31, "epoch": 0, "flags": 1]
        #expect(Fields(CMTimeMakeFromDictionary(tooLarge)) == .invalid)
        #expect(Fields(CMTimeMakeFromDictionary(nil)) == .invalid)
    }
}
