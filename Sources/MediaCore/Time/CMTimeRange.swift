/// A span of time from a start up to, not including, its end.
///
/// Source: CoreMedia `CMTimeRange`.
public struct CMTimeRange: Hashable, Sendable, BitwiseCopyable {
    /// The first instant of the span.
    public var start: CMTime
    /// The length of the span; epoch 0, and not negative in a valid range.
    public var duration: CMTime

    /// Creates a range whose start and duration are both invalid.
    public init() {
        start = .invalid
        duration = .invalid
    }

    /// Creates a range from a start and a length.
    ///
    /// A duration whose epoch is not 0 gives ``invalid``.
    public init(start: CMTime, duration: CMTime) {
        self.start = start
        self.duration = duration
        if duration.epoch != 0 { self = .invalid }
    }

    /// Creates a range from a start up to, not including, an end.
    ///
    /// An end before the start gives a range that is not valid, since its
    /// duration is negative.
    public init(start: CMTime, end: CMTime) {
        self.init(start: start, duration: end - start)
    }

    /// The empty range at zero.
    public static let zero = CMTimeRange(start: .zero, duration: .zero)
    /// No range at all.
    public static let invalid = CMTimeRange()

    /// Whether the start and the duration are valid, and the duration has epoch
    /// 0 and is not negative.
    public var isValid: Bool { start.isValid && duration.isValid && duration.epoch == 0 && duration.value >= 0 }

    /// Whether the range is valid, but its start or duration is not known.
    public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }

    /// Whether the range is valid and lasts zero seconds.
    public var isEmpty: Bool { isValid && duration == .zero }

    /// The first instant after the range: start plus duration.
    public var end: CMTime { start + duration }

    /// Whether the range is valid and its start and duration can be reckoned
    /// with: neither is indefinite nor without a timescale.
    var isDefinite: Bool {
        isValid && !isIndefinite && start.kind != .invalid && duration.kind != .invalid
    }
}

extension CMTimeRange: CustomStringConvertible {
    /// The start and the duration in braces, each in the form of a time.
    public var description: String { "{\(start), \(duration)}" }
}

// MARK: - Free functions

/// The empty range at zero, as ``CMTimeRange/zero``.
public let kCMTimeRangeZero = CMTimeRange.zero
/// No range at all, as ``CMTimeRange/invalid``.
public let kCMTimeRangeInvalid = CMTimeRange.invalid

/// Tells whether a range is valid; see ``CMTimeRange/isValid``.
public func CMTIMERANGE_IS_VALID(_ range: CMTimeRange) -> Bool { range.isValid }

/// Tells whether a range is not valid.
public func CMTIMERANGE_IS_INVALID(_ range: CMTimeRange) -> Bool { !range.isValid }

/// Tells whether a range is valid but not known.
public func CMTIMERANGE_IS_INDEFINITE(_ range: CMTimeRange) -> Bool { range.isIndefinite }

/// Tells whether a range is valid and lasts zero seconds.
public func CMTIMERANGE_IS_EMPTY(_ range: CMTimeRange) -> Bool { range.isEmpty }

/// Makes a range from a start and a length; see
/// ``CMTimeRange/init(start:duration:)``.
public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
    CMTimeRange(start: start, duration: duration)
}

/// Makes a range from a start up to an end; see ``CMTimeRange/init(start:end:)``.
public func CMTimeRangeFromTimeToTime(start: CMTime, end: CMTime) -> CMTimeRange {
    CMTimeRange(start: start, end: end)
}

/// Returns the first instant after a range.
public func CMTimeRangeGetEnd(_ range: CMTimeRange) -> CMTime { range.end }

/// Tells whether two ranges have equal starts and durations.
public func CMTimeRangeEqual(_ range1: CMTimeRange, _ range2: CMTimeRange) -> Bool { range1 == range2 }

/// Returns the text of a range, as its `description`.
///
/// - Parameter allocator: `kCFAllocatorDefault` or nil; there are no others.
public func CMTimeRangeCopyDescription(allocator: CFAllocator?, range: CMTimeRange) -> String? { range.description }

/// Writes the text of a range and a newline to standard error, for debugging.
public func CMTimeRangeShow(_ range: CMTimeRange) { showOnStandardError(range.description) }

/// The key of ``CMTimeRange/start`` in the dictionary form of a range.
public let kCMTimeRangeStartKey = "start"
/// The key of ``CMTimeRange/duration`` in the dictionary form of a range.
public let kCMTimeRangeDurationKey = "duration"

/// Returns a range as a dictionary of two times in their dictionary form.
///
/// - Parameter allocator: `kCFAllocatorDefault` or nil; there are no others.
/// - Returns: `start` and `duration`; never nil.
public func CMTimeRangeCopyAsDictionary(_ range: CMTimeRange, allocator: CFAllocator?) -> [String: Any]? {
    range.dictionaryForm
}

extension CMTimeRange {
    /// The dictionary forms of start and duration by their keys.
    var dictionaryForm: [String: Any] {
        [kCMTimeRangeStartKey: start.dictionaryForm, kCMTimeRangeDurationKey: duration.dictionaryForm]
    }
}

/// Makes a range from its dictionary form.
///
/// - Returns: The range, or an invalid one if the dictionary is nil or an entry
///   is not the dictionary form of a time.
public func CMTimeRangeMakeFromDictionary(_ dictionary: [String: Any]?) -> CMTimeRange {
    guard let start = dictionary?[kCMTimeRangeStartKey] as? [String: Any],
        let duration = dictionary?[kCMTimeRangeDurationKey] as? [String: Any]
    else { return .invalid }
    return CMTimeRange(start: CMTimeMakeFromDictionary(start), duration: CMTimeMakeFromDictionary(duration))
}
