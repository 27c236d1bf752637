package import ArgumentParser
internal import Foundation

/// What one export is to have in place of what its preset says.
package struct ExportChangeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Quality on the encoder's scale: of the pictures, or of the sound where no pictures are encoded.",
            valueName: "n"))
    package var quality: Double?

    @Option(help: ArgumentHelp("Bits a second for the pictures, on average: 2M, 800k.", valueName: "rate"))
    package var bitrate: BitRate?

    @Option(
        help: ArgumentHelp("Fit pictures into this box, aspect kept, never enlarged.", valueName: "WxH"))
    package var size: PictureBox?

    @Option(help: ArgumentHelp("Pictures a second at most.", valueName: "n"))
    package var fps: Double?

    @Option(help: ArgumentHelp("Bits a second for each track with sound: 128k.", valueName: "rate"))
    package var audioBitrate: BitRate?

    @Option(
        help: ArgumentHelp(
            "Keep this part of the pictures as they are shown: width, height, and where its corner lies from the left and the top.",
            valueName: "WxH+X+Y"))
    package var crop: PictureCrop?

    @Option(
        help: ArgumentHelp(
            "Turn the pictures clockwise by 90, 180 or 270 degrees, after --crop.", valueName: "degrees"))
    package var rotate: Int?

    /// Whether anything is changed.
    package var isGiven: Bool {
        quality != nil || fps != nil || bitrate != nil || audioBitrate != nil || size != nil || crop != nil
            || rotate != nil
    }

    package func validate() throws {
        guard quality == nil || bitrate == nil else {
            throw ValidationError("Give one of --quality and --bitrate.")
        }
    }

    package init() {}
}
