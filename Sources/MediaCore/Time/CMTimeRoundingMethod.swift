/// What becomes of the fraction of a tick when a time is re-expressed.
public enum CMTimeRoundingMethod: UInt32, Sendable, CaseIterable {
    /// To the nearest tick; halves go away from zero.
    case roundHalfAwayFromZero = 1
    /// The fraction is dropped.
    case roundTowardZero = 2
    /// Any fraction adds a tick to the magnitude.
    case roundAwayFromZero = 3
    /// Toward zero to a smaller timescale, away from zero to a larger one; a
    /// negative time never becomes zero but minus one tick.
    case quickTime = 4
    /// Up, to the later tick.
    case roundTowardPositiveInfinity = 5
    /// Down, to the earlier tick.
    case roundTowardNegativeInfinity = 6

    /// The method of all arithmetic: ``roundHalfAwayFromZero``.
    public static var `default`: CMTimeRoundingMethod { .roundHalfAwayFromZero }
}
