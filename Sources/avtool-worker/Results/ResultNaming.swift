internal import AVToolCommands
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// What the results of a command are called: a name for each, made of a pattern.
struct ResultNaming: Codable, Sendable {
    private let pattern: String
    let isStandardOutput: Bool
    /// Whether the folder that the results go to is made where there is none.
    let makesFolder: Bool

    /// Makes names of what `-o` says; a folder gets the default names inside it.
    ///
    /// - Parameters:
    ///   - count: How many results there will be.
    ///   - isResult: Whether a folder of that name is itself what is to be made.
    /// - Throws: A failure if several results are to go to standard output.
    init(
        _ text: String?, default defaultPattern: String, count: Int, isResult: (String) -> Bool = { _ in false }
    ) throws {
        guard text?.isEmpty != true else { throw Failure(.usage, "-o takes a name, not nothing") }
        isStandardOutput = text.map { OutputPlace.isStandardOutput($0) } ?? false
        makesFolder = !isStandardOutput && text?.hasSuffix("/") == true
        guard let text, !isStandardOutput else {
            pattern = defaultPattern
            guard text == nil || count == 1 else {
                throw Failure(.usage, "-o - takes a single result, not \(count)")
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

    /// Makes sure that each of several files gives its results names of their own.
    ///
    /// - Parameter alternative: What would do instead of a placeholder.
    func checkNamesDiffer(
        ofFiles count: Int, _ files: String = "files", or alternative: String = "a folder"
    ) throws {
        guard count == 1 || contains("{name}") else {
            throw Failure(.usage, "several \(files) need {name} in the name, or \(alternative)")
        }
    }

    /// Whether it holds one of some placeholders.
    func contains(_ placeholders: String...) -> Bool { placeholders.contains { pattern.contains($0) } }

    /// The filename extension of the names, empty if there is none or if it is a placeholder, or a device's or FIFO's.
    var filenameExtension: String {
        let pathExtension = (pattern as NSString).pathExtension.lowercased()
        return pathExtension.contains("{") || isStream ? "" : pathExtension
    }

    /// Whether the filename extension is to be that of the kind of file.
    var leavesExtensionOpen: Bool { pattern.hasSuffix(".{ext}") }

    /// Whether the name is that of a device or FIFO.
    var isStream: Bool { OutputPlace.isStream(pattern) }

    /// The path of a result; `-` for standard output.
    ///
    /// One that begins with a dash gets `./` before it: it must not be taken for standard output, nor for options by
    /// whoever is given what was printed.
    ///
    /// - Parameter values: What stands for the placeholders besides `{name}` and `{ext}`.
    func path(source: String, filenameExtension: String, values: [String: String] = [:]) -> String {
        guard !isStandardOutput else { return "-" }
        let base = SourceFile.baseName(source)
        let values = values.merging(["{name}": base.isEmpty ? "untitled" : base, "{ext}": filenameExtension]) { $1 }
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
        result += rest
        return result.hasPrefix("-") ? "./" + result : result
    }

    /// The path of one of a file's results; those that the pattern would give one name get a number before its end.
    func path(source: String, filenameExtension: String, number: Int, of count: Int) -> String {
        let path = path(source: source, filenameExtension: filenameExtension, values: ["{index}": String(number)])
        guard count > 1, !contains("{index}"), !isStandardOutput else { return path }
        let pathExtension = (path as NSString).pathExtension
        let numbered = (path as NSString).deletingPathExtension + "-\(number)"
        return pathExtension.isEmpty ? numbered : "\(numbered).\(pathExtension)"
    }

    /// The place of a file's only result.
    func place(source: String, filenameExtension: String, replaces: Bool) -> ResultPlace {
        ResultPlace(
            path: path(source: source, filenameExtension: filenameExtension), replaces: replaces,
            makesFolder: makesFolder)
    }
}

/// Where a result goes.
struct ResultPlace: Codable, Sendable {
    /// The name; `-` for standard output.
    let path: String
    let replaces: Bool
    /// Whether its folder is made where there is none.
    var makesFolder: Bool

    var isStandardOutput: Bool { path == "-" }
}
