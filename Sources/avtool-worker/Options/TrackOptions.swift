internal import ArgumentParser

/// Which video track pictures are made of.
struct TrackOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Number of the video track, as info shows it; the first enabled one if not given.", valueName: "n"))
    var track: Int32?

    func validate() throws {
        if let track, track < 1 { throw ValidationError("--track takes 1 or more.") }
    }
}
