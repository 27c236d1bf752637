public import Foundation
public import MediaCore

extension NSValue {
    /// A time in an object, for interfaces that take `NSValue`.
    public convenience init(time: CMTime) { self.init(words: time.words) }

    /// The time that `init(time:)` put in; invalid for any other value.
    public var timeValue: CMTime { words(1).map { CMTime(words: $0[...]) } ?? .invalid }

    /// A range in an object, for interfaces that take `NSValue`.
    public convenience init(timeRange: CMTimeRange) { self.init(words: timeRange.words) }

    /// The range that `init(timeRange:)` put in; invalid for any other value.
    public var timeRangeValue: CMTimeRange { words(2).map { CMTimeRange(words: $0[...]) } ?? .invalid }

    /// A mapping in an object, for interfaces that take `NSValue`.
    public convenience init(timeMapping: CMTimeMapping) {
        self.init(words: timeMapping.source.words + timeMapping.target.words)
    }

    /// The mapping that `init(timeMapping:)` put in; invalid for any other value.
    public var timeMappingValue: CMTimeMapping {
        words(4).map {
            CMTimeMapping(source: CMTimeRange(words: $0[..<6]), target: CMTimeRange(words: $0[6...]))
        } ?? CMTimeMapping(source: .invalid, target: .invalid)
    }

    // Foundation for Linux cannot hold structures in an NSValue, but arrays of numbers.
    private convenience init(words: [Int64]) { self.init(bytes: words, objCType: Self.type(words.count)) }

    /// The numbers of so many times; `nil` for a value that holds anything else.
    private func words(_ times: Int) -> [Int64]? {
        guard String(cString: objCType) == Self.type(times * 3) else { return nil }
        var words = [Int64](repeating: 0, count: times * 3)
        getValue(&words)
        return words
    }

    private static func type(_ count: Int) -> String { "[\(count)q]" }
}

extension CMTime {
    fileprivate var words: [Int64] { [value, Int64(timescale) << 32 | Int64(flags.rawValue), epoch] }

    fileprivate init(words: ArraySlice<Int64>) {
        let first = words.startIndex
        self.init(
            value: words[first], timescale: Int32(truncatingIfNeeded: words[first + 1] >> 32),
            flags: CMTimeFlags(rawValue: UInt32(truncatingIfNeeded: words[first + 1])), epoch: words[first + 2])
    }
}

extension CMTimeRange {
    fileprivate var words: [Int64] { start.words + duration.words }

    fileprivate init(words: ArraySlice<Int64>) {
        self.init(start: CMTime(words: words.prefix(3)), duration: CMTime(words: words.dropFirst(3)))
    }
}

/// The largest rectangle of a shape that fits into another one, in its middle.
///
/// - Parameters:
///   - aspectRatio: The shape: width to height, whatever their unit.
///   - boundingRect: What it is to fit into.
/// - Returns: A rectangle with parts that are not numbers if the shape has no width or height, as in AVFoundation.
public func AVMakeRect(aspectRatio: CGSize, insideRect boundingRect: CGRect) -> CGRect {
    let scale = min(boundingRect.width / aspectRatio.width, boundingRect.height / aspectRatio.height)
    let size = CGSize(width: aspectRatio.width * scale, height: aspectRatio.height * scale)
    return CGRect(
        x: boundingRect.midX - size.width / 2, y: boundingRect.midY - size.height / 2, width: size.width,
        height: size.height)
}
