internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension MetadataSetCommand: FileWorking {
    func prepared() throws -> FileWork<JSONEdit> {
        let edit = try from.map { try JSONMetadataEdit(path: $0) }
        let assignments = try assignments.map { try $0.get() }
        return { file, work in
            try await options.edit(file, in: work, limits: bounds.limits, refusesLosses: from == nil) { tagged, _ in
                try edit?.apply(to: &tagged)
                if !assignments.isEmpty { try tagged.set(assignments, inTrack: track) }
                return nil
            }
        }
    }
}
