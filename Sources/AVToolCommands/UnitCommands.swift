package import ArgumentParser

/// `avtool plan`: the work of a command, divided into units.
package struct PlanCommand: ParsableCommand, Sendable {
    package static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Divide the work of a command on many files, or on long ones, into units that any machine can do.",
        usage: "avtool plan [<options>] <command> ...",
        discussion: """
            A plan is a text of lines of JSON: what is to be done, and for each unit its films, the film's versions, what its results \
            are called, and what it is held to cost. 'avtool unit' does one, 'avtool merge' joins what they made; \
            docs/plan-format.md tells more.

            Small films share a unit. The stills, storyboard, sheet or export of a long one are shared among several: an export \
            where its pictures are encoded in segments, for which --segment-length may have to be given. \
            Whatever is divided, the results are those of the command on one machine.

            Names are those that units are to find the films by: relative ones count from where 'avtool unit' is run. A plan says what \
            'avtool unit' does, so run no plan of a stranger.

            Examples:
              avtool plan -o stills.plan thumbs --every 10s -o stills/ *.mp4
              avtool plan -o film.plan --unit-cost 10m export --preset webm-vp9 film.mkv
              seq 0 41 | parallel avtool unit stills.plan {} ; avtool merge stills.plan
            """)

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp("Write the plan to this file; to standard output if not given.", valueName: "plan"))
    package var output: String?

    @Flag(help: "Replace an existing plan.")
    package var force = false

    @Option(
        help: ArgumentHelp(
            "How much processor time a unit is to take, more or less; 5m if not given.", valueName: "duration"))
    package var unitCost: Written<Length>?

    @Option(
        help: ArgumentHelp(
            "Give each unit so many films, whatever they cost: none is looked at, and none divided.", valueName: "n"))
    package var filesPerUnit: Int?

    @Argument(
        parsing: .captureForPassthrough,
        help: ArgumentHelp("The command, with its options and files.", valueName: "command"))
    package var command: [String] = []

    static let filesPerUnitRange = 1...4096

    package func validate() throws {
        guard let first = command.first else { throw ValidationError("No command was given.") }
        // What is passed on as it stands takes this command's own help with it.
        if ["-h", "--help"].contains(first) { throw CleanExit.helpRequest(self) }
        guard !first.hasPrefix("-") else { throw ValidationError("Unknown option '\(first)'.") }
        try unitCost?.validate(aboveZero: "--unit-cost")
        guard unitCost == nil || filesPerUnit == nil else {
            throw ValidationError("Give one of --unit-cost and --files-per-unit.")
        }
        if let filesPerUnit, !Self.filesPerUnitRange.contains(filesPerUnit) {
            throw ValidationError(
                "--files-per-unit takes \(Self.filesPerUnitRange.lowerBound) to \(Self.filesPerUnitRange.upperBound).")
        }
    }

    package init() {}
}

/// `avtool unit`: some units of a plan.
package struct UnitCommand: ParsableCommand, Sendable {
    package static let configuration = CommandConfiguration(
        commandName: "unit",
        abstract: "Do units of a plan.",
        usage: "avtool unit [<options>] <plan> <units> ...",
        discussion: """
            What a unit has made is noted in PLAN.units/ when all of it is there, failures of films included. A unit that is done is not \
            done again; one that was interrupted goes on; two of one number at the same time make the same. Nothing is \
            done with a film that changed since the plan was made, nor by another version of avtool.

            Prints what the command prints with --json. The exit code is the command's own.

            Examples:
              avtool unit stills.plan 12
              avtool unit stills.plan 0-9,15
              SLURM_ARRAY_TASK_ID=3 avtool unit stills.plan auto
            """)

    @Option(help: ArgumentHelp("Work on so many films of a unit at a time.", valueName: "n"))
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            "Let a film ask for this much at most, in place of what the plan's command says; may be given several times.",
            valueName: "name=value"))
    var limit: [String] = []

    /// What is added to the plan's command.
    package var added: [String] {
        (jobs.map { ["--jobs", "\($0)"] } ?? []) + limit.flatMap { ["--limit", $0] }
    }

    @Argument(help: ArgumentHelp("The plan.", valueName: "plan"), completion: .file())
    package var plan: String

    @Argument(
        help: ArgumentHelp(
            """
            Numbers of units, from 0: 3, 0-9, 2,5-7; or auto, for SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX or \
            AWS_BATCH_JOB_ARRAY_INDEX.
            """, valueName: "units"))
    package var units: [UnitNumbers]

    package init() {}
}

/// `avtool merge`: what the units of a plan have made, as one.
package struct MergeCommand: ParsableCommand, Sendable {
    package static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Join what the units of a plan have made, if nothing is missing.",
        usage: "avtool merge [<options>] <plan>",
        discussion: """
            Joins the pieces of films that were shared among units, and prints what the command prints with --json, in the units' order. \
            Refuses a plan with units that are missing or there twice, were done by another version, whose results are gone or \
            have another size, or whose films changed, and names them.

            PLAN.units/ is of no more use afterwards.

            Examples:
              avtool merge stills.plan > stills.jsonl
              avtool merge --missing stills.plan | xargs -r avtool unit stills.plan
            """)

    @Flag(help: "Only print the numbers of the units that are missing, a line each, for 'avtool unit'.")
    package var missing = false

    @Argument(help: ArgumentHelp("The plan.", valueName: "plan"), completion: .file())
    package var plan: String

    package init() {}
}

/// What a command line asks for that divides work, does a part of it, or joins the parts.
package enum UnitsRequest: Sendable {
    case plan(PlanCommand)
    case unit(UnitCommand)
    case merge(MergeCommand)
}

/// Numbers of units, from 0.
package struct UnitNumbers: ExpressibleByArgument, Hashable, Sendable {
    /// In the order in which they were given.
    package let ranges: [ClosedRange<Int>]

    package init?(argument: String) {
        var ranges: [ClosedRange<Int>] = []
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Self.number($0) }
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1], first <= last
            else { return nil }
            ranges.append(first...last)
        }
        self.ranges = ranges
    }

    /// The numbers as a list that can be given to a command, in ascending order.
    package static func text(of numbers: [Int]) -> String {
        var ranges: [ClosedRange<Int>] = []
        for number in numbers.sorted() {
            if let last = ranges.last, last.upperBound + 1 == number {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
        return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: ",")
    }

    package var defaultValueDescription: String {
        ranges.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}

/// A share of the work on one film.
package struct WorkPiece: ExpressibleByArgument, Hashable, Sendable {
    /// Which one, from 0; `nil` for what joins them all.
    package let index: Int?
    /// How many there are.
    package let count: Int

    /// Shares of one film: a plan has a line for each.
    package static let maximumCount = 100_000

    /// One of several.
    package init(_ index: Int, of count: Int) { (self.index, self.count) = (index, count) }

    package init?(argument: String) {
        let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let count = Int(parts[1]), (1...Self.maximumCount).contains(count) else { return nil }
        self.count = count
        guard parts[0] != "all" else {
            index = nil
            return
        }
        guard let index = Int(parts[0]), (0..<count).contains(index) else { return nil }
        self.index = index
    }

    package var defaultValueDescription: String { "\(index.map { "\($0)" } ?? "all")/\(count)" }

    /// Which of so many things belong to it; all for what joins them.
    package func range(of total: Int) -> Range<Int> {
        guard let index else { return 0..<total }
        return Self.border(index, of: count, total)..<Self.border(index + 1, of: count, total)
    }

    private static func border(_ index: Int, of count: Int, _ total: Int) -> Int {
        Int(clamping: Int128(total) * Int128(index) / Int128(count))
    }
}
