internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension MetadataShowCommand: FileWorking {
    func prepared() -> FileWork<JSONMetadataDocument> {
        { file, work in
            try await MetadataShowRequest(
                source: source.source(file), format: json ? .json : format ?? .text, keySpaces: keySpace,
                wantsPrivate: showsPrivate,
                withIdentifiers: identifiers
            ).run(in: work)
        }
    }
}
