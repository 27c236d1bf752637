/// Which items may pass on.
public final class AVMetadataItemFilter: Sendable {
    /// An item as it may pass, `nil` if it may not.
    package let filtered: @Sendable (MetadataEntry) -> MetadataEntry?
    /// Whether all of a file is to be made fit for sharing, not its items alone.
    package let isForSharing: Bool

    init(isForSharing: Bool, _ filtered: @escaping @Sendable (MetadataEntry) -> MetadataEntry?) {
        (self.isForSharing, self.filtered) = (isForSharing, filtered)
    }

    /// A filter that removes what tells about people, places, devices and moments.
    ///
    /// Items that say something of a work pass: its title, its artists, its rights, what playback needs. Covers pass
    /// without what cameras and programs wrote into them, dates of works as a year.
    ///
    /// An export with this filter goes further: it leaves out tracks, boxes, messages among coded pictures, names and
    /// dates that are not known to be harmless. `result` tells what went.
    ///
    /// - Note: AVFoundation does not tell which items its filter removes, beyond places; here only what is known to be
    ///   harmless passes.
    public class func forSharing() -> AVMetadataItemFilter {
        AVMetadataItemFilter(isForSharing: true) { MetadataSharing.shareable($0) }
    }
}
