package import ArgumentParser
internal import Foundation
package import MediaCore
package import MediaIO

/// `avtool thumbs`: exact stills.
package struct ThumbsCommand: MediaCommand, Writing, PictureMaking, DamageTolerating {
    package static let configuration = CommandConfiguration(
        commandName: "thumbs",
        abstract: "Write still images of the frames shown at given times.",
        discussion: """
            The frame shown at a time is the one with the greatest presentation time at or before it. Each result line \
            names the requested time, the frame's own time and the file. A picture that cannot be decoded undamaged is \
            an error, not a grey image.

            Names land in the working directory: movie-1.png, movie-2.png and so on. An existing file is never \
            replaced without --force.

            Examples:
              avtool thumbs --at 0,1/3,2/3,end movie.mp4
              avtool thumbs --count 20 --size 320x0 -o 'stills/{name}-{index}.jpg' *.mp4
              avtool thumbs --keyframes --format webp movie.mkv
            """)

    @Option(parsing: .unconditional, help: .timeList("Times"))
    package var at: Written<TimeList>?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("One still for each such stretch of time, from 0 on.", valueName: "duration"))
    package var every: Written<Length>?

    @Option(
        help: ArgumentHelp(
            "So many stills, spread evenly over the time with pictures: each in the middle of its share.",
            valueName: "n"))
    package var count: Int?

    @Flag(help: "One still for each keyframe (sync sample).")
    package var keyframes = false

    @OptionGroup package var scenes: SceneStillOptions
    @OptionGroup package var covers: CoverOptions
    @OptionGroup package var destination: OutputOptions<Self>
    @OptionGroup package var pictures: PictureOptions<Self>
    @OptionGroup package var shape: StillShapeOptions
    @OptionGroup package var part: PartOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Take a keyframe that lies no further from the requested time than this: faster. Exact if not given.",
            valueName: "duration"))
    package var tolerance: Written<Length>?

    @OptionGroup package var representation: RepresentativeOptions

    @Flag(help: "Keep HDR as it is, in PNG of 16 bits or AVIF of 10, instead of mapping it to SDR.")
    package var hdr = false

    @OptionGroup package var tracks: TrackOptions
    @OptionGroup package var damage: DamageOptions<Self>
    @OptionGroup package var report: ReportOptions<Self>

    @Flag(help: "Say on standard error how many pictures were decoded.")
    package var statistics = false

    @Option(
        help: ArgumentHelp(
            "Make only one share of N of the stills, counted from 0; all are called as if all were made.",
            valueName: "k/n"))
    package var piece: WorkPiece?

    @OptionGroup package var indexes: IndexOptions
    @OptionGroup package var source: SourceOptions

    package typealias Format = StillFormat

    package static let formatHelp: ArgumentHelp = """
        png, jpeg, webp or avif; if not given, by the filename extension given with -o, else png. raw, with -o -: pixels of \
        three bytes (RGB), one picture after the other; with --json a line before each, whose byteCount tells its bytes.
        """
    package static let usualQuality = 85
    package static let outputHelp = ArgumentHelp(
        "Name of the results, with {name}, {index}, {requested}, {actual}, {size}, {width}, {height} and {ext}; a folder; or - for standard output.",
        valueName: "pattern")
    package static let jsonHelp: ArgumentHelp = "Print JSON Lines, one object for each still."
    package static let damageHelp: ArgumentHelp = "Deliver damaged pictures too, marked as damaged."

    package var resumes: Bool { destination.resume }

    package func addGrants(to grants: inout FileGrants, for file: String) {
        indexes.add(to: &grants, for: file)
        grants.add(results: destination.output, usual: "{name}-{index}", of: file)
    }

    package func validate() throws {
        guard
            [at != nil, every != nil, count != nil, keyframes, scenes.scenes, covers.cover].count(where: { $0 }) == 1
        else {
            throw ValidationError("Give one of --at, --every, --count, --keyframes, --scenes and --cover.")
        }
        try part.validate(withTimes: at)
        if pictures.format == .raw { try validateRaw() }
        if covers.cover { try validateCovers() }
        if let piece {
            guard piece.index != nil else { throw ValidationError("Stills need no joining: --piece takes no 'all'.") }
            guard !covers.cover else { throw ValidationError("--cover goes without --piece.") }
        }
        try at?.validate()
        try tolerance?.validate()
        try every?.validate(aboveZero: "--every")
        if let count, !(1...100_000).contains(count) { throw ValidationError("--count takes 1 to 100000.") }
        guard !representation.representative || tolerance == nil else {
            throw ValidationError("--representative goes with --window, not with --tolerance.")
        }
        guard !hdr || shape.background == nil else { throw ValidationError("Give one of --hdr and --background.") }
    }

    /// Whether stills go to a program that reads them one after the other.
    package var streams: Bool { pictures.format == .raw }

    private func validateRaw() throws {
        guard destination.isStandardOutput else { throw ValidationError("--format raw goes to standard output: -o -.") }
        guard source.named.count <= 1, source.several.filesFrom == nil else {
            throw ValidationError("--format raw takes a single file.")
        }
        guard !hdr, !covers.cover else { throw ValidationError("--format raw goes with neither --hdr nor --cover.") }
    }

    private func validateCovers() throws {
        guard tolerance == nil, !representation.representative else {
            throw ValidationError("--cover goes with neither --tolerance nor --representative.")
        }
        guard !part.isGiven else { throw ValidationError("--cover takes no part of a film: no --from and --to.") }
        if case .auto = shape.crop { throw ValidationError("--crop auto looks at the film, which --cover does not.") }
    }

    package init() {}
}

/// What stills become.
package enum StillFormat: String, CaseIterable, Sendable, ExpressibleByArgument {
    case jpeg, png, webp, avif
    /// Pixels for programs: three bytes each, red, green and blue, in rows from the top, without anything between.
    case raw

    /// The kind of file; `nil` for pixels.
    package var picture: PreviewImageFormat? { PreviewImageFormat(rawValue: rawValue) }

    package init?(argument: String) {
        let name = PreviewImageFormat(argument: argument)?.rawValue ?? argument
        self.init(rawValue: name)
    }
}
