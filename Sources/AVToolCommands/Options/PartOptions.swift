package import ArgumentParser
package import MediaCore

/// Which part of films a command works on.
package struct PartOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only the part from this time on: 90s, 00:01:02.5, 25%, #120, end-20s.", valueName: "time"))
    package var from: Written<TimeExpression>?

    @Option(
        help: ArgumentHelp("Only the part up to this time, which is not in it itself.", valueName: "time"))
    package var to: Written<TimeExpression>?

    /// Whether there is a part at all.
    package var isGiven: Bool { from != nil || to != nil }

    package var part: FilmPart { FilmPart(from: from, to: to) }

    package func validate() throws {
        try from?.validate()
        try to?.validate()
        if case .seconds(let start)? = try from?.get(), case .seconds(let end)? = try to?.get(), start >= end {
            throw ValidationError("--from must lie before --to.")
        }
    }

    /// - Parameter times: A list of times that was asked for as well.
    package func validate(withTimes times: Written<TimeList>?) throws {
        guard times == nil || !isGiven else {
            throw ValidationError("--at names its times itself; --from and --to go with the other ways to choose.")
        }
    }

    package init() {}
}
