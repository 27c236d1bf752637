internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension StillShape {
    /// Sets up a generator of stills.
    ///
    /// - Returns: The part that is shown, if not all of the picture is.
    func apply(to generator: AVAssetImageGenerator) async throws -> PixelRect? {
        generator.sizes = sizes.map { PixelSize(width: $0.width, height: $0.height) }
        generator.fit = fit
        if let background { generator.backgroundColor = background.color }
        switch crop {
        case .auto: generator.cropRect = try await generator.contentRect()
        case .part(let part):
            generator.cropRect = PixelRect(x: part.x, y: part.y, width: part.width, height: part.height)
        case nil: generator.cropRect = nil
        }
        return generator.cropRect
    }
}
