internal import ArgumentParser
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// What one export is to have in place of what its preset says.
struct ExportChangeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Quality on the encoder's scale: of the pictures, or of the sound where no pictures are encoded.",
            valueName: "n"))
    var quality: Double?

    @Option(help: ArgumentHelp("Bits a second for the pictures, on average: 2M, 800k.", valueName: "rate"))
    var bitrate: BitRate?

    @Option(
        help: ArgumentHelp("Fit pictures into this box, aspect kept, never enlarged.", valueName: "WxH"))
    var size: PictureBox?

    @Option(help: ArgumentHelp("Pictures a second at most.", valueName: "n"))
    var fps: Double?

    @Option(help: ArgumentHelp("Bits a second for each track with sound: 128k.", valueName: "rate"))
    var audioBitrate: BitRate?

    @Option(
        help: ArgumentHelp(
            "Keep this part of the pictures as they are shown: width, height, and where its corner lies from the left and the top.",
            valueName: "WxH+X+Y"))
    var crop: PictureCrop?

    @Option(
        help: ArgumentHelp(
            "Turn the pictures clockwise by 90, 180 or 270 degrees, after --crop.", valueName: "degrees"))
    var rotate: Int?

    /// Whether anything is changed.
    var isGiven: Bool { !overrides.isEmpty }

    func validate() throws {
        guard quality == nil || bitrate == nil else {
            throw ValidationError("Give one of --quality and --bitrate.")
        }
    }

    /// The preset with the changes.
    ///
    /// - Throws: A failure that names the option.
    func applied(to preset: ExportPreset) throws -> ExportPreset {
        guard isGiven else { return preset }
        do {
            return try preset.applying(overrides)
        } catch {
            guard let error = error as? ExportPresetError, error.kind == .invalidOverride else { throw Failure(error) }
            let option = Self.options[error.keyPath] ?? error.keyPath
            throw Failure(.invalidOption, "--\(option): \(error.reason)")
        }
    }

    private var overrides: ExportOverrides {
        var overrides = ExportOverrides()
        (overrides.quality, overrides.bitRate, overrides.frameRate) = (quality, bitrate?.value, fps)
        overrides.size = size?.size
        (overrides.audioBitRate, overrides.crop, overrides.rotation) = (audioBitrate?.value, crop?.crop, rotate)
        return overrides
    }

    private static let options = [
        "bitRate": "bitrate", "frameRate": "fps", "audioBitRate": "audio-bitrate", "rotation": "rotate",
    ]
}
