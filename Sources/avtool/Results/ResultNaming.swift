internal import Foundation
internal import OpenAVFoundation

/// Where results go: a name for each, made of a pattern.
struct OutputPattern {
    private let pattern: String
    let isStandardOutput: Bool
    /// Whether the folder that the results go to is made where there is none.
    let makesFolder: Bool

    /// Makes a pattern; a folder gets the default names inside it.
    ///
    /// - Parameters:
    ///   - count: How many results there will be.
    ///   - isResult: Whether a folder of that name is itself what is to be made.
    /// - Throws: A failure if several results are to go to standard output.
    init(
        _ text: String?, default defaultPattern: String, count: Int, isResult: (String) -> Bool = { _ in false }
    ) throws {
        guard text?.isEmpty != true else { throw Failure(.usage, "usage", "-o takes a name, not nothing") }
        isStandardOutput = text.map { OutputPlace.isStandardOutput($0) } ?? false
        makesFolder = !isStandardOutput && text?.hasSuffix("/") == true
        guard let text, !isStandardOutput else {
            pattern = defaultPattern
            guard text == nil || count == 1 else {
                throw Failure(.usage, "usage", "-o - takes a single result, not \(count)")
            }
            return
        }
        var isFolder: ObjCBool = false
        if text.hasSuffix("/")
            || FileManager.default.fileExists(atPath: text, isDirectory: &isFolder) && isFolder.boolValue
                && !isResult(text)
        {
            pattern = (text.hasSuffix("/") ? text : text + "/") + defaultPattern
        } else {
            pattern = text
        }
    }

    /// Whether it holds one of some placeholders.
    func contains(_ placeholders: String...) -> Bool { placeholders.contains { pattern.contains($0) } }

    /// The end of the names, empty if there is none or if it is a placeholder, or a device's or FIFO's.
    var fileExtension: String {
        let ending = (pattern as NSString).pathExtension.lowercased()
        return ending.contains("{") || OutputPlace.isStream(pattern) ? "" : ending
    }

    /// The path of a result.
    ///
    /// - Parameter values: What stands for the placeholders besides `{name}` and `{ext}`.
    func path(source: String, fileExtension: String, values: [String: String] = [:]) -> String {
        let base = SourceFile.baseName(source)
        let values = values.merging(["{name}": base.isEmpty ? "still" : base, "{ext}": fileExtension]) { $1 }
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
