internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// What the results of a command are called: a name for each, made of a pattern.
struct ResultNaming: Sendable {
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
        // A pattern's folders are part of the names that it makes.
        let isPattern = text.map { $0.contains("{") && $0.contains("/") } ?? false
        makesFolder = !isStandardOutput && (text?.hasSuffix("/") == true || isPattern)
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
struct ResultPlace: Sendable {
    /// The name; `-` for standard output.
    let path: String
    let replaces: Bool
    /// Whether its folder is made where there is none.
    var makesFolder: Bool

    var isStandardOutput: Bool { path == "-" }
}

/// When files were changed.
enum FileDate {
    /// Whether there is a file that is not older than the one that it was made of.
    static func isCurrent(_ path: String, madeOf source: String) -> Bool {
        guard let own = date(path), let other = date(source) else { return false }
        return own >= other
    }

    private static func date(_ path: String) -> Date? {
        let path = (path as NSString).resolvingSymlinksInPath
        return (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
    }
}

extension RunFiles {
    /// Gives a result its name, if nothing speaks against that.
    func output(_ place: ResultPlace) throws -> OutputPlace {
        try output(place.path, replaces: place.replaces, makesFolder: place.makesFolder)
    }

    /// Gives a folder of results its name.
    func folder(_ place: ResultPlace) throws -> OutputPlace {
        try folder(place.path, replaces: place.replaces, makesFolder: place.makesFolder)
    }
}

/// A share of the work on a film, or what joins all of them.
struct PieceWork: Sendable {
    let piece: WorkPiece
    /// Where the piece goes that is to be made; `nil` if none is.
    let made: String?
    /// Where the pieces lie that are to be joined.
    let joined: [String]
    /// A digest of what is asked for.
    private let settings: String

    /// `nil` for a command that does all by itself.
    init?(_ command: some PieceMaking & Sendable) {
        guard let piece = command.sharing.piece else { return nil }
        self.piece = piece
        (made, joined) = (command.sharing.made, command.sharing.joined ?? [])
        settings = CommandSettings(of: command).digestOfPieces
    }

    /// What the piece is a share of.
    func head(_ kind: PieceHead.Kind, of film: String) throws -> PieceHead {
        guard let fingerprint = FileFingerprint(ofSource: film) else {
            throw Failure(.usage, "only the work on what is a file can be shared")
        }
        let maker = (["avtool \(AVTool.version)"] + MediaFormats.libraryVersions).joined(separator: ", ")
        return PieceHead(
            kind, maker: maker, settings: settings, film: fingerprint.digest, index: piece.index ?? 0,
            count: piece.count)
    }

    /// The pieces that are to be joined.
    func set(_ kind: PieceHead.Kind, of film: String, limits: MediaLimits) throws -> PieceSet {
        PieceSet(joined, of: try head(kind, of: film), limits: limits, access: WorkerFiles.access)
    }

    /// What `--json` prints of a piece.
    func json(of source: String) -> JSONPiece {
        JSONPiece(source: source, piece: piece.index ?? 0, pieces: piece.count, file: made ?? "")
    }

    /// The line for people.
    var line: String { "\((made ?? "").oneLine): piece \(piece.index ?? 0) of \(piece.count)" }
}

/// A piece as JSON has it.
struct JSONPiece: Encodable {
    let source: String
    /// Which one, from 0.
    let piece: Int
    let pieces: Int
    let file: String
}
