internal import MediaCore
internal import MediaIO

extension String {
    /// The text with control characters made visible, so that a file's words
    /// cannot break the line or steer the terminal; bytes of a file's name that
    /// are not UTF-8 as `\xE9`.
    package var oneLine: String { withVisiblePathBytes.printable() }
}
