internal import AVToolCommands
internal import Foundation
internal import MediaFile
internal import MediaIsolation
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
        notes = UnitNotes(plan: path)
    }

    /// Prints the numbers of units that are to be done.
    func listMissing() -> Int32 {
        for unit in plan.units where (try? notes.receipt(of: unit.unit, in: plan)) == nil {
            Console.write(Array("\(unit.unit)\n".utf8))
        }
        return 0
    }

    /// Joins pieces and prints all lines.
    ///
    /// - Returns: The exit code: that of the first failure that a unit or a join met.
    func run() throws -> Int32 {
        let receipts = try checkedReceipts()
        var code: Int32 = 0
        for (unit, receipt) in zip(plan.units, receipts) {
            guard !signals.isRequested else { return 130 }
            if code == 0 { code = receipt.exitCode }
            guard unit.piece == nil || plan.joiningArguments(of: unit, notesOf: path) == nil else {
                let next = try join(unit)
                if code == 0 { code = next }
                continue
            }
            guard !isPiece(unit) else { continue }
            let (_, rows) = try notes.receipt(of: unit.unit, in: plan)
            for row in rows { Console.write(Array((row + "\n").utf8)) }
        }
        return code
    }

    /// Whether what the unit has made is joined with others.
    private func isPiece(_ unit: UnitPlan.Unit) -> Bool {
        guard let piece = unit.piece else { return false }
        return plan.joiningArguments(of: plan.units[piece.firstUnit + piece.count - 1], notesOf: path) != nil
    }

    /// What all units have noted, if nothing speaks against joining it.
    private func checkedReceipts() throws -> [UnitNotes.Receipt] {
        try checkPieces()
        var (missing, foreign, versions, lost): ([Int], [Int], [Int], [String]) = ([], [], [], [])
        var receipts: [UnitNotes.Receipt] = []
        for unit in plan.units {
            try plan.checkUnchanged(unit)
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
        if !versions.isEmpty {
            throw refusal(.otherVersion, versions, "done by another version")
        }
        if !foreign.isEmpty { throw refusal(.unitsMissing, foreign, "noted by another plan or unit") }
        if !missing.isEmpty { throw refusal(.unitsMissing, missing, "missing") }
        if let first = lost.first {
            throw Failure(
                .resultsChanged,
                "\(path): \(first)\(lost.count > 1 ? " and \(lost.count - 1) more" : "")"
                    + " is gone or has another size; 'avtool merge --missing' lists what to do again")
        }
        try checkNames(receipts)
        return receipts
    }

    private func refusal(_ name: FailureName, _ units: [Int], _ what: String) -> Failure {
        let list = UnitNumbers.text(of: units)
        let isOne = units.count == 1
        return Failure(
            name,
            "\(path): unit\(isOne ? "" : "s") \(list) of \(plan.units.count) \(isOne ? "is" : "are") \(what);"
                + " 'avtool unit \(path) \(list)' does \(isOne ? "it" : "them")")
    }

    /// Makes sure that the shares of each film are all of them, once each and in order.
    private func checkPieces() throws {
        for unit in plan.units {
            guard let piece = unit.piece else { continue }
            let units = piece.firstUnit..<(piece.firstUnit + piece.count)
            guard (0..<piece.count).contains(piece.index), unit.unit == piece.firstUnit + piece.index,
                units.upperBound <= plan.units.count,
                plan.units[units].allSatisfy({ $0.piece?.firstUnit == piece.firstUnit && $0.films == unit.films })
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
        return try InnerRun(options, signals, .console).run(
            arguments, firstFile: unit.firstFilm, of: plan.header.films, libraries: plan.header.libraries
        ).code
    }
}
