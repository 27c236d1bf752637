/// Whether pictures are whole ones, or which of their two fields comes first.
package enum FieldOrder: String, Sendable {
    case progressive
    /// The top field is shown first, and coded by itself and first.
    case topFirst = "tt"
    case bottomFirst = "bb"
    /// Lines of both fields lie between each other; those of the top one are the earlier ones.
    case interleavedTopFirst = "tb"
    case interleavedBottomFirst = "bt"

    package var isInterlaced: Bool { self != .progressive }
    /// Whether the top field is shown first; so it is of whole pictures.
    package var isTopFirst: Bool { self != .bottomFirst && self != .interleavedBottomFirst }
}
