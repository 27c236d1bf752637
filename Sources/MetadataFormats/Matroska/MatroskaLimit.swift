internal import MediaIO
internal import MediaMetadata

/// Limits that keep damaged and hostile files from costing much.
enum MatroskaLimit {
    /// Bytes of one element that is written anew; `MediaLimits.metadataSize` has how many are read.
    static let bytes = 64 << 20
    /// Elements within those, all together; keys are counted with them by their length.
    static let nodes = 1 << 18
    /// Levels of simple tags, and of chapters, that are written; `MediaLimits.nesting` has how many are read.
    static let depth = Int(MediaLimits.Name.nesting.range.upperBound)
    /// Elements of the top level before the first Cluster, or in one walk behind the Clusters.
    static let elements = 4096
    /// Clusters that are stepped over in search of what no index names.
    static let clusters = 1 << 16
    /// Clusters, and blocks in those of unknown size, that are stepped over when everything has to move.
    static let blocks = 1 << 22
}
