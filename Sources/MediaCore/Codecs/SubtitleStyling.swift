/// What subtitles have beside their words that a form may have no place for.
package enum SubtitleStyling: String, Sendable, CaseIterable {
    case positions, colors, fonts, styles
    /// More texts at a time than are put together.
    case overlaps
}
