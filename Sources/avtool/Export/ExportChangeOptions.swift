internal import ArgumentParser
internal import Foundation
internal import OpenAVFoundation

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
            throw Failure(.usage, "invalidOption", "--\(option): \(error.reason)")
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

/// Which of a file's tracks an export takes.
struct ExportTrackOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Take these tracks only, by the numbers that 'info' prints: 1,3.", valueName: "list"))
    var tracks: TrackList?

    @Flag(help: "Leave out all sound.")
    var noAudio = false

    @Flag(help: "Leave out all subtitles and captions that are tracks.")
    var noSubtitles = false

    var selection: ExportTrackSelection {
        var selection = ExportTrackSelection()
        selection.trackIDs = tracks.map { Set($0.numbers) }
        if noAudio { selection.excludedMediaTypes.insert(.audio) }
        if noSubtitles { selection.excludedMediaTypes.formUnion(ExportTrackSelection.subtitleMediaTypes) }
        return selection
    }
}

/// Numbers of tracks as people list them.
struct TrackList: ExpressibleByArgument {
    let numbers: [Int32]

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int32($0.trimmingCharacters(in: .whitespaces)) }
        guard numbers.count == parts.count, numbers.allSatisfy({ $0 > 0 }) else { return nil }
        self.numbers = numbers
    }
}

/// Bits a second as people write them.
struct BitRate: ExpressibleByArgument {
    let value: Int64

    private static let units: [String: Double] = [
        "": 1, "k": 1000, "kbps": 1000, "kbit/s": 1000, "m": 1_000_000, "mbps": 1_000_000, "mbit/s": 1_000_000,
    ]

    init?(argument: String) {
        let number = argument.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = argument.dropFirst(number.count).trimmingCharacters(in: .whitespaces).lowercased()
        guard let factor = Self.units[unit], let amount = Double(number), amount * factor < 1e15 else { return nil }
        value = Int64((amount * factor).rounded())
    }
}

/// A box for pictures as people write it.
struct PictureBox: ExpressibleByArgument {
    let size: ExportPreset.MaximumSize

    init?(argument: String) {
        let parts = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]) else { return nil }
        size = .init(width: width, height: height)
    }
}

/// A part of pictures as people write it.
struct PictureCrop: ExpressibleByArgument {
    let crop: ExportPreset.Crop

    init?(argument: String) {
        let parts = argument.split(separator: "+", omittingEmptySubsequences: false)
        guard parts.count == 3, let box = PictureBox(argument: String(parts[0])), let x = Int(parts[1]),
            let y = Int(parts[2])
        else { return nil }
        crop = .init(x: x, y: y, width: box.size.width, height: box.size.height)
    }
}
