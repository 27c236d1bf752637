internal import CFFmpeg
internal import MediaCore

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
