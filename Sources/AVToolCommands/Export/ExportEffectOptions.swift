package import ArgumentParser

/// What is done to pictures and sound of an export.
package struct ExportEffectOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Come up from black and silence for so long: 1s, 500ms.", valueName: "dur"))
    package var fadeIn: Written<Length>?

    @Option(help: ArgumentHelp("Go down to black and silence for so long, at the end.", valueName: "dur"))
    package var fadeOut: Written<Length>?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How loud sound is: -3dB or +6dB; normalize for EBU R 128 (-23 LUFS), or a loudness such as -16LUFS, for which sound is read twice and peaks are held below -1 dBTP.",
            valueName: "volume"))
    package var volume: VolumeChange?

    @Option(
        help: ArgumentHelp(
            "Faster above 1, slower below it: 2, 0.5, 24/25; sound keeps its pitch. Subtitles are not kept.",
            valueName: "factor"))
    package var speed: SpeedFactor?

    @Option(
        help: ArgumentHelp(
            "Lay this picture, such as a PNG with transparency, over all pictures, if they are not HDR.",
            valueName: "image"),
        completion: .file())
    package var overlay: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Where --overlay lies: top-left, top, top-right, left, center, right, bottom-left, bottom, bottom-right (usual), or pixels from the left and the top; less than zero from the right and the bottom, -1 touching them.",
            valueName: "place|X,Y"))
    package var overlayAt: OverlayPlace?

    @Option(
        help: ArgumentHelp(
            "How wide --overlay is made, of the pictures' width: 20% or 0.2; its own pixels if not given.",
            valueName: "share"))
    package var overlayWidth: Percentage?

    @Option(help: ArgumentHelp("How much of --overlay is seen: 0 to 1, or 50%.", valueName: "share"))
    package var overlayOpacity: Percentage?

    package func validate() throws {
        try fadeIn?.validate(aboveZero: "--fade-in")
        try fadeOut?.validate(aboveZero: "--fade-out")
        guard overlay == nil else { return }
        for (option, isGiven) in [
            ("--overlay-at", overlayAt != nil), ("--overlay-width", overlayWidth != nil),
            ("--overlay-opacity", overlayOpacity != nil),
        ] where isGiven {
            throw ValidationError("\(option) goes with --overlay.")
        }
    }

    package init() {}
}
