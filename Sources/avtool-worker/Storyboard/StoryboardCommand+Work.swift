internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension StoryboardCommand: FileWorking {
    func prepared() throws -> FileWork<JSONStoryboardDocument> {
        guard !destination.isStandardOutput else {
            throw Failure(.usage, "a storyboard is a folder; -o takes no -")
        }
        let naming = try ResultNaming(
            destination.output, default: "{name}-storyboard", count: fileCount,
            // A storyboard that is there is the one to replace, not a place for another.
            isResult: StoryboardRequest.isStoryboard)
        try naming.checkNamesDiffer(ofFiles: fileCount, "films", or: "a folder that is there")
        return { file, work in
            try await StoryboardRequest(
                source: source.source(file, track: tracks.track, indexes: indexes), part: part.part,
                timeline: timeline.timeline,
                interval: every, tile: tile, columns: columns, rows: rows, format: pictures.format ?? .jpeg,
                quality: pictures.quality, isExact: exact, allowsDamage: damage.allowDamaged, extras: extras,
                output: naming.place(source: file, filenameExtension: "", replaces: destination.force || ifNewer),
                keepsCurrent: ifNewer, piece: PieceWork(self)
            ).run(in: work)
        }
    }

    private var extras: Set<StoryboardExtra> {
        let wanted: [(StoryboardExtra, Bool)] = [
            (.page, !noPage), (.embeddedPage, embedSheets), (.player, withPlayer), (.bif, bif), (.jellyfin, jellyfin),
            (.hls, hls), (.dash, dash),
        ]
        return Set(wanted.filter(\.1).map(\.0))
    }
}
