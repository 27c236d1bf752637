public import MediaAsset
public import MediaImage

/// A still picture that comes with a file, such as cover art.
public struct AttachedPicture: Sendable {
    /// Its number, as `AssetDescription.attachedPictures` has it.
    public let trackID: CMPersistentTrackID
    /// The picture in each of the generator's `sizes`, in their order; one if there are none.
    public let images: [CGImage]
}
