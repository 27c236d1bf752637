internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension FilmCommand: FileWorking {
    func prepared() throws -> FileWork<JSONFilm> {
        let naming = try ResultNaming(destination.output, default: "{name}.mp4", count: 1)
        let named = naming.filenameExtension
        let usual = codec == .prores ? AVFileType.mov : .mp4
        let type = named.isEmpty ? usual : AVFileType(filenameExtension: named)
        guard let fileType = type, fileType.isWritable, !fileType.holdsSoundOnly else {
            throw Failure(.usage, "no kind of film has the extension '\(named)'")
        }
        let duration =
            try each?.time()
            ?? rate.map { CMTime(value: Int64($0.denominator), timescale: $0.numerator) }
            ?? CMTime(value: 1, timescale: 25)
        return { file, work in
            try await FilmRequest(
                images: images, pictureDuration: duration, sound: sound, size: size, codec: codec,
                bitRate: bitRate.map { Int($0.value) }, limits: bounds.limits, fileType: fileType,
                output: naming.place(
                    source: file, filenameExtension: fileType.preferredFilenameExtension, replaces: destination.force)
            ).run(in: work)
        }
    }
}
