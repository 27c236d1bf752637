internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A file whose embedded pictures are wanted as stills.
struct CoversRequest: FileRequest {
    let source: MediaSource
    /// The picture's track; all if `nil`.
    let track: Int32?
    let shape: StillShape
    let allowsDamage: Bool
    let output: StillOutput

    func run(in work: Work<JSONStillDocument>) async throws -> FileReport<JSONStillDocument> {
        let generator = AVAssetImageGenerator(asset: try source.asset())
        generator.appliesPreferredTrackTransform = true
        generator.allowsDamagedPictures = allowsDamage
        let crop = try await shape.apply(to: generator)
        let pictures = try await generator.attachedPictures(trackID: track)
        let isOne = pictures.count == 1
        let pattern = try output.naming.pattern(
            isOne ? "{name}-cover" : "{name}-cover-{index}", stills: pictures.count)
        guard pattern.contains("{index}") || isOne else {
            throw Failure(.usage, "several embedded pictures need {index} in the name, or --track")
        }
        let writer = StillWriter(
            source: source.file, pattern: pattern, width: String(pictures.count).count, output: output,
            background: shape.background?.color, crop: crop, files: work.files)
        for (index, picture) in pictures.enumerated() {
            for image in StillWriter.distinct(picture.images) {
                let path = writer.path(of: image, index: index)
                let file = try writer.write(try writer.data(of: image, index: index), to: path)
                guard !pattern.isStandardOutput else { continue }
                let cover = JSONCover(
                    source: source.file, index: index + 1, track: picture.trackID, width: image.width,
                    height: image.height, crop: crop.map { JSONCrop($0) }, file: file)
                try work.report(
                    FileReport(document: .cover(cover), lines: ["picture \(picture.trackID) → \(file.oneLine)"]))
            }
        }
        return FileReport()
    }
}
