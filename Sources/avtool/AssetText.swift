internal import Foundation
internal import OpenAVFoundation

/// An asset's description for people.
struct AssetText {
    let file: String
    let description: AssetDescription
    let metadata: AssetMetadata

    var lines: [String] {
        var head = [description.container, description.duration.durationText(decimals: 3) + " s"]
        if description.durationIsEstimate { head[1] += " (estimated)" }
        if let size = description.byteCount { head.append("\(size) bytes") }
        if let rate = description.bitRate { head.append("\(rate / 1000) kb/s") }
        if let timecode = description.startTimecode { head.append("timecode \(timecode)") }
        var lines = [file.oneLine, "  " + head.joined(separator: ", ")]
        lines += description.tracks.map { "  #\($0.trackID) " + Self.text(for: $0) }
        lines += description.attachedPictures.map { "  #\($0.trackID) attached picture: " + Self.text(for: $0) }
        lines += metadata.chapters.map { chapter in
            let duration = chapter.end - chapter.start
            return "  chapter \(chapter.start.secondsText(decimals: 3)) s + \(duration.durationText(decimals: 3)) s"
                + "  \(chapter.title.oneLine)"
        }
        lines += metadata.file.entries.map { "  " + MetadataText.line(for: $0) }
        return lines
    }

    private static func text(for track: TrackDescription) -> String {
        var parts = [track.codec + (track.profile.map { " (\($0))" } ?? "")]
        if let video = track.video { parts += text(for: video) }
        if let audio = track.audio {
            parts.append("\(audio.sampleRate) Hz")
            parts.append(audio.channelLayout ?? "\(audio.channels) channels")
        }
        if let language = track.extendedLanguageTag ?? track.language { parts.append(language.oneLine) }
        if track.estimatedDataRate > 0 { parts.append("\(track.estimatedDataRate / 1000) kb/s") }
        if track.timeRange.start > .zero { parts.append("starts at \(track.timeRange.start.secondsText()) s") }
        if !track.isEnabled { parts.append("disabled") }
        return "\(track.mediaType.name): " + parts.joined(separator: ", ")
    }

    private static func text(for video: VideoDescription) -> [String] {
        var parts = ["\(video.naturalSize.width)x\(video.naturalSize.height)"]
        if video.displaySize != video.naturalSize {
            parts.append("shown as \(video.displaySize.width)x\(video.displaySize.height)")
        }
        if video.nominalFrameRate > 0 { parts.append(String(format: "%.6g fps", video.nominalFrameRate)) }
        if let format = video.pixelFormat { parts.append(format) }
        let color = [video.color.yCbCrMatrix, video.color.primaries, video.color.transferFunction, video.color.range]
        let known = color.compactMap { $0 }
        if !known.isEmpty { parts.append(known.joined(separator: "/")) }
        if let order = video.fieldOrder, order != "progressive" { parts.append("interlaced \(order)") }
        return parts
    }
}
