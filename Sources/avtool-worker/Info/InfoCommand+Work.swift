internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension InfoCommand: FileWorking {
    func prepared() -> FileWork<JSONAsset> {
        { file, work in
            if verbose, work.index == 0 { Console.tellIsolation() }
            return try await InfoRequest(
                source: source.source(file, readsPipesWhole: false), wantsJSON: json, withIdentifiers: identifiers
            ).run(in: work)
        }
    }
}
