internal import AVToolCommands
internal import Foundation
internal import MediaFile
internal import MediaIsolation
internal import Synchronization

/// Does units of a plan.
struct UnitRun {
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

    /// Does some units, one after the other.
    ///
    /// - Returns: The exit code: that of the first unit that failed.
    func run(_ numbers: [UnitNumbers], _ begun: BegunWorker?) throws -> Int32 {
        let ranges = numbers.flatMap(\.ranges)
        if let last = ranges.map(\.upperBound).max(), last >= plan.units.count {
            throw Failure(.usage, "\(path): there is no unit \(last); the last one is \(plan.units.count - 1)")
        }
        var (code, begun): (Int32, BegunWorker?) = (0, begun)
        for number in ranges.joined() {
            guard !signals.isRequested else { return 130 }
            let next = try run(plan.units[number], begun)
            begun = nil
            if code == 0 || next == 130 { code = next }
        }
        return code
    }

    /// - Returns: The exit code of the command.
    private func run(_ unit: UnitPlan.Unit, _ begun: BegunWorker?) throws -> Int32 {
        if let (receipt, rows) = try? notes.receipt(of: unit.unit, in: plan) {
            begun?.end()
            rows.forEach(Self.print)
            return receipt.exitCode
        }
        do {
            try plan.checkUnchanged(unit)
        } catch {
            begun?.end()
            Console.error("avtool: unit \(unit.unit): \(error.message)")
            return error.code.rawValue
        }
        let rows = Mutex<[UInt8]>([])
        let listener = RunListener(
            output: { bytes in
                rows.withLock { $0 += bytes }
                Console.write(bytes)
            }, diagnostics: Console.error)
        let run = InnerRun(options, signals, listener)
        let start = DispatchTime.now().uptimeNanoseconds
        let tally = try run.run(
            plan.arguments(of: unit, notesOf: path), firstFile: unit.firstFilm, of: plan.header.films,
            libraries: plan.header.libraries, begun)
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
        // What may work another time is not done.
        guard tally.isSettled else { return tally.code }
        do {
            try plan.checkUnchanged(unit)
        } catch {
            Console.error("avtool: unit \(unit.unit): \(error.message)")
            return error.code.rawValue
        }
        let lines = rows.withLock { String(decoding: $0, as: UTF8.self) }.split(separator: "\n").map(String.init)
        let made = UnitNotes.Result.named(in: lines)
        try notes.write(
            UnitNotes.Receipt(
                format: UnitNotes.Receipt.format, version: UnitNotes.Receipt.version, plan: plan.header.id,
                unit: unit.unit, avtool: plan.header.avtool, libraries: tally.libraries, exitCode: tally.code,
                seconds: (seconds * 1000).rounded() / 1000, results: made, rows: lines.count), rows: lines)
        return tally.code
    }

    private static func print(_ row: String) { Console.write(Array((row + "\n").utf8)) }
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
            throw Failure(code == 64 ? .usage : .invalidPlan, String(text.dropFirst("avtool: ".count)))
        }
        var batch = WorkBatch(arguments, request.plan())
        (batch.firstFile, batch.fileCount, batch.listener) = (firstFile, count, listener)
        (batch.libraries, batch.passesOverKept) = (libraries, false)
        var tally = try WorkRun(options, batch, signals, begun: begun).run()
        tally.files = batch.plan.files.count
        return tally
    }
}
