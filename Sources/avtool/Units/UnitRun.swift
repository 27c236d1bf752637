internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import Synchronization

/// Does units of a plan.
struct UnitRun {
    private let options: CommandLineOptions
    private let signals: SignalWatch
    private let path: String
    private let plan: UnitPlan
    private let notes: UnitNotes
    /// Options that decide how units are done, and not what comes of them.
    private let added: [String]

    init(_ options: CommandLineOptions, _ command: UnitCommand, _ signals: SignalWatch) throws {
        (self.options, path, self.signals) = (options, command.plan, signals)
        added = command.added
        plan = try UnitPlan(path: path)
        notes = UnitNotes(plan: path, id: plan.header.id)
    }

    /// Does some units, one after the other.
    ///
    /// - Returns: The exit code: that of the first unit that failed.
    func run(_ numbers: [UnitNumbers], _ begun: BegunWorker?) throws -> Int32 {
        let ranges = numbers.flatMap(\.ranges)
        if let last = ranges.map(\.upperBound).max(), last >= plan.count {
            throw Failure(.usage, "\(path): there is no unit \(last); the last one is \(plan.count - 1)")
        }
        var (code, begun): (Int32, BegunWorker?) = (0, begun)
        for number in ranges.joined() {
            guard !signals.isRequested else { return 130 }
            let next = try run(try plan.unit(number, of: path), begun)
            begun = nil
            if code == 0 || next == 130 { code = next }
        }
        return code
    }

    /// - Returns: The exit code of the command.
    private func run(_ unit: UnitPlan.Unit, _ begun: BegunWorker?) throws -> Int32 {
        if let (receipt, rows) = try? notes.receipt(of: unit.unit, in: plan) {
            begun?.end()
            rows.forEach(ResultRow.printAgain)
            return receipt.exitCode
        }
        do {
            try plan.checkUnchanged(unit)
        } catch {
            begun?.end()
            return try refuse(unit, error)
        }
        let work = try perform(unit, begun)
        // What may work another time, or when what stands in the way is gone, is not done.
        guard work.tally.isSettled,
            !work.told.contains(where: { $0.error?.code == FailureName.outputExists.rawValue })
        else { return work.tally.code }
        do {
            try plan.checkUnchanged(unit)
            try write(unit, work)
        } catch let error as Failure {
            return try refuse(unit, error)
        } catch let error as FileWriteError {
            return try refuse(unit, Failure(error))
        }
        return work.tally.code
    }

    /// What came of a unit's command.
    private struct Performance {
        let tally: RunTally
        let seconds: Double
        /// What it has printed, but for how far it had come, which is another each time.
        let rows: [String]
        /// What these tell, as far as they are of use here.
        let told: [ResultRow]
    }

    private func perform(_ unit: UnitPlan.Unit, _ begun: BegunWorker?) throws -> Performance {
        let printed = Mutex<[UInt8]>([])
        let listener = RunListener(
            output: { bytes in
                printed.withLock { $0 += bytes }
                Console.write(bytes)
            }, diagnostics: Console.error)
        let start = DispatchTime.now().uptimeNanoseconds
        let tally = try InnerRun(options, signals, listener).run(
            plan.arguments(of: unit, notesOf: path, adding: added), firstFile: unit.firstFilm, of: plan.header.films,
            libraries: plan.header.libraries, begun)
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
        let lines = printed.withLock { String(decoding: $0, as: UTF8.self) }.split(separator: "\n").map(String.init)
        let rows = lines.map { (line: $0, told: ResultRow($0)) }.filter { $0.told?.event != "progress" }
        return Performance(
            tally: tally, seconds: seconds, rows: rows.map(\.line), told: rows.compactMap(\.told))
    }

    private func write(_ unit: UnitPlan.Unit, _ work: Performance) throws {
        let receipt = UnitNotes.Receipt(
            format: UnitNotes.Receipt.format, version: UnitNotes.Receipt.version, plan: plan.header.id,
            unit: unit.unit, avtool: plan.header.avtool, libraries: work.tally.libraries,
            exitCode: work.tally.code, seconds: (work.seconds * 1000).rounded() / 1000,
            results: UnitNotes.Result.named(in: work.told), rows: work.rows.count,
            digest: UnitNotes.digest(of: work.rows))
        try notes.write(receipt, rows: work.rows)
    }

    /// Says why a unit is not done.
    private func refuse(_ unit: UnitPlan.Unit, _ failure: Failure) throws -> Int32 {
        Console.error("avtool: unit \(unit.unit): \(failure.message)")
        Console.write(Array((try JSONLine.text(JSONRefusal(failure, plan: path, unit: unit.unit)) + "\n").utf8))
        return failure.code.rawValue
    }
}

/// One run of a command on the films that its arguments name, for a unit.
struct InnerRun {
    private let options: CommandLineOptions
    private let signals: SignalWatch
    private let listener: RunListener

    init(_ options: CommandLineOptions, _ signals: SignalWatch, _ listener: RunListener) {
        (self.options, self.signals, self.listener) = (options, signals, listener)
    }

    /// - Parameters:
    ///   - firstFile: Which of all films its first one is, from 0.
    ///   - count: How many films there are in all.
    ///   - libraries: The versions of media libraries that are to do it; `nil` for any.
    func run(
        _ arguments: [String], firstFile: Int = 0, of count: Int = 0, libraries: [String]? = nil,
        _ begun: BegunWorker? = nil
    ) throws -> RunTally {
        let request = CommandRequest(arguments)
        if case .said(let text, _, let code) = request {
            begun?.end()
            throw Failure(
                code == 64 ? .usage : .invalidPlan,
                String(text.dropFirst("avtool: ".count)).trimmingCharacters(in: .newlines))
        }
        var batch = WorkBatch(arguments, request.plan())
        (batch.firstFile, batch.fileCount, batch.listener) = (firstFile, count, listener)
        (batch.libraries, batch.passesOverKept) = (libraries, false)
        var tally = try WorkRun(options, batch, signals, begun: begun).run()
        tally.files = batch.plan.files.count
        return tally
    }
}

/// Why a unit is not done, or units are not joined, as JSON has it.
struct JSONRefusal: Encodable {
    struct Reason: Encodable {
        let code: String
        let message: String
        let retry: String
    }

    let error: Reason
    let plan: String
    let unit: Int?

    init(_ failure: Failure, plan: String, unit: Int? = nil) {
        error = Reason(
            code: failure.name.rawValue, message: failure.message, retry: failure.name.retry.rawValue)
        (self.plan, self.unit) = (plan, unit)
    }
}
