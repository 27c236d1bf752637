package import ArgumentParser
package import MediaIO

/// A command whose files may ask for so much.
package protocol Bounded {
    var bounds: LimitOptions { get }
}

/// How much a file may ask for.
package struct LimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Let a file ask for this much at most; may be given several times. docs/limits.md explains the names: \
            \(LimitName.allCases.map(\.rawValue).joined(separator: ", ")).
            """, valueName: "name=value"))
    package var limit: [Written<LimitAssignment>] = []

    package func validate() throws {
        for limit in limit { try limit.validate() }
        var seen: Set<LimitName> = []
        for assignment in assignments where !seen.insert(assignment.name).inserted {
            throw ValidationError("--limit \(assignment.name.rawValue) was given twice.")
        }
    }

    private var assignments: [LimitAssignment] { limit.compactMap { try? $0.get() } }

    /// The defaults, with what was given.
    package var limits: MediaLimits {
        assignments.reduce(into: MediaLimits()) { limits, assignment in
            if case .media(let name) = assignment.name { limits[name] = assignment.value }
        }
    }

    /// The limit on the process, in its unit; `nil` if neither was one given nor is there a default.
    package subscript(limit: WorkLimit) -> Int64? {
        assignments.first { $0.name == .work(limit) }?.value ?? limit.defaultValue
    }

    package init() {}
}
