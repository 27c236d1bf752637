public import Foundation
public import MediaCore
package import MediaIO
internal import Synchronization

/// What random access to a file's frames needs: when each is decoded and shown, where it lies, and what can be begun
/// there.
///
/// Made by `AVURLAsset.makeFrameIndex(trackIDs:)` in one pass over the file's bytes, without decoding. Beyond AVFoundation.
public struct FrameIndex: Sendable {
    /// Whether decoding can begin at a frame.
    public enum Entry: String, Sendable, Hashable {
        /// Every picture that is shown from this one on decodes as in a pass over the whole film.
        case clean
        /// It needs no other picture itself; those that are shown after it should be clean, which has to be proved.
        case recovery
        /// Pictures become whole in the course of the next ones.
        case gradual
    }

    /// A coded frame or a packet of sound, with times in ticks of the container's.
    public struct Frame: Sendable, Hashable {
        /// When it is shown or heard; where the container has no times, as a decoder would count them.
        public var presentation: Int64
        /// When it is decoded, `nil` if the container does not tell.
        public var decode: Int64?
        /// How long it lasts, in ticks; 0 if the container does not tell.
        public var duration: Int64
        /// Its first byte in the file, `nil` if that is not known.
        ///
        /// Frames of formats that divide their streams into packets have that of the packet in which they begin.
        public var position: Int64?
        /// How many bytes it has.
        public var byteCount: Int
        /// Whether the container says that it needs no other.
        public var isKey: Bool
        /// What decoding can begin with here; `nil` if it cannot.
        public var entry: Entry?
        /// Whether it is shown or heard.
        ///
        /// Not so is what an edit list hides, what others only are predicted from, what cannot be decoded because the file
        /// begins after what it needs, and the second field of a picture.
        public var isShown: Bool
    }

    /// The frames of one track.
    public struct Track: Sendable {
        /// The track's number.
        public let trackID: Int32
        /// The stream's position in the file, counted from 0.
        public let streamIndex: Int
        /// Seconds of a tick, as a ratio.
        public let tick: (numerator: Int64, denominator: Int64)
        /// In the order in which they are decoded.
        public let frames: [Frame]
        /// Why these are not all frames that there should be; `nil` if nothing tells that there should be more.
        public let truncation: String?

        /// Those that are shown, in that order.
        public var shown: [Frame] {
            frames.filter(\.isShown).sorted { $0.presentation < $1.presentation }
        }

        /// Where the last of them ends, on the container's timeline; `nil` without one, or where that is no time.
        var end: CMTime? {
            let last = frames.lazy.filter(\.isShown)
                .map { $0.presentation.addingReportingOverflow($0.duration).partialValue }.max()
            guard let last, let timescale = Int32(exactly: tick.denominator), timescale > 0 else { return nil }
            let (value, overflow) = last.multipliedReportingOverflow(by: tick.numerator)
            return overflow ? nil : CMTime(value: value, timescale: timescale)
        }

        init(
            trackID: Int32, streamIndex: Int, tick: (numerator: Int64, denominator: Int64), frames: [Frame],
            truncation: String?
        ) {
            (self.trackID, self.streamIndex, self.tick) = (trackID, streamIndex, tick)
            (self.frames, self.truncation) = (frames, truncation)
        }
    }

    /// The time of the container at which the asset's timeline begins.
    public let origin: CMTime
    /// In the order of their numbers.
    public let tracks: [Track]

    init(origin: CMTime, tracks: [Track]) { (self.origin, self.tracks) = (origin, tracks) }
}

/// What tells a file's contents from others' without reading all of them.
///
/// A SHA-256 of the number of bytes, in decimal digits and with a line feed after them, and of the file itself if it has up to
/// 1 MiB; else of its first and last 256 KiB and of 16 blocks of 32 KiB between them, which begin at
/// `262144 + i * (byteCount - 524288) / 16`, rounded down, for `i` from 0 to 15. Media files differ there: samples are compressed, and headers list
/// their sizes. Who would have two files look alike can. Beyond AVFoundation.
public struct FileFingerprint: Sendable, Hashable {
    /// How many bytes the file has.
    public let byteCount: UInt64
    /// 64 hexadecimal digits.
    public let digest: String

    static let sample = FileSample(edge: 256 << 10, block: 32 << 10, count: 16, wholeByteCount: 1 << 20)

    /// Reads the parts of a file.
    ///
    /// - Returns: `nil` if it cannot be read, or is no file.
    /// - Complexity: Reads 1 MiB at most.
    public init?(of url: URL) {
        guard url.isFileURL, let file = RandomAccessFile(path: url.path) else { return nil }
        self.init(file)
    }

    /// Reads the parts of an open file; `nil` if they cannot be read.
    package init?(_ file: RandomAccessFile) {
        guard let digest = Self.digest(of: file) else { return nil }
        (byteCount, self.digest) = (file.byteCount, digest)
    }
}

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

    private let input: MediaInput
    private let given: FrameIndexFile?
    private let cache: URL?
    private let state = Mutex(State())
    /// Held while an index is made, so that the file is read once.
    private let making = NSLock()

    /// - Parameters:
    ///   - input: What the index is of.
    ///   - given: An index of it.
    ///   - cache: Where an index is kept from one asset to the next.
    init(of input: MediaInput, given: FrameIndexFile? = nil, cache: URL? = nil) {
        (self.input, self.given, self.cache) = (input, given, cache)
    }

    private var fingerprint: FileFingerprint? { input.file.flatMap { FileFingerprint($0) } }

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
        guard let cache, let file = try? FrameIndexFile(path: cache.path, limits: input.limits, access: input.access)
        else { return nil }
        return (try? file.checkFits(fingerprint)).flatMap { try? file.load() }
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
        guard let cache, made.tracks.allSatisfy({ $0.truncation == nil }), let fingerprint
        else { return }
        try? FrameIndexFile.write(
            made, of: fingerprint,
            to: RunFiles(reading: [], playsPlaylists: true, access: input.access)
                .output(cache.path, replaces: true, makesFolder: true))
    }

    /// The index turned out not to be of this file, or to be of no use.
    func forget() { state.withLock { $0 = State(isRead: true, isHopeless: true) } }
}
