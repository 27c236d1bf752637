internal import FFmpegKit
internal import Foundation
package import MediaAsset
internal import MediaCore

/// What the pictures of a track are composed of: layers, drawn as a video composition says.
package struct PictureCanvas: Sendable {
    /// The pictures of one track of the asset.
    package struct Layer: Sendable {
        package let trackID: CMPersistentTrackID
        /// The pieces that the track consists of, whose pictures are of ``Frame/componentFormat``.
        let reel: Reel
        /// The size that its pictures are shown in before the layer's transform.
        let size: CGSize
        /// Whether pictures may be seen through.
        let hasAlpha: Bool
    }

    /// When pictures are composed.
    enum Timing: Sendable {
        /// Each so long after the one before it.
        case every(CMTime)
        /// When a track has another picture.
        case asTrack(CMPersistentTrackID, limit: FrameRateLimit?)
    }

    let composition: AVVideoComposition.Configuration
    /// What composes pictures in place of layer instructions, if a client has something.
    let compositor: CustomCompositor?
    let layers: [Layer]
    let timing: Timing
    /// In pixels.
    let width: Int
    let height: Int
    /// Where on the composition's timeline the new file begins.
    let start: CMTime
    /// How long the new file lasts.
    let duration: CMTime
    /// Whether what is seen through stays so.
    let keepsAlpha: Bool
}
