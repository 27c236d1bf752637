internal import OpenAVFoundation

extension String {
    /// The text with control characters made visible, so that a file's words
    /// cannot break the line or steer the terminal; bytes of a file's name that
    /// are not UTF-8 as `\xE9`.
    var oneLine: String {
        var result = ""
        for scalar in withVisiblePathBytes.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
