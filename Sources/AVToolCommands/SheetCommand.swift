package import ArgumentParser
package import MediaCore
package import MediaIO

/// `avtool sheet`: contact sheets.
package struct SheetCommand: MediaCommand, PieceMaking, DamageTolerating {
    package static let configuration = CommandConfiguration(
        commandName: "sheet",
        abstract: "Make a contact sheet: stills of a film side by side, with their times and what the file contains.",
        discussion: """
            The time at each still is that of the frame itself, rounded up to the millisecond: a player that goes there \
            shows that frame. No frame is shown twice: a film of few frames has fewer stills. A picture that cannot be decoded \
            undamaged is an error, and there is no sheet, unless --allow-damaged is given.

            Names land in the working directory: movie-sheet.png. The file appears when it is complete, or not at all, \
            and an existing file is never replaced without --force or, where it is a sheet of another version of the film \
            or made with other options, --if-newer.

            Examples:
              avtool sheet movie.mp4
              avtool sheet --columns 5 --rows 6 --width 1920 -o movie.jpg movie.mp4
              avtool sheet --chapters --if-newer -o 'sheets/{name}.webp' *.mkv
            """)

    @OptionGroup(title: "Times") package var times: SheetTimes
    @OptionGroup(title: "Looks") package var looks: SheetLooks
    @OptionGroup(title: "Files") package var results: SheetFiles
    @OptionGroup package var report: ReportOptions<Self>
    @OptionGroup package var tracks: TrackOptions
    @OptionGroup package var damage: DamageOptions<Self>
    @OptionGroup package var sharing: PieceOptions
    @OptionGroup package var indexes: IndexOptions
    @OptionGroup package var source: SourceOptions

    package static let jsonHelp: ArgumentHelp = "Print JSON Lines, one object for each sheet."
    package static let damageHelp: ArgumentHelp =
        "Show damaged pictures too, marked as damaged, and placeholders where there is no picture."

    package var resumes: Bool { results.destination.resume }

    package func addGrants(to grants: inout FileGrants, for file: String) {
        indexes.add(to: &grants, for: file)
        grants.add(results: results.destination.output, usual: "{name}-sheet.{ext}", of: file)
        sharing.add(to: &grants)
    }

    package func validate() throws {
        try results.destination.validate(fileCount: source.named.count, json: json)
        try sharing.validate(
            fileCount: source.named.count, toStandardOutput: results.destination.isStandardOutput)
    }

    package init() {}
}

/// Which moments of a film a sheet shows.
package enum SheetChoice: Sendable {
    /// So many, or what so many rows hold, spread evenly.
    case even(rows: Int?, count: Int?)
    case times(Written<TimeList>)
    case chapters
    case scenes(SceneDetectionSettings.Method, namedByUser: Bool)

    /// What was asked for, as the marks of sheets have it.
    package func texts(of part: FilmPart) -> [String] {
        var (times, chapters, scenes) = ("", "", "")
        switch self {
        case .even: break
        case .times(let list): times = list.text
        case .chapters: chapters = "chapters"
        case .scenes(let method, let isNamed): scenes = "scenes \(isNamed ? method.rawValue : "")"
        }
        return [times, chapters, part.from?.text ?? "", part.to?.text ?? "", scenes]
    }
}

/// Where sheets go, and what kind of files they are.
package struct SheetFiles: ParsableArguments, Writing, PictureMaking {
    @OptionGroup package var pictures: PictureOptions<Self>
    @OptionGroup package var destination: OutputOptions<Self>

    @Flag(help: "Leave films alone whose sheet is there, made in the same way of the film as it is; replace others.")
    package var ifNewer = false

    package static let formatHelp: ArgumentHelp =
        "png, jpeg, webp or avif; if not given, by the filename extension given with -o, else png."
    package static let usualQuality = 90
    package static let outputHelp = ArgumentHelp(
        "Name of the sheet, with {name} and {ext} for several; a folder; or - for standard output.", valueName: "file")
    package func validate() throws {
        guard !ifNewer || !destination.isStandardOutput else {
            throw ValidationError("--if-newer needs a file, not -o -.")
        }
        guard !ifNewer || !destination.force else { throw ValidationError("Give one of --if-newer and --force.") }
    }

    package init() {}
}

/// How a sheet is to look; what is `nil` is as usual.
package struct SheetLook: Sendable {
    package let width: Int?
    package let tile: StillSize?
    package let margin: Int?
    package let gap: Int?
    package let background: SheetColor?
    package let labels: SheetLabels?
    package let timeline: PreviewTimeline
    package let showsHeader: Bool
}

/// How a sheet looks.
package struct SheetLooks: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Width of the whole sheet in pixels, 1440 if not given; less where stills would have to be enlarged.",
            valueName: "n"))
    var width: Int?

    @Option(
        help: ArgumentHelp(
            "Make each still fit into this box, never enlarged; 0 leaves a side free.", valueName: "WxH"))
    var tile: StillSize?

    @Option(help: ArgumentHelp("Pixels around everything.", valueName: "n"))
    var margin: Int?

    @Option(help: ArgumentHelp("Pixels between stills.", valueName: "n"))
    var gap: Int?

    @Option(
        help: ArgumentHelp(
            "The colour behind everything: #rrggbb, white or black. Text is black or white.", valueName: "color"))
    var background: SheetColor?

    @Option(help: "Where times stand: under, on (the stills) or none.")
    var labels: SheetLabels?

    @Flag(help: "No times; the same as --labels none.")
    var noLabels = false

    @OptionGroup var timeline: TimelineOptions

    @Flag(help: "No lines about the file above the stills.")
    var noHeader = false

    package func validate() throws {
        guard width == nil || tile == nil else { throw ValidationError("Give one of --width and --tile.") }
        guard !noLabels || labels == nil || labels == SheetLabels.none else {
            throw ValidationError("Give one of --labels and --no-labels.")
        }
        if let width, !(64...65535).contains(width) { throw ValidationError("--width takes 64 to 65535.") }
        if let tile, [tile.width, tile.height].contains(where: { (1..<8).contains($0) }) {
            throw ValidationError("--tile takes sides of 8 to 65535.")
        }
        for (name, value) in [("--margin", margin), ("--gap", gap)] {
            if let value, !(0...4096).contains(value) { throw ValidationError("\(name) takes 0 to 4096.") }
        }
    }

    package var look: SheetLook {
        SheetLook(
            width: width, tile: tile, margin: margin, gap: gap, background: background,
            labels: noLabels ? SheetLabels.none : labels, timeline: timeline.timeline ?? .asset,
            showsHeader: !noHeader)
    }

    package init() {}
}

/// Which moments a sheet shows.
package struct SheetTimes: ParsableArguments {
    @Option(help: ArgumentHelp("Stills in a row.", valueName: "n"))
    package var columns = 4

    @Option(help: ArgumentHelp("Rows of stills, spread evenly; 4 if not given.", valueName: "n"))
    var rows: Int?

    @Option(
        help: ArgumentHelp("So many stills, spread evenly: each in the middle of its share.", valueName: "n"))
    var count: Int?

    @Option(parsing: .unconditional, help: .timeList("Stills at these times"))
    var at: Written<TimeList>?

    @Flag(help: "One still for each chapter's start, with the chapter's title.")
    var chapters = false

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

/// The colour behind everything.
package struct SheetColor: ExpressibleByArgument {
    package let color: RGBColor

    package init?(argument: String) {
        guard let color = RGBColor(argument) else { return nil }
        self.color = color
    }
}
