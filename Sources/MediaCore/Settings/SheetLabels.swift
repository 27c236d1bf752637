/// Where the times of a contact sheet's stills stand.
public enum SheetLabels: String, Sendable, Hashable, CaseIterable, Codable {
    /// Below each still.
    case under
    /// On each still, in a corner.
    case on
    /// Nowhere.
    case none
}
