package import FFmpegKit
package import MediaCore

/// The part of the source that is kept, on its container's timeline.
package struct KeptRange {
    /// The new file's zero.
    package var start: CMTime
    /// The first time that is left out; `nil` for the end of the source.
    package var end: CMTime?

    /// The last tick at or before the start: what is shown at the start has no later one.
    func startTicks(_ base: TimeBase) -> Int64 { base.ticks(atOrBefore: start) }

    /// The first tick that is left out.
    package func endTicks(_ base: TimeBase) -> Int64? { end.map { base.ticks(atOrAfter: $0) } }

    /// The end on the new timeline.
    package func duration(_ base: TimeBase) -> Int64? { end.map { base.ticks(nearest: $0 - start) } }
}
