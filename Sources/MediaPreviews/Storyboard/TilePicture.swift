internal import Foundation
internal import ImageGeneration
internal import MediaAsset
internal import MediaCore
internal import MediaImage

/// One tile as the decoding threads hand it over.
struct TilePicture: Sendable {
    /// What is said of it.
    let tile: Storyboard.Tile
    /// Of the tile's size, opaque.
    let image: CGImage
    /// The tile as a JPEG file, where one is wanted.
    let jpeg: Data?

    /// Brings a still into the shape of a tile.
    init(_ still: Still, size: PixelSize, jpegQuality: Int?) throws {
        tile = Storyboard.Tile(
            requestedTime: still.requestedTime, actualTime: still.actualTime, isSyncSample: still.isSyncSample,
            isExact: still.isExact, damage: still.damage)
        image = Self.fitted(still.image, size)
        jpeg = try jpegQuality.map { [image] quality in try image.jpegData(quality: quality) }
    }

    private static func fitted(_ image: CGImage, _ size: PixelSize) -> CGImage {
        guard image.hasAlpha || image.width != size.width || image.height != size.height,
            var canvas = ImageCanvas(width: size.width, height: size.height, color: .black)
        else { return image }
        canvas.draw(image, x: (size.width - image.width) / 2, y: (size.height - image.height) / 2)
        return canvas.image(colorSpace: image.colorSpace) ?? image
    }
}
