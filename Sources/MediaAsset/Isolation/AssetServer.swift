internal import MediaCore
package import MediaIO

/// Reads one file for a program in another process: the worker's side of an asset.
package final class AssetServer: Sendable {
    /// The file, read in this process.
    package let source: AssetSource

    package init(_ opening: AssetOpening) { source = opening.source }

    /// Answers a question whose answer is one value; `false` for others.
    package func answers(_ call: AssetCall, through channel: Channel) -> Bool {
        switch call {
        case .facts: Self.answer(through: channel) { try source.facts() }
        case .metadata: Self.answer(through: channel) { try source.metadata() }
        case .sampleDataLength(let trackID):
            Self.answer(through: channel) { CountAnswer(try source.sampleDataLength(ofTrack: trackID)) }
        case .time(let number): Self.answer(through: channel) { try source.time(ofFrame: number) }
        case .syncSamples: Self.answer(through: channel) { try source.syncSamples() }
        case .samples(let stream): Self.answer(through: channel) { try source.samples(stream: stream) }
        case .fileState: Self.answer(through: channel) { source.fileState }
        case .stills, .attachedPictures: return false
        }
        return true
    }

    /// Has all reading for properties end that is under way.
    package func cancelReading() { source.cancelReading() }

    private static func answer(through channel: Channel, _ find: () throws -> some MessageValue) {
        let result = Result { try find().bytes }
        // Whoever asked may have gone.
        switch result {
        case .success(let bytes): try? channel.answer(bytes)
        case .failure(let error): try? channel.send(AssetAnswer.failed(ErrorMessage(error).bytes))
        }
    }
}

extension AssetSource {
    fileprivate func facts() throws -> AssetFacts {
        let description = try describe()
        return AssetFacts(
            description: description,
            decodable: description.tracks.indices.filter { canDecode(description.tracks[$0]) }, isFile: file != nil)
    }

    fileprivate var fileState: FileState {
        FileState(version: file?.version, isUnchanged: file?.isUnchanged ?? true)
    }

    fileprivate func sampleDataLength(ofTrack trackID: Int32) throws -> Int64 {
        guard let track = try describe().tracks.first(where: { $0.trackID == trackID }) else { return 0 }
        return try sampleDataLength(of: track)
    }
}
