internal import ArgumentParser
internal import OpenAVFoundationExtras

/// A command that makes pictures.
protocol PictureMaking {
    static var formatHelp: ArgumentHelp { get }
    static var usualQuality: Int { get }
}

/// What kind of files pictures become.
struct PictureOptions<Command: PictureMaking>: ParsableArguments {
    @Option(help: Command.formatHelp)
    var format: PreviewImageFormat?

    @Option(help: ArgumentHelp("Quality of JPEG, WebP and AVIF from 1 to 100.", valueName: "n"))
    var quality = Command.usualQuality

    func validate() throws {
        guard (1...100).contains(quality) else { throw ValidationError("--quality takes 1 to 100.") }
    }
}
