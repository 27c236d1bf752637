public import MediaCore
public import MediaEngine
public import MediaMetadata

/// What an export has made.
///
/// Beyond AVFoundation.
public struct ExportResult: Sendable {
    /// What was asked for, on the asset's timeline, as far as the asset goes.
    public var requestedRange: CMTimeRange
    /// What the new file shows of the asset's timeline.
    public var actualRange: CMTimeRange
    /// The new file's size in bytes.
    public var byteCount: UInt64
    /// What the new file does not have, though nobody asked for that: foreseen, and found by the audit.
    public var losses: [ExportLoss]
    /// What is known to be imperfect in it, one line each: repaired times, damaged pictures that were let through.
    public var warnings: [String]
    /// How much of the finished file was read to find losses that the plan did not tell.
    public var auditDepth: ExportAuditDepth
    /// What the new file holds and does not show: what was cut out and others are decoded from.
    public var hidden: [HiddenMaterial] = []
    /// What was left out because the file is to be shared.
    public var removed: [PrivateDetail] = []
}
