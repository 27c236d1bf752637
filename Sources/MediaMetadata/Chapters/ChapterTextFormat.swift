package import MediaCore

/// A way to write chapters down as text.
package enum ChapterTextFormat: String, CaseIterable, Sendable {
    /// FFmpeg's metadata files.
    case ffmetadata
    /// WebVTT, a cue for each chapter.
    case webvtt
    /// Matroska's chapters as XML.
    case matroskaXML
    /// A time and a title on each line.
    case text
    /// `CHAPTER01=` and `CHAPTER01NAME=`, as OGM programs brought it.
    case ogm

    /// More bytes of text than this are not read: chapters are some kilobytes.
    static let maximumByteCount = 8 << 20
    /// More lines of text than this are not read, which bounds the memory that they take.
    static let maximumLineCount = 1 << 20
    /// More chapters than this are not read.
    static let maximumCount = 1 << 16

    /// The format that a text is in, by how it begins; `nil` if it is none of them.
    package static func detect(_ text: String) -> ChapterTextFormat? {
        let lines = TextLines(String(text.prefix(1 << 16)))
        guard let first = lines.lines.first(where: { !$0.trimmed.isEmpty })?.trimmed else { return nil }
        if first.hasPrefix(";FFMETADATA") { return .ffmetadata }
        if first.hasPrefix("WEBVTT") { return .webvtt }
        if first.hasPrefix("<") { return text.contains("<Chapters") ? .matroskaXML : nil }
        for line in lines.lines {
            let line = line.trimmed
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            if OGMChapters.field(of: line) != nil { return .ogm }
            return SimpleChapterText.chapter(of: line) != nil ? .text : nil
        }
        return nil
    }

    /// The chapters that a text holds.
    ///
    /// Only Matroska's XML can hold several lists. Times are exact.
    ///
    /// - Throws: `MetadataError`, which names the line, if the text is not in this format.
    package func parse(_ text: String) throws(MetadataError) -> [ChapterList] {
        let isBreak: (UInt8) -> Bool = { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        guard text.utf8.count <= Self.maximumByteCount, text.utf8.count(where: isBreak) <= Self.maximumLineCount else {
            throw MetadataError(.limit, "files of chapters with more than 8 MiB or a million lines are not read")
        }
        switch self {
        case .ffmetadata: return [try FFMetadataChapters.parse(text)]
        case .webvtt: return [try WebVTTChapters.parse(text)]
        case .matroskaXML: return try MatroskaChapterXML.parse(text)
        case .text: return [try SimpleChapterText.parse(text)]
        case .ogm: return [try OGMChapters.parse(text)]
        }
    }

    /// Chapters as text, with what the format cannot hold.
    ///
    /// - Parameters:
    ///   - list: The chapters; their names in the file (`identifier`) may go without being told of.
    ///   - languageTag: Which titles to take of chapters with several, for formats that hold one.
    ///   - assetDuration: Where a last chapter without an end ends; not numeric if it is not known.
    package func text(
        of list: ChapterList, languageTag: String? = nil, assetDuration: CMTime
    ) -> (text: String, losses: [MetadataLoss]) {
        switch self {
        case .ffmetadata: FFMetadataChapters.text(of: list, languageTag, until: assetDuration)
        case .webvtt: WebVTTChapters.text(of: list, languageTag, until: assetDuration)
        case .matroskaXML: MatroskaChapterXML.text(of: list)
        case .text: SimpleChapterText.text(of: list, languageTag, until: assetDuration)
        case .ogm: OGMChapters.text(of: list, languageTag, until: assetDuration)
        }
    }
}

extension MetadataError {
    /// What is wrong with a line of a text; lines count from 1.
    static func inLine(_ line: Int, _ reason: String) -> MetadataError {
        MetadataError(.damaged, "line \(line): \(reason)")
    }

    /// There are more chapters than are read.
    static let tooManyChapters = MetadataError(.limit, "more than \(ChapterTextFormat.maximumCount) chapters")
}
