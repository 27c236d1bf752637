package import ArgumentParser

/// Which moments a sheet shows.
package struct SheetTimes: ParsableArguments {
    @Option(help: ArgumentHelp("Stills in a row.", valueName: "n"))
    package var columns = 4

    @Option(help: ArgumentHelp("Rows of stills, spread evenly; 4 if not given.", valueName: "n"))
    package var rows: Int?

    @Option(
        help: ArgumentHelp("So many stills, spread evenly: each in the middle of its share.", valueName: "n"))
    package var count: Int?

    @Option(parsing: .unconditional, help: .timeList("Stills at these times"))
    package var at: Written<TimeList>?

    @Flag(help: "One still for each chapter's start, with the chapter's title.")
    package var chapters = false

    @OptionGroup package var part: PartOptions

    @OptionGroup package var scenes: SceneStillOptions
    @OptionGroup package var representation: RepresentativeOptions

    package func validate() throws {
        guard (1...1000).contains(columns) else { throw ValidationError("--columns takes 1 to 1000.") }
        if let rows, !(1...1000).contains(rows) { throw ValidationError("--rows takes 1 to 1000.") }
        if let count, !(1...100_000).contains(count) { throw ValidationError("--count takes 1 to 100000.") }
        guard [rows != nil, count != nil, at != nil, chapters, scenes.scenes].count(where: { $0 }) <= 1 else {
            throw ValidationError("Give one of --rows, --count, --at, --chapters and --scenes.")
        }
        try part.validate(withTimes: at)
        try at?.validate()
    }

    package var choice: SheetChoice {
        if chapters { return .chapters }
        if let method = scenes.method { return .scenes(method, namedByUser: scenes.sceneMethod != nil) }
        return at.map { .times($0) } ?? .even(rows: rows, count: count)
    }

    package init() {}
}
