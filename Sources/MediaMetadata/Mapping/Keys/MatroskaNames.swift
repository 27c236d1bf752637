/// The elements other than tags that hold entries.
package enum MatroskaElementName {
    /// The title of the Segment, which players show.
    package static let title = "Info/Title"
    /// A track's name, which players show.
    package static let trackName = "TrackEntry/Name"
    /// An attached picture.
    package static let attachedFile = "AttachedFile"
    /// The key of entries for attached pictures.
    package static let coverKey = "COVER"
}
