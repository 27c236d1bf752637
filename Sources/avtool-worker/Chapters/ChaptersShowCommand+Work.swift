internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension ChaptersShowCommand: FileWorking {
    func prepared() -> FileWork<JSONChapters> {
        { file, work in
            try await ChaptersShowRequest(source: source.source(file), format: format, language: language)
                .run(in: work)
        }
    }
}
