internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension SheetCommand: FileWorking {
    func prepared() throws -> FileWork<JSONSheetDocument> {
        let naming = try ResultNaming(results.destination.output, default: "{name}-sheet.{ext}", count: fileCount)
        let format = try PreviewImageFormat(
            results.pictures.format, output: results.destination.output, naming)
        try naming.checkNamesDiffer(ofFiles: fileCount)
        return { file, work in
            try await SheetRequest(
                source: source.source(file, track: tracks.track, indexes: indexes), choice: times.choice,
                columns: times.columns,
                part: times.part.part, window: times.representation.wantedWindow(), look: looks.look, format: format,
                quality: results.pictures.quality, allowsDamage: damage.allowDamaged,
                output: naming.place(
                    source: file, filenameExtension: format.filenameExtension,
                    replaces: results.destination.force || results.ifNewer),
                keepsCurrent: results.ifNewer, piece: PieceWork(self)
            ).run(in: work)
        }
    }
}
