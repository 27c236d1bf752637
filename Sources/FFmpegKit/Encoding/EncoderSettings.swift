internal import CFFmpeg
package import MediaCore

/// What an encoder is asked for.
package struct EncoderSettings: Sendable, Equatable {
    package enum Media: Sendable, Equatable {
        case video(VideoSettings)
        case audio(AudioSettings)
    }

    /// FFmpeg's name of the encoder: `libx264`, `aac`.
    package var name: String
    package var media: Media
    /// In bits a second; `nil` leaves it to the encoder and its options.
    package var bitRate: Int64?
    /// Zero for as many as there are cores.
    package var threads = 0
    /// Options of the encoder and libavcodec's general ones, by FFmpeg's names.
    package var options: [String: String] = [:]
    /// Whether parameter sets go into the header of the file, as
    /// ``ContainerFormat/wantsGlobalHeader`` says.
    package var usesGlobalHeader = false
    package var pass = EncodingPass.only

    package init(name: String, media: Media) {
        self.name = name
        self.media = media
    }

    /// Which field comes first where pictures are encoded as two fields; `nil` for pictures of their own.
    var isTopFieldFirst: Bool? {
        guard options["flags"]?.contains("ildct") == true else { return nil }
        return options["field_order"].flatMap(FieldOrder.init)?.isTopFirst
    }
}

package struct VideoSettings: Sendable, Equatable {
    package var width: Int
    package var height: Int
    /// FFmpeg's name: `yuv420p`, `yuv420p10le`.
    package var pixelFormat: String
    package var timeBase: TimeBase
    /// `nil` where pictures come at no fixed rate.
    package var frameRate: Ratio?
    package var sampleAspectRatio: Ratio?
    package var color = ColorInfo()
    /// The most pictures between two keyframes; `nil` for the encoder's own choice.
    package var keyframeInterval: Int?
    package var hdr = HDRMetadata()

    package init(width: Int, height: Int, pixelFormat: String, timeBase: TimeBase) {
        self.width = width
        self.height = height
        self.pixelFormat = pixelFormat
        self.timeBase = timeBase
    }
}

package struct AudioSettings: Sendable, Equatable {
    package var sampleRate: Int
    /// FFmpeg's name: `fltp`, `s16`.
    package var sampleFormat: String
    /// FFmpeg's name: `stereo`, `5.1(side)`.
    package var channelLayout: String

    package init(sampleRate: Int, sampleFormat: String, channelLayout: String) {
        self.sampleRate = sampleRate
        self.sampleFormat = sampleFormat
        self.channelLayout = channelLayout
    }
}

/// Which of two passes over the pictures an encoding is.
package enum EncodingPass: Sendable, Equatable {
    /// There is one pass.
    case only
    /// Finds out how complex the pictures are; the packets are not for keeping.
    ///
    /// Some encoders leave what they find in files in the directory, which has
    /// to be the same for both passes, and empty before the first.
    case first(directory: String)
    /// Uses what ``Encoder/passStatistics`` was after the first pass.
    case second(directory: String, statistics: String)

    var number: Int? {
        switch self {
        case .only: nil
        case .first: 1
        case .second: 2
        }
    }

    var directory: String? {
        switch self {
        case .only: nil
        case .first(let directory), .second(let directory, _): directory
        }
    }
}

/// The text of parameters that some encoders take besides their options.
extension EncoderSettings {
    /// The options with what two passes and the light of HDR content add.
    func completedOptions() throws(FFmpegError) -> [String: String] {
        var result = options
        var parameters: [(String, String)] = []
        if case .video(let video) = media { parameters += hdrParameters(video.hdr) }
        if let number = pass.number, let directory = pass.directory {
            switch name {
            case "libx264", "libx264rgb": result["stats"] = directory + "/x264.log"
            case "libx265":
                parameters += [("pass", String(number)), ("stats", directory + "/x265.log")]
            case "libsvtav1", "librav1e":
                throw FFmpegError(
                    kind: .unsupported, operation: .encode, reason: "two passes are not possible with \(name)")
            default: break
            }
        }
        if let parametersOption = EncoderParameters.option(ofEncoder: name), name == "libx265" || !parameters.isEmpty {
            let asked = result[parametersOption].map { [$0] } ?? []
            // x265 logs to standard error.
            let quiet = name == "libx265" ? [("log-level", "none")] : []
            let added = (quiet + parameters).map { "\($0)=\(Self.quoted($1))" }
            // What the caller says comes last and holds.
            result[parametersOption] = (added + asked).joined(separator: ":")
        }
        return result
    }

    private func hdrParameters(_ hdr: HDRMetadata) -> [(String, String)] {
        let light = hdr.contentLight.map { "\($0.maximum),\($0.maximumAverage)" }
        let names: (display: String, light: String)
        switch name {
        case "libx264": names = ("mastering-display", "cll")
        case "libx265": names = ("master-display", "max-cll")
        case "libsvtav1": names = ("mastering-display", "content-light")
        default: return []
        }
        let display = name == "libsvtav1" ? hdr.masteringDisplay?.decimalText : hdr.masteringDisplay?.integerText
        return [(names.display, display), (names.light, light)].compactMap { name, value in value.map { (name, $0) } }
    }

    /// A value in which no character ends it.
    private static func quoted(_ value: String) -> String {
        var result = ""
        for character in value {
            if "\\':".contains(character) { result.append("\\") }
            result.append(character)
        }
        return result
    }
}
