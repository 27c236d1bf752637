internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension ExportChangeOptions {
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
        overrides.size = size.map { .init(width: $0.width, height: $0.height) }
        (overrides.audioBitRate, overrides.crop, overrides.rotation) = (
            audioBitrate?.value, crop.map(ExportPreset.Crop.init), rotate
        )
        return overrides
    }

    private static let options = [
        "bitRate": "bitrate", "frameRate": "fps", "audioBitRate": "audio-bitrate", "rotation": "rotate",
    ]
}

extension ExportPreset.Crop {
    fileprivate init(_ crop: PictureCrop) { self.init(x: crop.x, y: crop.y, width: crop.width, height: crop.height) }
}
