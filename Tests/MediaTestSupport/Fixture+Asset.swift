public import MediaAsset
@_exported public import TestSupport

extension Fixture {
    /// A new asset of the file.
    public var asset: AVURLAsset { AVURLAsset(url: url) }
}
