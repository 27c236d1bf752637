public import MediaCore

/// Why a frame was taken to stand for what is shown around a time.
public struct RepresentativeChoice: Sendable, Hashable {
    /// What speaks against a frame.
    public enum Flaw: String, Sendable, Hashable, CaseIterable {
        /// Black or nearly so.
        case black
        /// One flat colour or nearly so.
        case flat
        /// Less than half as sharp as the sharpest frame nearby.
        case blurred
        /// Part of a cut, a dissolve, a fade or a fast move.
        case transition
    }

    /// How many frames were looked at, up to nine.
    public let considered: Int
    /// How many of them were passed over, by flaw; those without a flaw are not counted.
    public let passedOver: [Flaw: Int]
    /// The flaw of the frame taken, where there was none without; else `nil`.
    public let flaw: Flaw?
    /// How far the frame lies from the requested time, negative before it.
    public let offset: CMTime

    /// The choice in one line.
    public var reason: String {
        let passed = Flaw.allCases.compactMap { flaw in passedOver[flaw].map { "\($0) \(flaw.rawValue)" } }
        if let flaw {
            return "all \(considered) frames nearby have flaws; the least of them: \(flaw.rawValue)"
        }
        let others = passed.isEmpty ? "" : ", passed over " + passed.joined(separator: ", ")
        return "best of \(considered) frames\(others)"
    }
}
