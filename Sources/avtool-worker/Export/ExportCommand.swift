internal import ArgumentParser
internal import MediaFile
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// `avtool export`: new files of old ones, by presets.
struct ExportCommand: MediaCommand, Writing, Rehearsing, DamageTolerating {
    static let configuration = CommandConfiguration(
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
            """)

    @OptionGroup(title: "Preset and range") var choice: ExportChoiceOptions
    @OptionGroup(title: "Results") var destination: OutputOptions<Self>
    @OptionGroup(title: "Tracks") var tracks: ExportTrackOptions
    @OptionGroup(title: "Changes of the preset") var changes: ExportChangeOptions
    @OptionGroup(title: "Metadata") var metadata: ExportMetadataOptions

    @OptionGroup var rehearsal: DryRunOptions<Self>

    @Flag(name: .shortAndLong, help: "Tell of each loss why, and what the kernel keeps from the process that reads the files.")
    var verbose = false

    @Option(
        help: ArgumentHelp(
            "Keep the file below this size: 8MB, 500KiB, 1000000.", valueName: "size"))
    var fileLengthLimit: ByteCount?

    @Flag(help: "Two-pass encoding, for encoders that gain from it: the pictures are analysed first.")
    var multiPass = false

    @Flag(
        inversion: .prefixedNo,
        help: "Fast start: the index lies before the media, so that playback begins before all of the file is there.")
    var optimizeForNetwork = true

    @OptionGroup var damage: DamageOptions<Self>

    @Option(
        help: """
            How much of the finished file is read to find what it lost beyond the plan: none; index (headers and \
            sample tables); full (every sample, of the source too).
            """)
    var audit = ExportAuditDepth.index

    @Option(help: ArgumentHelp("Where temporary files go.", valueName: "folder"))
    var temporaryDirectory: String?

    @OptionGroup var report: ReportOptions<Self>
    @OptionGroup var source: SourceOptions

    static let damageHelp: ArgumentHelp =
        "Let damaged pictures and sound, and a source that ends too early, through, and say so."
    static let dryRunHelp: ArgumentHelp = "Say what would be done, and make nothing."
    static let outputHelp = ArgumentHelp(
        "Name of the new file, with {name} and {ext} for several; a folder; or - for standard output.",
        valueName: "file")
    static let jsonHelp: ArgumentHelp = "Print JSON Lines: the plan, progress, and how each export ended."

    /// What is read beside the films: the cover, and a preset of the user's own.
    var otherInputs: [String?] {
        [metadata.artwork] + ExportPresetCatalog.user.paths(of: choice.preset)
    }

    func addGrants(to grants: inout FileGrants, for file: String) {
        grants.add(results: destination.output, usual: "{name}-{ext}", of: file)
        grants.temporaryFolder = temporaryDirectory
    }

    func validate() throws {
        try destination.validate(fileCount: files.count, json: json)
        try metadata.validate()
    }

    func prepared() async throws -> FileWork<JSONExportDocument> {
        let entry = try ExportPresetCatalog.user.entry(choice.preset)
        let preset = try changes.applied(to: entry.preset)
        let targets = try ExportTargets(destination.output, preset: preset, fileCount: files.count)
        let metadata = try await metadata.changes()
        let settings = ExportSettings(
            preset: preset, presetPath: entry.path,
            // Those that come with the tool are known to be possible.
            checksPreset: entry.path != nil || changes.isGiven, range: choice.range, isExact: choice.exact,
            trackIDs: tracks.tracks?.numbers, dropsAudio: tracks.noAudio, dropsSubtitles: tracks.noSubtitles,
            metadata: metadata, fileLengthLimit: fileLengthLimit?.value, isMultiPass: multiPass,
            isForNetwork: optimizeForNetwork, allowsDamage: damage.allowDamaged, audit: audit,
            temporaryFolder: temporaryDirectory)
        return { file, work in
            if verbose, work.index == 0 { Console.tellIsolation() }
            return try await ExportRequest(
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
