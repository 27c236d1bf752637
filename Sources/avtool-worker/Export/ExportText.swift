internal import AVToolCommands
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension ExportPlan {
    /// The plan for people.
    func lines(file: String) -> [String] {
        var lines = ["\(file.oneLine): \(fileType.name), \(method.text)"]
        let range = actualRange.isValid ? actualRange : requestedRange
        lines.append(
            "  range \(requestedRange.text)"
                + (range == requestedRange ? "" : ", really \(range.text)"))
        for track in tracks {
            let parts = [track.codec == track.sourceCodec ? track.codec : "\(track.sourceCodec) to \(track.codec)"]
            let language = track.language.map { [$0] } ?? []
            lines.append(
                "  track \(track.trackID) \(track.mediaType.name): \(track.treatment.rawValue), "
                    + (parts + language + track.details).joined(separator: ", ").oneLine)
        }
        lines += hidden.map { "  " + $0.line }
        if passes > 1 { lines.append("  the source is read \(passes) times") }
        if let estimatedByteCount {
            lines.append("  \(method == .cut ? "" : "about ")\(estimatedByteCount) bytes")
        }
        return lines
    }
}

extension ExportPlan.Method {
    var text: String {
        switch self {
        case .cut: "the movie's tables are edited"
        case .remux: "coded samples are copied"
        case .transcode: "encoded anew"
        }
    }
}

extension CMTimeRange {
    /// Start, end and length in seconds.
    fileprivate var text: String {
        "\(start.secondsText()) s to \(end.secondsText()) s (\(duration.durationText()) s)"
    }
}

extension HiddenMaterial {
    /// What stays in the file and is not shown, in one line.
    var line: String { "track \(trackID) keeps \(text), hidden by the edit list" }
}

extension ExportResult {
    func line(file: String) -> String {
        var line = "\(file.oneLine): \(actualRange.text), \(byteCount) bytes"
        if actualRange != requestedRange {
            line += "; \(requestedRange.start.secondsText()) s to \(requestedRange.end.secondsText()) s was asked for"
        }
        return line
    }
}

extension ExportProgress {
    /// How fast an export is and how long it will take.
    var details: String {
        var details = ""
        if let speed { details += String(format: ", %.1fx", speed) }
        if let remaining, remaining.isFinite {
            let seconds = Int(remaining.rounded(.up))
            details += String(format: ", %d:%02d left", seconds / 60, seconds % 60)
        }
        return details
    }
}
