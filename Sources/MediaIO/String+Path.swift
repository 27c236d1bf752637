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
