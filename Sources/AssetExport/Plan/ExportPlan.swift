public import MediaAsset
public import MediaCore
public import MediaEngine
public import MediaMetadata

/// What an export will do, worked out before it does it.
///
/// Beyond AVFoundation.
public struct ExportPlan: Sendable {
    /// What becomes of a track.
    public enum Treatment: String, Hashable, Sendable {
        /// Its coded samples stay as they are.
        case passthrough
        /// It is decoded and encoded anew.
        case transcode
        /// Its text is kept, in the form that the new file has for subtitles.
        case convert
    }

    /// How the new file comes about.
    public enum Method: String, Hashable, Sendable {
        /// The movie's sample tables are edited; its media data are copied unread.
        case cut
        /// Coded samples are read and written one by one.
        case remux
        /// At least one track is encoded anew.
        case transcode
    }

    /// One track of the new file.
    public struct Track: Hashable, Sendable {
        /// The track's number in the source.
        public var trackID: CMPersistentTrackID
        /// What the track holds.
        public var mediaType: AVMediaType
        /// What becomes of it.
        public var treatment: Treatment
        /// The source's codec, as FFmpeg spells it.
        public var sourceCodec: String
        /// The new track's codec, as FFmpeg spells it.
        public var codec: String
        /// ISO 639-2 code, `nil` if unknown.
        public var language: String?
        /// What the new track will be, and what is done for that: `960x540`, `tone-mapped to SDR`.
        public var details: [String]
        /// What is done to pictures that are encoded anew.
        public var changes: Set<ConvertedVideo.Change> = []
        /// What is done to sound that is encoded anew.
        public var soundChanges: Set<ConvertedAudio.Change> = []
    }

    /// The preset's name.
    public var preset: String
    /// The kind of file to make.
    public var fileType: AVFileType
    /// How the new file comes about.
    public var method: Method
    /// What was asked for, on the asset's timeline, as far as the asset goes; the whole asset if nothing was.
    public var requestedRange: CMTimeRange
    /// What the new file will show of the asset's timeline; invalid if only the
    /// export itself can tell.
    public var actualRange: CMTimeRange
    /// The tracks of the new file in its order, at least one.
    public var tracks: [Track]
    /// What the new file will not have, though nobody asked for that, as far as that can be told beforehand.
    public var losses: [ExportLoss]
    /// The new file's size in bytes; exact for a cut, else an estimate; `nil` if there is none.
    public var estimatedByteCount: Int64?
    /// What the export takes of one processor core, in seconds, within a factor of about two; `nil` if the film does not tell
    /// how long it is.
    public var estimatedCoreSeconds: Double?
    /// How often the source is read: 2 with two-pass encoding, else 1.
    public var passes: Int
    /// When each segment of the pictures begins on the new file's timeline, where they are encoded in segments; else empty.
    ///
    /// A segment begins with a sync sample, and nothing in it is built on another one.
    public var segmentStartTimes: [CMTime] = []
    /// What is worth knowing beforehand, one line each: a range that goes beyond the asset.
    public var warnings: [String] = []
    /// What the new file will hold and not show, as far as that can be told beforehand.
    public var hidden: [HiddenMaterial] = []
    /// What is left out because the file is to be shared.
    ///
    /// What lies among coded samples only the export itself finds.
    public var removed: [PrivateDetail] = []
}

/// How far an export has come.
///
/// Beyond AVFoundation.
public struct ExportProgress: Hashable, Sendable {
    /// How much of the work is done, from 0 to 1.
    public var fraction: Double
    /// The time reached on the new file's timeline.
    public var time: CMTime
    /// Seconds since the export began.
    public var elapsed: Double
    /// Seconds until it will have ended, `nil` as long as that cannot be told.
    public var remaining: Double?
    /// Seconds of media for each second of work, `nil` as long as that cannot be told.
    public var speed: Double?
    /// Bytes written so far.
    public var byteCount: UInt64
}

/// What an export has made.
///
/// Beyond AVFoundation.
public struct ExportResult: Sendable {
    /// What was asked for, on the asset's timeline, as far as the asset goes.
    public var requestedRange: CMTimeRange
    /// What the new file shows of the asset's timeline.
    public var actualRange: CMTimeRange
    /// What has become of each track, in the new file's order.
    public var tracks: [ExportPlan.Track] = []
    /// The new file's size in bytes.
    public var byteCount: UInt64
    /// What the new file does not have, though nobody asked for that: foreseen, and found by the audit.
    public var losses: [ExportLoss]
    /// What is known to be imperfect in it, one line each: repaired times, damaged pictures that were let through.
    public var warnings: [String]
    /// How much of the finished file was read to find losses that the plan did not tell.
    public var auditDepth: ExportAuditDepth
    /// What the new file holds and does not show: what was cut out and others are decoded from.
    public var hidden: [HiddenMaterial] = []
    /// What was left out because the file is to be shared.
    public var removed: [PrivateDetail] = []
}

/// Which of an asset's tracks an export takes.
///
/// What is left out was asked for, and is no loss. Tracks that hold nothing but
/// chapters follow the chapters. Beyond AVFoundation.
public struct ExportTrackSelection: Hashable, Sendable {
    /// The numbers of the tracks to take; `nil`, the default, for all.
    ///
    /// A number that the asset does not have fails the export, with `AVError.operationNotSupportedForAsset`; so does
    /// a selection that leaves nothing.
    public var trackIDs: Set<CMPersistentTrackID>?
    /// Kinds of tracks that are left out, also of `trackIDs`; none by default.
    public var excludedMediaTypes: Set<AVMediaType> = []

    /// The kinds of tracks with what is shown along with pictures: subtitles, text and captions.
    public static let subtitleMediaTypes: Set<AVMediaType> = [.subtitle, .text, .closedCaption]

    /// Makes a selection of all tracks.
    public init() {}

    /// Whether it takes a track.
    ///
    /// - Parameter mediaType: `nil` where it is not known.
    func takes(_ trackID: CMPersistentTrackID, _ mediaType: AVMediaType?) -> Bool {
        guard trackIDs?.contains(trackID) ?? true else { return false }
        return mediaType.map { !excludedMediaTypes.contains($0) } ?? true
    }

    /// The numbers that are asked for and that no track has, in their order.
    func missing(of tracks: [TrackDescription]) -> [CMPersistentTrackID] {
        (trackIDs ?? []).subtracting(tracks.map(\.trackID)).sorted()
    }
}
