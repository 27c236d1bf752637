/// What one worker may have opened, made and named.
///
/// It comes from the command line and from nothing that a file says.
package struct FileGrants: Sendable {
    /// Paths that may be read, as the command line has them or absolute.
    package var inputs: Set<String> = []
    /// Folders below which what inputs name may be read: those of playlists that were allowed.
    package var nestedFolders: [String] = []
    /// What results may be called.
    package var results: [ResultRule] = []
    /// Files beside results that may be read and made, to save a later run some work.
    package var kept: Set<String> = []
    /// Files that may be given a new version.
    package var changeable: Set<String> = []
    /// Whether an empty file that may be replaced is filled instead, for whoever holds it open.
    package var fillsEmptyFiles = false
    /// Where temporary files may lie; `nil` for beside their results.
    package var temporaryFolder: String?

    package init() {}
}

/// Names that results may have: text, and places where more may stand.
package struct ResultRule: Hashable, Sendable {
    /// The parts that stand in the name as they are, in order; between two of them stands anything but a slash.
    package var literals: [String]

    package init(literals: [String]) { self.literals = literals }

    /// Whether a name may be one of these.
    package func allows(_ path: String) -> Bool {
        // What begins with a dash is written so, for tools that would take it for an option.
        if path.hasPrefix("./-") { return allows(String(path.dropFirst(2))) }
        guard let first = literals.first, let last = literals.last else { return false }
        guard literals.count > 1 else { return path == first }
        let bytes = Array(path.utf8)
        guard bytes.starts(with: first.utf8) else { return false }
        var position = first.utf8.count
        for literal in literals.dropFirst().dropLast() {
            guard let found = Self.find(Array(literal.utf8), in: bytes, from: position) else { return false }
            position = found + literal.utf8.count
        }
        let tail = Array(last.utf8)
        let end = bytes.count - tail.count
        guard end >= position, bytes[end...].elementsEqual(tail) else { return false }
        // What was put in may not lead elsewhere.
        let slashes = bytes.count { $0 == UInt8(ascii: "/") }
        return slashes == literals.reduce(0) { $0 + $1.utf8.count { $0 == UInt8(ascii: "/") } }
    }

    private static func find(_ part: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard !part.isEmpty else { return start }
        return (start...max(start, bytes.count)).first { bytes.dropFirst($0).starts(with: part) }
    }
}
