extension CutList {
    /// What the segments of a list are for.
    package enum Meaning: Sendable {
        /// The segments are what stays.
        case keep
        /// The segments are what goes.
        case cut
    }
}
