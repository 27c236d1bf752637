package import ArgumentParser

/// Which video track pictures are made of.
package struct TrackOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Number of the video track, as info shows it; the first enabled one if not given.", valueName: "n"))
    package var track: Int32?

    package func validate() throws {
        if let track, track < 1 { throw ValidationError("--track takes 1 or more.") }
    }

    package init() {}
}
