package import ArgumentParser
package import MediaIO

/// `avtool storyboard`: sprite sheets and their indexes.
package struct StoryboardCommand: MediaCommand, Writing, PieceMaking, PictureMaking, DamageTolerating {
    package static let configuration = CommandConfiguration(
        commandName: "storyboard",
        abstract: "Make a folder of small pictures of a whole film, for players to show along their scrub bars.",
        discussion: """
            The folder movie-storyboard holds sprite sheets, storyboard.vtt, which tells players when to show which part \
            of them, storyboard.json, which tells all there is to know, and index.html, a page to scrub through the film. \
            Cues begin at the true times of their frames, in milliseconds, and cover the film to its very end. They count \
            as players of the file do: from the container's zero in MP4, WebM, Matroska and Ogg, which browsers play \
            themselves, and from the film's first moment in others; --times says otherwise. BIF, Jellyfin, HLS and DASH \
            always count from the film's first moment.

            A tile shows the keyframe that lies within half an interval of its time, which is fast, and where there \
            is none the exact frame; --exact takes the exact frame throughout.

            The folder appears when it is complete, or not at all. An existing one is never replaced without --force, \
            and one that holds anything else not even then.

            Examples:
              avtool storyboard movie.mp4
              avtool storyboard --every 5s --tile 320x0 --bif --jellyfin *.mkv
              avtool storyboard --if-newer --with-player -o previews/ *.mp4
            """)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The time from one tile to the next; 10s if not given, less (but for Jellyfin) where a hundred tiles cover the film.",
            valueName: "duration"))
    package var every: Written<Length>?

    @Option(
        help: ArgumentHelp(
            "Fit tiles into this box, aspect kept, never enlarged; 0 leaves a side free. 160x160 if not given, for BIF and Jellyfin 320x0.",
            valueName: "WxH"))
    package var tile: StillSize?

    @Flag(help: "Take the exact frame at each time, never a keyframe nearby.")
    package var exact = false

    @OptionGroup package var destination: OutputOptions<Self>

    @Flag(help: "Pass over films whose storyboard is there, of these settings, and as new as they are; replace others.")
    package var ifNewer = false

    @Flag(help: "Also write storyboard.bif, for Roku and Plex.")
    package var bif = false

    @Flag(
        help:
            "Also write the tiles as Jellyfin keeps them beside a film; sizes not given are those of its own settings.")
    package var jellyfin = false

    @Flag(help: "Also write images.m3u8, an HLS playlist of images, and the line for your own playlist that names it.")
    package var hls = false

    @Flag(help: "Also write storyboard.mpd, a DASH thumbnail set, and the adaptation set for your own manifest.")
    package var dash = false

    @Flag(help: "Let index.html play the film itself, from where it lies, with the pictures along its scrub bar.")
    package var withPlayer = false

    @Flag(help: "Put the sheets into index.html too, so that the page can be passed on as one file.")
    package var embedSheets = false

    @Flag(help: "Leave index.html out.")
    package var noPage = false

    @Option(
        help: ArgumentHelp(
            "Tiles in a row of a sheet; 10 if not given, for HLS and DASH as many as 1080 pixels hold.", valueName: "n")
    )
    package var columns: Int?

    @Option(
        help: ArgumentHelp(
            "Rows of tiles in a sheet; 10 if not given, for HLS and DASH as many as 1080 pixels hold.", valueName: "n"))
    package var rows: Int?

    @OptionGroup package var pictures: PictureOptions<Self>
    @OptionGroup package var part: PartOptions
    @OptionGroup package var tracks: TrackOptions
    @OptionGroup package var timeline: TimelineOptions
    @OptionGroup package var damage: DamageOptions<Self>
    @OptionGroup package var report: ReportOptions<Self>
    @OptionGroup package var sharing: PieceOptions
    @OptionGroup package var indexes: IndexOptions
    @OptionGroup package var source: SourceOptions

    package static let formatHelp: ArgumentHelp = "jpeg, png, webp or avif; jpeg if not given."
    package static let usualQuality = 80
    package static let outputHelp = ArgumentHelp(
        "The folder to make, with {name} for the film's name; or an existing folder to make it in.",
        valueName: "folder")
    package static let forceHelp: ArgumentHelp = "Replace existing storyboards."
    package static let jsonHelp: ArgumentHelp = "Print JSON Lines, one object for each film."
    package static let damageHelp: ArgumentHelp =
        "Take damaged pictures too, and fill intervals without any with the picture before."

    package var resumes: Bool { destination.resume }

    package func addGrants(to grants: inout FileGrants, for file: String) {
        indexes.add(to: &grants, for: file)
        grants.add(results: destination.output, usual: "{name}-storyboard", of: file)
        sharing.add(to: &grants)
    }

    package func validate() throws {
        try every?.validate(aboveZero: "--every")
        try sharing.validate(fileCount: source.named.count, toStandardOutput: false)
        guard (1...1000).contains(columns ?? 1) else { throw ValidationError("--columns takes 1 to 1000.") }
        guard (1...1000).contains(rows ?? 1) else { throw ValidationError("--rows takes 1 to 1000.") }
        guard !ifNewer || !destination.force else { throw ValidationError("Give one of --if-newer and --force.") }
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

    package init() {}
}
