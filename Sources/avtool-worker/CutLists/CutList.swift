/// What another program says of a film: which parts of it stay, or which go.
package struct CutList: Sendable, Equatable {
    /// How the list is written.
    package var format: Format
    /// Whether the segments are what stays or what goes.
    package var meaning: Meaning
    /// The segments in the order of the file, at least one; they may overlap.
    package var segments: [Segment]
    /// The file that the list says that it is for, untrusted: a name or a path; `nil` if it says nothing.
    package var mediaFileName: String?

    package init(format: Format, meaning: Meaning, segments: [Segment], mediaFileName: String? = nil) {
        (self.format, self.meaning) = (format, meaning)
        (self.segments, self.mediaFileName) = (segments, mediaFileName)
    }

    /// The list that keeps what this one cuts out, and the other way round.
    package var inverted: CutList {
        var list = self
        list.meaning = meaning == .keep ? .cut : .keep
        return list
    }
}
