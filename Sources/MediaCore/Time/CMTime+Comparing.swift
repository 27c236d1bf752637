extension CMTime: Comparable {
    /// Tells whether two times are the same instant, whatever their timescales.
    public static func == (lhs: CMTime, rhs: CMTime) -> Bool { CMTimeCompare(lhs, rhs) == 0 }

    /// Tells whether a time sorts before another; see ``CMTimeCompare(_:_:)``.
    public static func < (lhs: CMTime, rhs: CMTime) -> Bool { CMTimeCompare(lhs, rhs) < 0 }
}

extension CMTime: Hashable {
    /// Hashes the instant, so that equal times of different timescales agree.
    public func hash(into hasher: inout Hasher) {
        let kind = kind
        hasher.combine(kind.rawValue)
        guard kind == .numeric else { return }
        let divisor = greatestCommonDivisor(value.magnitude, UInt64(timescale))
        hasher.combine(epoch)
        hasher.combine(value < 0)
        hasher.combine(value.magnitude / divisor)
        hasher.combine(UInt64(timescale) / divisor)
    }
}

/// Compares two times in a total order.
///
/// Negative infinity, then every numeric time, then indefinite, then positive
/// infinity, then invalid. Members of one kind that is not numeric are equal.
/// Numeric times of different epochs compare by epoch alone, those of one epoch
/// by their exact seconds.
///
/// - Returns: −1 if the first sorts earlier, 0 if they are equal, 1 if it sorts
///   later.
public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 {
    let (kind1, kind2) = (time1.kind, time2.kind)
    guard kind1 == .numeric, kind2 == .numeric else { return order(kind1.rawValue, kind2.rawValue) }
    if time1.epoch != time2.epoch { return order(time1.epoch, time2.epoch) }
    if time1.timescale == time2.timescale { return order(time1.value, time2.value) }
    return order(
        Int128(time1.value) * Int128(time2.timescale), Int128(time2.value) * Int128(time1.timescale))
}

/// Returns the earlier of two times by ``CMTimeCompare(_:_:)``, the first if
/// they are equal.
public func CMTimeMinimum(_ time1: CMTime, _ time2: CMTime) -> CMTime { time2 < time1 ? time2 : time1 }

/// Returns the later of two times by ``CMTimeCompare(_:_:)``, the first if they
/// are equal.
public func CMTimeMaximum(_ time1: CMTime, _ time2: CMTime) -> CMTime { time2 > time1 ? time2 : time1 }

private func order<T: Comparable>(_ a: T, _ b: T) -> Int32 { a < b ? -1 : (a == b ? 0 : 1) }
