package import ArgumentParser
package import MediaCore

/// How a sheet looks.
package struct SheetLooks: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Width of the whole sheet in pixels, 1440 if not given; less where stills would have to be enlarged.",
            valueName: "n"))
    package var width: Int?

    @Option(
        help: ArgumentHelp(
            "Make each still fit into this box, never enlarged; 0 leaves a side free.", valueName: "WxH"))
    package var tile: StillSize?

    @Option(help: ArgumentHelp("Pixels around everything.", valueName: "n"))
    package var margin: Int?

    @Option(help: ArgumentHelp("Pixels between stills.", valueName: "n"))
    package var gap: Int?

    @Option(
        help: ArgumentHelp(
            "The colour behind everything: #rrggbb, white or black. Text is black or white.", valueName: "color"))
    package var background: SheetColor?

    @Option(help: "Where times stand: under, on (the stills) or none.")
    package var labels: SheetLabels?

    @Flag(help: "No times; the same as --labels none.")
    package var noLabels = false

    @OptionGroup package var timeline: TimelineOptions

    @Flag(help: "No lines about the file above the stills.")
    package var noHeader = false

    package func validate() throws {
        guard width == nil || tile == nil else { throw ValidationError("Give one of --width and --tile.") }
        guard !noLabels || labels == nil || labels == SheetLabels.none else {
            throw ValidationError("Give one of --labels and --no-labels.")
        }
        if let width, !(64...65535).contains(width) { throw ValidationError("--width takes 64 to 65535.") }
        if let tile, [tile.width, tile.height].contains(where: { (1..<8).contains($0) }) {
            throw ValidationError("--tile takes sides of 8 to 65535.")
        }
        for (name, value) in [("--margin", margin), ("--gap", gap)] {
            if let value, !(0...4096).contains(value) { throw ValidationError("\(name) takes 0 to 4096.") }
        }
    }

    package var look: SheetLook {
        SheetLook(
            width: width, tile: tile, margin: margin, gap: gap, background: background,
            labels: noLabels ? SheetLabels.none : labels, timeline: timeline.timeline ?? .asset,
            showsHeader: !noHeader)
    }

    package init() {}
}
