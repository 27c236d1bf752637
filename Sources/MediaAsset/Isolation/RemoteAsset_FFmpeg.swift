internal import FFmpegKit
internal import Foundation
internal import MediaCore
package import MediaIO
internal import MediaMetadata
internal import Synchronization

/// The file of an asset, which a worker reads.
///
/// This process opens the file for the worker and reads nothing of it. Calls block. Whatever comes is checked: the
/// worker may do by now what the file wants.
package final class RemoteAsset: Sendable {
    private let opening: AssetOpening
    private let service: WorkerService.Settings
    private let state = Mutex(State())
    /// Held while a copy of the worker is made.
    private let linking = NSLock()

    private struct State {
        var link: WorkerLink?
        /// Why there can be no other copy, for what can be read once only.
        var end: WorkerLoss?
        var facts: AssetFacts?
    }

    init(_ opening: AssetOpening, isolation: AssetIsolation) {
        self.opening = opening
        var service = isolation.serviceSettings
        service.allowsNetwork = opening.policy.allowsNetwork
        self.service = service
    }

    // MARK: Asking

    /// Asks for something, and gives what the answers come by.
    package func begin(_ call: AssetCall) throws -> WorkerRequest {
        do {
            // One that went because nobody asked is replaced; one that goes again and again is not.
            for _ in 0..<3 {
                let link = try link()
                if let request = try link.ask(call.bytes) { return request }
                state.withLock { state in
                    if state.link === link { state.link = nil }
                    if isPipe { state.end = link.end }
                }
            }
            throw WorkerLoss(.vanished)
        } catch let loss as WorkerLoss {
            throw publicError(for: loss)
        }
    }

    private func link() throws -> WorkerLink {
        try linking.withLock {
            let (known, end) = state.withLock { ($0.link, $0.end) }
            if let end { throw end }
            if let known { return known }
            let new = try WorkerService.with(service).link(
                granting: grants, opening: opening.bytes, staysIdle: isPipe)
            state.withLock { $0.link = new }
            return new
        }
    }

    /// Whether the path leads to what can be read once only.
    private var isPipe: Bool { PipeSpool.isPipe(opening.path) }

    /// What the worker may have opened: the file, and what a playlist names if that is allowed.
    private var grants: FileGrants {
        var grants = FileGrants()
        grants.inputs = [opening.path]
        if opening.policy.allowsNesting, let folder = realPath(opening.path.parentFolder) {
            grants.nestedFolders = [folder]
        }
        return grants
    }

    /// Asks for a value.
    ///
    /// - Parameter maximum: The most bytes that it can have.
    private func value<Value: MessageValue>(_ call: AssetCall, maximum: Int) throws -> Value {
        let request = try begin(call)
        do {
            switch try request.next(maximum: maximum) {
            case .value(let bytes, let memory):
                let bytes = try memory.map { try $0.read(0..<$0.byteCount) } ?? bytes
                return try MessageReader.value(of: bytes)
            case .failed(let bytes): throw try MessageReader.value(ErrorMessage.self, of: bytes).error
            case .end: throw MessageError()
            case nil: throw CancellationError()
            }
        } catch let loss as WorkerLoss {
            throw publicError(for: loss)
        } catch is MessageError {
            throw publicError(for: request.reject())
        } catch is ChannelError {
            throw publicError(for: request.reject())
        }
    }

    /// Has all reading for properties end that is under way.
    func cancelReading() { state.withLock { $0.link }?.cancelReading() }

    // MARK: What there is

    func facts() throws -> AssetFacts {
        if let known = state.withLock({ $0.facts }) { return known }
        let facts: AssetFacts = try value(.facts, maximum: Self.roomForTracks)
        state.withLock { $0.facts = facts }
        return facts
    }

    func canDecode(_ track: TrackDescription) -> Bool {
        guard let facts = try? facts() else { return false }
        return facts.decodable.contains { position in
            facts.description.tracks.indices.contains(position)
                && facts.description.tracks[position].trackID == track.trackID
        }
    }

    func metadata() throws -> FileMetadata {
        // Numbers and lengths come to more than what they are of, at most some times.
        let metadata: FileMetadata = try value(
            .metadata, maximum: 4 * Int(opening.policy.limits.metadataSize) + Self.roomForTracks)
        do {
            try metadata.checkChapters(opening.policy.limits)
        } catch {
            throw publicError(for: error)
        }
        return metadata
    }

    func sampleDataLength(ofTrack trackID: Int32) throws -> Int64 {
        let answer: CountAnswer = try value(.sampleDataLength(track: trackID), maximum: 0)
        return answer.count
    }

    func time(ofFrame number: Int) throws -> CMTime { try value(.time(ofFrame: number), maximum: 0) }

    func syncSamples() throws -> SyncSampleList { try value(.syncSamples, maximum: roomForSamples) }

    func samples(stream index: Int) throws -> TrackSamples {
        try value(.samples(stream: index), maximum: roomForSamples)
    }

    func fileState() throws -> FileState { try value(.fileState, maximum: 0) }

    /// Edit lists and texts of as many tracks as there may be.
    private static let roomForTracks = 256 << 20
    /// Bytes for as many samples as may be listed.
    private var roomForSamples: Int { opening.policy.maximumPackets.multipliedReportingOverflow(by: 64).partialValue }
}

/// Which file a worker is to read, and how: what an asset was made with.
package struct AssetOpening: MessageValue {
    package let path: String
    let policy: SafetyPolicy
    let prefersPreciseDuration: Bool
    let readsPipesWhole: Bool
    let videoTrackID: Int32?

    init(
        path: String, policy: SafetyPolicy, prefersPreciseDuration: Bool, readsPipesWhole: Bool, videoTrackID: Int32?
    ) {
        (self.path, self.policy) = (path, policy)
        (self.prefersPreciseDuration, self.readsPipesWhole) = (prefersPreciseDuration, readsPipesWhole)
        self.videoTrackID = videoTrackID
    }

    /// The file behind an asset that is read in this process.
    ///
    /// - Parameter access: Who opens it.
    func source(_ access: FileAccess) -> AssetSource {
        AssetSource(
            MediaInput(path, access: access, limits: policy.limits), policy: policy,
            prefersPreciseDuration: prefersPreciseDuration,
            readsPipesWhole: readsPipesWhole, videoTrackID: videoTrackID)
    }

    package func write(to message: inout MessageWriter) {
        message.put(path)
        message.put(list: MediaLimits.Name.allCases) { message, name in
            message.put(name.rawValue)
            message.put(policy.limits[name])
        }
        message.put(policy.additionalFormats)
        message.put(policy.allowsNetwork)
        message.put(policy.refusesTornEnds)
        message.put(prefersPreciseDuration)
        message.put(readsPipesWhole)
        message.put(videoTrackID)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        path = try message.text()
        var policy = SafetyPolicy()
        let limits = try message.list { message throws(MessageError) in
            (name: try message.text(), value: try message.integer(Int64.self))
        }
        for limit in limits {
            guard let name = MediaLimits.Name(rawValue: limit.name) else { throw MessageError() }
            policy.limits[name] = limit.value
        }
        policy.additionalFormats = try message.texts()
        policy.allowsNetwork = try message.flag()
        policy.refusesTornEnds = try message.flag()
        self.policy = policy
        (prefersPreciseDuration, readsPipesWhole) = (try message.flag(), try message.flag())
        videoTrackID = try message.optionalInteger()
    }
}
