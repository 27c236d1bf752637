internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension MetadataRemoveCommand: FileWorking {
    func prepared() -> FileWork<JSONEdit> {
        { file, work in
            try await options.edit(file, in: work, limits: bounds.limits) { tagged, _ in
                try remove(from: &tagged)
                return shareSafe ? try tagged.makeShareable() : nil
            }
        }
    }

    private func remove(from tagged: inout MetadataFile) throws {
        if let track { try tagged.metadata.checkTrack(track) }
        for name in name { try tagged.remove(name, inTrack: track) }
        let spaces = Set(keySpace.map { AVMetadataKeySpace(prefix: $0) })
        tagged.removeEntries(inTrack: track) { entry in
            all || spaces.contains(entry.keySpace)
        }
    }
}
