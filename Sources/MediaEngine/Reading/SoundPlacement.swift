internal import MediaCore

/// Finds where decoded sound is that follows a seek, in a file whose times are no whole samples.
///
/// From the file's beginning on, sound is counted: a frame begins where the one before it ends. After a seek there is only
/// what packets tell, which is off by up to a tick: 48 samples where times are milliseconds. So what several packets tell is
/// held together, and the place nearest to it taken where counting from the beginning would have led.
struct SoundPlacement {
    /// Where a frame begins that is counted from the file's beginning on, in samples.
    private let anchor: Int64
    /// How long a tick is, in samples, rounded up.
    private let tick: Int64
    /// Whether frames of other lengths may lie before those that are noted: Vorbis changes between two.
    private let isVaried: Bool
    /// By how much the told times are later than the counted ones, and of how many frames.
    private var sum: Int64 = 0
    private var frames: Int64 = 0
    /// The greatest number of samples that divides the lengths of all frames.
    private var unit: UInt64 = 0

    init(anchor: Int64, tick: Int64, isVaried: Bool) {
        (self.anchor, self.tick, self.isVaried) = (anchor, tick, isVaried)
    }

    /// Takes what one more frame tells.
    ///
    /// - Parameters:
    ///   - told: Where its time puts it; `nil` if it has none.
    ///   - counted: Where it is if the first one noted began where its time put it.
    mutating func note(told: Int64?, counted: Int64, count: Int) {
        // What differs by hours is damage, and no sum may run over.
        if let told, let late = Int32(exactly: told - counted) {
            sum += Int64(late)
            frames += 1
        }
        unit = greatestCommonDivisor(UInt64(count.magnitude), unit)
    }

    /// Where a frame really is, of which counting says where it would be.
    func place(counted: Int64) -> Int64 {
        guard frames > 0, unit > 0 else { return counted }
        let told = counted + Int64((Double(sum) / Double(frames)).rounded())
        let step = Int64(clamping: isVaried ? greatestCommonDivisor(unit, Self.vorbisUnit) : unit)
        let rest = ((told - anchor) % step + step) % step
        let off = rest * 2 < step ? -rest : step - rest
        if abs(off) <= reach { return told + off }
        // The file has a gap before, and its times are all there is.
        return told
    }

    /// What divides the lengths of all frames of Vorbis that has the usual blocks, of 256 samples at the least.
    private static let vorbisUnit: UInt64 = 64

    /// How far times may be off: by a tick where they are cut off, and half a one for that of the beginning.
    var reach: Int64 { tick + (tick + 1) / 2 }
}
