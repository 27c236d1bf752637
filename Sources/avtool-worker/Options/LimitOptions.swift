internal import ArgumentParser
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// How much a file may ask for.
struct LimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Let a file ask for this much at most; may be given several times. docs/limits.md explains the names: \
            \(MediaLimits.Name.allCases.map(\.rawValue).joined(separator: ", ")).
            """, valueName: "name=value"))
    var limit: [Written<LimitAssignment>] = []

    func validate() throws {
        for limit in limit { try limit.validate() }
        var seen: Set<MediaLimits.Name> = []
        for assignment in assignments where !seen.insert(assignment.name).inserted {
            throw ValidationError("--limit \(assignment.name.rawValue) was given twice.")
        }
    }

    private var assignments: [LimitAssignment] { limit.compactMap { try? $0.get() } }

    /// The defaults, with what was given.
    var limits: MediaLimits {
        assignments.reduce(into: MediaLimits()) { $0[$1.name] = $1.value }
    }
}
