internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension MetadataCopyCommand: FileWorking {
    func prepared() async throws -> FileWork<JSONEdit> {
        let asset = try MediaSource(file: origin, limits: bounds.limits).asset()
        let given: [MetadataEntry]
        let chapters: [ChapterList]
        do {
            given = try await asset.loadFileMetadata().entries.filter { !$0.isOfContainer(staysSame: false) }
            chapters = noChapters ? [] : try await asset.loadChapterLists()
        } catch {
            let failure = Failure(error)
            throw Failure(failure.name, "\(origin): \(failure.message)")
        }
        return { file, work in
            try await options.edit(file, in: work, limits: bounds.limits) { tagged, film in
                tagged.replaceEntries(entries(given, over: tagged.metadata.entries))
                if !chapters.isEmpty { try await tagged.setChapters(chapters, of: film, leavingOutOthers: true) }
                return nil
            }
        }
    }

    /// What a file is to say.
    ///
    /// - Parameter own: What it says by now.
    private func entries(_ given: [MetadataEntry], over own: [MetadataEntry]) -> [MetadataEntry] {
        let given = given.filter { !(noArtwork && MetadataComparison.isPicture($0)) }
        let (lasting, others) = (own.filter(stays), own.filter { !stays($0) })
        return lasting + (keep ? MetadataComparison.unsaid(others, by: given) : []) + given
    }

    private func stays(_ entry: MetadataEntry) -> Bool {
        entry.isOfContainer(staysSame: false) || noArtwork && MetadataComparison.isPicture(entry)
    }
}
