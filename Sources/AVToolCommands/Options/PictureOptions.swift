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
