package import MediaCore

/// What another program says of a film: which parts of it stay, or which go.
package struct CutList: Sendable, Equatable {
    /// How the list is written.
    package var format: Format
    /// Whether the segments are what stays or what goes.
    package var meaning: Meaning
    /// The segments in the order of the file, at least one; they may overlap.
    package var segments: [Segment]
    /// The file that the list says that it is for, untrusted: a name or a path; `nil` if it says nothing.
    package var mediaFileName: String?

    package init(format: Format, meaning: Meaning, segments: [Segment], mediaFileName: String? = nil) {
        (self.format, self.meaning) = (format, meaning)
        (self.segments, self.mediaFileName) = (segments, mediaFileName)
    }

    /// The list that keeps what this one cuts out, and the other way round.
    package var inverted: CutList {
        var list = self
        list.meaning = meaning == .keep ? .cut : .keep
        return list
    }
}

/// Why a cut list cannot be read or followed.
package struct CutListError: BridgedError, Hashable, CustomStringConvertible {
    /// Where in the file, counted from 1; `nil` if it is about all of it.
    package let line: Int?
    /// The cause, in one line that is safe to print.
    package let reason: String

    init(line: Int? = nil, _ reason: String) {
        self.line = line
        self.reason = reason
    }

    /// The cause, after the line that it is about.
    package var description: String { line.map { "line \($0): \(reason)" } ?? reason }
}

extension CutList {
    /// A part of the film on its timeline.
    package struct Segment: Sendable, Equatable {
        /// Where it begins: zero if the list leaves that open.
        package var start: CMTime
        /// Where it ends, later than the start; `nil` is the end of the film.
        package var end: CMTime?
        /// What the list calls it, untrusted.
        package var name: String?
        /// Where in the file it stands, counted from 1.
        package var line: Int

        /// More segments than this are not read: nobody marks so many by hand.
        static let maximumCount = 10_000

        package init(start: CMTime, end: CMTime?, name: String?, line: Int) {
            (self.start, self.end, self.name, self.line) = (start, end, name, line)
        }
    }
}

extension [CutList.Segment] {
    /// Adds a segment, if it is one.
    mutating func add(
        from start: CMTime, to end: CMTime?, name: Substring = "", line: Int
    ) throws(CutListError) {
        guard count < CutList.Segment.maximumCount else {
            throw CutListError(line: line, "there are more than \(CutList.Segment.maximumCount) segments")
        }
        if let end, end <= start {
            throw CutListError(
                line: line,
                "the end at \(end.secondsText()) s is not after the start at \(start.secondsText()) s")
        }
        let name = name.withoutSpaces
        append(CutList.Segment(start: start, end: end, name: name.isEmpty ? nil : String(name), line: line))
    }
}

extension CutList {
    /// A way to write a cut list down.
    package enum Format: CaseIterable, Sendable {
        /// Start, end and name between commas, as LosslessCut and spreadsheets write them.
        case losslessCutCSV
        /// The same between tabs.
        case losslessCutTSV
        /// What LosslessCut keeps beside a film, in JSON5.
        case losslessCutProject
        /// Events of an edit decision list, as editing programs exchange them.
        case cmx3600
        /// What MPlayer and Kodi skip.
        case mplayer
        /// What mpv plays one after another.
        case mpv
        /// Commercials by their frames, as comskip finds them.
        case comskip
        /// The tracks of an album in one file.
        case cueSheet

        /// What people call it.
        var name: String {
            switch self {
            case .losslessCutCSV: "LosslessCut CSV"
            case .losslessCutTSV: "LosslessCut TSV"
            case .losslessCutProject: "LosslessCut project"
            case .cmx3600: "CMX 3600 EDL"
            case .mplayer: "MPlayer EDL"
            case .mpv: "mpv EDL"
            case .comskip: "comskip list"
            case .cueSheet: "cue sheet"
            }
        }
    }
}

extension CutList {
    /// Reads what another program wrote.
    ///
    /// Times are exact. LosslessCut's CSV of frame numbers looks like its CSV of seconds, and is read as that.
    ///
    /// - Parameters:
    ///   - bytes: The whole file: UTF-8, or UTF-16 with a byte order mark.
    ///   - fileName: Its name, whose extension decides where the content leaves a doubt.
    ///   - frames: How the film's frames are numbered, for lists of frames and timecodes; `nil` if that is not known.
    /// - Throws: An error that names the line, if anything is not as the format has it, or asks for what cutting cannot
    ///   do.
    package init(reading bytes: [UInt8], fileName: String, frames: TimecodeScale?) throws(CutListError) {
        let text = try ListText(bytes)
        guard let format = Format(of: text, fileName: fileName) else {
            let names = Format.allCases.map(\.name).joined(separator: ", ")
            throw CutListError("this is no cut list of a known kind: \(names)")
        }
        self =
            switch format {
            case .losslessCutCSV, .losslessCutTSV: try LosslessCutTable.parse(text, as: format)
            case .losslessCutProject: try LosslessCutProject.parse(text)
            case .cmx3600: try CMXList.parse(text, frames: frames)
            case .mplayer: try MPlayerList.parse(text, frames: frames)
            case .mpv: try MPVList.parse(text)
            case .comskip: try ComskipList.parse(text, frames: frames)
            case .cueSheet: try CueSheet.parse(text)
            }
        if segments.isEmpty { throw CutListError("there are no segments in this \(format.name)") }
    }
}

extension CutList.Format {
    /// What the first lines of a cue sheet begin with.
    private static let cueCommands: Set<String> = [
        "REM", "CATALOG", "CDTEXTFILE", "TITLE", "PERFORMER", "SONGWRITER", "FILE", "TRACK",
    ]

    /// The format of a text by how it begins; `nil` if it is none of them.
    ///
    /// - Parameter fileName: Its extension tells MPlayer's lists from tables of numbers, and decides where the content
    ///   says nothing.
    init?(of text: ListText, fileName: String) {
        let fileExtension = fileName.contains(".") ? fileName.split(separator: ".").last?.lowercased() : nil
        guard let first = text.lines.first(where: { !$0.text.isEmpty })?.text else { return nil }
        if let format = Self.signed(first) {
            self = format
        } else if let format = Self.shaped(text, fileExtension: fileExtension) {
            self = format
        } else {
            switch fileExtension {
            case "csv": self = .losslessCutCSV
            case "tsv": self = .losslessCutTSV
            case "llc": self = .losslessCutProject
            case "edl": self = .mplayer
            case "cue": self = .cueSheet
            default: return nil
            }
        }
    }

    /// The format that the first line names, or begins like.
    private static func signed(_ first: Substring) -> CutList.Format? {
        if first.hasPrefix("FILE PROCESSING COMPLETE") { return .comskip }
        if first.drop(while: { $0 == "#" }).withoutSpaces.hasPrefix("mpv EDL") { return .mpv }
        if first.hasPrefix("{") || first.hasPrefix("//") || first.hasPrefix("/*") { return .losslessCutProject }
        let upper = first.prefix(16).uppercased()
        if upper.hasPrefix("TITLE:") || upper.hasPrefix("FCM:") { return .cmx3600 }
        return nil
    }

    /// The format by the first line that says something.
    private static func shaped(_ text: ListText, fileExtension: String?) -> CutList.Format? {
        let first = text.lines.first { line in
            let isRemark = line.isRemark || line.text.hasPrefix("*") || line.text.hasPrefix(">>>")
            return !line.text.isEmpty && !isRemark
        }
        guard let first else { return nil }
        let words = first.words
        if words.first.map({ cueCommands.contains($0.uppercased()) }) == true { return .cueSheet }
        if words.count >= 8, words[0].isDigits, words.suffix(4).allSatisfy({ $0.contains(":") || $0.contains(";") }) {
            return .cmx3600
        }
        let (comma, tab) = (UInt8(ascii: ","), UInt8(ascii: "\t"))
        let separator = first.text.utf8.first { $0 == comma || $0 == tab }
        let isTable = fileExtension == "csv" || fileExtension == "tsv"
        if !isTable, separator != comma, (2...3).contains(words.count), words.last?.isDigits == true,
            words[0].utf8.first.map({ $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: ".") || $0.isDigit }) == true
        {
            // Some lists have scene markers without an end, some tables no names.
            return separator == tab && words.count == 2 && fileExtension != "edl" ? .losslessCutTSV : .mplayer
        }
        if fileExtension == "edl" { return .mplayer }
        return separator.map { $0 == comma ? .losslessCutCSV : .losslessCutTSV }
    }
}

extension CutList {
    /// What stays of a film.
    ///
    /// Of a list of what stays, one range for each segment, in their order: open ends are the film's, and so are those
    /// beyond it. Of a list of what goes, what is left, by time; none where that is nothing.
    ///
    /// A range's duration is the exact difference of its ends wherever a time can hold it.
    ///
    /// - Parameter duration: How long the film is, above zero; its timeline begins at zero.
    /// - Throws: An error that names the line, if a segment that shall stay begins where the film has ended.
    package func kept(within duration: CMTime) throws(CutListError) -> [CMTimeRange] {
        guard duration.isNumeric, duration > .zero else { throw CutListError("the film's length is not known") }
        switch meaning {
        case .cut:
            return segments.map { CMTimeRange(start: $0.start, end: $0.end ?? CMTimeMaximum($0.start, duration)) }
                .gaps(in: CMTimeRange(start: .zero, duration: duration))
        case .keep:
            var ranges: [CMTimeRange] = []
            for segment in segments {
                guard segment.start < duration else {
                    throw CutListError(
                        line: segment.line,
                        "begins at \(segment.start.secondsText()) s, but the film ends at \(duration.secondsText()) s")
                }
                let end = CMTimeMinimum(segment.end ?? duration, duration)
                ranges.append(CMTimeRange(start: segment.start, end: end))
            }
            return ranges
        }
    }
}

extension CutList {
    /// What the segments of a list are for.
    package enum Meaning: Sendable {
        /// The segments are what stays.
        case keep
        /// The segments are what goes.
        case cut
    }
}
