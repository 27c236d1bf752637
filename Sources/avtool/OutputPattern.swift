internal import Foundation
internal import OpenAVFoundation

/// Where results go: a name for each, made of a pattern.
struct OutputPattern {
    /// The placeholders that a pattern may hold.
    static let placeholders = ["{name}", "{index}", "{requested}", "{actual}", "{ext}"]

    private let pattern: String
    let isStandardOutput: Bool

    /// Makes a pattern; a folder gets the default names inside it.
    ///
    /// - Throws: A failure if several results would get one name.
    init(_ text: String?, count: Int) throws {
        let defaultPattern = "{name}-{index}.{ext}"
        isStandardOutput = text == "-"
        guard let text, text != "-" else {
            pattern = defaultPattern
            guard text == nil || count == 1 else {
                throw Failure(.usage, "usage", "-o - takes a single result, not \(count)")
            }
            return
        }
        var isFolder: ObjCBool = false
        if text.hasSuffix("/")
            || FileManager.default.fileExists(atPath: text, isDirectory: &isFolder) && isFolder.boolValue
        {
            pattern = (text.hasSuffix("/") ? text : text + "/") + defaultPattern
        } else {
            pattern = text
        }
    }

    /// Whether different stills get different names.
    var distinguishesStills: Bool {
        pattern.contains("{index}") || pattern.contains("{requested}") || pattern.contains("{actual}")
    }

    /// The path for one still.
    ///
    /// - Parameter width: Digits of the index.
    func path(source: String, index: Int, width: Int, requested: CMTime, actual: CMTime, fileExtension: String)
        -> String
    {
        let base = ((source as NSString).lastPathComponent as NSString).deletingPathExtension
        let number = String(index)
        let values = [
            "{name}": base.isEmpty ? "still" : base,
            "{index}": String(repeating: "0", count: max(0, width - number.count)) + number,
            "{requested}": requested.fileNameText,
            "{actual}": actual.fileNameText,
            "{ext}": fileExtension,
        ]
        var result = ""
        var rest = Substring(pattern)
        while let open = rest.firstIndex(of: "{") {
            result += rest[..<open]
            rest = rest[open...]
            if let (placeholder, value) = values.first(where: { rest.hasPrefix($0.key) }) {
                result += value
                rest = rest.dropFirst(placeholder.count)
            } else {
                result.append(rest.removeFirst())
            }
        }
        return result + rest
    }
}

extension CMTime {
    /// Seconds with up to six decimals, the last zeros left out.
    fileprivate var fileNameText: String { secondsText(decimals: 6) }

    /// Seconds for people, with at most so many decimals.
    func secondsText(decimals: Int = 6) -> String {
        guard isNumeric else { return "?" }
        let text = String(format: "%.\(decimals)f", seconds)
        guard text.contains(".") else { return text }
        var trimmed = Substring(text)
        while trimmed.hasSuffix("0") { trimmed.removeLast() }
        if trimmed.hasSuffix(".") { trimmed.removeLast() }
        return String(trimmed)
    }
}
