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
        var facts: [FilmFacts?]?
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
    private func add(_ group: [Int], _ facts: [FilmFacts?], to division: inout UnitDivision) throws {
        let wanted = try command.unitCost?.time().seconds ?? Self.usualCost
        var cost = UnitCost(coreSeconds: 0, memory: 0)
        for film in group { cost = cost + (facts[film] ?? FilmFacts()).cost(of: planned.command) }
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
    private func tellOfWhole(_ facts: FilmFacts, _ film: String, _ cost: UnitCost, _ wanted: Double) {
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
            let piece = UnitPlan.Piece(index: index, count: count, firstUnit: first)
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
        unitOf films: [Int], _ versions: [UnitPlan.Film], _ piece: UnitPlan.Piece?, _ cost: UnitCost?
    ) {
        let names = films.flatMap { planned.grants[$0].results.map { $0.literals.joined(separator: "*") } }
        units.append(
            UnitPlan.Unit(
                unit: units.count, firstFilm: films[0], films: versions, piece: piece, results: names,
                cost: cost?.rounded))
    }
}
