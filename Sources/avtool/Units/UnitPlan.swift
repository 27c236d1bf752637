internal import AVToolCommands
internal import Foundation
internal import MediaAlgorithms
internal import MediaFile
internal import MediaText

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

        /// Whether it is now what it was then.
        var isUnchanged: Bool { Film(name) == self }
    }

    /// One of several shares of the work on a film.
    struct Piece: Codable, Hashable {
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
        let piece: Piece?
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
    let units: [Unit]

    /// Makes a plan of units.
    init(
        command: [String], libraries: [String]?, inputs: [Film], units: [Unit], films: Int
    ) throws {
        var header = Header(
            format: Header.format, version: Header.version, avtool: AVTool.version, libraries: libraries,
            command: command, inputs: inputs, units: units.count, films: films, id: "")
        header.id = try Self.digest(of: header, units.map(Self.line))
        (self.header, self.units) = (header, units)
    }

    /// Reads a plan, and makes sure that it is as it was written.
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
        var units: [Unit] = []
        for (index, line) in lines.dropFirst().enumerated() {
            guard let unit = try? JSONDecoder().decode(Unit.self, from: line) else {
                throw Failure(.invalidPlan, "\(path): line \(index + 2) is no unit")
            }
            guard unit.unit == index else {
                let isDouble = unit.unit < index && units.contains { $0.unit == unit.unit }
                throw Failure(
                    .invalidPlan,
                    "\(path): line \(index + 2) is unit \(unit.unit), "
                        + (isDouble ? "which is there twice" : "where unit \(index) belongs"))
            }
            units.append(unit)
        }
        guard units.count == header.units else {
            throw Failure(.invalidPlan, "\(path): there are \(units.count) units, not \(header.units)")
        }
        let digest = try? Self.digest(of: header, lines.dropFirst().map { String(decoding: $0, as: UTF8.self) })
        guard digest == header.id else { throw Failure(.invalidPlan, "\(path): it was changed after it was made") }
        (self.header, self.units) = (header, units)
    }

    /// The lines of the plan's text.
    func text() throws -> String { try ([Self.line(header)] + units.map(Self.line)).joined(separator: "\n") + "\n" }

    /// Bytes of a plan, which is held in memory: millions of films.
    private static let maximumByteCount = 1 << 31

    private static func lines(of path: String) throws(Failure) -> [Data] {
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
    private static func line(_ value: any Encodable) throws -> String {
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
    func checkUnchanged(_ unit: Unit) throws(Failure) {
        for film in header.inputs + unit.films where !film.isUnchanged {
            throw Failure(.sourceChanged, "\(film.name.withVisiblePathBytes): it changed after the plan was made")
        }
    }

    /// The command that does a unit.
    func arguments(of unit: Unit, notesOf plan: String) -> [String] {
        var arguments = header.command
        if let piece = unit.piece {
            arguments += ["--piece", "\(piece.index)/\(piece.count)"]
            if takesPieces { arguments += ["--pieces", UnitNotes(plan: plan).pieces(of: piece)] }
        }
        return arguments + ["--"] + unit.films.map(\.name)
    }

    /// The command that joins the pieces of a film; `nil` where nothing is to be joined.
    func joiningArguments(of unit: Unit, notesOf plan: String) -> [String]? {
        guard let piece = unit.piece, takesPieces, piece.index == piece.count - 1 else { return nil }
        let pieces = ["--piece", "all/\(piece.count)", "--pieces", UnitNotes(plan: plan).pieces(of: piece)]
        return header.command + pieces + ["--"] + unit.films.map(\.name)
    }

    /// Whether what is left of a film's shares is to be joined.
    private var takesPieces: Bool { header.command.first != "thumbs" }
}
