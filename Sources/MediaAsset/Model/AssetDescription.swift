public import MediaCore

/// What a media file contains, as one value: the facts that opening it gives.
///
/// Beyond AVFoundation's API, for callers that want everything at once. Times
/// are on the asset's timeline: that of the movie after edit lists; in other
/// containers, and in fragmented movies without an edit list, it starts at zero
/// where the earliest audible or visible track starts.
public struct AssetDescription: Sendable {
    /// The container's names, as FFmpeg spells them: `mov,mp4,m4a,3gp,3g2,mj2`.
    public var container: String
    /// How long the asset lasts on its timeline; indefinite if the file does not tell.
    public var duration: CMTime
    /// Whether the duration is only guessed from size and bit rate.
    public var durationIsEstimate: Bool
    /// The container's time of the asset's zero: zero for movies, but for
    /// fragmented ones without an edit list.
    ///
    /// A time in the container, as players in pages count it, is the asset's time plus this one.
    public var origin: CMTime
    /// Size of the file in bytes, `nil` for a pipe.
    public var byteCount: Int64?
    /// The tracks in container order.
    public var tracks: [TrackDescription]
    /// Still pictures that come with the file, such as cover art; no tracks.
    public var attachedPictures: [TrackDescription]
    /// The speed to play at that the movie header asks for, where 1 is the media's own; 1 in other containers.
    public var preferredRate: Float
    /// The volume that the movie header asks for, where 1 is the media's own; 1 in other containers.
    public var preferredVolume: Float
    /// Whether the movie may go on in fragments (`mvex`).
    public var canContainFragments: Bool
    /// Whether there are fragments (`moof`).
    package var containsFragments = false
    /// How long the fragments last in all, as the movie header announces it; invalid if it does not.
    package var overallDurationHint = CMTime.invalid
    /// Whether samples of any track are encrypted.
    public var hasProtectedContent: Bool
    /// The number of the video track that pictures are made of, where one was
    /// asked for (`AVURLAssetVideoTrackIDKey`); else `nil`.
    public var chosenVideoTrackID: Int32?
    /// The timecode of the first frame, `nil` if the file has none.
    public var startTimecode: Timecode?
    /// How the frames of the video track are labelled with timecodes: from
    /// `startTimecode` on, or by the frame rate from zero; `nil` if there is no
    /// rate, or the file's timecode is none at its rate.
    public var timecodeScale: TimecodeScale?
}

extension AssetDescription {
    /// Bits for each second over the whole file and its ``duration``, `nil` if unknown.
    public var bitRate: Int64? {
        guard let byteCount, duration.isNumeric, duration > .zero else { return nil }
        let rate = Double(byteCount) * 8 / duration.seconds
        return rate < 1e15 ? Int64(rate.rounded()) : nil
    }
}
