package import FFmpegKit
internal import MediaCore

/// Which pictures one segment has, in the encoder's ticks on the new file's timeline.
package struct SegmentWindow: Sendable, Equatable {
    /// The first tick.
    package let start: Int64
    /// The first tick that is no longer its own; `nil` for the last segment.
    package let end: Int64?

    package init(_ index: Int, of segments: PictureSegments, _ timeBase: TimeBase) {
        // What a decoder or a filter makes of the time before zero is the first segment's.
        start = index == 0 ? .min : timeBase.ticks(atOrAfter: segments.start(of: index))
        end = segments.end(of: index).map { timeBase.ticks(atOrAfter: $0) }
    }

    package func contains(_ ticks: Int64) -> Bool { ticks >= start && !isBeyond(ticks) }

    /// Whether a time is of a later segment.
    func isBeyond(_ ticks: Int64) -> Bool { end.map { ticks >= $0 } ?? false }
}
