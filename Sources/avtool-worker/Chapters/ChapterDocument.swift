internal import AVToolCommands
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A document that holds chapters.
enum ChapterDocument {
    private struct JSONDocument: Decodable { let chapterLists: [JSONChapterList] }

    /// Reads a document of any of the known formats; `-` for standard input.
    static func read(_ path: String) throws -> [ChapterList] {
        let data = try InputDocument.read(path)
        guard let text = String(data: data, encoding: .utf8) else {
            throw Failure(.invalidChapters, "\(path): is not UTF-8 text")
        }
        if text.drop(while: \.isWhitespace).hasPrefix("{") {
            do {
                return try JSONDecoder().decode(JSONDocument.self, from: data).chapterLists.map { try $0.list() }
            } catch let error as DecodingError {
                throw Failure(.invalidJSON, "\(path): \(error.place(in: data))")
            }
        }
        guard let format = ChapterTextFormat.detect(text) else {
            throw Failure(.invalidChapters, "\(path): is of no format of chapters that is known")
        }
        do {
            return try format.parse(text)
        } catch {
            throw Failure(.invalidChapters, "\(path): \(error.reason)")
        }
    }
}
