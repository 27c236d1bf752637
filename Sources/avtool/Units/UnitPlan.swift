internal import AVToolCommands
internal import Foundation
internal import MediaCore
internal import MediaIO

/// A plan: the work of a command, divided into units.
///
/// Its text is described by `docs/plan-format.md`.
struct UnitPlan {
    /// A film, or another file that is read, as it was when the plan was made.
    struct Film: Codable, Hashable {
        let name: String
        /// Tells its version; `nil` for what could not be read then.
        let identity: String?
        let byteCount: UInt64?

        /// A file as it is now.
        init(_ name: String) {
            let found = FilmIdentity(path: name)
            (self.name, identity, byteCount) = (name, found?.digest, found?.byteCount)
        }
    }

    /// One of several shares of the work on a film.
    struct Chunk: Codable, Hashable {
        let index: Int
        let count: Int
        /// The unit of the first one.
        let firstUnit: Int
    }

    /// What one machine does in one go.
    struct Unit: Codable, Hashable {
        let unit: Int
        /// Which of the plan's films its first one is, from 0.
        let firstFilm: Int
        let films: [Film]
        /// The share of the only film's work; `nil` for all of it.
        let piece: Chunk?
        /// What results may be called, with `*` for what depends on the films.
        let results: [String]
        /// `nil` where the films were not looked at.
        let cost: UnitCost?
    }

    /// What is true of all units.
    struct Header: Codable {
        let format: String
        let version: Int
        /// The version of `avtool`.
        let avtool: String
        /// Those of the media libraries; `nil` where none were asked.
        let libraries: [String]?
        /// The command without its films.
        let command: [String]
        /// What is read beside the films.
        let inputs: [Film]
        let units: Int
        let films: Int
        /// A digest of all that the plan says.
        var id: String

        static let format = "avtool-plan"
        static let version = 1
    }

    let header: Header
    private let lines: [String]

    /// Makes a plan of units.
    init(
        command: [String], libraries: [String]?, inputs: [Film], units: [Unit], films: Int
    ) throws {
        var header = Header(
            format: Header.format, version: Header.version, avtool: AVTool.version, libraries: libraries,
            command: command, inputs: inputs, units: units.count, films: films, id: "")
        lines = try units.map(Self.line)
        header.id = try Self.digest(of: header, lines)
        self.header = header
    }

    /// Reads a plan.
    init(path: String) throws(Failure) {
        let lines = try Self.lines(of: path)
        guard let first = lines.first, let header = try? JSONDecoder().decode(Header.self, from: first),
            header.format == Header.format
        else { throw Failure(.invalidPlan, "\(path): it is no plan") }
        guard header.version == Header.version else {
            throw Failure(.otherVersion, "\(path): the plan is of version \(header.version), not \(Header.version)")
        }
        guard header.avtool == AVTool.version else {
            throw Failure(
                .otherVersion, "\(path): the plan was made by avtool \(header.avtool), not \(AVTool.version)")
        }
        guard header.units > 0, header.films > 0, !header.command.isEmpty else {
            throw Failure(.invalidPlan, "\(path): it has no units")
        }
        (self.header, self.lines) = (header, lines.dropFirst().map { String(decoding: $0, as: UTF8.self) })
        guard let digest = try? Self.digest(of: header, self.lines), digest == header.id else {
            // What is wrong tells more than that something is.
            _ = try units(of: path)
            throw Failure(.invalidPlan, "\(path): it was changed after it was made")
        }
    }

    /// How many units there are.
    var count: Int { header.units }

    /// One unit.
    ///
    /// - Parameter path: The plan's name, for what is wrong with it.
    func unit(_ number: Int, of path: String) throws(Failure) -> Unit {
        guard lines.indices.contains(number) else {
            throw Failure(.invalidPlan, "\(path): there are \(lines.count) units, not \(header.units)")
        }
        guard let unit = try? JSONDecoder().decode(Unit.self, from: Data(lines[number].utf8)),
            !unit.films.isEmpty, (0..<header.films).contains(unit.firstFilm),
            unit.films.count <= header.films - unit.firstFilm, unit.piece.map(isPossible) ?? true
        else { throw Failure(.invalidPlan, "\(path): line \(number + 2) is no unit") }
        guard unit.unit == number else {
            throw Failure(
                .invalidPlan, "\(path): line \(number + 2) is unit \(unit.unit), where unit \(number) belongs")
        }
        return unit
    }

    private func isPossible(_ piece: Chunk) -> Bool {
        (2...WorkPiece.maximumCount).contains(piece.count) && (0..<piece.count).contains(piece.index)
            && (0..<header.units).contains(piece.firstUnit)
    }

    /// All units.
    func units(of path: String) throws(Failure) -> [Unit] {
        var units: [Unit] = []
        for number in lines.indices {
            do {
                units.append(try unit(number, of: path))
            } catch {
                let found = try? JSONDecoder().decode(Unit.self, from: Data(lines[number].utf8))
                guard let found, units.indices.contains(found.unit) else { throw error }
                throw Failure(.invalidPlan, "\(path): unit \(found.unit) is there twice")
            }
        }
        guard units.count == header.units else {
            throw Failure(.invalidPlan, "\(path): there are \(units.count) units, not \(header.units)")
        }
        return units
    }

    /// The lines of the plan's text.
    func text() throws -> String { ([try Self.line(header)] + lines).joined(separator: "\n") + "\n" }

    /// Bytes of a plan, which is held in memory: millions of films.
    private static let maximumByteCount = 1 << 31

    private static func lines(of path: String) throws(Failure) -> [Data] {
        // Notes lie beside the plan, and it is read more than once.
        guard path != "-", !OutputPlace.isStream(path) else {
            throw Failure(.usage, "\(path): a plan has to be a file")
        }
        do {
            return Data(try WholeFile.read(path, limit: maximumByteCount)).split(separator: UInt8(ascii: "\n"))
        } catch WholeFile.Failure.system(ENOENT) {
            throw Failure(.noSuchInput, "\(path): no such file")
        } catch WholeFile.Failure.tooLarge {
            throw Failure(.limit, "\(path): the plan has more than \(maximumByteCount) bytes")
        } catch {
            throw Failure(.unreadableInput, "\(path): the plan cannot be read")
        }
    }

    /// Names are held as they are, whatever bytes they have.
    static func line(_ value: any Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private static func digest(of header: Header, _ lines: [String]) throws -> String {
        var header = header
        header.id = ""
        return FowlerNollVo.digest128(of: [try line(header)] + lines).zeroPadded(to: 32, radix: 16)
    }
}

extension UnitPlan {
    /// What is read, as it was when the plan was made.
    ///
    /// - Throws: `sourceChanged`, by name.
    func checkUnchanged(_ unit: Unit) throws(Failure) { try Self.checkUnchanged(header.inputs + unit.films) }

    /// Some of what is read, each file once.
    static func checkUnchanged(_ films: some Sequence<Film>) throws(Failure) {
        for film in films {
            let now = Film(film.name)
            guard now != film else { continue }
            let what =
                now.identity == nil
                ? "it is not there any more, or cannot be read" : "it changed after the plan was made"
            throw Failure(.sourceChanged, "\(film.name.withVisiblePathBytes): \(what)")
        }
    }

    /// The command that does a unit.
    ///
    /// - Parameter options: What decides how it is done, and not what comes of it.
    func arguments(of unit: Unit, notesOf plan: String, adding options: [String] = []) -> [String] {
        var arguments = Self.command(header.command, without: options) + options
        if let piece = unit.piece {
            arguments += ["--piece", "\(piece.index)/\(piece.count)"]
            if joinsPieces { arguments += ["--pieces", UnitNotes(plan: plan, id: header.id).pieces(of: piece)] }
        }
        return arguments + ["--"] + unit.films.map(\.name)
    }

    /// A command without the limits that others take the place of.
    private static func command(_ command: [String], without options: [String]) -> [String] {
        func limit(_ words: ArraySlice<String>) -> String? {
            guard let first = words.first else { return nil }
            let value = first == "--limit" ? words.dropFirst().first : nil
            let joined = first.hasPrefix("--limit=") ? String(first.dropFirst("--limit=".count)) : nil
            return (value ?? joined)?.split(separator: "=").first.map(String.init)
        }
        let replaced = Set(options.indices.compactMap { limit(options[$0...]) })
        var kept: [String] = []
        var index = 0
        while index < command.count {
            if let name = limit(command[index...]), replaced.contains(name) {
                index += command[index] == "--limit" ? 2 : 1
            } else {
                kept.append(command[index])
                index += 1
            }
        }
        return kept
    }

    /// The command that joins the pieces of a film; `nil` where nothing is to be joined.
    func joiningArguments(of unit: Unit, notesOf plan: String) -> [String]? {
        guard let piece = unit.piece, joinsPieces, piece.index == piece.count - 1 else { return nil }
        let pieces = [
            "--piece", "all/\(piece.count)", "--pieces", UnitNotes(plan: plan, id: header.id).pieces(of: piece),
        ]
        return header.command + pieces + ["--"] + unit.films.map(\.name)
    }

    /// Whether what is left of a film's shares is to be joined.
    var joinsPieces: Bool { header.command.first != "thumbs" }
}
