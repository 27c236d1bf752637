/// What a picture shows: ID3's words, and the numbers that stand for them.
///
/// FLAC and Ogg have the same numbers, other formats the words at most.
///
/// Source: ID3v2.4, section 4.14; RFC 9639, section 8.8.
package enum PictureType {
    /// What is taken for the cover.
    package static let frontCover = "Cover (front)"
    /// What ID3 has for a picture that does not say.
    package static let other = "Other"

    /// The words, each at its number.
    package static let labels = [
        other, "32x32 pixels 'file icon' (PNG only)", "Other file icon", frontCover, "Cover (back)", "Leaflet page",
        "Media (e.g. label side of CD)", "Lead artist/lead performer/soloist", "Artist/performer", "Conductor",
        "Band/Orchestra", "Composer", "Lyricist/text writer", "Recording Location", "During recording",
        "During performance", "Movie/video screen capture", "A bright coloured fish", "Illustration",
        "Band/artist logotype", "Publisher/Studio logotype",
    ]

    /// The label of a number; numbers without one stand for themselves.
    package static func label(of number: UInt32) -> String {
        number < labels.count ? labels[Int(number)] : String(number)
    }

    /// The number of a label, whatever the case of its letters, or that a text is; else `nil`.
    package static func number(of label: String) -> UInt32? {
        labels.firstIndex { $0.lowercased() == label.lowercased() }.map(UInt32.init) ?? UInt32(label)
    }
}
