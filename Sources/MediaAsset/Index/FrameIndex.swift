public import MediaCore

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
        package var end: CMTime? {
            let last = frames.lazy.filter(\.isShown)
                .map { $0.presentation.addingReportingOverflow($0.duration).partialValue }.max()
            guard let last, let timescale = Int32(exactly: tick.denominator), timescale > 0 else { return nil }
            let (value, overflow) = last.multipliedReportingOverflow(by: tick.numerator)
            return overflow ? nil : CMTime(value: value, timescale: timescale)
        }

        package init(
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

    package init(origin: CMTime, tracks: [Track]) { (self.origin, self.tracks) = (origin, tracks) }
}
