internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension ScenesCommand: FileWorking {
    func prepared() throws -> FileWork<JSONScenes> {
        let naming = try output.map {
            try ResultNaming($0, default: "{name}-scenes.{ext}", count: fileCount)
        }
        try naming?.checkNamesDiffer(ofFiles: fileCount)
        return { file, work in
            try await ScenesRequest(
                source: source.source(file), format: wanted, method: scenes.method, threshold: scenes.threshold,
                minimumLength: scenes.minLength,
                output: naming?.place(
                    source: file, filenameExtension: wanted.filenameExtension, replaces: destination.force),
                hasHeading: work.index == 0, isOneOfSeveral: work.count > 1
            ).run(in: work)
        }
    }
}
