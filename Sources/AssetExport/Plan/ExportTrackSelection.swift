public import MediaAsset

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
