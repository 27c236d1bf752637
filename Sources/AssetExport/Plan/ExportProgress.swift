public import MediaCore

/// How far an export has come.
///
/// Beyond AVFoundation.
public struct ExportProgress: Hashable, Sendable {
    /// How much of the work is done, from 0 to 1.
    public var fraction: Double
    /// The time reached on the new file's timeline.
    public var time: CMTime
    /// Seconds since the export began.
    public var elapsed: Double
    /// Seconds until it will have ended, `nil` as long as that cannot be told.
    public var remaining: Double?
    /// Seconds of media for each second of work, `nil` as long as that cannot be told.
    public var speed: Double?
    /// Bytes written so far.
    public var byteCount: UInt64
}
