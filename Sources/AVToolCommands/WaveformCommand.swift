package import ArgumentParser
package import MediaIO

/// `avtool waveform`: the shape of a film's sound.
package struct WaveformCommand: MediaCommand, Writing, DamageTolerating {
    package static let configuration = CommandConfiguration(
        commandName: "waveform",
        abstract: "Draw the waveform of a film's sound, or list its peaks as audiowaveform does.",
        usage: "avtool waveform [<options>] <files> ...",
        discussion: """
            Each point is the smallest and the greatest sample of its stretch. json and dat are those of audiowaveform's \
            version 2, which players such as Peaks.js read; svg and png are drawn from the same points. Sound is decoded \
            once, and where the film has a gap there is silence.

            Examples:
              avtool waveform movie.mp4
              avtool waveform --format json --per-second 20 -o 'peaks/{name}.json' *.m4a
              avtool waveform --size 1600x200 --color '#3366cc' --scale auto -o a.svg a.mp3
            """)

    @Option(help: "png, svg, json or dat; if not given, by the filename extension given with -o, else png.")
    var format: WaveformFormat?

    @OptionGroup(title: "Points") package var part: PartOptions

    @Option(help: ArgumentHelp("Samples in a point, at least 2; of json and dat 256 if not given.", valueName: "n"))
    package var samples: Int?

    @Option(help: ArgumentHelp("Points in a second.", valueName: "n"))
    package var perSecond: Int?

    @Option(
        help: ArgumentHelp(
            "Points for the whole, of json and dat at most; of pictures one for each column at most if not given.",
            valueName: "n"))
    package var points: Int?

    @Option(help: "8 or 16 bits for each value of json and dat.")
    package var bits = 16

    @Flag(help: "A waveform for each channel rather than one for all.")
    package var splitChannels = false

    @Option(help: ArgumentHelp("Size of the picture.", valueName: "WxH"))
    package var size = StillSize(width: 1200, height: 200)

    @Option(
        help: ArgumentHelp(
            "Colour of the waveform: #rrggbb, white or black; #3a6ea5 if not given.", valueName: "color"))
    package var color: SheetColor?

    @Option(help: ArgumentHelp("Colour behind it; clear if not given.", valueName: "color"))
    package var background: SheetColor?

    @Option(
        help: ArgumentHelp(
            "How high it is drawn: 1 as it is, auto so that the loudest point fills it.", valueName: "n|auto"))
    package var scale = WaveformScale.factor(1)

    @Option(
        help: ArgumentHelp(
            "Number of the track of sound, as info shows it; the enabled one if not given.", valueName: "n"))
    package var track: Int32?

    @OptionGroup package var destination: OutputOptions<Self>
    @OptionGroup package var damage: DamageOptions<Self>
    @OptionGroup package var report: ReportOptions<Self>
    @OptionGroup package var source: SourceOptions

    package static let outputHelp = ArgumentHelp(
        "Name of the results, with {name} and {ext}; a folder; or - for standard output.", valueName: "file")
    package static let damageHelp: ArgumentHelp = "Use damaged sound too, and of a film that ends early what there is."

    package var resumes: Bool { destination.resume }

    /// What the waveform becomes.
    package var wanted: WaveformFormat {
        if let format { return format }
        let named = destination.output.flatMap { $0.split(separator: ".").last.map { String($0).lowercased() } }
        return named.flatMap { WaveformFormat(rawValue: $0) } ?? .png
    }

    package func addGrants(to grants: inout FileGrants, for file: String) {
        grants.add(results: destination.output, usual: "{name}-waveform.{ext}", of: file)
    }

    package func validate() throws {
        try part.validate()
        try destination.validate(fileCount: source.named.count, json: report.json)
        guard [samples != nil, perSecond != nil, points != nil].count(where: { $0 }) <= 1 else {
            throw ValidationError("Give one of --samples, --per-second and --points.")
        }
        guard bits == 8 || bits == 16 else { throw ValidationError("--bits takes 8 or 16.") }
        guard (1...16384).contains(size.width), (1...16384).contains(size.height) else {
            throw ValidationError("--size takes sides from 1 to 16384.")
        }
        guard samples.map({ $0 >= 2 }) ?? true else { throw ValidationError("--samples takes 2 or more.") }
        guard perSecond.map({ $0 >= 1 }) ?? true, points.map({ $0 >= 1 }) ?? true else {
            throw ValidationError("Numbers of points are 1 or more.")
        }
        if let track, track < 1 { throw ValidationError("--track takes 1 or more.") }
    }

    package init() {}
}

/// What a waveform becomes.
package enum WaveformFormat: String, CaseIterable, Sendable, ExpressibleByArgument {
    /// Peaks as audiowaveform writes them, in JSON.
    case json
    /// Peaks as audiowaveform writes them, in bytes.
    case dat
    /// A drawing.
    case svg
    /// A picture.
    case png

    /// Whether it is drawn.
    package var isPicture: Bool { self == .svg || self == .png }
    package var filenameExtension: String { rawValue }
}

/// How high a waveform is drawn.
package enum WaveformScale: Sendable, Equatable, ExpressibleByArgument {
    /// The loudest point fills the height.
    case auto
    case factor(Double)

    package init?(argument: String) {
        if argument == "auto" {
            self = .auto
            return
        }
        guard let factor = Double(argument), factor > 0, factor <= 1000 else { return nil }
        self = .factor(factor)
    }

    package var defaultValueDescription: String {
        switch self {
        case .auto: "auto"
        case .factor(let factor): factor == factor.rounded() ? "\(Int(factor))" : "\(factor)"
        }
    }
}
