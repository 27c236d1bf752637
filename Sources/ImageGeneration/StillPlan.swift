internal import MediaAsset
internal import MediaCore
internal import MediaImage

/// The times asked for, in the order in which they are answered.
///
/// Sorted, so that each GOP is entered once and decoded once up to the last
/// picture wanted of it.
struct StillPlan: Sendable {
    struct Entry: Sendable {
        /// The request's position in the caller's list.
        let index: Int
        let requestedTime: CMTime
    }

    let entries: [Entry]

    init(times: [CMTime]) {
        entries = times.enumerated().map { Entry(index: $0.offset, requestedTime: $0.element) }
            .sorted { ($0.requestedTime, $0.index) < ($1.requestedTime, $1.index) }
    }
}

/// What a still shall look like.
struct StillSettings: Sendable {
    var appliesTransform = false
    /// How pictures are laid out then, in place of what their track says.
    var orientation: ImageOrientation?
    /// The track to make stills of; `nil` for the usual one.
    var trackID: Int32?
    /// The box to fit into, zero for no limit in that direction.
    var maximumWidth = 0
    var maximumHeight = 0
    /// Boxes to make pictures for, one each; if empty, the one above.
    var sizes: [PixelSize] = []
    var fit = AVAssetImageGenerator.Fit.contain
    /// A part of the upright picture of full size.
    var crop: PixelRect?
    /// What is around pictures that do not fill their box.
    var background = RGBColor.black
    /// The clean aperture if `nil`.
    var aperture: AVAssetImageGenerator.ApertureMode?
    var allowsDamagedPictures = false
    /// How far a frame may lie that stands for its scene; zero for the frame shown at the time itself.
    var representativeWindow = CMTime.zero
    var dynamicRange = AVAssetImageGenerator.DynamicRangePolicy.forceSDR
    /// How far before and after the requested time the frame's own may lie.
    var toleranceBefore = CMTime.positiveInfinity
    var toleranceAfter = CMTime.positiveInfinity

    /// The boxes to make pictures for.
    var boxes: [PixelSize] { sizes.isEmpty ? [PixelSize(width: maximumWidth, height: maximumHeight)] : sizes }

    /// The track to make stills of.
    func track(of asset: AssetDescription) -> TrackDescription? {
        guard let trackID else { return asset.videoTrack }
        return asset.tracks.first { $0.trackID == trackID }
    }
}
