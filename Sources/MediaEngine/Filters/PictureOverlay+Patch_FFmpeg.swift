package import FFmpegKit
internal import MediaAsset
internal import MediaCore
internal import MediaImage

extension PictureOverlay {
    /// The overlay as it is laid over pictures.
    ///
    /// - Parameter video: What the encoder expects; pictures are upright.
    package func patch(for video: VideoSettings) throws -> PicturePatch {
        guard let layout = PixelLayout.known[video.pixelFormat] else {
            throw AVError(
                .operationNotSupportedForAsset, reason: "nothing can be laid over pictures of \(video.pixelFormat)")
        }
        guard !video.color.isHDR else {
            throw AVError(
                .operationNotSupportedForAsset,
                reason: "a picture cannot be laid over HDR pictures; presets that make SDR, such as high, can be used")
        }
        let frame = OverlayFrame(video)
        let size = frame.size(of: self)
        let scaled = try image.scaled(width: size.width, height: size.height)
        let place = frame.place(of: position, size)
        guard let pixels = PicturePixels(scaled) else {
            throw AVError(.incorrectlyConfigured, reason: "the overlay is too large")
        }
        let samples = OverlaySamples(pixels, opacity: opacity)
        return PicturePatch(
            planes: layout.isRGB
                ? samples.colorPlanes(depth: layout.depth, at: place)
                : samples.lumaAndChroma(layout, video.color.lumaWeights(lines: video.height), at: place))
    }
}

/// The pictures that something is laid over, and where on them.
private struct OverlayFrame {
    let width: Int
    let height: Int
    /// Width to height of a pixel.
    private let aspect: Double

    init(_ video: VideoSettings) {
        (width, height) = (video.width, video.height)
        aspect = video.sampleAspectRatio?.value ?? 1
    }

    /// In pixels as they are stored.
    func size(of overlay: PictureOverlay) -> (width: Int, height: Int) {
        let image = (width: Double(overlay.image.width), height: Double(overlay.image.height))
        var shown = overlay.relativeWidth.map { $0 * Double(width) * aspect } ?? image.width
        shown = min(shown, Double(width) * aspect, Double(height) * image.width / image.height)
        return (
            max(1, Int((shown / aspect).rounded())), max(1, Int((shown * image.height / image.width).rounded()))
        )
    }

    func place(of position: PictureOverlay.Position, _ size: (width: Int, height: Int)) -> (x: Int, y: Int) {
        let room = (x: width - size.width, y: height - size.height)
        switch position {
        case .offset(let x, let y):
            // Less than zero counts from the other edge.
            let left = Int((Double(x) / aspect).rounded())
            return (x < 0 ? room.x + left + 1 : left, y < 0 ? room.y + y + 1 : y)
        case .share(let x, let y):
            let margin = min(Double(width) * aspect, Double(height)) / 50
            func placed(_ share: Double, _ room: Int, _ margin: Double) -> Int {
                let margin = min(margin, Double(room) / 2)
                return Int((margin + share * (Double(room) - 2 * margin)).rounded())
            }
            return (placed(x, room.x, margin / aspect), placed(y, room.y, margin))
        }
    }
}

/// The components and the alpha of an overlay's pixels, from 0 to 1.
private struct OverlaySamples {
    private let width: Int
    private let height: Int
    private var colors: [SIMD3<Float>]
    private var alphas: [Float]

    /// - Parameter pixels: Not multiplied by alpha.
    init(_ pixels: PicturePixels, opacity: Double) {
        (width, height) = (pixels.width, pixels.height)
        let components = pixels.components
        func value(_ pixel: Int, _ part: Int) -> Float { Float(components[4 * pixel + part]) / 65535 }
        colors = (0..<(width * height)).map { SIMD3(value($0, 0), value($0, 1), value($0, 2)) }
        alphas = (0..<(width * height)).map { value($0, 3) * Float(opacity) }
    }

    func colorPlanes(depth: Int, at place: (x: Int, y: Int)) -> [PicturePatch.Plane] {
        let largest = Float((1 << depth) - 1)
        return (0..<3).map { index in
            plane(at: place, sharing: (1, 1)) { $0[index] * largest }
        }
    }

    /// - Parameter weights: What red and blue count in luma.
    func lumaAndChroma(
        _ layout: PixelLayout, _ weights: (red: Float, blue: Float), at place: (x: Int, y: Int)
    ) -> [PicturePatch.Plane] {
        let scale = Float(1 << (layout.depth - 8))
        func luma(_ color: SIMD3<Float>) -> Float {
            weights.red * color.x + (1 - weights.red - weights.blue) * color.y + weights.blue * color.z
        }
        func chroma(_ color: SIMD3<Float>, _ value: Float, _ weight: Float) -> Float {
            (128 + 224 * (value - luma(color)) / (2 * (1 - weight))) * scale
        }
        let shared = (1 << layout.chromaShift.horizontal, 1 << layout.chromaShift.vertical)
        return [
            plane(at: place, sharing: (1, 1)) { (16 + 219 * luma($0)) * scale },
            plane(at: place, sharing: shared) { chroma($0, $0.z, weights.blue) },
            plane(at: place, sharing: shared) { chroma($0, $0.x, weights.red) },
        ]
    }

    /// One component; where several pixels share a sample, each counts as far as it is seen.
    private func plane(
        at place: (x: Int, y: Int), sharing: (Int, Int), _ code: (SIMD3<Float>) -> Float
    ) -> PicturePatch.Plane {
        func first(_ value: Int, _ size: Int) -> Int { Int((Double(value) / Double(size)).rounded(.down)) }
        let (left, top) = (first(place.x, sharing.0), first(place.y, sharing.1))
        let right = first(place.x + width - 1, sharing.0)
        let bottom = first(place.y + height - 1, sharing.1)
        var plane = PicturePatch.Plane(
            x: left, y: top, width: right - left + 1, height: bottom - top + 1, values: [], alphas: [])
        let area = Float(sharing.0 * sharing.1)
        for row in top...bottom {
            for column in left...right {
                var (sum, cover) = (Float(0), Float(0))
                for y in (row * sharing.1)..<((row + 1) * sharing.1) where (0..<height).contains(y - place.y) {
                    for x in (column * sharing.0)..<((column + 1) * sharing.0) where (0..<width).contains(x - place.x) {
                        let pixel = (y - place.y) * width + x - place.x
                        sum += alphas[pixel] * code(colors[pixel])
                        cover += alphas[pixel]
                    }
                }
                plane.values.append(cover > 0 ? UInt16(max(0, min(65535, (sum / cover).rounded()))) : 0)
                plane.alphas.append(UInt16((cover / area * 65535).rounded()))
            }
        }
        return plane
    }
}

extension ColorInfo {
    /// What red and blue count in luma.
    fileprivate func lumaWeights(lines: Int) -> (red: Float, blue: Float) {
        switch scalerMatrix(lines: lines) {
        case "bt709": (0.2126, 0.0722)
        case "bt2020": (0.2627, 0.0593)
        case "smpte240m": (0.212, 0.087)
        case "fcc": (0.3, 0.11)
        default: (0.299, 0.114)
        }
    }
}
