/// A track's Dolby Vision configuration.
public struct DolbyVision: Sendable, Hashable {
    /// The profile: 5, 7, 8, 9 or 10 in use.
    public var profile: Int
    /// The level, by the size and rate of the pictures, from 1 on; higher ones are larger.
    public var level: Int
    /// What the base layer is without Dolby Vision: 0 for nothing that can be
    /// shown, 1 for HDR10, 2 for SDR, 4 for HLG.
    public var compatibilityID: Int

    /// Makes a configuration.
    public init(profile: Int, level: Int, compatibilityID: Int) {
        (self.profile, self.level, self.compatibilityID) = (profile, level, compatibilityID)
    }

    /// The profile as people write it: `5`, `8.1`.
    public var profileText: String { [8, 9, 10].contains(profile) ? "\(profile).\(compatibilityID)" : "\(profile)" }

    /// Whether the pictures have right colours without Dolby Vision's own mapping.
    public var hasCompatibleBaseLayer: Bool { profile != 5 && (profile != 10 || compatibilityID != 0) }
}
