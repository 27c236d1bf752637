internal import Foundation
internal import MediaAsset
internal import MediaCore
internal import MediaImage
internal import MediaMetadata

/// The lines above the stills, drawn and placed.
struct SheetHeader {
    private struct Line {
        let text: TextImage
        let x: Int
        let y: Int
    }

    private var lines: [Line] = []
    /// Rows that it takes up, its distance from the stills included.
    private(set) var height: Int
    private let margin: Int
    private let width: Int

    /// A sheet without a header begins with its margin.
    init(margin: Int) { (height, self.margin, width) = (margin, margin, 0) }

    /// Draws the lines.
    init(facts: FilmFacts, layout: SheetLayout, ink: SheetInk) throws {
        margin = layout.margin
        width = max(1, layout.width - 2 * margin)
        height = margin
        let fontSize = min(28, max(13, Double(layout.width) / 90))
        let leading = Int((fontSize * 0.3).rounded())
        let title = facts.title ?? facts.fileName
        try add(title, ink.bold(fontSize * 1.6, isLeftToRight: facts.title == nil), leading: leading)
        if facts.title != nil {
            try add(facts.fileName, ink.regular(fontSize, isLeftToRight: true), leading: leading)
        }
        height += leading
        let rows = facts.rows
        let names = try rows.map { try TextImage($0.name, style: ink.faint(fontSize, width: width)) }
        let indent = (names.map(\.width).max() ?? 0) + Int(fontSize)
        for (row, name) in zip(rows, names) {
            var style = ink.regular(fontSize)
            style.maximumWidth = max(1, width - indent)
            for (index, text) in try TextImage.lines(row.facts, separator: "  ·  ", style: style).enumerated() {
                if index == 0 { lines.append(Line(text: name, x: margin, y: height + text.baseline - name.baseline)) }
                lines.append(Line(text: text, x: margin + indent, y: height))
                height += text.height + leading
            }
        }
        height += max(layout.gap, 2 * leading)
    }

    private mutating func add(_ text: String, _ style: TextStyle, leading: Int) throws {
        var style = style
        style.maximumWidth = width
        let image = try TextImage(text, style: style)
        // What is read from the right begins on the right.
        let x = image.isRightToLeft ? margin + width - image.width : margin
        lines.append(Line(text: image, x: x, y: height))
        height += image.height + leading
    }

    /// Characters that are drawn as boxes.
    var missingCharacterCount: Int { lines.map(\.text.missingCharacterCount).reduce(0, +) }

    /// Draws the header at the top of a sheet.
    func draw(on canvas: inout ImageCanvas) {
        for line in lines { canvas.draw(line.text, x: line.x, y: line.y) }
    }
}

/// The colours and weights of a sheet's text.
struct SheetInk {
    /// Black or white, whatever stands out more from the background.
    let color: RGBColor
    private let background: RGBColor
    /// Characters of a line.
    private let maximumLength: Int

    init(background: RGBColor, maximumLength: Int) {
        (self.background, self.maximumLength) = (background, maximumLength)
        // Where the contrast with black equals that with white, by WCAG's formula.
        color = background.luminance > 0.179 ? .black : .white
    }

    /// What a still without a picture is painted with.
    var placeholder: RGBColor { background.mixed(with: color, 0.15) }

    func bold(_ fontSize: Double, isLeftToRight: Bool = false) -> TextStyle {
        TextStyle(
            fontSize: fontSize, weight: .bold, color: color, maximumWidth: Self.noLimit, isLeftToRight: isLeftToRight,
            maximumLength: maximumLength)
    }

    func regular(_ fontSize: Double, isLeftToRight: Bool = false) -> TextStyle {
        TextStyle(
            fontSize: fontSize, color: color.mixed(with: background, 0.1), maximumWidth: Self.noLimit,
            isLeftToRight: isLeftToRight, maximumLength: maximumLength)
    }

    func faint(_ fontSize: Double, width: Int) -> TextStyle {
        TextStyle(
            fontSize: fontSize, color: color.mixed(with: background, 0.4), maximumWidth: max(1, width),
            maximumLength: maximumLength)
    }

    /// The widest line that Pango can set, in pixels.
    private static let noLimit = 32767
}

extension TextImage {
    /// Some texts one after the other, on as few lines as hold them.
    ///
    /// A text that does not fit on a line of its own is cut short.
    static func lines(_ texts: [String], separator: String, style: TextStyle) throws -> [TextImage] {
        var lines: [TextImage] = []
        var (pending, drawn): (String, TextImage?) = ("", nil)
        for text in texts {
            let longer = pending.isEmpty ? text : pending + separator + text
            let image = try TextImage(longer, style: style)
            if image.isTruncated, let full = drawn {
                lines.append(full)
                (pending, drawn) = (text, try TextImage(text, style: style))
            } else {
                (pending, drawn) = (longer, image)
            }
        }
        if let drawn { lines.append(drawn) }
        return lines
    }
}

/// What a sheet's header says of a film.
struct FilmFacts {
    /// A line of the header: what it is about, and the facts, which may be
    /// spread over several lines.
    struct Row {
        let name: String
        let facts: [String]
    }

    let fileName: String
    let title: String?
    let description: AssetDescription
    let container: FileMetadata.Container
    let chapterCount: Int
    /// Text tracks that hold chapter titles, not subtitles.
    let chapterTracks: Set<Int32>

    /// Sound tracks that get a line of their own.
    private static let soundLimit = 4

    var rows: [Row] {
        var rows = [Row(name: "File", facts: fileFacts)]
        if let track = description.videoTrack, let video = track.video {
            rows.append(Row(name: "Video", facts: Self.facts(of: track, video)))
        }
        let sounds = description.tracks.filter { $0.mediaType == .audio }
        let shown = sounds.count > Self.soundLimit ? sounds.prefix(Self.soundLimit - 1) : sounds[...]
        for (index, sound) in shown.enumerated() {
            rows.append(Row(name: index == 0 ? "Audio" : "", facts: Self.facts(of: sound)))
        }
        if shown.count < sounds.count {
            let languages = Self.languages(of: sounds.dropFirst(shown.count))
            rows.append(Row(name: "", facts: ["\(sounds.count - shown.count) more tracks"] + languages))
        }
        let texts = description.tracks.filter { track in
            [.subtitle, .text, .closedCaption].contains(track.mediaType) && !chapterTracks.contains(track.trackID)
        }
        if !texts.isEmpty {
            let languages = Self.languages(of: texts)
            let facts = languages.isEmpty ? ["\(texts.count)"] : [languages.joined(separator: ", ")]
            rows.append(Row(name: "Subtitles", facts: facts))
        }
        if chapterCount > 0 { rows.append(Row(name: "Chapters", facts: ["\(chapterCount)"])) }
        return rows
    }

    // MARK: The file

    private var fileFacts: [String] {
        var facts: [String] = []
        if description.duration.isNumeric {
            facts.append(
                (description.durationIsEstimate ? "about " : "") + description.duration.wholeMilliseconds.clockText())
        } else {
            facts.append("duration unknown")
        }
        if let size = description.byteCount { facts.append(Self.sizeText(size)) }
        facts.append(containerName)
        if let rate = description.bitRate, rate > 0 { facts.append(Self.rateText(rate)) }
        return facts
    }

    private var containerName: String {
        MediaNames.container(of: description, kind: container, fileName: fileName)
    }

    /// A size for people, and exactly.
    static func sizeText(_ bytes: Int64) -> String {
        let exact = "\(grouped(bytes)) bytes"
        let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
        var (value, unit) = (Double(bytes), -1)
        while value >= 999.5, unit + 1 < units.count { (value, unit) = (value / 1000, unit + 1) }
        guard unit >= 0 else { return exact }
        return "\(significant(value)) \(units[unit]) (\(exact))"
    }

    private static func rateText(_ rate: Int64) -> String {
        rate < 10_000_000 ? "\(grouped(max(1, rate / 1000))) kb/s" : "\(significant(Double(rate) / 1e6)) Mb/s"
    }

    /// Three digits that count.
    private static func significant(_ value: Double) -> String {
        String(format: value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%.0f", value)
    }

    /// A whole number with commas between thousands.
    private static func grouped(_ number: Int64) -> String {
        let digits = String(number)
        return digits.enumerated().reduce(into: "") { text, digit in
            if digit.offset > 0, (digits.count - digit.offset) % 3 == 0 { text.append(",") }
            text.append(digit.element)
        }
    }

    // MARK: Tracks

    private static func facts(of track: TrackDescription, _ video: VideoDescription) -> [String] {
        var facts = [MediaNames.codec(of: track) + (track.profile.map { " (\($0))" } ?? "")]
        let (shown, coded) = (video.displaySize, video.codedSize)
        facts.append("\(shown.width) × \(shown.height)")
        if shown != coded { facts[facts.count - 1] += " (coded \(coded.width) × \(coded.height))" }
        if let rate = rateText(of: video) { facts.append(rate) }
        if video.fields?.isInterlaced == true { facts.append("interlaced") }
        switch video.color.tags.transferFunction?.hdr {
        case .pq: facts.append("HDR (PQ)")
        case .hlg: facts.append("HDR (HLG)")
        case nil: break
        }
        if let bits = video.bitsPerComponent, bits > 8 { facts.append("\(bits) bits") }
        if video.hasAlpha { facts.append("alpha") }
        if track.estimatedDataRate > 0 { facts.append(rateText(track.estimatedDataRate)) }
        return facts
    }

    /// The frame rate, and whether it is only an average.
    private static func rateText(of video: VideoDescription) -> String? {
        guard video.plausibleFrameRate > 0 else { return nil }
        var rate = String(format: "%.3f", video.plausibleFrameRate)
        while rate.hasSuffix("0") { rate.removeLast() }
        if rate.hasSuffix(".") { rate.removeLast() }
        return video.isVariableFrameRate ? "\(rate) fps on average, variable" : "\(rate) fps"
    }

    private static func facts(of sound: TrackDescription) -> [String] {
        var facts = [MediaNames.codec(of: sound)]
        if let audio = sound.audio {
            if audio.sampleRate > 0 {
                facts.append(String(format: "%g kHz", Double(audio.sampleRate) / 1000))
            }
            if let layout = audio.channelLayout {
                facts.append(layout)
            } else if audio.channels > 0 {
                facts.append(audio.channels == 1 ? "1 channel" : "\(audio.channels) channels")
            }
        }
        facts += languages(of: [sound])
        if sound.estimatedDataRate > 0 { facts.append(rateText(sound.estimatedDataRate)) }
        return facts
    }

    /// Each language of some tracks once, in English.
    private static func languages(of tracks: some Sequence<TrackDescription>) -> [String] {
        tracks.reduce(into: []) { names, track in
            guard let name = MediaNames.language(track.extendedLanguageTag ?? track.language), !names.contains(name)
            else { return }
            names.append(name)
        }
    }
}
