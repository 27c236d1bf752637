internal import Foundation
internal import MediaIO

extension FileGrants {
    /// Lets a file be read that the command line names.
    ///
    /// - Parameter allowsNesting: Whether it may name others, below its folder, that are read with it.
    package mutating func add(input file: String, allowsNesting: Bool = false) {
        let path = SourceFile.url(file).path
        inputs.formUnion(file == SourceFile.standardInput ? ["-", "/dev/stdin"] : [file, path])
        if allowsNesting, let folder = realPath(path.parentFolder) { nestedFolders.append(folder) }
    }

    /// Lets a file be given a new version.
    package mutating func add(changeable file: String) { changeable.formUnion([file, SourceFile.url(file).path]) }

    /// Lets results be made that a pattern names, or that have usual names.
    ///
    /// - Parameters:
    ///   - output: What `-o` says: a pattern, or a folder.
    ///   - usual: The pattern of usual names.
    package mutating func add(results output: String?, usual: String, of file: String) {
        guard let output else { return results.append(ResultRule(pattern: usual, of: file)) }
        guard !output.hasSuffix("/") else { return results.append(ResultRule(pattern: output + usual, of: file)) }
        results.append(ResultRule(pattern: output, of: file))
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: output, isDirectory: &isFolder), isFolder.boolValue {
            results.append(ResultRule(pattern: "\(output)/\(usual)", of: file))
        }
    }
}

extension ResultRule {
    /// The names that a pattern gives for the results of a file.
    fileprivate init(pattern: String, of file: String) {
        let base = SourceFile.baseName(file)
        var literals = [""]
        var rest = Substring(pattern)
        while let first = rest.first {
            if let known = Self.placeholders.first(where: { rest.hasPrefix($0) }) {
                rest = rest.dropFirst(known.count)
                if known == "{name}" {
                    literals[literals.count - 1] += base.isEmpty ? "untitled" : base
                } else {
                    literals.append("")
                }
            } else {
                literals[literals.count - 1].append(first)
                rest = rest.dropFirst()
            }
        }
        self.init(literals: literals)
    }

    private static let placeholders = [
        "{name}", "{index}", "{requested}", "{actual}", "{size}", "{width}", "{height}", "{ext}",
        "{part}",
    ]
}
