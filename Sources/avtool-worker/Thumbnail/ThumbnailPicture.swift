internal import AVToolCommands
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// The picture that stands for a file, in some sizes.
struct ThumbnailPicture {
    enum Origin {
        /// The number of a picture that comes with the file.
        case cover(CMPersistentTrackID)
        case frame(CMTime, RepresentativeChoice?)
    }

    let images: [CGImage]
    let origin: Origin

    /// How far from its time a frame may lie that stands for the film better.
    private static let window = CMTime(value: 5, timescale: 1)
    /// Where frames are looked for, as parts of the film: first where neither the credits are nor the story's end.
    private static let places: [(part: Int32, of: Int32)] = [(1, 3), (1, 10), (1, 2), (2, 3), (0, 1)]

    /// Finds it: the cover, or a frame, or another one where it cannot be decoded undamaged, or is black or of one colour.
    ///
    /// - Parameter boxes: The longest side of each size.
    static func find(
        in asset: AVURLAsset, _ description: AssetDescription, boxes: [Int], prefersFrame: Bool
    ) async throws -> ThumbnailPicture {
        let generator = AVAssetImageGenerator(asset: asset)
        generator.appliesPreferredTrackTransform = true
        generator.dynamicRangePolicy = .forceSDR
        generator.sizes = boxes.map { PixelSize(width: $0, height: $0) }
        let hasFilm = description.videoTrack != nil
        if !description.attachedPictures.isEmpty, !(prefersFrame && hasFilm) {
            do {
                if let cover = try await generator.attachedPictures().first {
                    return ThumbnailPicture(images: cover.images, origin: .cover(cover.trackID))
                }
            } catch  where hasFilm && Failure(error).code == .badInput {
                // The film is there to be shown.
            }
        }
        return try await frame(of: description, generator)
    }

    private static func frame(
        of description: AssetDescription, _ generator: AVAssetImageGenerator
    ) async throws -> ThumbnailPicture {
        guard description.videoTrack != nil else {
            throw AVError(.noSourceTrack, reason: "the file has neither pictures nor a cover")
        }
        var failure: Failure?
        var poor: ThumbnailPicture?
        for time in times(in: description) {
            generator.representativeWindow = AVAssetImageGenerator.representativeWindow(window, for: [time])
            for await result in generator.stills(for: [time]) {
                switch result {
                case .success(let still):
                    let picture = ThumbnailPicture(images: still.images, origin: .frame(still.actualTime, still.choice))
                    guard let flaw = still.choice?.flaw, flaw == .black || flaw == .flat else { return picture }
                    poor = poor ?? picture
                case .failure(let failed): failure = failure ?? Failure(failed.error)
                }
            }
            try Task.checkCancellation()
            if let failure, failure.code != .badInput { throw failure }
        }
        guard let poor else { throw failure ?? Failure(.noImageAtTime, "the film shows no picture") }
        return poor
    }

    private static func times(in description: AssetDescription) -> [CMTime] {
        guard let range = description.pictureRange else { return [.zero] }
        return places.map { range.start + CMTimeMultiplyByRatio(range.duration, multiplier: $0.part, divisor: $0.of) }
    }
}

extension CGImage {
    /// The image with the colours of sRGB, which is what desktops take thumbnails for; itself if it has them.
    var inStandardColors: CGImage {
        guard let standard = CGColorSpace(name: CGColorSpace.sRGB), colorSpace != standard else { return self }
        let alpha: CGImageAlphaInfo =
            alphaInfo == .noneSkipLast || alphaInfo == .none ? .noneSkipLast : .premultipliedLast
        let context = CGContext(
            data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 0, space: standard,
            bitmapInfo: alpha.rawValue)
        context?.draw(self, in: CGRect(x: 0, y: 0, width: width, height: height))
        return context?.makeImage() ?? self
    }
}
