internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension ThumbnailCommand: FileWorking {
    func prepared() throws -> FileWork<JSONThumbnailDocument> {
        let naming = try ResultNaming(destination.output, default: "{name}-thumbnail.png", count: fileCount)
        if !naming.isStream, cache == nil { try naming.checkNamesDiffer(ofFiles: fileCount) }
        return { file, work in
            try await ThumbnailRequest(
                source: source.source(file), sizes: sizes, prefersFrame: frame, cache: cache,
                output: naming.place(
                    source: file, filenameExtension: PreviewImageFormat.png.filenameExtension,
                    replaces: destination.force)
            ).run(in: work)
        }
    }
}
