internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// Which part of pictures is shown, and how large.
struct StillShape: Codable, Sendable {
    let sizes: [StillSize]
    let fit: AVAssetImageGenerator.Fit
    let crop: StillCrop?
    let background: SheetColor?

    /// Sets up a generator of stills.
    ///
    /// - Returns: The part that is shown, if not all of the picture is.
    func apply(to generator: AVAssetImageGenerator) async throws -> PixelRect? {
        generator.sizes = sizes.map { PixelSize(width: $0.width, height: $0.height) }
        generator.fit = fit
        if let background { generator.backgroundColor = background.color }
        switch crop {
        case .auto: generator.cropRect = try await generator.contentRect()
        case .part(let part): generator.cropRect = part
        case nil: generator.cropRect = nil
        }
        return generator.cropRect
    }
}
