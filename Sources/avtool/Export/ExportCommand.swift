internal import ArgumentParser
internal import Foundation
internal import OpenAVFoundation

/// `avtool export`: new files of old ones, by presets.
struct ExportCommand: AsyncParsableCommand {
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
    var range: String?

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

    @Flag(help: "Let damaged pictures and sound, and a source that ends too early, through, and say so.")
    var allowDamaged = false

    @Option(
        help: """
            How much of the finished file is read to find what it lost beyond the plan: none; index (headers and \
            sample tables); full (every sample, of the source too).
            """)
    var audit = AuditDepth.index

    @Flag(name: .shortAndLong, help: "Tell of each loss why.")
    var verbose = false

    @Option(help: ArgumentHelp("Where temporary files go.", valueName: "folder"))
    var temporaryDirectory: String?

    @Flag(help: "Say what would be done, and make nothing.")
    var dryRun = false

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp(
            "Name of the new file, with {name} and {ext} for several; a folder; or - for standard output.",
            valueName: "file"))
    var output: String?

    @Flag(help: "Print JSON Lines: the plan, progress, and how each export ended.")
    var json = false

    @Flag(help: "Replace existing files.")
    var force = false

    func validate() throws {
        do {
            if let range { _ = try TimeRangeExpression.parse(range) }
        } catch {
            throw ValidationError(error.description)
        }
        if let output, OutputPlace.isStandardOutput(output) {
            guard source.files.count == 1 else { throw ValidationError("-o - takes a single file.") }
            guard !json else { throw ValidationError("-o - and --json both need standard output.") }
        }
        try metadata.validate()
    }

    func run() async throws {
        let command = self
        try await Interruption.cancelling { try await command.exportAll() }
    }

    private func exportAll() async throws {
        let (preset, presetPath) = try chosenPreset()
        let targets = try ExportTargets(output, preset: preset, fileCount: source.files.count)
        let metadata = try await metadata.changes()
        var failures = FailureLog()
        let files = RunFiles(of: source.files, self.metadata.paths + [presetPath])
        var made = 0
        for file in source.files where !Interruption.isRequested {
            let events = ExportEvents(source: file, isJSON: json, isVerbose: verbose)
            do {
                let asset = source.asset(file)
                let target = try await targets.target(for: file, asset: asset)
                // Those that come with the tool are known to be possible.
                if presetPath != nil || changes.isGiven {
                    try preset.checkEncoders(for: [target.fileType], path: presetPath)
                }
                let makesFolder = targets.makesFolder && !dryRun
                if target.fileType.isFolder, !force, FileManager.default.fileExists(atPath: target.path) {
                    throw Failure(
                        .cannotCreate, "outputExists", "\(target.path): it exists already; --force replaces it")
                }
                let place =
                    try target.fileType.isFolder
                    ? files.folder(target.path, replaces: force, makesFolder: makesFolder)
                    : files.output(target.path, replaces: force, makesFolder: makesFolder)
                let session = try await session(asset, preset: preset)
                try metadata.apply(to: session)
                try await make(target.fileType, at: place, with: session, events)
                made += 1
            } catch {
                let failure = try failures.report(error, file: file)
                try events.failed(failure)
            }
        }
        // An interruption that comes when all is done has nothing to interrupt.
        if made < source.files.count { try failures.exitIfNeeded() }
    }

    /// The preset, and the document that it was read from.
    private func chosenPreset() throws -> (ExportPreset, String?) {
        do {
            let entry = try ExportPresetCatalog.user.entry(preset)
            return (try changes.applied(to: entry.preset), entry.path)
        } catch {
            throw Failure(error)
        }
    }

    private func session(_ asset: AVURLAsset, preset: ExportPreset) async throws -> AVAssetExportSession {
        let session = AVAssetExportSession(asset: asset, preset: preset)
        session.shouldOptimizeForNetworkUse = optimizeForNetwork
        session.canPerformMultiplePassesOverSourceMediaData = multiPass
        session.allowsDamagedMedia = allowDamaged
        session.requiresExactTimeRange = exact
        session.trackSelection = tracks.selection
        session.replacesExistingFile = force
        session.auditDepth = audit.depth
        session.fileLengthLimit = fileLengthLimit?.value ?? 0
        session.directoryForTemporaryFiles = temporaryDirectory.map { URL(fileURLWithPath: $0, isDirectory: true) }
        if let range { session.timeRange = try await asset.loadTimeRange(of: TimeRangeExpression.parse(range)) }
        return session
    }

    private func make(
        _ fileType: AVFileType, at place: OutputPlace, with session: AVAssetExportSession, _ events: ExportEvents
    ) async throws {
        if json || dryRun { try events.plan(try await session.plan(for: fileType), file: place.path) }
        guard !dryRun else { return }
        let progress = Task { [json] in
            for await state in session.states(updateInterval: 0.1) {
                guard case .exporting = state, let progress = session.detailedProgress else { continue }
                if json { try events.progress(progress) }
                Console.progress(events.source, progress)
            }
        }
        defer { progress.cancel() }
        try await session.export(to: place, as: fileType)
        guard let result = session.result else { return }
        try events.completed(result, file: place.path)
    }
}

extension Console {
    /// Shows how far an export has come, how fast it is and how long it will take.
    static func progress(_ label: String, _ progress: ExportProgress) {
        var details = ""
        if let speed = progress.speed { details += String(format: ", %.1fx", speed) }
        if let remaining = progress.remaining, remaining.isFinite {
            let seconds = Int(remaining.rounded(.up))
            details += String(format: ", %d:%02d left", seconds / 60, seconds % 60)
        }
        self.progress(label, progress.fraction, details)
    }
}

/// How much of a finished file is read.
enum AuditDepth: String, CaseIterable, ExpressibleByArgument {
    case none, index, full

    var depth: ExportAuditDepth {
        switch self {
        case .none: .none
        case .index: .index
        case .full: .full
        }
    }
}

/// A number of bytes as people write it.
struct ByteCount: ExpressibleByArgument {
    let value: Int64

    private static let units: [String: Int64] = [
        "": 1, "b": 1, "k": 1000, "kb": 1000, "m": 1_000_000, "mb": 1_000_000, "g": 1_000_000_000,
        "gb": 1_000_000_000, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30,
    ]

    init?(argument: String) {
        let number = argument.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = argument.dropFirst(number.count).trimmingCharacters(in: .whitespaces).lowercased()
        guard let factor = Self.units[unit], let amount = Double(number) else { return nil }
        let bytes = amount * Double(factor)
        guard bytes >= 1, bytes < Double(Int64.max) else { return nil }
        value = Int64(bytes)
    }
}
