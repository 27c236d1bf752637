package import FFmpegKit

/// A decoded picture and where it stands on its stream's timeline, in ticks.
package struct ShownFrame {
    package let frame: Frame
    package let ticks: Int64
    /// When the next picture begins, if known.
    package var nextTicks: Int64?
    package let isSyncSample: Bool
    /// Why the picture is not to be trusted, `nil` if it is.
    package var damage: String?

    /// Whether the picture is known to be the one shown at a time.
    package func covers(_ target: Int64) -> Bool {
        guard ticks <= target else { return false }
        let end = nextTicks ?? ticks.addingReportingOverflow(frame.durationTicks ?? 0).partialValue
        return ticks == target || target < end
    }
}

/// What asking for the picture at a time gives.
package enum FrameLookup {
    case shown(ShownFrame)
    /// The picture at that time cannot be had, and why.
    case unavailable(Absence)

    /// Why there is no picture.
    ///
    /// What a run of the decoder could not give, one that begins earlier may.
    package enum Absence: CustomStringConvertible {
        /// The picture is damaged, or missing behind the one given.
        case damaged(String, ShownFrame)
        /// The first picture after the entry is already past the target.
        case tooLate
        /// What was left out hid what was wanted.
        case skippedTooMuch
        /// A packet that should have been shown at the target gave no picture.
        case missing
        case nothing

        package var description: String {
            switch self {
            case .damaged(let reason, _): reason
            case .tooLate, .skippedTooMuch, .missing, .nothing: "no picture could be decoded"
            }
        }
    }
}
