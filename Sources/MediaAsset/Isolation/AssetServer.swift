internal import MediaCore
package import MediaIO

/// Reads one file for a program in another process: the worker's side of an asset.
package final class AssetServer: Sendable {
    /// The file, read in this process.
    package let source: AssetSource

    /// - Parameter access: Who opens the file.
    package init(_ opening: AssetOpening, access: FileAccess) { source = opening.source(access) }

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

/// What is asked of the worker that reads an asset's file.
package enum AssetCall: MessageValue {
    case facts
    case metadata
    case sampleDataLength(track: Int32)
    case time(ofFrame: Int)
    case syncSamples
    case samples(stream: Int)
    /// Which version of the file was opened, and whether it still is that.
    case fileState
    /// Stills, as a request of theirs says, of another module.
    case stills([UInt8])
    /// Covers, in the same way.
    case attachedPictures([UInt8])

    package func write(to message: inout MessageWriter) {
        switch self {
        case .facts: message.put(0)
        case .metadata: message.put(1)
        case .sampleDataLength(let track):
            message.put(2)
            message.put(track)
        case .time(let number):
            message.put(3)
            message.put(number)
        case .syncSamples: message.put(4)
        case .samples(let stream):
            message.put(5)
            message.put(stream)
        case .fileState: message.put(6)
        case .stills(let request):
            message.put(7)
            message.put(request)
        case .attachedPictures(let request):
            message.put(8)
            message.put(request)
        }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        switch try message.integer(Int.self) {
        case 0: self = .facts
        case 1: self = .metadata
        case 2: self = .sampleDataLength(track: try message.integer())
        case 3: self = .time(ofFrame: try message.integer())
        case 4: self = .syncSamples
        case 5: self = .samples(stream: try message.integer())
        case 6: self = .fileState
        case 7: self = .stills(try message.list())
        case 8: self = .attachedPictures(try message.list())
        default: throw MessageError()
        }
    }
}

extension AssetSource {
    /// Fails where this process may not read the file.
    ///
    /// Whatever reads it comes by here, so that an isolated file is read by a worker or not at all.
    package func checkIsOwn() throws {
        if let refusal { throw refusal }
        guard composition == nil else {
            throw AVError(
                .operationNotSupportedForAsset, reason: "this is done for a file only, not for a composition")
        }
        guard remote != nil else { return }
        throw AVError(
            .operationNotSupportedForAsset,
            reason: "this is not done for an asset that is isolated (AVURLAssetIsolationKey)")
    }

    /// The file that is read, or those that a composition is made of.
    package var paths: [String] { composition?.content.sources.map(\.path) ?? [path] }

    /// Fails where this process may not read the file, or those that a composition is made of.
    package func checkFilesAreOwn() throws {
        guard let composition else { return try checkIsOwn() }
        for file in composition.content.sources { try file.checkIsOwn() }
    }

    /// Whether all samples can be told of.
    var providesSamples: Bool {
        guard composition == nil else { return false }
        guard let remote else { return file != nil }
        return (try? remote.facts())?.isFile ?? false
    }

    /// What tells this version of the file from another; `nil` for what is no regular file, and if nothing can be read.
    package var fileVersion: FileVersion? {
        guard let remote else { return file?.version }
        return (try? remote.fileState())?.version
    }

    /// Fails if the file is no longer what it was when it was opened.
    ///
    /// - Parameter path: What is made of it, for the error.
    package func checkUnchanged(whileMaking path: String) throws {
        if let composition {
            for file in composition.content.sources { try file.checkUnchanged(whileMaking: path) }
            return
        }
        guard let remote else {
            try file?.checkUnchanged(whileMaking: path)
            return
        }
        guard try !remote.fileState().isUnchanged else { return }
        throw FileWriteError(kind: .writeFailed, path: path, reason: "the source was changed meanwhile")
    }
}
