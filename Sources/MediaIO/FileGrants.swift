#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

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
    func allows(_ path: String) -> Bool {
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

/// Which file something is, whatever names it has: hard links, symbolic links and
/// bind mounts of one file have one identity.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    init(_ status: stat) { (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino)) }

    /// The file that a path leads to.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// What a path names itself: the link, where it is a symbolic one.
    init?(linkAt path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// What is open.
    init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }
}

/// A name in a folder, however the folder is written.
struct FileName: Hashable, Sendable {
    private let folder: FileIdentity?
    /// Bytes, since text is equal to other bytes for the same characters.
    private let name: [UInt8]

    init(_ path: String) {
        folder = FileIdentity(path: path.parentFolder)
        // Of a folder that is not there only the text is known.
        name = Array((folder == nil ? path : path.lastComponent).utf8)
    }

    /// Something without a name.
    init(descriptor: Int32) { (folder, name) = (nil, Array("/dev/fd/\(descriptor)".utf8)) }
}

/// Bytes that take the place of others in a file, which keeps its length.
package struct FileOverlay: Sendable {
    private enum Content: Sendable {
        case bytes([UInt8])
        case zeros
    }

    private var changes: [(range: Range<UInt64>, content: Content)] = []

    /// An overlay that changes nothing.
    package init() {}

    /// Whether nothing is changed.
    package var isEmpty: Bool { changes.isEmpty }

    /// Puts bytes at a position.
    package mutating func replace(at position: UInt64, with bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        changes.append((position..<(position + UInt64(bytes.count)), .bytes(bytes)))
    }

    /// Puts zeros in place of a range.
    package mutating func clear(_ range: Range<UInt64>) {
        if !range.isEmpty { changes.append((range, .zeros)) }
    }

    /// Zeros that all segments share.
    private static let zeros = [UInt8](repeating: 0, count: 1 << 20)

    /// The changed file.
    ///
    /// Where changes overlap, the one that begins first has its way.
    package func rewrite(of file: RandomAccessFile) -> FileRewrite {
        var segments: [FileRewrite.Segment] = []
        var position: UInt64 = 0
        let sorted = changes.sorted {
            ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound)
        }
        for change in sorted {
            let range = change.range.clamped(to: position..<max(position, file.byteCount))
            guard !range.isEmpty else { continue }
            if range.lowerBound > position { segments.append(.source(position..<range.lowerBound)) }
            switch change.content {
            case .bytes(let bytes):
                let start = Int(range.lowerBound - change.range.lowerBound)
                segments.append(.bytes(Array(bytes[start..<(start + Int(range.length))])))
            case .zeros:
                var left = range.length
                while left >= UInt64(Self.zeros.count) {
                    segments.append(.bytes(Self.zeros))
                    left -= UInt64(Self.zeros.count)
                }
                if left > 0 { segments.append(.bytes([UInt8](repeating: 0, count: Int(left)))) }
            }
            position = range.upperBound
        }
        if position < file.byteCount { segments.append(.source(position..<file.byteCount)) }
        return FileRewrite(segments: segments)
    }
}
