/// The largest timescale that a ``CMTime`` can have, 0x7fffffff.
public let kCMTimeMaxTimescale: CMTimeScale = 0x7fff_ffff

/// The invalid time, as ``CMTime/invalid``.
public let kCMTimeInvalid = CMTime.invalid
/// The time that is not known, as ``CMTime/indefinite``.
public let kCMTimeIndefinite = CMTime.indefinite
/// The time after all others, as ``CMTime/positiveInfinity``.
public let kCMTimePositiveInfinity = CMTime.positiveInfinity
/// The time before all others, as ``CMTime/negativeInfinity``.
public let kCMTimeNegativeInfinity = CMTime.negativeInfinity
/// Zero seconds, as ``CMTime/zero``.
public let kCMTimeZero = CMTime.zero

/// Tells whether the valid bit is set.
public func CMTIME_IS_VALID(_ time: CMTime) -> Bool { time.isValid }

/// Tells whether the valid bit is not set.
public func CMTIME_IS_INVALID(_ time: CMTime) -> Bool { !time.isValid }

/// Tells whether the time is positive infinity.
public func CMTIME_IS_POSITIVEINFINITY(_ time: CMTime) -> Bool { time.isPositiveInfinity }

/// Tells whether the time is negative infinity.
public func CMTIME_IS_NEGATIVEINFINITY(_ time: CMTime) -> Bool { time.isNegativeInfinity }

/// Tells whether the time is valid but not known.
public func CMTIME_IS_INDEFINITE(_ time: CMTime) -> Bool { time.isIndefinite }

/// Tells whether the value and timescale carry the time.
public func CMTIME_IS_NUMERIC(_ time: CMTime) -> Bool { time.isNumeric }

/// Tells whether the time is numeric and was rounded by some operation.
public func CMTIME_HAS_BEEN_ROUNDED(_ time: CMTime) -> Bool { time.hasBeenRounded }

/// Makes the time `value / timescale` seconds; see
/// ``CMTime/init(value:timescale:)``.
public func CMTimeMake(value: CMTimeValue, timescale: CMTimeScale) -> CMTime {
    CMTime(value: value, timescale: timescale)
}

/// Makes the time `value / timescale` seconds within an epoch.
///
/// - Note: A timescale of zero or less gives an invalid time.
public func CMTimeMakeWithEpoch(value: CMTimeValue, timescale: CMTimeScale, epoch: CMTimeEpoch) -> CMTime {
    CMTime(checked: value, timescale: timescale, epoch: epoch)
}

/// Makes a time from seconds, dropping the fraction of a tick; see
/// ``CMTime/init(seconds:preferredTimescale:)``.
public func CMTimeMakeWithSeconds(_ seconds: Double, preferredTimescale: CMTimeScale) -> CMTime {
    CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
}

/// Returns the time in seconds; see ``CMTime/seconds``.
public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }

/// Re-expresses a time in another timescale; see
/// ``CMTime/convertScale(_:method:)``.
public func CMTimeConvertScale(_ time: CMTime, timescale: CMTimeScale, method: CMTimeRoundingMethod) -> CMTime {
    time.convertScale(timescale, method: method)
}
