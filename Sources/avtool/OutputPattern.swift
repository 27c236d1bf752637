internal import Foundation
internal import OpenAVFoundation

/// Where results go: a name for each, made of a pattern.
struct OutputPattern {
    private let pattern: String
    let isStandardOutput: Bool

    /// Makes a pattern; a folder gets the default names inside it.
    ///
    /// - Parameters:
    ///   - count: How many results there will be.
    ///   - isResult: Whether a folder of that name is itself what is to be made.
    /// - Throws: A failure if several results are to go to standard output.
    init(
        _ text: String?, default defaultPattern: String, count: Int, isResult: (String) -> Bool = { _ in false }
    ) throws {
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
                && !isResult(text)
        {
            pattern = (text.hasSuffix("/") ? text : text + "/") + defaultPattern
        } else {
            pattern = text
        }
    }

    /// Whether it holds one of some placeholders.
    func contains(_ placeholders: String...) -> Bool { placeholders.contains { pattern.contains($0) } }

    /// The end of the names, empty if there is none or if it is a placeholder.
    var fileExtension: String { contains("{ext}") ? "" : (pattern as NSString).pathExtension.lowercased() }

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

/// A name that a result is to get.
struct OutputName {
    let path: String
    let source: String

    /// Fails early if there is a file that must not be replaced.
    func checkIsFree(replaces: Bool) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        if Self.isSameFile(path, source) {
            throw Failure(.cannotCreate, "outputIsSource", "\(path): the new file would replace its source")
        }
        guard replaces else {
            throw FileWriteError(kind: .exists, path: path, reason: "the file exists already")
        }
    }

    /// Whether there is a file of the name that is not older than its source.
    var isUpToDate: Bool {
        func date(_ path: String) -> Date? {
            let path = (path as NSString).resolvingSymlinksInPath
            return (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
        }
        guard !Self.isSameFile(path, source), let own = date(path), let other = date(source) else { return false }
        return own >= other
    }

    private static func isSameFile(_ one: String, _ other: String) -> Bool {
        func identity(_ path: String) -> (Int, Int)? {
            guard
                let attributes = try? FileManager.default.attributesOfItem(
                    atPath: (path as NSString).resolvingSymlinksInPath),
                let file = attributes[.systemFileNumber] as? Int, let system = attributes[.systemNumber] as? Int
            else { return nil }
            return (system, file)
        }
        guard let first = identity(one), let second = identity(other) else { return false }
        return first == second
    }
}
