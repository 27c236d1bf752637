package import ArgumentParser

/// Whether frames that stand for what is around them are taken, and from how far.
package struct RepresentativeOptions: ParsableArguments {
    @Flag(
        help: "Take the frame that stands best for what is around each time: not black, flat, blurred or a transition.")
    package var representative = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How far a representative frame may lie from its time; 2s if not given, less where times lie closer.",
            valueName: "duration"))
    package var window: Written<Length>?

    package func validate() throws {
        try window?.validate(aboveZero: "--window")
        guard window == nil || representative else { throw ValidationError("--window goes with --representative.") }
    }

    /// The window asked for; `nil` where the very frames are wanted.
    package func wantedWindow() -> Written<Length>? { representative ? window ?? Written(argument: "2s") : nil }

    package init() {}
}
