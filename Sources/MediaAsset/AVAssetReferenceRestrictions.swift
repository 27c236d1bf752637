/// Which references to other files or addresses an asset does not follow.
public struct AVAssetReferenceRestrictions: OptionSet, Sendable {
    /// One bit for each restriction.
    public let rawValue: UInt
    /// Makes restrictions of their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Those of an asset at an address to local files.
    public static let forbidRemoteReferenceToLocal = AVAssetReferenceRestrictions(rawValue: 1 << 0)
    /// Those of a local asset to addresses.
    public static let forbidLocalReferenceToRemote = AVAssetReferenceRestrictions(rawValue: 1 << 1)
    /// Those of an asset at an address to addresses of other sites.
    public static let forbidCrossSiteReference = AVAssetReferenceRestrictions(rawValue: 1 << 2)
    /// Those of a local asset to local files.
    public static let forbidLocalReferenceToLocal = AVAssetReferenceRestrictions(rawValue: 1 << 3)
    /// All of them.
    public static let forbidAll = AVAssetReferenceRestrictions(rawValue: 0xFFFF)
    /// What AVFoundation forbids unless it is asked for something else: `forbidLocalReferenceToRemote`.
    public static let defaultPolicy: AVAssetReferenceRestrictions = .forbidLocalReferenceToRemote
}
