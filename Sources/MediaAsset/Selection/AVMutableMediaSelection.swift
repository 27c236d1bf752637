/// A selection that can be changed, made by `mutableCopy()` of another.
public final class AVMutableMediaSelection: AVMediaSelection, @unchecked Sendable {
    // @unchecked Sendable: as AVMediaSelection.

    /// Chooses an option of a group.
    ///
    /// Without effect for a group of another asset, for an option that the group does not have, and for none where
    /// the group does not allow that.
    ///
    /// - Parameter mediaSelectionOption: `nil` for none.
    /// - Note: What AVFoundation does with another asset's group is not documented.
    public func select(
        _ mediaSelectionOption: AVMediaSelectionOption?, in mediaSelectionGroup: AVMediaSelectionGroup
    ) {
        choose(mediaSelectionOption, in: mediaSelectionGroup)
    }
}
