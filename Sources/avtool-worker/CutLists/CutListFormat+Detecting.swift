internal import MediaCore

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
