internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension ChaptersSetCommand: FileWorking {
    func prepared() throws -> FileWork<JSONEdit> {
        var lists = try ChapterDocument.read(from)
        if let language {
            for index in lists.indices where lists[index].languageTag == nil { lists[index].languageTag = language }
        }
        let chapters = lists
        return { file, work in
            try await options.edit(file, in: work, limits: bounds.limits) { tagged, film in
                try await tagged.setChapters(chapters, of: film, leavingOutOthers: leaveOutOthers)
                let outcome = try tagged.plan()
                // What was asked for is not there: no success, whatever kind of file it is.
                if outcome.method == .unchanged, let loss = outcome.losses.first(where: { !$0.isChange }) {
                    throw MetadataError(.unsupported, "\(loss.item): \(loss.reason)")
                }
                return nil
            }
        }
    }
}
