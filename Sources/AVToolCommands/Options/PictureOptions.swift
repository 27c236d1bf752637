package import ArgumentParser
package import MediaCore

/// A command that makes pictures.
package protocol PictureMaking {
    associatedtype Format: ExpressibleByArgument & Sendable = PreviewImageFormat

    static var formatHelp: ArgumentHelp { get }
    static var usualQuality: Int { get }
}

/// What kind of files pictures become.
package struct PictureOptions<Command: PictureMaking>: ParsableArguments {
    @Option(help: Command.formatHelp)
    package var format: Command.Format?

    @Option(help: ArgumentHelp("Quality of JPEG, WebP and AVIF from 1 to 100.", valueName: "n"))
    package var quality = Command.usualQuality

    package func validate() throws {
        guard (1...100).contains(quality) else { throw ValidationError("--quality takes 1 to 100.") }
    }

    package init() {}
}

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

/// Whether embedded pictures are wanted instead of frames.
package struct CoverOptions: ParsableArguments {
    @Flag(
        help: "The embedded pictures, such as cover art, instead of frames; --track chooses one. Works on sound files.")
    package var cover = false

    package init() {}
}

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

/// Which part of pictures is shown, and how large.
package struct StillShape: Sendable {
    package let sizes: [StillSize]
    package let fit: StillFit
    package let crop: StillCrop?
    package let background: SheetColor?
}

/// The box that stills fit into.
package struct StillSize: ExpressibleByArgument, CustomStringConvertible {
    package let width: Int
    package let height: Int

    package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    package var description: String { "\(width)x\(height)" }

    package init?(argument: String) {
        let parts = argument.split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]),
            (0...65535).contains(width), (0...65535).contains(height), width + height > 0
        else { return nil }
        (self.width, self.height) = (width, height)
    }
}

/// The part of pictures that is shown.
package enum StillCrop: ExpressibleByArgument {
    /// What is inside of black bars.
    case auto
    case part(PictureCrop)

    package init?(argument: String) {
        if argument == "auto" {
            self = .auto
            return
        }
        let numbers = argument.split(omittingEmptySubsequences: false) { $0 == "x" || $0 == "+" }
        let signs = argument.filter { !("0"..."9").contains($0) }
        let values = numbers.compactMap { Int($0) }
        guard signs == "x++", values.count == 4, values.allSatisfy({ $0 <= 1_000_000 }), values[0] > 0, values[1] > 0
        else { return nil }
        self = .part(PictureCrop(x: values[2], y: values[3], width: values[0], height: values[1]))
    }
}

/// A part of pictures as people write it.
package struct PictureCrop: ExpressibleByArgument, Sendable {
    /// Pixels from the left, and from the top.
    package let x, y: Int
    package let width: Int
    package let height: Int

    init(x: Int, y: Int, width: Int, height: Int) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    package init?(argument: String) {
        let parts = argument.split(separator: "+", omittingEmptySubsequences: false)
        guard parts.count == 3, let box = PictureBox(argument: String(parts[0])), let x = Int(parts[1]),
            let y = Int(parts[2])
        else { return nil }
        self.init(x: x, y: y, width: box.width, height: box.height)
    }
}
