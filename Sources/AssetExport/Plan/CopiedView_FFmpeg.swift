internal import FFmpegKit
internal import Foundation
package import MediaAsset
internal import MediaCore
package import MediaEngine
internal import MetadataFormats

/// How copied pictures are to be seen, turned and cropped, and what a container can say of that.
struct CopiedView {
    private let video: VideoDescription
    private let format: ContainerFormat
    private let fileType: AVFileType

    init(_ video: VideoDescription, in format: ContainerFormat, fileType: AVFileType) {
        (self.video, self.format, self.fileType) = (video, format, fileType)
    }

    private var isCropped: Bool {
        let seen = video.cleanAperture
        return (seen.width, seen.height) != (video.codedSize.width, video.codedSize.height)
    }

    private var rotation: PictureRotation { PictureRotation(video.preferredTransform) ?? .upright }
    private var isMirrored: Bool { rotation.isMirrored }
    private var isTurned: Bool { !rotation.isUpright }

    /// What has to be said in a Matroska file's header, `nil` for nothing.
    var shape: MatroskaPictureShape? {
        guard format.container.isMatroska, isTurned || isCropped, let shape = MatroskaPictureShape(video),
            !shape.isPlain
        else {
            return nil
        }
        return shape
    }

    /// What the muxer has to be told.
    func applied(to traits: StreamTraits) -> StreamTraits {
        var traits = traits
        if format.container.holdsDisplayMatrix, let matrix = video.preferredTransform.displayMatrix {
            traits.displayMatrix = matrix
        }
        return traits
    }

    /// What the container cannot say.
    func losses(of track: TrackDescription) -> [ExportLoss] {
        let name = track.nameForPeople
        var losses: [ExportLoss] = []
        let advice = "presets that encode anew turn and crop the pictures themselves"
        if isTurned, !format.container.isMovie, shape == nil {
            losses.append(
                ExportLoss(
                    .media, "how pictures are turned, \(name)",
                    reason: "\(fileType.name) files cannot say it, and players show them as they are stored; \(advice)",
                    trackID: track.trackID, trait: .orientation))
        } else if !rotation.isSquare, format.container.isMatroska {
            losses.append(
                ExportLoss(
                    .media, "that pictures are skewed, \(name)",
                    reason: "\(fileType.name) files can say turns of pictures only", effect: .changed,
                    trackID: track.trackID, trait: .orientation))
        } else if isMirrored, format.container.isMatroska {
            losses.append(
                ExportLoss(
                    .media, "that pictures are mirrored, \(name)",
                    reason: "it is written, but few players mirror pictures of \(fileType.name) files; \(advice)",
                    trackID: track.trackID, trait: .orientation))
        }
        if isCropped, !format.container.isMatroska || shape == nil {
            losses.append(
                ExportLoss(
                    .media, "the clean aperture, \(name)",
                    reason:
                        "players of \(fileType.name) files made of coded samples show the whole pictures; \(advice)",
                    trackID: track.trackID, trait: .cleanAperture))
        }
        return losses
    }
}
