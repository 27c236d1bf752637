/// Text in FFmpeg's metadata files.
package enum FFMetadataText {
    /// A key or value, with a backslash before what would end it.
    package static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if "=;#\\\n\r".unicodeScalars.contains(scalar) { result.append("\\") }
            result.append(scalar)
        }
        return String(result)
    }
}
