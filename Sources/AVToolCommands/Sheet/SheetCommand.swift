package import ArgumentParser
package import MediaIO

/// `avtool sheet`: contact sheets.
package struct SheetCommand: MediaCommand, PieceMaking, DamageTolerating {
    package static let configuration = CommandConfiguration(
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

    @OptionGroup(title: "Times") package var times: SheetTimes
    @OptionGroup(title: "Looks") package var looks: SheetLooks
    @OptionGroup(title: "Files") package var results: SheetFiles
    @OptionGroup package var report: ReportOptions<Self>
    @OptionGroup package var tracks: TrackOptions
    @OptionGroup package var damage: DamageOptions<Self>
    @OptionGroup package var sharing: PieceOptions
    @OptionGroup package var indexes: IndexOptions
    @OptionGroup package var source: SourceOptions

    package static let jsonHelp: ArgumentHelp = "Print JSON Lines, one object for each sheet."
    package static let damageHelp: ArgumentHelp =
        "Show damaged pictures too, marked as damaged, and placeholders where there is no picture."

    package var resumes: Bool { results.destination.resume }

    package func addGrants(to grants: inout FileGrants, for file: String) {
        indexes.add(to: &grants, for: file)
        grants.add(results: results.destination.output, usual: "{name}-sheet.{ext}", of: file)
        sharing.add(to: &grants)
    }

    package func validate() throws {
        try results.destination.validate(fileCount: source.named.count, json: json)
        try sharing.validate(
            fileCount: source.named.count, toStandardOutput: results.destination.isStandardOutput)
    }

    package init() {}
}
