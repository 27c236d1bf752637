/// What the times that a preview tells are counted from.
public enum PreviewTimeline: String, Sendable, Hashable, CaseIterable, Codable {
    /// The asset's zero, as in `AVAsset`; also that of BIF, HLS and DASH.
    case asset
    /// The container's zero: the asset's time plus `AssetDescription.origin`.
    case container
}
