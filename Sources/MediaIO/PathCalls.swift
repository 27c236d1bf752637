internal import CLinux
package import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

// The system's calls that take a path, for paths as ``Swift/String/init(pathBytes:)``
// makes them. They have C's names: written with a `String`, a call is one of these,
// so that no place in the package can forget the mapping.

/// Opens a file.
func open(_ path: String, _ flags: Int32) -> Int32 { path.withPathBytes { openat(AT_FDCWD, $0, flags) } }

/// Opens or makes a file.
func open(_ path: String, _ flags: Int32, _ mode: UInt32) -> Int32 {
    path.withPathBytes { openat(AT_FDCWD, $0, flags, mode) }
}

/// Looks at what a path leads to.
package func stat(_ path: String, _ status: UnsafeMutablePointer<stat>) -> Int32 {
    path.withPathBytes { fstatat(AT_FDCWD, $0, status, 0) }
}

/// Looks at what a path names, without following a link.
func lstat(_ path: String, _ status: UnsafeMutablePointer<stat>) -> Int32 {
    path.withPathBytes { fstatat(AT_FDCWD, $0, status, AT_SYMLINK_NOFOLLOW) }
}

/// How many names a file has; 0 if there is none.
package func linkCount(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_nlink) : 0
}

/// Whether a file may be used in a way.
package func access(_ path: String, _ mode: Int32) -> Int32 {
    path.withPathBytes { faccessat(AT_FDCWD, $0, mode, 0) }
}

/// Removes a file's name.
@discardableResult
package func unlink(_ path: String) -> Int32 { path.withPathBytes { unlinkat(AT_FDCWD, $0, 0) } }

/// Removes an empty folder.
@discardableResult
func rmdir(_ path: String) -> Int32 { path.withPathBytes { unlinkat(AT_FDCWD, $0, AT_REMOVEDIR) } }

/// Makes a folder.
@discardableResult
func mkdir(_ path: String, _ mode: UInt32) -> Int32 {
    path.withPathBytes { mkdirat(AT_FDCWD, $0, mode) }
}

/// Gives a file another name, in place of what has that name.
@discardableResult
func rename(_ old: String, _ new: String) -> Int32 {
    old.withPathBytes { old in new.withPathBytes { renameat(AT_FDCWD, old, AT_FDCWD, $0) } }
}

/// Gives a file a second name.
@discardableResult
func linkat(_ folder: Int32, _ old: String, _ newFolder: Int32, _ new: String, _ flags: Int32) -> Int32 {
    old.withPathBytes { old in new.withPathBytes { linkat(folder, old, newFolder, $0, flags) } }
}

/// Gives a file another name that nothing has.
@discardableResult
func avt_rename_to_new(_ old: String, _ new: String) -> Int32 {
    old.withPathBytes { old in new.withPathBytes { avt_rename_to_new(old, $0) } }
}

/// Exchanges two names.
func avt_exchange(_ one: String, _ other: String) -> Int32 {
    one.withPathBytes { one in other.withPathBytes { avt_exchange(one, $0) } }
}

/// Copies extended attributes.
func avt_copy_extended_attributes(_ model: String, _ target: Int32) {
    model.withPathBytes { avt_copy_extended_attributes($0, target) }
}

/// The path of the file that a path leads to, all links resolved; `nil` if there is none.
package func realPath(_ path: String) -> String? {
    guard let resolved = path.withPathBytes({ realpath($0, nil) }) else { return nil }
    defer { free(resolved) }
    return String(pathBytes: UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map(UInt8.init(bitPattern:)))
}

extension FileManager {
    /// Whether a path, which need not be UTF-8, leads to something.
    package func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Makes a folder, and those that it is to lie in.
    ///
    /// - Returns: Whether it is there now; `errno` says why not.
    func makeFolders(_ path: String) -> Bool {
        if mkdir(path, 0o777) == 0 { return true }
        if errno == ENOENT, path.parentFolder != path, makeFolders(path.parentFolder) { return mkdir(path, 0o777) == 0 }
        var status = stat()
        return errno == EEXIST && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The names in a folder, `nil` if it cannot be read.
    func names(in folder: String) -> [String]? {
        guard let stream = folder.withPathBytes({ opendir($0) }) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            // The end and a failure look alike but for this.
            errno = 0
            guard let entry = readdir(stream) else { break }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != Array(".".utf8), name != Array("..".utf8) { names.append(String(pathBytes: name)) }
        }
        return errno == 0 ? names : nil
    }
}

/// Names of files as Linux has them: bytes, which need not be UTF-8.
///
/// A byte that is part of no UTF-8 sequence is held in a `String` as a scalar of
/// its own, `U+10FE00` plus the byte, from a private area that no name uses. A
/// name that does use it is held byte by byte, so that every name comes back as
/// it was.
extension String {
    private static let firstEscape: UInt32 = 0x10FE00
    private static let escapes: ClosedRange<UInt32> = 0x10FE80...0x10FEFF

    /// The text that stands for a name's bytes.
    package init(pathBytes bytes: [UInt8]) {
        self = ""
        if let text = String(validating: bytes, as: UTF8.self), !text.hasPathEscapes {
            self = text
            return
        }
        var index = 0
        while index < bytes.count {
            let length = Self.scalarLength(at: index, of: bytes)
            let part = bytes[index..<min(bytes.count, index + max(1, length))]
            if length > 0, let text = String(validating: part, as: UTF8.self), !text.hasPathEscapes {
                self += text
            } else {
                for byte in part { unicodeScalars.append(Self.escape(byte)) }
            }
            index += part.count
        }
    }

    /// Calls a closure with the bytes that the text stands for, and a zero after them.
    package func withPathBytes<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result {
        guard hasPathEscapes else { return try withCString(body) }
        return try (pathBytes.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { buffer in
            // A buffer that holds at least the zero has a beginning.
            guard let base = buffer.baseAddress else { return try "".withCString(body) }
            return try body(base)
        }
    }

    /// The bytes that the text stands for.
    package var pathBytes: [UInt8] {
        unicodeScalars.flatMap { scalar -> [UInt8] in
            Self.escapes.contains(scalar.value)
                ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(Character(scalar)).utf8)
        }
    }

    /// The text with each byte that is not UTF-8 as `\xE9`, for people.
    package var withVisiblePathBytes: String { withVisiblePathBytes(mark: "\\x") }

    /// - Parameter mark: What stands before the byte's two hexadecimal digits.
    package func withVisiblePathBytes(mark: String) -> String {
        guard hasPathEscapes else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if Self.escapes.contains(scalar.value) {
                text += mark + String(scalar.value & 0xff, radix: 16, uppercase: true)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }

    /// The name that ``withVisiblePathBytes`` shows so, if no such mark was in the name itself.
    package var withHiddenPathBytes: String {
        guard utf8.contains(UInt8(ascii: "\\")) else { return self }
        let all = Array(utf8)
        var bytes: [UInt8] = []
        var index = 0
        while index < all.count {
            if index + 3 < all.count, all[index] == UInt8(ascii: "\\"), all[index + 1] == UInt8(ascii: "x"),
                let byte = UInt8(String(decoding: all[(index + 2)...(index + 3)], as: UTF8.self), radix: 16),
                byte > 0x7f
            {
                bytes.append(byte)
                index += 4
            } else {
                bytes.append(all[index])
                index += 1
            }
        }
        return String(pathBytes: bytes)
    }

    private var hasPathEscapes: Bool {
        // All of them begin with this byte.
        utf8.contains(0xf4) && unicodeScalars.contains { Self.escapes.contains($0.value) }
    }

    private static func escape(_ byte: UInt8) -> Unicode.Scalar {
        Unicode.Scalar(firstEscape + UInt32(byte)) ?? "\u{fffd}"
    }

    /// Bytes of the sequence that begins at an index, 0 if none does.
    private static func scalarLength(at index: Int, of bytes: [UInt8]) -> Int {
        (1...4).first { length in
            index + length <= bytes.count
                && String(validating: bytes[index..<(index + length)], as: UTF8.self)?.unicodeScalars.count == 1
        } ?? 0
    }
}

/// Parts of a file's path.
///
/// Foundation's `deletingLastPathComponent` traps on names of one character.
extension String {
    /// The path of the folder that a file lies in: `.` for a bare name.
    package var parentFolder: String {
        let path = withoutTrailingSlashes
        guard !path.isEmpty else { return isEmpty ? "." : "/" }
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        let parent = String(path[..<slash]).withoutTrailingSlashes
        return parent.isEmpty ? "/" : parent
    }

    /// The last name of a path; empty for the root.
    package var lastComponent: String {
        let path = withoutTrailingSlashes
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }

    /// The path as errors name it.
    var ofOutput: String { self == "-" ? "standard output" : self }

    /// The path without slashes at its end; empty for the root.
    private var withoutTrailingSlashes: String {
        var path = Substring(self)
        while path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
        return String(path)
    }
}
