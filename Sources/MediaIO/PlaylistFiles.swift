internal import MediaCore

/// The files that playlists name: segments, their headers, keys, and other playlists with what those name.
///
/// Whoever plays a playlist reads all of them sooner or later, so that they are inputs as much as the playlist is.
/// More is taken for a name than players do, since nothing is lost by that.
///
/// Source: RFC 8216, "HTTP Live Streaming".
package struct PlaylistFiles {
    /// The paths that are named, whether there is something or not.
    private(set) var paths: Set<String> = []
    /// Whether all names are known: `false` if a playlist is larger than any.
    private(set) var isWhole = true
    /// The playlists, as they were when they were read.
    private var playlists: [String: FileVersion?] = [:]

    /// FFmpeg's name of their format.
    package static let formatName = "hls"
    /// What a playlist begins with.
    package static let firstBytes = Array("#EXTM3U".utf8)
    /// Bytes of a playlist; a year of segments of two seconds takes more, a day does not.
    private static let largestPlaylist = 16 << 20
    /// Names in all playlists.
    private static let maximumCount = 1 << 20

    /// Reads those among some files that are playlists, and the playlists that they name.
    ///
    /// What a playlist names is opened only below its own folder: nobody plays anything else, and what lies elsewhere is
    /// none of a stranger's business.
    init(namedBy files: [String]) {
        var waiting = files.filter { !$0.isAddress }.map { (path: $0, folder: String?.none) }
        while let (path, root) = waiting.popLast() {
            let folder = root ?? realPath(path.parentFolder)
            guard playlists[path] == nil, root == nil || Self.isBelow(root, path), let names = read(path) else {
                continue
            }
            for (name, isPlaylist) in names {
                let targets = Self.targets(of: name, in: path.parentFolder)
                paths.formUnion(targets)
                // Of the others, nothing is opened: it is enough to know which files they are.
                if isPlaylist, let folder { waiting += targets.map { ($0, folder) } }
            }
            if paths.count > Self.maximumCount { isWhole = false }
            guard isWhole else { return }
        }
    }

    private static func isBelow(_ folder: String?, _ path: String) -> Bool {
        guard let folder, let real = realPath(path) else { return false }
        return real.hasPrefix(folder == "/" ? folder : folder + "/")
    }

    /// Whether the playlists are as they were when they were read.
    var isCurrent: Bool { playlists.allSatisfy { FileVersion(path: $0.key) == $0.value } }

    /// The names in a playlist, and whether they are playlists' names; `nil` for what is none.
    private mutating func read(_ path: String) -> [(name: String, isPlaylist: Bool)]? {
        guard let file = RandomAccessFile(path: path) else { return nil }
        // What could not be read may name anything.
        defer { if file.readFailure != nil { isWhole = false } }
        guard file.read(at: 0, count: Self.firstBytes.count) == Self.firstBytes else { return nil }
        playlists[path] = .some(file.version)
        if file.byteCount > UInt64(Self.largestPlaylist) { isWhole = false }
        var named: [(name: String, isPlaylist: Bool)] = []
        var isVariant = false
        for line in file.read(at: 0, count: Self.largestPlaylist).split(whereSeparator: { $0 == 10 || $0 == 13 }) {
            let isTag = line.first == UInt8(ascii: "#")
            let isRendition = line.starts(with: Array("#EXT-X-MEDIA:".utf8))
            named += Self.names(in: line).map { ($0, isTag ? isRendition : isVariant) }
            isVariant = isTag ? isVariant || line.starts(with: Array("#EXT-X-STREAM-INF".utf8)) : false
        }
        return named
    }

    /// The names in a line: the line itself, or the attributes of a tag that end in `URI`.
    private static func names(in line: ArraySlice<UInt8>) -> [String] {
        guard line.first == UInt8(ascii: "#") else {
            let end = line.lastIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
            return end.map { [String(pathBytes: Array(line[...$0]))] } ?? []
        }
        let mark = Array("URI=".utf8)
        var names: [String] = []
        var rest = line
        while let start = rest.firstRange(of: mark) {
            rest = rest[start.upperBound...]
            let isQuoted = rest.first == UInt8(ascii: "\"")
            if isQuoted { rest = rest.dropFirst() }
            let value = rest.prefix { isQuoted ? $0 != UInt8(ascii: "\"") : $0 != UInt8(ascii: ",") }
            if !value.isEmpty { names.append(String(pathBytes: Array(value))) }
            rest = rest[value.endIndex...]
        }
        return names
    }

    /// The paths that a name in a playlist may stand for.
    ///
    /// `..` takes back a part of the name for a player, and leads to the folder above for the system: these differ behind
    /// links.
    private static func targets(of name: String, in folder: String) -> [String] {
        let path = name.hasPrefix("file:") ? String(name.dropFirst(5)) : name
        guard !path.isEmpty, !path.isAddress else { return [] }
        if path.hasPrefix("/") { return [path, path.withoutSteps] }
        guard path.contains("..") else { return ["\(folder)/\(path)"] }
        return ["\(folder)/\(path)", "\(realPath(folder) ?? folder)/\(path)".withoutSteps]
    }
}

extension String {
    fileprivate var isAddress: Bool { contains("://") && !hasPrefix("/") && !hasPrefix("file:") }

    /// The path with each `..` and the part before it taken out.
    fileprivate var withoutSteps: String {
        let parts = split(separator: "/").reduce(into: [Substring]()) { parts, part in
            switch part {
            case ".": break
            case ".." where parts.last != nil: parts.removeLast()
            default: parts.append(part)
            }
        }
        return (hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }
}

/// Several files one after the other, as one address space.
struct FileSequence: Sendable {
    private let files: [RandomAccessFile]
    /// Where each file begins.
    private let starts: [UInt64]
    let byteCount: UInt64
    /// Each file once, however often it comes.
    private let distinct: [RandomAccessFile]

    /// - Parameter all: Those that would begin or end beyond what the system has positions for are left out.
    init(_ all: [RandomAccessFile]) {
        var (files, starts, distinct): ([RandomAccessFile], [UInt64], [RandomAccessFile]) = ([], [], [])
        var known: Set<ObjectIdentifier> = []
        var end: UInt64 = 0
        for file in all where file.byteCount > 0 {
            guard file.byteCount <= UInt64(Int64.max) - end else { break }
            files.append(file)
            starts.append(end)
            end += file.byteCount
            if known.insert(ObjectIdentifier(file)).inserted { distinct.append(file) }
        }
        (self.files, self.starts, self.distinct, byteCount) = (files, starts, distinct, end)
    }

    /// What a range is made of; as much of it as there is.
    func parts(of range: Range<UInt64>) -> [FilePart] {
        let end = min(range.upperBound, byteCount)
        guard range.lowerBound < end else { return [] }
        var parts: [FilePart] = []
        var index = max(0, starts.partitioningIndex { $0 > range.lowerBound } - 1)
        while index < files.count, starts[index] < end {
            let from = max(range.lowerBound, starts[index]) - starts[index]
            let to = min(end - starts[index], files[index].byteCount)
            parts.append(FilePart(segment: .source(from..<to), file: files[index]))
            index += 1
        }
        return parts
    }

    /// Bytes from a position within the sequence; fewer if one of the files has become shorter.
    func read(at position: UInt64, count: Int) -> [UInt8] {
        var result: [UInt8] = []
        for part in parts(of: position..<(position + UInt64(count))) {
            guard case .source(let range) = part.segment else { continue }
            let bytes = part.file.read(at: range.lowerBound, count: Int(range.length))
            // Most reads lie within one file.
            if result.isEmpty { result = bytes } else { result += bytes }
            if UInt64(bytes.count) < range.length { break }
        }
        return result
    }

    var readFailure: FileReadFailure? { distinct.lazy.compactMap(\.readFailure).first }

    var isUnchanged: Bool { distinct.allSatisfy(\.isUnchanged) }
}

/// Bytes, or a range of a file, that a part of a file is made of.
struct FilePart: Sendable {
    var segment: FileRewrite.Segment
    /// The file that a range is of.
    var file: RandomAccessFile
}
