public import Foundation
public import MediaTime

extension NSValue {
    /// A time in an object, for interfaces that take `NSValue`.
    public convenience init(time: CMTime) {
        // Foundation for Linux cannot hold structures in an NSValue, but arrays of numbers.
        let scaleAndFlags = Int64(time.timescale) << 32 | Int64(time.flags.rawValue)
        self.init(bytes: [time.value, scaleAndFlags, time.epoch], objCType: Self.timeType)
    }

    /// The time that `init(time:)` put in; invalid for any other value.
    public var timeValue: CMTime {
        guard String(cString: objCType) == Self.timeType else { return .invalid }
        var words: [Int64] = [0, 0, 0]
        getValue(&words)
        return CMTime(
            value: words[0], timescale: Int32(truncatingIfNeeded: words[1] >> 32),
            flags: CMTimeFlags(rawValue: UInt32(truncatingIfNeeded: words[1])), epoch: words[2])
    }

    private static var timeType: String { "[3q]" }
}
