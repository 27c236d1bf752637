internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension VerifyCommand: FileWorking {
    func prepared() throws -> FileWork<JSONVerification> {
        { file, work in
            if !json, work.index == 0 { try Console.print(VerifyRequest.heading) }
            return try await VerifyRequest(
                source: source.source(file, track: tracks.track, indexes: indexes), sampleCount: samples,
                part: part.part
            ).run(in: work)
        }
    }
}
