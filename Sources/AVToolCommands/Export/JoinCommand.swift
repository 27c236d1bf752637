package import ArgumentParser
internal import MediaCore
package import MediaIO

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
