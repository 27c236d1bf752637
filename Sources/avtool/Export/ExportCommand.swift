internal import ArgumentParser
internal import OpenAVFoundation

/// `avtool export`: new files of old ones, by presets.
struct ExportCommand: MediaCommand, Writing, Rehearsing, DamageTolerating {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Make a new file: trimmed, encoded anew, or in another container, with its metadata and chapters.",
        discussion: """
            The preset says what becomes of pictures and sound ('avtool presets list' shows them); passthrough keeps the \
            coded samples. The kind of file follows the name given with -o, else the preset, or the source with \
            passthrough. A trim starts exactly at the requested frame; where a container can only start at a sync \
            sample, the range that was really kept is said.

            Metadata, chapters, all tracks of sound, subtitles, timecode and cover art are carried over. What the new \
            file cannot hold is named on standard error; --dry-run names it beforehand.

            Names land in the working directory: movie-low.mp4. The file appears when it is complete, or not at all, \
            and an existing file is never replaced without --force.

            Examples: avtool export --preset low --range 1s+3s movie.mov
                      avtool export --preset passthrough --range 1:02..end-10s --share-safe -o clip.mp4 movie.mov
                      avtool export --preset m4a --set title='A song' --artwork cover.jpg concert.mkv
            """)

    @OptionGroup var source: SourceOptions

    @Option(
        help: ArgumentHelp(
            "A preset's name or the path of a preset's JSON document.", valueName: "name|file"))
    var preset: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "What to keep: 1s+3s (from, length), 1s..4s (from, up to), 1s.. or ..4s; ends may be 1:02, 1m30s, 1/3, 25%, #120, end-2s, 01:00:10:00.",
            valueName: "range"))
    var range: Written<TimeRangeExpression>?

    @Flag(
        help:
            "Fail where the range cannot be kept just so: beyond the end, or where pictures can begin with a sync sample only."
    )
    var exact = false

    @OptionGroup(title: "Track options") var tracks: ExportTrackOptions

    @OptionGroup(title: "Changes of the preset") var changes: ExportChangeOptions

    @OptionGroup(title: "Metadata options") var metadata: ExportMetadataOptions

    @Option(
        help: ArgumentHelp(
            "Keep the file below this size: 8MB, 500KiB, 1000000.", valueName: "size"))
    var fileLengthLimit: ByteCount?

    @Flag(help: "Let encoders that gain from it see the source twice.")
    var multiPass = false

    @Flag(
        inversion: .prefixedNo,
        help: "Put what players need first at the beginning of the file, so that they can start before they have all.")
    var optimizeForNetwork = true

    @OptionGroup var damage: DamageOptions<Self>

    @Option(
        help: """
            How much of the finished file is read to find what it lost beyond the plan: none; index (headers and \
            sample tables); full (every sample, of the source too).
            """)
    var audit = ExportAuditDepth.index

    @Flag(name: .shortAndLong, help: "Tell of each loss why.")
    var verbose = false

    @Option(help: ArgumentHelp("Where temporary files go.", valueName: "folder"))
    var temporaryDirectory: String?

    @OptionGroup var rehearsal: DryRunOptions<Self>
    @OptionGroup var destination: OutputOptions<Self>
    @OptionGroup var report: ReportOptions<Self>

    static let damageHelp: ArgumentHelp =
        "Let damaged pictures and sound, and a source that ends too early, through, and say so."
    static let dryRunHelp: ArgumentHelp = "Say what would be done, and make nothing."
    static let outputHelp = ArgumentHelp(
        "Name of the new file, with {name} and {ext} for several; a folder; or - for standard output.",
        valueName: "file")
    static let jsonHelp: ArgumentHelp = "Print JSON Lines: the plan, progress, and how each export ended."

    /// What is read beside the films: the cover, and a preset of the user's own.
    var otherInputs: [String?] {
        [metadata.artwork, (try? ExportPresetCatalog.user.entry(preset))?.path]
    }

    func validate() throws {
        try range?.validate()
        try destination.validate(fileCount: files.count, json: json)
        try metadata.validate()
    }

    func prepared() async throws -> FileWork<JSONExportDocument> {
        let entry = try ExportPresetCatalog.user.entry(preset)
        let preset = try changes.applied(to: entry.preset)
        let targets = try ExportTargets(destination.output, preset: preset, fileCount: files.count)
        let metadata = try await metadata.changes()
        let settings = ExportSettings(
            preset: preset, presetPath: entry.path,
            // Those that come with the tool are known to be possible.
            checksPreset: entry.path != nil || changes.isGiven, range: range, isExact: exact,
            trackIDs: tracks.tracks?.numbers, dropsAudio: tracks.noAudio, dropsSubtitles: tracks.noSubtitles,
            metadata: metadata, fileLengthLimit: fileLengthLimit?.value, isMultiPass: multiPass,
            isForNetwork: optimizeForNetwork, allowsDamage: damage.allowDamaged, audit: audit,
            temporaryFolder: temporaryDirectory)
        return { file, work in
            try await ExportRequest(
                source: source.source(file), targets: targets, settings: settings, replaces: destination.force,
                isRehearsal: rehearsal.dryRun, wantsEvents: json, tellsReasons: verbose
            ).run(in: work)
        }
    }

    func document(of failure: Failure, file: String) -> any Encodable {
        JSONExportFailure(
            event: failure.code == .interrupted ? "cancelled" : "failed", source: file, error: JSONError(failure))
    }
}
