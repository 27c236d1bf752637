internal import FFmpegKit
internal import Foundation
internal import MediaAsset
internal import MediaImage

/// Makes the picture that a viewer sees of a decoded frame: the clean aperture,
/// square pixels, upright, within the wanted size.
final class StillRenderer {
    private let video: VideoDescription
    private let settings: StillSettings
    private let converter = PixelConverter()

    init(video: VideoDescription, settings: StillSettings) {
        self.video = video
        self.settings = settings
    }

    func render(_ frame: Frame) throws -> CGImage {
        let geometry = geometry(for: frame)
        let transform = settings.appliesTransform ? video.preferredTransform : .identity
        let keepsAlpha = frame.hasAlpha
        let pixels = try converter.convert(
            frame, crop: geometry.crop, width: geometry.width, height: geometry.height, keepsAlpha: keepsAlpha)
        guard let image = CGImage(width: geometry.width, height: geometry.height, hasAlpha: keepsAlpha, pixels: pixels)
        else { throw AVError(.unknown, reason: "the picture has no pixels") }
        return image.oriented(transform.orientation)
    }

    /// What part of the frame is shown, and its size before it is turned.
    private func geometry(for frame: Frame) -> (crop: PixelConverter.Crop, width: Int, height: Int) {
        let size = PixelSize(width: frame.width, height: frame.height)
        var part = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
        // An aperture is given for the track's size; a stream may change its own.
        if (settings.aperture ?? .cleanAperture) == .cleanAperture, size == video.naturalSize {
            part = video.cleanAperture
        }
        let ratio =
            settings.aperture == .encodedPixels ? AspectRatio(horizontal: 1, vertical: 1) : video.sampleAspectRatio
        let shown = VideoDescription.displaySize(
            of: PixelSize(width: part.width, height: part.height), sampleAspectRatio: ratio, transform: .identity)
        let swaps = settings.appliesTransform && video.preferredTransform.swapsAxes
        let (boxWidth, boxHeight) =
            swaps
            ? (settings.maximumHeight, settings.maximumWidth) : (settings.maximumWidth, settings.maximumHeight)
        var scale = 1.0
        if boxWidth > 0 { scale = min(scale, Double(boxWidth) / Double(shown.width)) }
        if boxHeight > 0 { scale = min(scale, Double(boxHeight) / Double(shown.height)) }
        let crop = PixelConverter.Crop(
            left: part.x, top: part.y, right: size.width - part.x - part.width,
            bottom: size.height - part.y - part.height)
        return (
            crop, max(1, Int((Double(shown.width) * scale).rounded())),
            max(1, Int((Double(shown.height) * scale).rounded()))
        )
    }
}

extension CGAffineTransform {
    /// The nearest of the eight ways to lay the picture onto its grid.
    var orientation: ImageOrientation {
        swapsAxes
            ? ImageOrientation(swapsAxes: true, flipsHorizontally: c < 0, flipsVertically: b < 0)
            : ImageOrientation(swapsAxes: false, flipsHorizontally: a < 0, flipsVertically: d < 0)
    }
}
