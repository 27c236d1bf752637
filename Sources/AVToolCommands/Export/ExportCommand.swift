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
