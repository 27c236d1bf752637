/// How a movie describes a track whose samples are neither pictures nor sound nor subtitles: timed metadata, timecode,
/// titles of chapters.
package struct DataTrackDescription: Hashable, Sendable {
    /// `meta`, `tmcd`, `text` and so on.
    package var handler: FourCC
    package var entry: SampleEntry
    /// The box that says what kind of media it is; empty for the usual one.
    package var mediaHeader: [UInt8]

    /// A description of its parts.
    package init(handler: FourCC, entry: SampleEntry, mediaHeader: [UInt8]) {
        (self.handler, self.entry, self.mediaHeader) = (handler, entry, mediaHeader)
    }

    /// A description of boxed metadata.
    package init(_ metadata: BoxedMetadataDescription) {
        self.init(handler: "meta", entry: metadata.entry, mediaHeader: [])
    }

    /// The description in a track; `nil` where there are several ways of its samples, or one at great length.
    package init?(_ track: MovieTrack) {
        guard track.entries.count == 1, let entry = track.entries.first, entry.isWhole else { return nil }
        self.init(handler: track.handler, entry: entry.referringToOwnFile, mediaHeader: track.otherMediaHeader)
    }
}
