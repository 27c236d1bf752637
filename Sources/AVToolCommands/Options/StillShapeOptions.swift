package import ArgumentParser
package import MediaCore

/// Which part of pictures is shown, and how large.
package struct StillShapeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Fit into this box, aspect kept, never enlarged; 0 leaves a side free. Several times for several files of each still.",
            valueName: "WxH"))
    package var size: [StillSize] = []

    @Option(
        help: """
            contain: inside of the box. cover: exactly the box, the middle of the picture. pad: exactly the box, with \
            bars. The last two enlarge small pictures.
            """)
    package var fit = StillFit.contain

    @Option(
        help: ArgumentHelp(
            "Show only this part, in pixels of the upright picture of full size; auto leaves black bars out.",
            valueName: "WxH+X+Y"))
    package var crop: StillCrop?

    @Option(
        help: ArgumentHelp(
            "The colour of bars, and of what shows through clear parts: #rrggbb, white or black. If not given, black, and clear parts stay clear in PNG, WebP and AVIF.",
            valueName: "color"))
    package var background: SheetColor?

    package func validate() throws {
        guard fit != .contain else { return }
        guard !size.isEmpty, size.allSatisfy({ $0.width > 0 && $0.height > 0 }) else {
            throw ValidationError("--fit \(fit.rawValue) needs --size with a width and a height.")
        }
    }

    package var shape: StillShape { StillShape(sizes: size, fit: fit, crop: crop, background: background) }

    package init() {}
}
