internal import Foundation
package import MetadataFormats

extension AssetDescription {
    /// Has pictures turned and cropped as a Matroska file says; FFmpeg tells of turns alone, without the shift that
    /// lays a turned picture into the corner again.
    ///
    /// - Parameter shapes: Those of the file's tracks in their order, in which FFmpeg has its streams.
    mutating func shapePictures(_ shapes: [MatroskaPictureShape?]) {
        let pictures = shapes.compactMap { $0 }
        let indices = tracks.indices.filter { tracks[$0].video != nil }
        guard pictures.count == indices.count else { return }
        for (index, shape) in zip(indices, pictures) where !shape.isPlain { tracks[index].video?.apply(shape) }
    }
}

extension VideoDescription {
    fileprivate mutating func apply(_ shape: MatroskaPictureShape) {
        let crop = shape.crop
        let (width, height) = (codedSize.width - crop.left - crop.right, codedSize.height - crop.top - crop.bottom)
        if width > 0, height > 0, (width, height) != (codedSize.width, codedSize.height) {
            cleanAperture = PixelRect(x: crop.left, y: crop.top, width: width, height: height)
            // FFmpeg takes the size as shown for that of the whole picture.
            if let shown = shape.displayRatio {
                sampleAspectRatio =
                    AspectRatio(horizontal: shown.width * height, vertical: shown.height * width).reduced
            } else if shape.hasDisplaySize {
                sampleAspectRatio =
                    AspectRatio(
                        horizontal: sampleAspectRatio.horizontal * codedSize.width * height,
                        vertical: sampleAspectRatio.vertical * codedSize.height * width
                    ).reduced
            }
        }
        if shape.roll != 0 || shape.isMirrored { preferredTransform = CGAffineTransform(shape, size: shownSize) }
        let seen = PixelSize(width: cleanAperture.width, height: cleanAperture.height)
        displaySize = Self.displaySize(
            of: seen, sampleAspectRatio: sampleAspectRatio, transform: preferredTransform)
        naturalSize = Self.naturalSize(header: nil, seen: seen, sampleAspectRatio: sampleAspectRatio)
    }

    /// The whole picture in square pixels, before it is turned.
    private var shownSize: (width: Double, height: Double) {
        (
            Double(codedSize.width) * Double(sampleAspectRatio.horizontal)
                / Double(max(1, sampleAspectRatio.vertical)),
            Double(codedSize.height)
        )
    }
}

extension AspectRatio {
    fileprivate var reduced: AspectRatio {
        var (a, b) = (max(1, horizontal), max(1, vertical))
        while b != 0 { (a, b) = (b, a % b) }
        return AspectRatio(horizontal: max(1, horizontal) / a, vertical: max(1, vertical) / a)
    }
}

extension CGAffineTransform {
    /// The transform of a shape, with the picture laid into the corner again.
    fileprivate init(_ shape: MatroskaPictureShape, size: (width: Double, height: Double)) {
        // Quarters come out whole.
        let quarters = shape.roll / 90
        let (cosine, sine): (Double, Double) =
            switch quarters {
            case 0: (1, 0)
            case 1: (0, -1)
            case -1: (0, 1)
            case 2, -2: (-1, 0)
            default: (cos(-shape.roll * .pi / 180), sin(-shape.roll * .pi / 180))
            }
        let side: Double = shape.isMirrored ? -1 : 1
        let (a, b, c, d) = (side * cosine, side * sine, -sine, cosine)
        self.init(
            a: a, b: b, c: c, d: d, tx: -min(0, a * size.width) - min(0, c * size.height),
            ty: -min(0, b * size.width) - min(0, d * size.height))
    }
}

extension MatroskaPictureShape {
    /// The shape of pictures that are turned by a transform and seen in part; `nil` if Matroska cannot say that.
    package init?(_ video: VideoDescription) {
        var transform = video.preferredTransform
        let area = transform.a * transform.d - transform.b * transform.c
        // What no picture could be seen by is no transform.
        if area == 0 || !area.isFinite { transform = .identity }
        let isMirrored = transform.a * transform.d - transform.b * transform.c < 0
        let (a, b) = isMirrored ? (-transform.a, -transform.b) : (transform.a, transform.b)
        guard a != 0 || b != 0, a.isFinite, b.isFinite else { return nil }
        let degrees = (-atan2(b, a) * 180 / .pi * 1000).rounded() / 1000
        let (size, seen) = (video.codedSize, video.cleanAperture)
        let crop = Crop(
            left: seen.x, top: seen.y, right: size.width - seen.x - seen.width,
            bottom: size.height - seen.y - seen.height)
        guard min(crop.left, crop.top, crop.right, crop.bottom) >= 0 else { return nil }
        self.init(roll: Self.normalized(degrees == 0 ? 0 : degrees), isMirrored: isMirrored, crop: crop)
    }
}
