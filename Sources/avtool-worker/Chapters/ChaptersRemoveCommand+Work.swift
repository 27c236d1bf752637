internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension ChaptersRemoveCommand: FileWorking {
    func prepared() -> FileWork<JSONEdit> {
        { file, work in
            try await options.edit(file, in: work, limits: bounds.limits) { tagged, _ in
                tagged.chapterLists = []
                return nil
            }
        }
    }
}
