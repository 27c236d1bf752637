internal import ArgumentParser
internal import MediaFile
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// `avtool sheet`: contact sheets.
struct SheetCommand: MediaCommand, DamageTolerating {
    static let configuration = CommandConfiguration(
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

    @OptionGroup(title: "Times") var times: SheetTimes
    @OptionGroup(title: "Looks") var looks: SheetLooks
    @OptionGroup(title: "Files") var results: SheetFiles
    @OptionGroup var report: ReportOptions<Self>
    @OptionGroup var tracks: TrackOptions
    @OptionGroup var damage: DamageOptions<Self>
    @OptionGroup var source: SourceOptions

    static let jsonHelp: ArgumentHelp = "Print JSON Lines, one object for each sheet."
    static let damageHelp: ArgumentHelp =
        "Show damaged pictures too, marked as damaged, and placeholders where there is no picture."

    func addGrants(to grants: inout FileGrants, for file: String) {
        grants.add(results: results.destination.output, usual: "{name}-sheet.{ext}", of: file)
    }

    func validate() throws {
        try results.destination.validate(fileCount: files.count, json: json)
    }

    func prepared() throws -> FileWork<JSONSheetDocument> {
        let naming = try ResultNaming(results.destination.output, default: "{name}-sheet.{ext}", count: files.count)
        let format = try PreviewImageFormat(
            results.pictures.format, output: results.destination.output, naming)
        try naming.checkNamesDiffer(ofFiles: files.count)
        return { file, work in
            try await SheetRequest(
                source: source.source(file, track: tracks.track), choice: times.choice, columns: times.columns,
                part: times.part.part, window: times.representation.wantedWindow(), look: looks.look, format: format,
                quality: results.pictures.quality, allowsDamage: damage.allowDamaged,
                output: naming.place(
                    source: file, filenameExtension: format.filenameExtension,
                    replaces: results.destination.force || results.ifNewer),
                keepsCurrent: results.ifNewer
            ).run(in: work)
        }
    }
}
