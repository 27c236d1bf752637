internal import CLinux
internal import Foundation
internal import MediaCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// What a result was made of and how: an extended attribute of the finished file or folder, whose bytes stay as they are.
///
/// A later run compares the mark that it would set with the one that is there. Copies of a file, and file systems without
/// such attributes, have none: that is known as little as a stranger's file.
struct ResultMark: Hashable, Sendable {
    /// Stands for the source as it was, the settings and the version.
    let key: String
    /// A digest of its name, so that one that took another's name is none.
    let name: UInt64
    /// Its size, so that one that was cut short is none; of a folder, that of all files in it.
    let byteCount: UInt64
    /// How many files there are in a folder, so that one that lacks some is none; 0 for a file.
    let fileCount: Int
    /// How many there are in all, of the one that was made last.
    var count: Int?

    private static let attribute = "user.avtool.made"
    /// Counted up where marks come to mean something else.
    private static let version = "1"
    /// Bytes of a mark; ours have 100, and what is longer is none.
    private static let maximumByteCount = 256
    /// Folders in folders: what we make has two.
    private static let maximumDepth = 4

    /// The mark of a result that is open; `nil` if nothing can be found out of it.
    ///
    /// - Parameter path: What it is or will be called.
    fileprivate init?(key: String, of descriptor: Int32, at path: String) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        (self.key, name) = (key, FowlerNollVo.digest64(of: Array(path.lastComponent.utf8)))
        if status.st_mode & S_IFMT == S_IFDIR {
            guard let found = Self.contents(of: "/proc/self/fd/\(descriptor)", depth: 0) else { return nil }
            (byteCount, fileCount) = found
        } else {
            (byteCount, fileCount) = (UInt64(clamping: status.st_size), 0)
        }
    }

    /// Reads the mark of what is open; `nil` if it has none, or is no longer what was marked.
    fileprivate init?(of descriptor: Int32, at path: String) {
        guard let text = Self.text(of: descriptor) else { return nil }
        let parts = text.split(separator: " ").map(String.init)
        guard parts.count >= 2, let mark = ResultMark(key: parts[1], of: descriptor, at: path) else { return nil }
        self = mark
        if parts.count == mark.parts.count + 1 { count = parts.last.flatMap { Int($0) } }
        guard parts == self.parts else { return nil }
    }

    /// The size and number of the files in a folder, and of those in folders in it.
    fileprivate static func contents(of folder: String, depth: Int) -> (byteCount: UInt64, fileCount: Int)? {
        guard depth < maximumDepth, let names = FileManager.default.names(in: folder) else { return nil }
        var (byteCount, fileCount) = (UInt64(0), 0)
        for name in names {
            var status = stat()
            guard lstat("\(folder)/\(name)", &status) == 0 else { return nil }
            if status.st_mode & S_IFMT == S_IFDIR {
                guard let inner = contents(of: "\(folder)/\(name)", depth: depth + 1) else { return nil }
                byteCount = byteCount.addingReportingOverflow(inner.byteCount).partialValue
                fileCount += inner.fileCount
            } else {
                byteCount = byteCount.addingReportingOverflow(UInt64(clamping: status.st_size)).partialValue
                fileCount += 1
            }
        }
        return (byteCount, fileCount)
    }

    private static func text(of descriptor: Int32) -> String? {
        let bytes = [UInt8](unsafeUninitializedCapacity: maximumByteCount) { buffer, count in
            count = max(0, Int(avt_get_attribute(descriptor, attribute, buffer.baseAddress, buffer.count)))
        }
        return bytes.isEmpty ? nil : String(validating: bytes, as: UTF8.self)
    }

    private var parts: [String] {
        let facts = [Self.version, key, String(name, radix: 16), "\(byteCount)", "\(fileCount)"]
        return facts + (count.map { ["\($0)"] } ?? [])
    }

    /// Sets it.
    ///
    /// - Returns: Whether the file system keeps it.
    fileprivate func set(on descriptor: Int32) -> Bool {
        let bytes = Array(parts.joined(separator: " ").utf8)
        return avt_set_attribute(descriptor, Self.attribute, bytes, bytes.count) == 0
    }

    /// Takes the mark from a file that is no longer what was made.
    static func remove(from path: String) {
        _ = path.withPathBytes { avt_remove_attribute($0, attribute) }
    }
}

/// How large a result is.
package struct ResultExtent: Hashable, Sendable {
    /// Of a folder, that of all files in it.
    package let byteCount: UInt64
    /// How many files there are in a folder; 0 for a file.
    package let fileCount: Int

    /// `nil` for what is not there, or cannot be looked at.
    package init?(of path: String) {
        var status = stat()
        guard path.withPathBytes({ stat($0, &status) }) == 0 else { return nil }
        if status.st_mode & S_IFMT == S_IFDIR {
            guard let found = ResultMark.contents(of: path, depth: 0) else { return nil }
            (byteCount, fileCount) = found
        } else {
            (byteCount, fileCount) = (UInt64(clamping: status.st_size), 0)
        }
    }
}

/// A result with its mark, which stays open until all results of its film are made.
final class MarkedResult {
    private(set) var mark: ResultMark
    private let descriptor: Int32

    private init(_ mark: ResultMark, _ descriptor: Int32) { (self.mark, self.descriptor) = (mark, descriptor) }

    deinit { close(descriptor) }

    /// What a name leads to, if that has a mark and is still what was marked.
    convenience init?(at path: String) {
        let descriptor = MediaIO.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        guard let mark = ResultMark(of: descriptor, at: path) else {
            close(descriptor)
            return nil
        }
        self.init(mark, descriptor)
    }

    /// Gives a result its mark before it has its name.
    ///
    /// - Parameters:
    ///   - result: The open file or folder, which stays its owner's.
    ///   - path: The name that it will have.
    /// - Returns: `nil` if the file system keeps no marks.
    convenience init?(marking result: Int32, with key: String, at path: String) {
        guard let mark = ResultMark(key: key, of: result, at: path), mark.set(on: result) else { return nil }
        let descriptor = fcntl(result, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { return nil }
        self.init(mark, descriptor)
    }

    /// Says that it was the last of so many.
    ///
    /// - Returns: Whether the file system keeps that.
    func setCount(_ count: Int) -> Bool {
        mark.count = count
        return mark.set(on: descriptor)
    }
}

/// Results of one run that may be there already.
package final class MadeResults {
    /// The names in folders that were looked into, in order.
    private var folders: [String: [String]] = [:]

    package init() {}

    /// Finds all results of a source.
    ///
    /// - Parameters:
    ///   - key: What their marks would say.
    ///   - rules: What they may be called.
    /// - Returns: Their names in order; `nil` unless all of them are there as they were made.
    package func all(of key: String, namedBy rules: [ResultRule]) -> [String]? {
        var found: [String] = []
        var count: Int?
        for path in Set(rules.flatMap(names)) {
            guard let mark = MarkedResult(at: path)?.mark, mark.key == key else { continue }
            if let total = mark.count {
                guard count == nil || count == total else { return nil }
                count = total
            }
            found.append(path)
        }
        return count == found.count && count != 0 ? found.sorted() : nil
    }

    /// What there is of the names that a rule allows.
    private func names(of rule: ResultRule) -> [String] {
        // A slash is part of the text that stands between the gaps, never of what is in them.
        var parts: [[String]] = [[""]]
        for (index, literal) in rule.literals.enumerated() {
            if index > 0 { parts[parts.count - 1].append("") }
            for (number, piece) in literal.split(separator: "/", omittingEmptySubsequences: false).enumerated() {
                if number > 0 { parts.append([""]) }
                parts[parts.count - 1][parts[parts.count - 1].count - 1] += piece
            }
        }
        var paths = [""]
        for (depth, part) in parts.enumerated() {
            let isLast = depth == parts.count - 1
            paths = paths.flatMap { folder in
                let names = part.count == 1 ? part : self.names(in: folder, ResultRule(literals: part))
                return names.map { folder + $0 + (isLast ? "" : "/") }
            }
        }
        return paths.filter { !$0.isEmpty && !$0.hasSuffix("/") }
    }

    private func names(in folder: String, _ rule: ResultRule) -> [String] {
        let all = names(in: folder)
        let beginning = rule.literals.first ?? ""
        var (low, high) = (0, all.count)
        while low < high {
            let middle = (low + high) / 2
            if all[middle].utf8.lexicographicallyPrecedes(beginning.utf8) { low = middle + 1 } else { high = middle }
        }
        return all[low...].prefix { $0.utf8.starts(with: beginning.utf8) }.filter(rule.allows)
    }

    private func names(in folder: String) -> [String] {
        if let known = folders[folder] { return known }
        let names = FileManager.default.names(in: folder.isEmpty ? "." : folder) ?? []
        let sorted = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        folders[folder] = sorted
        return sorted
    }
}
