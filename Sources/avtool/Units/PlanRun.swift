internal import AVToolCommands
internal import Foundation
internal import MediaCore
internal import MediaIO

/// Divides the work of a command into units.
struct PlanRun {
    private let options: CommandLineOptions
    private let command: PlanCommand
    private let signals: SignalWatch
    private let planned: PlannedCommand

    private static let usualCost = 300.0
    /// Seconds that nobody minds waiting for.
    private static let shortUnit = 60.0
    /// Films in a unit at most.
    private static let maximumFilms = 4096

    init(_ options: CommandLineOptions, _ command: PlanCommand, _ signals: SignalWatch) throws {
        (self.options, self.command, self.signals) = (options, command, signals)
        planned = try PlannedCommand(command.command)
    }

    /// Writes the plan.
    func run(_ begun: BegunWorker?) throws -> Int32 {
        var facts: [CostFactors?]?
        var libraries: [String]?
        if command.filesPerUnit == nil {
            let found = try FilmLook(options, planned, signals).facts(begun)
            (facts, libraries) = (found.facts, found.libraries)
        } else {
            begun?.end()
        }
        var division = UnitDivision(planned, atMost: command.filesPerUnit ?? Self.maximumFilms)
        for group in division.groups() {
            guard !signals.isRequested else { throw Failure(.cancelled, "interrupted") }
            guard let facts else {
                division.add(group, cost: nil)
                continue
            }
            try add(group, facts, to: &division)
        }
        division.endUnit()
        let plan = try UnitPlan(
            command: planned.unitArguments, libraries: libraries, inputs: planned.inputs.map { UnitPlan.Film($0) },
            units: division.units, films: planned.films.count)
        try write(plan)
        return 0
    }

    /// Adds films that belong together, or one in pieces where it costs more than a unit is to.
    private func add(_ group: [Int], _ facts: [CostFactors?], to division: inout UnitDivision) throws {
        let wanted = try command.unitCost?.time().seconds ?? Self.usualCost
        var cost = UnitCost(coreSeconds: 0, memory: 0)
        for film in group { cost = cost + (facts[film] ?? CostFactors()).cost(of: planned.command) }
        guard group.count == 1, cost.coreSeconds > wanted, let film = facts[group[0]] else {
            division.add(group, cost: cost, atMost: wanted)
            return
        }
        let count = min(
            film.mostPieces(of: planned.command),
            Int(min(Double(WorkPiece.maximumCount), (cost.coreSeconds / wanted).rounded(.up))))
        guard count > 1 else {
            division.add(group, cost: cost, atMost: wanted)
            tellOfWhole(film, planned.films[group[0]], cost, wanted)
            return
        }
        division.add(group[0], inPieces: count, cost: cost)
    }

    /// Says that a film makes a unit that takes far longer than others.
    private func tellOfWhole(_ facts: CostFactors, _ film: String, _ cost: UnitCost, _ wanted: Double) {
        guard cost.coreSeconds > max(wanted * 2, Self.shortUnit) else { return }
        let hint =
            planned.command is ExportCommand && facts.segments == 1
            ? "; --segment-length lets an export of constant quality be divided" : ""
        let name = film.withVisiblePathBytes.printable()
        Console.error("avtool: \(name): one unit of about \(Int(cost.coreSeconds)) s of processor time\(hint)")
    }

    private func write(_ plan: UnitPlan) throws {
        let text = try plan.text()
        guard let output = command.output, output != "-" else { return Console.write(Array(text.utf8)) }
        let files = RunFiles(reading: planned.films + planned.inputs, playsPlaylists: false)
        do {
            let place = try files.output(output, replaces: command.force)
            try AtomicFile.write(Data(text.utf8), to: place)
        } catch {
            throw Failure(error)
        }
    }
}

/// Films on their way into units.
struct UnitDivision {
    private(set) var units: [UnitPlan.Unit] = []
    private let planned: PlannedCommand
    private let maximumFilms: Int
    private var films: [Int] = []
    private var cost: UnitCost?

    init(_ planned: PlannedCommand, atMost maximumFilms: Int) {
        (self.planned, self.maximumFilms) = (planned, maximumFilms)
    }

    /// The films that have to be in one unit, because results of theirs may have one name: it has to be the first one's.
    func groups() -> [[Int]] {
        let order = ResultOrder(of: planned.films.indices.map { $0..<($0 + 1) }, planned.grants)
        var first = Array(planned.films.indices)
        for (film, before) in order.before.enumerated() { first[film] = before.map { first[$0] }.min() ?? film }
        return Dictionary(grouping: planned.films.indices) { first[$0] }.values.sorted { $0[0] < $1[0] }
    }

    /// Adds films to the unit that is being filled, or to another one where that would cost too much.
    mutating func add(_ group: [Int], cost: UnitCost?, atMost wanted: Double = .infinity) {
        let total = (self.cost?.coreSeconds ?? 0) + (cost?.coreSeconds ?? 0)
        if !films.isEmpty, total > wanted || films.count + group.count > maximumFilms { endUnit() }
        films += group
        if let cost { self.cost = (self.cost ?? UnitCost(coreSeconds: 0, memory: 0)) + cost }
    }

    /// Adds a film whose work is shared among units.
    mutating func add(_ film: Int, inPieces count: Int, cost: UnitCost) {
        endUnit()
        let first = units.count
        let version = [UnitPlan.Film(planned.films[film])]
        for index in 0..<count {
            let piece = UnitPlan.Chunk(index: index, count: count, firstUnit: first)
            add(unitOf: [film], version, piece, cost.share(of: count))
        }
    }

    /// Nothing more goes into the unit that is being filled.
    mutating func endUnit() {
        guard !films.isEmpty else { return }
        add(unitOf: films, films.map { UnitPlan.Film(planned.films[$0]) }, nil, cost)
        (films, cost) = ([], nil)
    }

    private mutating func add(
        unitOf films: [Int], _ versions: [UnitPlan.Film], _ piece: UnitPlan.Chunk?, _ cost: UnitCost?
    ) {
        let names = films.flatMap { planned.grants[$0].results.map { $0.literals.joined(separator: "*") } }
        units.append(
            UnitPlan.Unit(
                unit: units.count, firstFilm: films[0], films: versions, piece: piece, results: names,
                cost: cost?.rounded))
    }
}

/// A command whose work is to be divided: what it says, apart from the films that it names.
struct PlannedCommand {
    /// Without films, and without what a unit says itself.
    let arguments: [String]
    let command: any SeveralFilesCommand
    let films: [String]
    /// What the work on each film may do.
    let grants: [FileGrants]
    /// What is read beside the films.
    let inputs: [String]

    /// Options that say where names come from, or that make no difference to what is made, with whether a value follows.
    private static let dropped = [
        "--files-from": true, "--shard": true, "--null": false, "-0": false, "--summary": false, "--json": false,
        "--resume": false,
    ]

    /// - Throws: A failure for a command that cannot be divided.
    init(_ arguments: [String]) throws {
        let request = CommandRequest(arguments)
        if case .said(let text, _, let code) = request {
            guard code == 64 else {
                throw Failure(.usage, "'\(arguments.first ?? "")' is no command whose work can be divided")
            }
            throw Failure(.usage, Self.words(text))
        }
        guard case .perFile(let command as any SeveralFilesCommand) = request else {
            throw Failure(.usage, "'\(arguments.first ?? "")' is no command whose work can be divided")
        }
        films = try Self.films(of: command)
        let plan = request.plan()
        grants = command.several.filesFrom == nil ? plan.grants : films.map { command.grants(for: $0) }
        (self.command, inputs) = (command, plan.otherInputs)
        self.arguments = try Self.withoutFilms(arguments, command)
        try check(plan)
    }

    private static func films(of command: any SeveralFilesCommand) throws -> [String] {
        guard let list = command.several.filesFrom else { return command.files }
        guard command.named.isEmpty else {
            throw Failure(.usage, "Give the files by --files-from or as arguments, not both; --help says more")
        }
        let end = command.several.endsWithNull ? 0 : UInt8(ascii: "\n")
        return command.several.selected(try FileList.names(in: list, endedBy: end))
    }

    private func check(_ plan: WorkPlan) throws {
        let name = arguments.first ?? ""
        guard !films.isEmpty else { throw Failure(.usage, "there is no film") }
        guard !grants.contains(where: { !$0.changeable.isEmpty }) else {
            throw Failure(.usage, "'\(name)' changes files in place, which is not done twice; make new ones with -o")
        }
        guard plan.settings != nil,
            !films.contains(where: { $0 == SourceFile.standardInput || $0.contains("://") || OutputPlace.isStream($0) })
        else { throw Failure(.usage, "a plan takes films that are files, and name no others") }
        for option in ["--force", "--dry-run", "--if-newer", "--piece"] where has(option) {
            throw Failure(.usage, "\(option) does not go with a plan, whose results stay where they are complete")
        }
        guard
            !grants.contains(where: { $0.results.contains { $0.literals == ["-"] || $0.literals == ["/dev/stdout"] } })
        else { throw Failure(.usage, "-o - does not go with a plan, whose results are files") }
        // What is a folder has a second rule, for names in it.
        let names = Set(grants.map(\.results))
        if films.count > 1, let rules = names.first, names.count == 1, rules.count == 1, rules[0].literals.count == 1 {
            throw Failure(.usage, "several files need {name} in the name, or a folder that is there")
        }
        if case .said(let text, _, _) = CommandRequest(unitArguments + ["--", films[0]]) {
            throw Failure(.usage, "a unit would not be understood: " + Self.words(text))
        }
    }

    /// What is said of a mistake.
    private static func words(_ text: String) -> String {
        String(text.drop { $0 != ":" }.dropFirst(2)).trimmingCharacters(in: .newlines)
    }

    private func has(_ option: String) -> Bool {
        arguments.prefix { $0 != "--" }.contains { $0 == option || $0.hasPrefix(option + "=") }
    }

    /// The command that does a unit, without its films: with results in lines of JSON, and left alone where they are there.
    var unitArguments: [String] {
        let makesFiles =
            grants.contains { !$0.results.isEmpty }
            && CommandRequest(arguments + ["--resume", "--", "x"]).command != nil
        return arguments + ["--json"] + (makesFiles ? ["--resume"] : [])
    }

    /// Takes away the films, and the options of a unit's own; makes sure that the rest says the same.
    private static func withoutFilms(_ all: [String], _ command: any SeveralFilesCommand) throws -> [String] {
        var rest = all
        // Names come last as a rule; a value of an option that looks like one stands before them.
        for name in command.named.reversed() {
            guard let place = rest.lastIndex(of: name) else { continue }
            rest.remove(at: place)
        }
        if rest.last == "--" { rest.removeLast() }
        var kept: [String] = []
        var index = 0
        while index < rest.count {
            let argument = rest[index]
            let option = argument.split(separator: "=", maxSplits: 1).first.map(String.init) ?? argument
            if let takesValue = dropped[option] {
                index += takesValue && option == argument ? 2 : 1
            } else {
                kept.append(argument)
                index += 1
            }
        }
        let again = CommandRequest(kept + ["--"] + (command.named.isEmpty ? ["x"] : command.named))
        guard case .perFile(let other as any SeveralFilesCommand) = again, other.several.filesFrom == nil,
            command.named.isEmpty || other.named == command.named,
            CommandSettings(of: other).texts == CommandSettings(of: command).texts
        else { throw Failure(.usage, "write -- before the films, so that they cannot be taken for anything else") }
        return kept
    }
}
