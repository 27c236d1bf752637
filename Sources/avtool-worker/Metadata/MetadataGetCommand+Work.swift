internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension MetadataGetCommand: WholeWorking {
    func run() async throws {
        try await Interruption.cancelling { try await get() }
    }

    private func get() async throws {
        let failures = FailureLog()
        do {
            let metadata = try await MediaSource(file: file, limits: bounds.limits).asset().loadFileMetadata()
            let values = try values(of: try name.get(), in: metadata)
            guard !values.isEmpty else { throw CommandEnded(code: .absent) }
            for value in values { try Console.print(value) }
        } catch let end as CommandEnded {
            throw end
        } catch {
            try failures.report(Failure(error), file: file)
        }
        try failures.exitIfNeeded()
    }

    private func values(of name: MetadataName, in metadata: FileMetadata) throws -> [String] {
        guard let track else {
            if case .field(.headerDate) = name {
                return metadata.creationDate.map { [ISO8601Timestamp.text(of: $0)] } ?? []
            }
            return PlainMetadata.values(of: name, in: metadata.entries)
        }
        try metadata.checkTrack(track)
        let entries = metadata.tracks.filter { $0.trackID == track }.flatMap(\.entries)
        let label = metadata.labels.first { $0.trackID == track }
        return label?.values(of: name).map { [$0] } ?? PlainMetadata.values(of: name, in: entries)
    }
}
