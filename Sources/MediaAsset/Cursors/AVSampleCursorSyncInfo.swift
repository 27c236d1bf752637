public import Foundation

/// Whether decoding can begin at a sample.
public struct AVSampleCursorSyncInfo: Sendable {
    /// Whether neither it nor what follows needs samples before it.
    public var sampleIsFullSync: ObjCBool
    /// Whether what follows is right after some samples; never true here.
    public var sampleIsPartialSync: ObjCBool
    /// Whether no other sample depends on it, as far as the container says.
    public var sampleIsDroppable: ObjCBool

    /// Makes the facts of a sample.
    public init(sampleIsFullSync: ObjCBool, sampleIsPartialSync: ObjCBool, sampleIsDroppable: ObjCBool) {
        self.sampleIsFullSync = sampleIsFullSync
        self.sampleIsPartialSync = sampleIsPartialSync
        self.sampleIsDroppable = sampleIsDroppable
    }

    /// Makes the facts of a sample of which nothing is known.
    public init() { self.init(sampleIsFullSync: false, sampleIsPartialSync: false, sampleIsDroppable: false) }
}
