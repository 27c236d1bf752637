internal import ArgumentParser
internal import Foundation
internal import MediaPreviews
internal import OpenAVFoundation

/// `avtool storyboard`: sprite sheets and their indexes.
struct StoryboardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storyboard",
        abstract: "Make a folder of small pictures of a whole film, for players to show along their scrub bars.",
        discussion: """
            The folder movie-storyboard holds sprite sheets, storyboard.vtt, which tells players when to show which part \
            of them, storyboard.json, which tells all there is to know, and index.html, a page to scrub through the film. \
            Cues begin at the true times of their frames, in milliseconds, and cover the film to its very end. They count \
            as players of the file do: from the container's zero in MP4, WebM, Matroska and Ogg, which browsers play \
            themselves, and from the film's first moment in others; --times says otherwise. BIF, Jellyfin, HLS and DASH \
            always count from the film's first moment.

            A tile shows the sync sample that lies within half an interval of its time, which is fast, and where there \
            is none the exact frame; --exact takes the exact frame throughout.

            The folder appears when it is complete, or not at all. An existing one is never replaced without --force, \
            and one that holds anything else not even then.

            Examples: avtool storyboard movie.mp4
                      avtool storyboard --every 5s --tile 320x0 --bif --jellyfin -o previews/{name} *.mkv
                      avtool storyboard --if-newer --with-player -o previews/ *.mp4
            """)

    @OptionGroup var source: SourceOptions
    @OptionGroup var tracks: TrackOptions

    @OptionGroup var part: PartOptions

    @OptionGroup var timeline: TimelineOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The time from one tile to the next; 10s if not given, less (but for Jellyfin) where a hundred tiles cover the film.",
            valueName: "duration"))
    var every: String?

    @Option(
        help: ArgumentHelp(
            "Fit tiles into this box, aspect kept, never enlarged; 0 leaves a side free. 160x160 if not given, for BIF and Jellyfin 320x0.",
            valueName: "WxH"))
    var tile: StillSize?

    @Option(
        help: ArgumentHelp(
            "Tiles in a row of a sheet; 10 if not given, for HLS and DASH as many as 1080 pixels hold.", valueName: "n")
    )
    var columns: Int?

    @Option(
        help: ArgumentHelp(
            "Rows of tiles in a sheet; 10 if not given, for HLS and DASH as many as 1080 pixels hold.", valueName: "n"))
    var rows: Int?

    @Option(help: "jpeg, png, webp or avif.")
    var format = PreviewImageFormat.jpeg

    @Option(help: ArgumentHelp("Quality of JPEG, WebP and AVIF from 1 to 100.", valueName: "n"))
    var quality = 80

    @Flag(help: "Take the exact frame at each time, never a sync sample nearby.")
    var exact = false

    @Flag(help: "Also write storyboard.bif, for Roku and Plex.")
    var bif = false

    @Flag(
        help:
            "Also write the tiles as Jellyfin keeps them beside a film; sizes not given are those of its own settings.")
    var jellyfin = false

    @Flag(help: "Also write images.m3u8, an HLS playlist of images, and the line for your own playlist that names it.")
    var hls = false

    @Flag(help: "Also write storyboard.mpd, a DASH thumbnail set, and the adaptation set for your own manifest.")
    var dash = false

    @Flag(help: "Leave index.html out.")
    var noPage = false

    @Flag(help: "Put the sheets into index.html too, so that the page can be passed on as one file.")
    var embedSheets = false

    @Flag(help: "Let index.html play the film itself, from where it lies, with the pictures along its scrub bar.")
    var withPlayer = false

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp(
            "The folder to make, with {name} for the film's name; or an existing folder to make it in.",
            valueName: "folder"))
    var output: String?

    @Flag(help: "Print JSON Lines, one object for each film.")
    var json = false

    @Flag(help: "Pass over films whose storyboard is there, of these settings, and as new as they are; replace others.")
    var ifNewer = false

    @Flag(help: "Replace existing storyboards.")
    var force = false

    @Flag(help: "Take damaged pictures too, and fill intervals without any with the picture before.")
    var allowDamaged = false

    func validate() throws {
        do {
            if let every, try DurationExpression.parse(every) <= .zero {
                throw ValidationError("--every takes a duration above zero.")
            }
        } catch let error as TimeExpressionError {
            throw ValidationError(error.description)
        }
        guard (1...1000).contains(columns ?? 1) else { throw ValidationError("--columns takes 1 to 1000.") }
        guard (1...1000).contains(rows ?? 1) else { throw ValidationError("--rows takes 1 to 1000.") }
        guard (1...100).contains(quality) else { throw ValidationError("--quality takes 1 to 100.") }
        guard !ifNewer || !force else { throw ValidationError("Give one of --if-newer and --force.") }
        guard !part.isGiven || !(bif || jellyfin || hls || dash) else {
            throw ValidationError(
                "--bif, --jellyfin, --hls and --dash count from the film's start and go with neither --from nor --to.")
        }
        guard !noPage || !(embedSheets || withPlayer) else {
            throw ValidationError("--no-page goes with neither --embed-sheets nor --with-player.")
        }
        if withPlayer, source.files.contains(where: { source.allowNetwork && $0.contains("://") }) {
            throw ValidationError("--with-player needs films that are files.")
        }
    }

    func run() async throws {
        let command = self
        try await Interruption.cancelling { try await command.runAll() }
    }

    private func runAll() async throws {
        let targets = try StoryboardTargets(output, fileCount: source.files.count)
        var failures = FailureLog()
        let files = RunFiles(of: source.files)
        var made = 0
        for file in source.files where !Interruption.isRequested {
            do {
                let place = try files.folder(
                    targets.path(for: file), replaces: force || ifNewer, makesFolder: targets.makesFolder)
                try await makeStoryboard(of: file, at: place)
                made += 1
            } catch {
                let failure = try failures.report(hinting(error), file: file)
                if json { try JSONLine.print(JSONFailedSource(source: file, error: JSONError(failure))) }
            }
        }
        // An interruption that comes when all is done has nothing to interrupt.
        if made < source.files.count { try failures.exitIfNeeded() }
    }

    private func makeStoryboard(of file: String, at place: OutputPlace) async throws {
        let path = place.path
        let asset = source.asset(file, track: tracks.track)
        var settings = try settings()
        settings.part = try await part.range(of: asset)
        let maker = StoryboardMaker(settings: settings)
        if ifNewer, maker.isCurrent(at: path, for: asset) {
            if json {
                try JSONLine.print(JSONCurrentStoryboard(source: file, folder: path))
            } else {
                try Console.print("\(path.oneLine): up to date")
            }
            return
        }
        let storyboard = try await maker.makeStoryboard(of: asset, at: place) { Console.progress(file, $0) }
        let limits = RokuLimits.warnings(of: storyboard, extras: settings.extras)
        for line in storyboard.warnings + limits { Console.error("avtool: \(file.oneLine): \(line.oneLine)") }
        if jellyfin, let settings = JellyfinTiles.settingsNeeded(for: storyboard) {
            Console.error("avtool: \(file.oneLine): \(settings)")
        }
        if json {
            try JSONLine.print(JSONStoryboard(storyboard, source: file, folder: path))
        } else {
            try Console.print("\(path.oneLine): \(storyboard.summary)\(pasting)")
        }
    }

    /// Which files hold what goes into one's own manifests.
    private var pasting: String {
        let files =
            (hls ? [HLSImagePlaylist.lineFileName] : []) + (dash ? [DASHThumbnails.adaptationSetFileName] : [])
        return files.isEmpty ? "" : "; for your own manifests: " + files.joined(separator: ", ")
    }

    private func settings() throws -> StoryboardSettings {
        var settings = StoryboardSettings()
        // Jellyfin finds a set under the sizes of its own settings only.
        settings.interval =
            try every.map { try DurationExpression.parse($0) } ?? (jellyfin ? JellyfinTiles.interval : nil)
        let tile = tile ?? (jellyfin || bif ? StillSize(width: JellyfinTiles.width, height: 0) : nil)
        if let tile { (settings.maximumTileWidth, settings.maximumTileHeight) = (tile.width, tile.height) }
        settings.timeline = timeline.timeline
        settings.columns = columns ?? settings.columns
        settings.rows = rows ?? settings.rows
        if columns == nil, rows == nil, hls || dash, !jellyfin { settings.maximumSheetSide = RokuLimits.sheetSide }
        settings.format = format
        settings.quality = quality
        settings.isExact = exact
        settings.allowsDamagedPictures = allowDamaged
        let wanted: [(StoryboardExtra, Bool)] = [
            (.page, !noPage), (.embeddedPage, embedSheets), (.player, withPlayer), (.bif, bif), (.jellyfin, jellyfin),
            (.hls, hls), (.dash, dash),
        ]
        settings.extras = Set(wanted.filter(\.1).map(\.0))
        return settings
    }

    /// Says what to try where a picture cannot be had.
    private func hinting(_ error: any Error) -> any Error {
        guard let error = error as? AVError, error.code == .decodeFailed, !allowDamaged else { return error }
        let failure = Failure(error)
        return Failure(failure.code, failure.name, failure.message + "; --allow-damaged makes do without it")
    }
}

/// Where storyboards go.
struct StoryboardTargets {
    private let pattern: OutputPattern

    /// - Throws: A failure if several films would get one name.
    init(_ output: String?, fileCount: Int) throws {
        guard !OutputPlace.isStandardOutput(output ?? "") else {
            throw Failure(.usage, "usage", "a storyboard is a folder; -o takes no -")
        }
        pattern = try OutputPattern(output, default: "{name}-storyboard", count: fileCount) { folder in
            // A storyboard that is there is the one to replace, not a place for another.
            FileManager.default.fileExists(atPath: "\(folder)/\(StoryboardDocument.fileName)")
        }
        guard fileCount == 1 || pattern.contains("{name}") else {
            throw Failure(.usage, "usage", "several films need {name} in the name, or a folder that is there")
        }
    }

    /// Whether the folder that the storyboards go to is made where there is none.
    var makesFolder: Bool { pattern.makesFolder }

    /// The folder for a film.
    func path(for file: String) -> String { pattern.path(source: file, fileExtension: "") }
}
