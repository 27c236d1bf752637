internal import AVToolCommands
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A file's chapters as JSON has them.
struct JSONChapters: ResultDocument {
    let source: String
    let chapterLists: [JSONChapterList]
}

/// A list of chapters as JSON has it, in and out.
struct JSONChapterList: Codable {
    let form: String
    let language: String?
    let isDefault: Bool?
    let isHidden: Bool?
    let isOrdered: Bool?
    let trackID: Int32?
    let identifier: String?
    let chapters: [JSONChapter]

    init(_ list: ChapterList) {
        form = list.form.rawValue
        language = list.languageTag
        isDefault = list.isDefault ? true : nil
        isHidden = list.isHidden ? true : nil
        isOrdered = list.isOrdered ? true : nil
        trackID = list.trackID
        identifier = list.identifier
        chapters = list.chapters.map { JSONChapter($0) }
    }

    func list() throws -> ChapterList {
        guard let form = ChapterList.Form(rawValue: form) else {
            throw Failure(.invalidJSON, "'\(form)' is no form of chapters")
        }
        return ChapterList(
            form: form, languageTag: language, chapters: try chapters.map { try $0.chapter() },
            isDefault: isDefault ?? false, isHidden: isHidden ?? false, isOrdered: isOrdered ?? false,
            trackID: trackID, identifier: identifier)
    }
}

/// A chapter as JSON has it, in and out.
struct JSONChapter: Codable {
    struct Title: Codable {
        let text: String
        let language: String?
    }

    let start: JSONTime
    let end: JSONTime?
    /// The first title, for readers that want no more.
    let title: String?
    let titles: [Title]?
    let artwork: JSONMetadataValue?
    let link: String?
    let identifier: String?
    let isHidden: Bool?
    let isEnabled: Bool?
    let children: [JSONChapter]?

    init(_ chapter: Chapter) {
        start = JSONTime(chapter.start) ?? JSONTime.zero
        end = JSONTime(chapter.end)
        title = chapter.titles.first?.text
        titles = chapter.titles.isEmpty ? nil : chapter.titles.map { Title(text: $0.text, language: $0.languageTag) }
        artwork = chapter.artwork.map { JSONMetadataValue(.data($0)) }
        link = chapter.link
        identifier = chapter.identifier
        isHidden = chapter.isHidden ? true : nil
        isEnabled = chapter.isEnabled ? nil : false
        children = chapter.children.isEmpty ? nil : chapter.children.map { JSONChapter($0) }
    }

    func chapter() throws -> Chapter {
        var picture: [UInt8]?
        if let artwork {
            guard case .data(let bytes) = artwork.value else {
                throw Failure(.invalidJSON, "a chapter's artwork must be base64 data")
            }
            picture = bytes
        }
        return Chapter(
            start: try start.time(), end: try end?.time() ?? .invalid,
            titles: titles?.map { Chapter.Title($0.text, languageTag: $0.language) } ?? title.map { [.init($0)] } ?? [],
            artwork: picture, link: link, identifier: identifier, isHidden: isHidden ?? false,
            isEnabled: isEnabled ?? true, children: try (children ?? []).map { try $0.chapter() })
    }
}

/// A time as JSON has it: exact, and in seconds.
///
/// Whoever asks for the frame at the seconds of a frame's time gets that frame:
/// they are rounded up. Those of lengths are rounded down.
struct JSONTime: Codable {
    static let zero = JSONTime(value: 0, timescale: 1, seconds: 0)

    let value: Int64
    let timescale: Int32
    let seconds: Double?

    /// `nil` for times that are not numbers.
    init?(_ time: CMTime) {
        guard time.isNumeric else { return nil }
        self.init(value: time.value, timescale: time.timescale, seconds: time.secondsRoundedUp)
    }

    /// A length of time; `nil` for those that are not numbers.
    init?(length: CMTime) {
        guard length.isNumeric else { return nil }
        self.init(value: length.value, timescale: length.timescale, seconds: length.secondsRoundedDown)
    }

    private init(value: Int64, timescale: Int32, seconds: Double) {
        (self.value, self.timescale, self.seconds) = (value, timescale, seconds)
    }

    /// The exact time.
    func time() throws -> CMTime {
        guard timescale > 0 else { throw Failure(.invalidJSON, "a time's timescale must be above zero") }
        return CMTime(value: value, timescale: timescale)
    }
}
