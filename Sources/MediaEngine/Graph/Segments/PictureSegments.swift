package import MediaCore

/// Where the pictures of a track are divided into segments, each encoded apart from the others.
///
/// The borders depend on how long a segment has to be and how long the film is, and on nothing else, so that they are the same
/// wherever and however the work is done.
package struct PictureSegments: Hashable, Sendable {
    /// How long each segment is but the last, which has what remains, and less than two of these.
    package let length: CMTime
    /// How many there are, at least one.
    package let count: Int

    /// Divides a film.
    ///
    /// - Parameters:
    ///   - length: How long a segment is at least; a numeric time above zero.
    ///   - duration: How long the film is.
    /// - Returns: `nil` if the film's length is not known, or it has more segments than can be counted.
    package init?(length: CMTime, duration: CMTime) {
        guard length.isNumeric, length > .zero, duration.isNumeric else { return nil }
        let whole = Int128(max(0, duration.value)) * Int128(length.timescale)
        let count = max(1, whole / (Int128(length.value) * Int128(duration.timescale)))
        guard count <= Self.maximumCount else { return nil }
        (self.length, self.count) = (length, Int(count))
    }

    /// A day of segments of a second each, and then some.
    private static let maximumCount: Int128 = 100_000

    /// When a segment begins on the new file's timeline.
    package func start(of index: Int) -> CMTime {
        CMTime(value: length.value * Int64(index), timescale: length.timescale)
    }

    /// The first time that is no longer a segment's; `nil` for the last one, which goes on to the end.
    package func end(of index: Int) -> CMTime? { index + 1 < count ? start(of: index + 1) : nil }
}
