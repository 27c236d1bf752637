internal import AVToolCommands
internal import Foundation
internal import MediaCore
internal import MediaIO

/// What units have made, noted beside their plan in `PLAN.units/`: a file of lines of JSON for each, and folders for pieces
/// of films.
struct UnitNotes {
    /// What a unit has made, and how.
    struct Receipt: Codable {
        let format: String
        let version: Int
        /// The plan's own digest.
        let plan: String
        let unit: Int
        let avtool: String
        let libraries: [String]
        let exitCode: Int32
        /// Seconds by the clock.
        let seconds: Double
        let results: [Result]
        /// How many lines follow, which are what the command printed, and a digest of them.
        let rows: Int
        let digest: String

        static let format = "avtool-unit"
        static let version = 1
    }

    /// A file or folder that a unit has made.
    struct Result: Codable, Hashable {
        let name: String
        let byteCount: UInt64
        /// How many files there are in a folder; 0 for a file.
        let fileCount: Int

        /// `nil` if there is none.
        init?(_ name: String) {
            guard let extent = ResultExtent(of: name) else { return nil }
            (self.name, byteCount, fileCount) = (name, extent.byteCount, extent.fileCount)
        }

        /// Whether it is still there, with its size.
        var isThere: Bool { Result(name) == self }
    }

    /// Why what is noted of a unit does not count.
    enum Lack: Error {
        /// There is nothing, or nothing that can be understood.
        case missing
        /// It is of another plan or unit.
        case foreign
        /// What made it was of another version.
        case otherVersion
        /// A result is gone or changed.
        case changed(String)
    }

    private let folder: String
    private let id: String

    /// - Parameters:
    ///   - path: The plan's name.
    ///   - id: The plan's digest.
    init(plan path: String, id: String) { (folder, self.id) = (path + ".units", id) }

    /// The folder for the pieces of a film, which another plan of that name has elsewhere.
    func pieces(of piece: UnitPlan.Chunk) -> String {
        "\(folder(of: piece.firstUnit))/\(piece.firstUnit)-\(id.prefix(8)).pieces"
    }

    private func path(of unit: Int) -> String { "\(folder(of: unit))/\(unit).jsonl" }

    /// A thousand units share a folder.
    private func folder(of unit: Int) -> String { "\(folder)/\(unit / 1000)" }

    /// What a unit has made, and what it said.
    func receipt(of unit: Int, in plan: UnitPlan) throws(Lack) -> (Receipt, rows: [String]) {
        // Nothing but a regular file: others may have nobody at their other end.
        guard let file = RandomAccessFile(path: path(of: unit)), file.byteCount <= Self.maximumByteCount
        else { throw .missing }
        let bytes = file.read(at: 0, count: Int(file.byteCount))
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        guard let first = lines.first, let receipt = try? JSONDecoder().decode(Receipt.self, from: Data(first)),
            receipt.format == Receipt.format
        else { throw .missing }
        let rows = lines.dropFirst().map { String(decoding: $0, as: UTF8.self) }
        guard receipt.rows == rows.count, receipt.digest == Self.digest(of: rows) else { throw .missing }
        guard receipt.plan == plan.header.id, receipt.unit == unit else { throw .foreign }
        guard receipt.version == Receipt.version, receipt.avtool == plan.header.avtool,
            plan.header.libraries ?? receipt.libraries == receipt.libraries
        else { throw .otherVersion }
        if let lost = receipt.results.first(where: { !$0.isThere }) { throw .changed(lost.name) }
        return (receipt, rows)
    }

    /// Bytes of what one unit has said, which is held in memory.
    private static let maximumByteCount: UInt64 = 1 << 31

    /// What tells the lines of a receipt from others.
    static func digest(of rows: [String]) -> String {
        FowlerNollVo.digest64(ofWordsIn: Array(rows.map { $0 + "\n" }.joined().utf8)).zeroPadded(to: 16, radix: 16)
    }

    /// Notes what a unit has made.
    ///
    /// - Throws: `FileWriteError`.
    func write(_ receipt: Receipt, rows: [String]) throws {
        let text = ([try UnitPlan.line(receipt)] + rows).joined(separator: "\n") + "\n"
        let files = RunFiles()
        let place = try files.output(path(of: receipt.unit), replaces: true, makesFolder: true)
        try AtomicFile.write(Data(text.utf8), to: place)
    }
}

extension UnitNotes.Result {
    /// The results that lines tell of.
    static func named(in rows: [ResultRow]) -> [UnitNotes.Result] {
        rows.flatMap(\.names).compactMap { UnitNotes.Result($0.withHiddenPathBytes) }
    }
}
