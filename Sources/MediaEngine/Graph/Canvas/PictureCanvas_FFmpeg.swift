internal import FFmpegKit
package import Foundation
package import MediaAsset
package import MediaCore

/// What the pictures of a track are composed of: layers, drawn as a video composition says.
package struct PictureCanvas: Sendable {
    /// The pictures of one track of the asset.
    package struct Layer: Sendable {
        package let trackID: CMPersistentTrackID
        /// The pieces that the track consists of, whose pictures are of ``Frame/componentFormat``.
        let reel: Reel
        /// The size that its pictures are shown in before the layer's transform.
        package let size: CGSize
        /// Whether pictures may be seen through.
        package let hasAlpha: Bool
    }

    /// When pictures are composed.
    package enum Timing: Sendable {
        /// Each so long after the one before it.
        case every(CMTime)
        /// When a track has another picture.
        case asTrack(CMPersistentTrackID, limit: FrameRateLimit?)
    }

    package let composition: AVVideoComposition.Configuration
    /// What composes pictures in place of layer instructions, if a client has something.
    package let compositor: CustomCompositor?
    package let layers: [Layer]
    package let timing: Timing
    /// In pixels.
    package let width: Int
    package let height: Int
    /// Where on the composition's timeline the new file begins.
    package let start: CMTime
    /// How long the new file lasts.
    package let duration: CMTime
    /// Whether what is seen through stays so.
    package let keepsAlpha: Bool
}
