internal import MediaCore

extension CMTime {
    /// Whole milliseconds, rounded up: at that moment a frame of this time is on
    /// screen, which it is not a part of a millisecond earlier.
    ///
    /// Zero for times that are not numbers or below zero.
    var milliseconds: Int64 {
        guard isNumeric, self > .zero else { return 0 }
        return convertScale(1000, method: .roundTowardPositiveInfinity).value
    }

    /// Whole milliseconds of a length, rounded down.
    ///
    /// Zero for what is no number or below zero.
    var wholeMilliseconds: Int64 {
        isNumeric && self > .zero ? convertScale(1000, method: .roundTowardNegativeInfinity).value : 0
    }
}
