import MediaCore

/// The fields of a time, compared one by one; `CMTime` itself compares instants.
struct Fields: Equatable, CustomStringConvertible {
    var value: Int64
    var timescale: Int32
    var flags: UInt32
    var epoch: Int64

    init(_ time: CMTime) {
        (value, timescale, flags, epoch) = (time.value, time.timescale, time.flags.rawValue, time.epoch)
    }

    init(_ value: Int64, _ timescale: Int32, flags: UInt32 = 1, epoch: Int64 = 0) {
        (self.value, self.timescale, self.flags, self.epoch) = (value, timescale, flags, epoch)
    }

    static let invalid = Fields(0, 0, flags: 0)
    static let indefinite = Fields(0, 0, flags: 17)
    static let positiveInfinity = Fields(0, 0, flags: 5)
    static let negativeInfinity = Fields(0, 0, flags: 9)

    /// A numeric time, whose flags are 3 if it was rounded and 1 if not.
    static func numeric(_ value: Int64, _ timescale: Int32, rounded: Bool = false) -> Fields {
        Fields(value, timescale, flags: rounded ? 3 : 1)
    }

    var description: String { "\(value)/\(timescale) flags \(flags) epoch \(epoch)" }
}

/// A short way to write a numeric time.
func t(_ value: Int64, _ timescale: Int32 = 1, epoch: Int64 = 0) -> CMTime {
    CMTime(value: value, timescale: timescale, flags: .valid, epoch: epoch)
}

/// A short way to write a range of numeric times.
func r(_ start: CMTime, _ duration: CMTime) -> CMTimeRange { CMTimeRange(start: start, duration: duration) }

/// Every kind of time once, by name.
enum Special: String, CaseIterable {
    case invalid, indefinite, positiveInfinity, negativeInfinity, numeric

    var time: CMTime {
        switch self {
        case .invalid: .invalid
        case .indefinite: .indefinite
        case .positiveInfinity: .positiveInfinity
        case .negativeInfinity: .negativeInfinity
        case .numeric: t(3, 2)
        }
    }
}

extension SeededGenerator {
    /// A time of a magnitude that is itself random, with a common or odd timescale.
    mutating func time(maximumBits: Int = 63) -> CMTime {
        let bits = Int.random(in: 1...maximumBits, using: &self)
        let magnitude = Int64(bitPattern: next() >> UInt64(64 - bits))
        let timescales: [Int32] = [
            1, 24, 25, 30, 600, 1000, 1001, 30000, 44100, 48000, 90000, 1_000_003, .max - 1, .max,
        ]
        let timescale =
            Bool.random(using: &self)
            ? timescales.randomElement(using: &self)! : Int32.random(in: 1 ... .max, using: &self)
        return t(Bool.random(using: &self) ? magnitude : -magnitude, timescale)
    }
}

/// The sum of exact fractions, in 128 bits, for times whose value has few bits.
struct Ratio: Equatable {
    var numerator: Int128
    var denominator: Int128

    init(_ time: CMTime) {
        (numerator, denominator) = (Int128(time.value), Int128(time.timescale))
    }

    init(_ numerator: Int128, _ denominator: Int128) {
        (self.numerator, self.denominator) = (numerator, denominator)
    }

    static func == (lhs: Ratio, rhs: Ratio) -> Bool {
        lhs.numerator * rhs.denominator == rhs.numerator * lhs.denominator
    }

    static func + (lhs: Ratio, rhs: Ratio) -> Ratio {
        Ratio(
            lhs.numerator * rhs.denominator + rhs.numerator * lhs.denominator, lhs.denominator * rhs.denominator)
    }
}
