internal import Foundation
internal import MediaIO
internal import Synchronization

/// What an asset knows of where its frames lie: by an index that it was given, that an earlier asset has kept, or that it
/// has made itself.
package final class KnownFrames: Sendable {
    private struct State {
        var index: FrameIndex?
        /// Whether what was given or kept was looked at.
        var isRead = false
        /// Whether there is no use in making one.
        var isHopeless = false
    }

    private let film: URL
    private let given: FrameIndexFile?
    private let cache: URL?
    private let limits: MediaLimits
    private let state = Mutex(State())
    /// Held while an index is made, so that the file is read once.
    private let making = NSLock()

    /// - Parameters:
    ///   - film: What the index is of.
    ///   - given: An index of it.
    ///   - cache: Where an index is kept from one asset to the next.
    init(of film: URL, given: FrameIndexFile? = nil, cache: URL? = nil, limits: MediaLimits = MediaLimits()) {
        (self.film, self.given, self.cache, self.limits) = (film, given, cache, limits)
    }

    /// The index, if there is one by now.
    var index: FrameIndex? {
        get throws {
            try state.withLock { state in
                guard !state.isRead else { return state.index }
                state.isRead = true
                state.index = try given?.load() ?? kept
                return state.index
            }
        }
    }

    /// What an earlier asset has kept, unless that is of another version of the film or damaged: then it is made anew.
    private var kept: FrameIndex? {
        guard let cache, let file = try? FrameIndexFile(url: cache, limits: limits) else { return nil }
        return (try? file.checkFits(film)).flatMap { try? file.load() }
    }

    /// The frames of a stream; `nil` without an index of it.
    func track(ofStream index: Int) throws -> FrameIndex.Track? {
        // What is cut short says nothing of times that are not there.
        try self.index?.tracks.first { $0.streamIndex == index && $0.truncation == nil }
    }

    /// Has an index of a stream made, unless there is one, or none can be of use.
    ///
    /// - Returns: Whether there is one now.
    func make(ofStream index: Int, _ make: () throws -> FrameIndex?) throws -> Bool {
        try making.withLock {
            if try track(ofStream: index) != nil { return true }
            guard !state.withLock(\.isHopeless), let made = try make() else { return false }
            take(made)
            let isKnown = try track(ofStream: index) != nil
            if !isKnown { state.withLock { $0.isHopeless = true } }
            return isKnown
        }
    }

    /// Goes by an index that was made, and keeps it for later assets.
    ///
    /// A cache that cannot be written to costs later ones time and nobody anything else.
    func take(_ made: FrameIndex) {
        state.withLock { ($0.index, $0.isRead) = (made, true) }
        guard let cache, made.tracks.allSatisfy({ $0.truncation == nil }), let fingerprint = FileFingerprint(of: film)
        else { return }
        try? FrameIndexFile.write(
            made, of: fingerprint, to: RunFiles().output(cache.path, replaces: true, makesFolder: true))
    }

    /// The index turned out not to be of this file, or to be of no use.
    func forget() { state.withLock { $0 = State(isRead: true, isHopeless: true) } }
}
