internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension ThumbsCommand: FileWorking {
    func prepared() throws -> FileWork<JSONStillDocument> {
        let naming = StillNaming(
            output: destination.output, sizeCount: shape.size.count, fileCount: fileCount, streams: streams)
        let pattern = try naming.pattern("{name}-{index}", stills: 1)
        if !pattern.isStream { try pattern.checkNamesDiffer(ofFiles: fileCount) }
        let format = try PreviewImageFormat(pictures.format?.picture, output: destination.output, pattern)
        guard !hdr || format.holdsHDR else { throw Failure(.usage, "--hdr needs --format png or avif") }
        return { file, work in
            let output = StillOutput(
                naming: naming, format: format, quality: pictures.quality, replaces: destination.force)
            guard !covers.cover else {
                return try await CoversRequest(
                    source: source.source(file), track: tracks.track, shape: shape.shape,
                    allowsDamage: damage.allowDamaged, output: output
                ).run(in: work)
            }
            return try await ThumbsRequest(
                source: source.source(file, track: tracks.track, readsPipesWhole: needsWholePipe, indexes: indexes),
                choice: choice,
                part: part.part, piece: piece, tolerance: tolerance, window: representation.wantedWindow(),
                shape: shape.shape,
                keepsHDR: hdr, allowsDamage: damage.allowDamaged, output: output, wantsJSON: json,
                wantsStatistics: statistics
            ).run(in: work)
        }
    }

    private var choice: StillChoice {
        if let method = scenes.method { return .scenes(method) }
        if keyframes { return .keyframes }
        if let every { return .every(every) }
        return at.map { .times($0) } ?? .even(count ?? 1)
    }

    /// Whether a pipe is to be read to its end first: not for times near its beginning.
    private var needsWholePipe: Bool {
        guard let at else { return true }
        return !at.text.split(separator: ",").allSatisfy { time in
            Double(time.trimmingCharacters(in: .whitespaces)).map { $0 >= 0 && $0 <= 60 } ?? false
        }
    }
}
