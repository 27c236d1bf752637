internal import ArgumentParser
internal import Foundation
internal import MediaCore
package import MediaIO

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// What a command does, as far as files and connections go.
package struct WorkPlan: Sendable {
    /// The files that the same is done with, one after the other; empty for a command that is not like that.
    package var files: [String] = []
    /// What is read beside them.
    package var otherInputs: [String] = []
    /// Whether one copy of the worker has to do it all.
    package var isOneJob = false
    /// What each file's work may do, or that of the whole command.
    package var grants: [FileGrants] = []
    /// For how many thousandths of a second a file's work may get no further; `nil` for as long as it likes.
    package var stallTime: Int64?
    /// Bytes of memory that each copy may take; `nil` for a share of what there is.
    package var memory: Int64?
    /// How many files are worked on at a time; `nil` for as many as is of use.
    package var jobs: Int?
    /// Bytes of the largest file that the work may make, what it spools of a pipe included.
    package var largestFile = Self.largestFile(within: MediaLimits())
    /// Whether it may open connections.
    package var allowsNetwork = false
    /// Texts that are the same whenever results are to be; `nil` if results cannot be told by them.
    package var settings: [String]?
    /// Whether results that an earlier run has made are left alone.
    package var resumes = false
    /// Whether results go to standard output one after the other, of any length.
    package var streams = false
    /// Whether what is said is JSON.
    package var json = false
    /// Whether encoders may have something to write down between two passes.
    package var mayTakePasses = false
    /// Whether nobody else may see what it makes.
    package var isPrivate = false

    package init() {}

    /// What encoders note between two passes is no result, and has room besides.
    static func largestFile(within limits: MediaLimits) -> Int64 { max(limits.outputSize, limits.pipeSize, 1 << 30) }
}

extension WorkPlan {
    /// Counted up where results come to look different from the same settings, with the same version.
    private static let resultVersion = 1

    /// What the marks of a file's results say: the same for the same file, settings and version.
    ///
    /// A file is known by its name, size, time of modification and some of its bytes; its folder does not count.
    ///
    /// - Parameter open: Opens a file by its path; directly by default.
    /// - Returns: `nil` if the file, or another that is read, cannot be told from other versions of it.
    package func resultKey(
        of index: Int, open: (String) -> RandomAccessFile? = { RandomAccessFile(path: $0) }
    ) -> String? {
        guard let settings, grants.indices.contains(index), !grants[index].results.isEmpty else { return nil }
        var texts = ["\(Self.resultVersion)", AVTool.configuration.version] + settings
        for path in otherInputs + [files[index]] {
            guard let version = Self.version(of: path, open) else { return nil }
            texts += version
        }
        return FowlerNollVo.digest128(of: texts).zeroPadded(to: 32, radix: 16)
    }

    private static func version(of path: String, _ open: (String) -> RandomAccessFile?) -> [String]? {
        var status = stat()
        guard path != SourceFile.standardInput else { return nil }
        guard stat(path, &status) == 0 else { return errno == ENOENT ? [path, "not there"] : nil }
        return open(SourceFile.url(path).path).flatMap { FilmIdentity($0) }.map { [path.lastComponent] + $0.texts }
    }
}

extension FileGrants {
    /// Lets a file be read that the command line names.
    ///
    /// - Parameter allowsNesting: Whether it may name others, below its folder, that are read with it.
    mutating func add(input file: String, allowsNesting: Bool = false) {
        let path = SourceFile.url(file).path
        inputs.formUnion(file == SourceFile.standardInput ? ["-", "/dev/stdin"] : [file, path])
        if allowsNesting, let folder = realPath(path.parentFolder) { nestedFolders.append(folder) }
    }

    /// Lets a file be given a new version.
    mutating func add(changeable file: String) { changeable.formUnion([file, SourceFile.url(file).path]) }

    /// Lets results be made that a pattern names, or that have usual names.
    ///
    /// - Parameters:
    ///   - output: What `-o` says: a pattern, or a folder.
    ///   - usual: The pattern of usual names.
    mutating func add(results output: String?, usual: String, of file: String) {
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
