internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import Synchronization

/// Joins what the units of a plan have made.
struct MergeRun {
    private let options: CommandLineOptions
    private let signals: SignalWatch
    private let path: String
    private let plan: UnitPlan
    private let notes: UnitNotes

    init(_ options: CommandLineOptions, plan path: String, _ signals: SignalWatch) throws {
        (self.options, self.path, self.signals) = (options, path, signals)
        plan = try UnitPlan(path: path)
        notes = UnitNotes(plan: path, id: plan.header.id)
    }

    /// Prints the numbers of units that are to be done.
    func listMissing() throws -> Int32 {
        for unit in try plan.units(of: path) where (try? notes.receipt(of: unit.unit, in: plan)) == nil {
            Console.write(Array("\(unit.unit)\n".utf8))
        }
        return 0
    }

    /// Joins pieces and prints all lines.
    ///
    /// - Returns: The exit code: that of the first failure that a unit or a join met.
    func run() throws -> Int32 {
        let units = try plan.units(of: path)
        let receipts = try checkedReceipts(of: units)
        var code: Int32 = 0
        for (unit, receipt) in zip(units, receipts) {
            guard !signals.isRequested else { return 130 }
            let next = try tell(unit, receipt, receipts)
            if code == 0 { code = next }
        }
        return code
    }

    /// Prints what a unit has said; of pieces, what comes of joining them, or why there is one of them only.
    ///
    /// - Returns: The exit code of that.
    private func tell(
        _ unit: UnitPlan.Unit, _ receipt: UnitNotes.Receipt, _ receipts: [UnitNotes.Receipt]
    ) throws -> Int32 {
        if let piece = unit.piece, plan.joinsPieces {
            guard piece.index == piece.count - 1 else { return 0 }
            let pieces = receipts[piece.firstUnit..<(piece.firstUnit + piece.count)]
            guard let failed = pieces.first(where: { $0.exitCode != 0 }) else { return try join(unit) }
            try printRows(of: failed.unit)
            return failed.exitCode
        }
        try printRows(of: unit.unit)
        return receipt.exitCode
    }

    private func printRows(of unit: Int) throws {
        try notes.receipt(of: unit, in: plan).rows.forEach(ResultRow.printAgain)
    }

    /// What all units have noted, if nothing speaks against joining it.
    private func checkedReceipts(of units: [UnitPlan.Unit]) throws -> [UnitNotes.Receipt] {
        try checkPieces(of: units)
        var (missing, foreign, versions, lost): ([Int], [Int], [Int], [String]) = ([], [], [], [])
        var receipts: [UnitNotes.Receipt] = []
        var films = Set(plan.header.inputs)
        try UnitPlan.checkUnchanged(films)
        for unit in units {
            // The units of a film in pieces have it all.
            try UnitPlan.checkUnchanged(unit.films.filter { films.insert($0).inserted })
            do {
                receipts.append(try notes.receipt(of: unit.unit, in: plan).0)
            } catch {
                switch error {
                case .missing: missing.append(unit.unit)
                case .foreign: foreign.append(unit.unit)
                case .otherVersion: versions.append(unit.unit)
                case .changed(let name): lost.append("\(name.withVisiblePathBytes) of unit \(unit.unit)")
                }
            }
        }
        if !versions.isEmpty { throw refusal(.otherVersion, versions, "done by another version") }
        if !foreign.isEmpty { throw refusal(.unitsMissing, foreign, "noted by another plan or unit") }
        if !missing.isEmpty { throw refusal(.unitsMissing, missing, "missing") }
        if let first = lost.first {
            throw Failure(
                .resultsChanged,
                "\(path): \(first)\(lost.count > 1 ? " and \(lost.count - 1) more" : "")"
                    + " is gone or has another size; 'avtool merge --missing' lists what to do again")
        }
        try checkNames(receipts)
        if plan.joinsPieces { try checkContents(of: units, receipts) }
        return receipts
    }

    /// Reads all pieces, so that none is joined before it is certain that all can be.
    private func checkContents(of units: [UnitPlan.Unit], _ receipts: [UnitNotes.Receipt]) throws {
        for (unit, receipt) in zip(units, receipts) where unit.piece != nil && receipt.exitCode == 0 {
            for result in receipt.results {
                do {
                    try PieceReader.check(result.name)
                } catch {
                    throw Failure(
                        .invalidPiece,
                        "\(error.path.withVisiblePathBytes): \(error.reason); remove it, and do unit \(unit.unit) again"
                    )
                }
            }
        }
    }

    private func refusal(_ name: FailureName, _ units: [Int], _ what: String) -> Failure {
        let list = UnitNumbers.text(of: units)
        let isOne = units.count == 1
        return Failure(
            name,
            "\(path): unit\(isOne ? "" : "s") \(list) of \(plan.count) \(isOne ? "is" : "are") \(what);"
                + " 'avtool unit \(path) \(list)' does \(isOne ? "it" : "them")")
    }

    /// Makes sure that the shares of each film are all of them, once each and in order.
    private func checkPieces(of units: [UnitPlan.Unit]) throws {
        for unit in units {
            guard let piece = unit.piece else { continue }
            let end = piece.firstUnit + piece.count
            guard unit.unit == piece.firstUnit + piece.index, end <= units.count,
                units[piece.firstUnit..<end].allSatisfy({
                    $0.piece?.firstUnit == piece.firstUnit && $0.films == unit.films
                })
            else { throw Failure(.invalidPlan, "\(path): unit \(unit.unit) has a gap or an overlap beside it") }
        }
    }

    /// Makes sure that no two units say that they have made the same.
    private func checkNames(_ receipts: [UnitNotes.Receipt]) throws {
        if let first = receipts.first, let other = receipts.first(where: { $0.libraries != first.libraries }) {
            throw refusal(.otherVersion, [other.unit], "done by other media libraries than unit \(first.unit)")
        }
        var owners: [String: Int] = [:]
        for receipt in receipts {
            for result in receipt.results {
                guard let other = owners.updateValue(receipt.unit, forKey: result.name) else { continue }
                throw Failure(
                    .nameTaken,
                    "\(path): units \(other) and \(receipt.unit) both made \(result.name.withVisiblePathBytes)")
            }
        }
    }

    private func join(_ unit: UnitPlan.Unit) throws -> Int32 {
        guard let arguments = plan.joiningArguments(of: unit, notesOf: path) else { return 0 }
        return try InnerRun(options, signals, .withoutProgress).run(
            arguments, firstFile: unit.firstFilm, of: plan.header.films, libraries: plan.header.libraries
        ).code
    }
}

extension RunListener {
    /// Leaves out how far an export has come, which is another each time.
    fileprivate static let withoutProgress = RunListener(
        output: { bytes in
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
            for line in lines where ResultRow(line)?.event != "progress" { Console.write(Array((line + "\n").utf8)) }
        }, diagnostics: Console.error)
}

/// A line of what a command prints with `--json`, as far as it tells of results.
struct ResultRow: Decodable {
    struct Reason: Decodable {
        let code: String
        let message: String
    }

    let source: String?
    let file: String?
    let files: [String]?
    let folder: String?
    let event: String?
    let error: Reason?

    init?(_ row: String) {
        guard let row = try? JSONDecoder().decode(ResultRow.self, from: Data(row.utf8)) else { return nil }
        self = row
    }

    /// Prints a line that was noted, with its error on standard error, as the run that wrote it did.
    static func printAgain(_ row: String) {
        if let told = ResultRow(row), let error = told.error {
            Console.error("avtool: \(told.source.map { $0 + ": " } ?? "")\(error.message)")
        }
        Console.write(Array((row + "\n").utf8))
    }

    /// What an export says before it begins is no result.
    var names: [String] {
        event == "plan" || event == "progress" ? [] : [file, folder].compactMap { $0 } + (files ?? [])
    }
}
