package import ArgumentParser
package import MediaCore
package import MediaIO

/// `avtool export`: new files of old ones, by presets.
package struct ExportCommand: MediaCommand, Writing, PieceMaking, Rehearsing, DamageTolerating {
    package static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Make a new file: trimmed, encoded anew, or in another container, with its metadata and chapters.",
        discussion: """
            The preset says what becomes of pictures and sound ('avtool presets list' shows them); passthrough keeps the \
            coded samples. The kind of file follows the name given with -o, else the preset, or the source with \
            passthrough. A trim starts exactly at the requested frame; where a container can only start at a \
            keyframe, the range that was really kept is said.

            Metadata, chapters, all tracks of sound, subtitles, timecode and cover art are carried over. What the new \
            file cannot hold is named on standard error; --dry-run names it beforehand.

            Names land in the working directory: movie-low.mp4. The file appears when it is complete, or not at all, \
            and an existing file is never replaced without --force.

            Examples:
              avtool export --preset low --range 1s+3s movie.mov
              avtool export --preset passthrough --range 1:02..end-10s -o a.mp4 b.mov
              avtool export --preset m4a --artwork cover.jpg --share-safe concert.mkv
              avtool export --preset high --volume normalize --fade-out 2s talk.mov
            """)

    @OptionGroup(title: "Preset and range") package var choice: ExportChoiceOptions
    @OptionGroup(title: "Results") package var destination: OutputOptions<Self>
    @OptionGroup(title: "Tracks") package var tracks: ExportTrackOptions
    @OptionGroup(title: "Changes of the preset") package var changes: ExportChangeOptions
    @OptionGroup(title: "Effects") package var effects: ExportEffectOptions
    @OptionGroup(title: "Segments") package var segments: ExportSegmentOptions
    @OptionGroup(title: "Segments") package var sharing: PieceOptions
    @OptionGroup(title: "Metadata") package var metadata: ExportMetadataOptions

    @OptionGroup package var rehearsal: DryRunOptions<Self>

    @Flag(
        name: .shortAndLong,
        help: "Tell of each loss why, and what the kernel keeps from the process that reads the files.")
    package var verbose = false

    @Option(
        help: ArgumentHelp(
            "Keep the file below this size: 8MB, 500KiB, 1000000.", valueName: "size"))
    package var fileLengthLimit: ByteCount?

    @Flag(help: "Two-pass encoding, for encoders that gain from it: the pictures are analysed first.")
    package var multiPass = false

    @Flag(
        inversion: .prefixedNo,
        help: "Fast start: the index lies before the media, so that playback begins before all of the file is there.")
    package var optimizeForNetwork = true

    @OptionGroup package var damage: DamageOptions<Self>

    @Option(
        help: """
            How much of the finished file is read to find what it lost beyond the plan: none; index (headers and \
            sample tables); full (every sample, of the source too).
            """)
    package var audit = ExportAuditDepth.index

    @Option(help: ArgumentHelp("Where temporary files go.", valueName: "folder"))
    package var temporaryDirectory: String?

    @OptionGroup package var report: ReportOptions<Self>
    @OptionGroup package var source: SourceOptions

    package static let damageHelp: ArgumentHelp =
        "Let damaged pictures and sound, and a source that ends too early, through, and say so."
    package static let dryRunHelp: ArgumentHelp = "Say what would be done, and make nothing."
    package static let outputHelp = ArgumentHelp(
        "Name of the new file, with {name} and {ext} for several; a folder; or - for standard output.",
        valueName: "file")
    package static let jsonHelp: ArgumentHelp = "Print JSON Lines: the plan, progress, and how each export ended."

    /// What is read beside the films: the cover, and a preset of the user's own.
    package var otherInputs: [String?] {
        [metadata.artwork, choice.segments, effects.overlay] + PresetFolder.user.paths(of: choice.preset)
    }

    package var resumes: Bool { destination.resume }

    package func addGrants(to grants: inout FileGrants, for file: String) {
        grants.add(results: choice.namesOfResults(destination.output), usual: "{name}-{ext}", of: file)
        grants.temporaryFolder = temporaryDirectory
        sharing.add(to: &grants)
    }

    package func validate() throws {
        try destination.validate(fileCount: source.named.count, json: json)
        try metadata.validate()
        try sharing.validate(fileCount: source.named.count, toStandardOutput: destination.isStandardOutput)
    }

    package init() {}
}

/// `avtool join`: one film of several.
package struct JoinCommand: FileCommand, Writing, Bounded, Reporting, Rehearsing, DamageTolerating {
    package static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Make one file of several, one after the other.",
        discussion: """
            With passthrough, which is the default, coded samples stay as they are, and files have to be coded alike; \
            what differs is named otherwise, and presets that encode anew join whatever there is. Then the first file \
            sets size and shape of the pictures, and others are fitted in.

            Metadata are those of the first file. Chapters of all of them are kept, each where it has moved.

            Examples:
              avtool join -o all.mp4 part1.mp4 part2.mp4
              avtool join --preset high -o all.mp4 camera.mov screen.mkv
            """)

    @Option(
        help: ArgumentHelp(
            "A preset's name or the path of a preset's JSON document.", valueName: "name|file"),
        completion: .presets)
    package var preset = "passthrough"

    @OptionGroup(title: "Results") package var destination: OutputOptions<Self>
    @OptionGroup(title: "Tracks") package var tracks: ExportTrackOptions
    @OptionGroup(title: "Changes of the preset") package var changes: ExportChangeOptions
    @OptionGroup(title: "Effects") package var effects: ExportEffectOptions
    @OptionGroup(title: "Metadata") package var metadata: ExportMetadataOptions

    @OptionGroup package var rehearsal: DryRunOptions<Self>
    @OptionGroup package var damage: DamageOptions<Self>

    @Option(help: ArgumentHelp("Where temporary files go.", valueName: "folder"))
    package var temporaryDirectory: String?

    @OptionGroup package var report: ReportOptions<Self>
    @OptionGroup package var bounds: LimitOptions

    @Argument(help: ArgumentHelp("The media files, in their order.", valueName: "files"), completion: .file())
    package var joined: [String]

    package static let damageHelp: ArgumentHelp =
        "Let damaged pictures and sound, and sources that end too early, through, and say so."
    package static let dryRunHelp: ArgumentHelp = "Say what would be done, and make nothing."
    package static let outputHelp = ArgumentHelp("Name of the new file; or - for standard output.", valueName: "file")
    package static let resumeHelp = ArgumentHelp("Of use for many files only.", visibility: .hidden)
    package static let jsonHelp: ArgumentHelp = "Print JSON Lines: the plan, progress, and how the export ended."

    /// The first one stands for all: there is one result.
    package var files: [String] { Array(joined.prefix(1)) }
    package var json: Bool { report.json }

    package var otherInputs: [String?] {
        joined.dropFirst().map { $0 } + [metadata.artwork, effects.overlay] + PresetFolder.user.paths(of: preset)
    }

    package func addGrants(to grants: inout FileGrants, for file: String) {
        grants.add(results: destination.output, usual: "{name}-joined", of: file)
        grants.temporaryFolder = temporaryDirectory
    }

    package func validate() throws {
        guard joined.count > 1 else { throw ValidationError("It takes two files or more to join.") }
        guard destination.output != nil else { throw ValidationError("The new file needs a name: -o all.mp4.") }
        if let objection = SourceFile.objection(to: joined) { throw ValidationError(objection) }
        guard !joined.contains("-") else { throw ValidationError("Standard input cannot be joined.") }
        guard !destination.resume else { throw ValidationError("--resume is of use for many files only.") }
        try destination.validate(fileCount: 1, json: json)
        try metadata.validate()
    }

    package init() {}
}
