package import ArgumentParser

/// Which of a file's tracks an export takes.
package struct ExportTrackOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Take these tracks only, by the numbers that 'info' prints: 1,3.", valueName: "list"))
    package var tracks: TrackList?

    @Flag(help: "Leave out all sound.")
    package var noAudio = false

    @Flag(help: "Leave out all subtitles and captions that are tracks.")
    package var noSubtitles = false

    package init() {}
}
