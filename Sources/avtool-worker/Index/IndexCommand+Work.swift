internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension IndexCommand: FileWorking {
    func prepared() throws -> FileWork<JSONIndexReport> {
        let naming = try ResultNaming(destination.output, default: "{name}-index.{ext}", count: fileCount)
        try naming.checkNamesDiffer(ofFiles: fileCount)
        return { file, work in
            try await IndexRequest(
                source: source.source(file), format: format, trackIDs: tracks?.numbers,
                output: naming.place(
                    source: file, filenameExtension: format.filenameExtension, replaces: destination.force)
            ).run(in: work)
        }
    }
}
