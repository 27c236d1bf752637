public import Foundation
internal import MediaCore
internal import MediaIO

/// A picture file that is to be written, and the images for it.
///
/// Stands in for Image I/O's class of the same name. Written are PNG, JPEG, WebP, AVIF, TIFF and GIF. Properties that a
/// format has no place for, and keys that are not known, are ignored, as Image I/O does. Not to be used by two threads
/// at a time.
public final class CGImageDestination {
    enum Target {
        case file(String)
        case memory(NSMutableData)
    }

    private let target: Target
    private let format: PictureFormat
    private let capacity: Int
    private var images: [(image: CGImage, properties: ImageProperties)] = []
    private var properties = ImageProperties()
    private var isDone = false
    private var hasFailed = false

    init?(_ target: Target, _ type: NSString, _ count: Int) {
        guard let format = PictureFormat(rawValue: type as String), PictureFormat.written.contains(format), count > 0,
            count == 1 || format.holdsMany
        else { return nil }
        (self.target, self.format, capacity) = (target, format, count)
    }

    func set(_ properties: ImageProperties) { self.properties = properties }

    func add(_ image: CGImage?, _ properties: ImageProperties) {
        guard let image, images.count < capacity else {
            hasFailed = true
            return
        }
        images.append((image, properties))
    }

    func finalize() -> Bool {
        guard !isDone, !hasFailed, images.count == capacity, let data = data() else { return false }
        isDone = true
        switch target {
        case .memory(let memory):
            memory.append(data)
            return true
        case .file(let path):
            guard let place = try? RunFiles(reading: []).output(path, replaces: true) else { return false }
            return (try? AtomicFile.write(data, to: place)) != nil
        }
    }

    private func data() -> Data? {
        if format == .gif { return gif() }
        guard let first = images.first else { return nil }
        let properties = properties.replaced(by: first.properties)
        let limit = properties.number(kCGImageDestinationImageMaxPixelSize).map { Int(min(1e6, max(0, $0))) }
        guard let image = first.image.fitted(into: limit) else { return nil }
        if format == .tiff { return TIFFFile.data(of: image, properties) }
        guard let file = try? encoded(image, properties) else { return nil }
        let directories = DirectoryWriter(properties)
        var resolution: (x: Double, y: Double)?
        if let x = properties.number(kCGImagePropertyDPIWidth), let y = properties.number(kCGImagePropertyDPIHeight),
            x > 0, y > 0
        {
            resolution = (x, y)
        }
        return MetadataInsertion.adding(
            exif: directories.isEmpty ? [] : directories.data(), resolution: resolution, to: file, format,
            size: (image.width, image.height), hasAlpha: image.hasAlpha)
    }

    private func encoded(_ image: CGImage, _ properties: ImageProperties) throws -> Data? {
        let share = properties.number(kCGImageDestinationLossyCompressionQuality) ?? 0.85
        let quality = Int((min(1, max(0, share)) * 100).rounded())
        switch format {
        case .png: return try image.pngData()
        case .jpeg: return try image.jpegData(quality: quality, background: background(properties))
        case .webP: return try image.webPData(quality: quality)
        case .avif: return try image.avifData(quality: quality)
        case .tiff, .gif, .bmp: return nil
        }
    }

    private func background(_ properties: ImageProperties) -> RGBColor {
        guard let color = properties[kCGImageDestinationBackgroundColor] as? CGColor, let values = color.components
        else {
            return RGBColor(red: 255, green: 255, blue: 255)
        }
        let bytes = values.map { UInt8(min(1, max(0, $0)) * 255 + 0.5) }
        return bytes.count < 4
            ? RGBColor(red: bytes[0], green: bytes[0], blue: bytes[0])
            : RGBColor(red: bytes[0], green: bytes[1], blue: bytes[2])
    }

    private func gif() -> Data? {
        let pictures = images.map { image, properties in
            let group = properties.group(kCGImagePropertyGIFDictionary)
            let delay =
                group.number(kCGImagePropertyGIFUnclampedDelayTime) ?? group.number(kCGImagePropertyGIFDelayTime)
            return GIFFile.Picture(image: image, delay: delay ?? (images.count > 1 ? 0.1 : 0))
        }
        let group = properties.group(kCGImagePropertyGIFDictionary)
        let loops = group.number(kCGImagePropertyGIFLoopCount).map { Int(min(65535, max(0, $0))) }
        return GIFFile.data(of: pictures, loopCount: loops)
    }
}

// MARK: Functions

/// Begins a picture file at a place.
///
/// - Parameters:
///   - type: The uniform type identifier of the format, such as `public.png`.
///   - count: How many images will be added: 1, or more for GIF.
///   - options: Not needed.
/// - Returns: `nil` for a format that is not written, for more images than it holds, and for what is no file's address.
public func CGImageDestinationCreateWithURL(
    _ url: NSURL, _ type: NSString, _ count: Int, _ options: NSDictionary?
) -> CGImageDestination? {
    guard url.isFileURL, let path = url.path else { return nil }
    return CGImageDestination(.file(path), type, count)
}

/// Begins a picture file in memory, as `CGImageDestinationCreateWithURL` does; its bytes are appended.
///
/// - Returns: `nil` for a format that is not written, and for more images than it holds.
public func CGImageDestinationCreateWithData(
    _ data: NSMutableData, _ type: NSString, _ count: Int, _ options: NSDictionary?
) -> CGImageDestination? {
    CGImageDestination(.memory(data), type, count)
}

/// The identifiers of the formats that are written.
public func CGImageDestinationCopyTypeIdentifiers() -> NSArray {
    NSArray(array: PictureFormat.written.map { NSString(string: $0.rawValue) })
}

/// What is true of all images: the properties that `CGImageDestinationAddImage` takes, and how often an animation is
/// shown.
public func CGImageDestinationSetProperties(_ destination: CGImageDestination, _ properties: NSDictionary?) {
    destination.set(ImageProperties(properties))
}

/// Adds an image.
///
/// - Parameter properties: `kCGImageDestinationLossyCompressionQuality`, `kCGImageDestinationBackgroundColor` and
///   `kCGImageDestinationImageMaxPixelSize`; `kCGImagePropertyOrientation`, `kCGImagePropertyDPIWidth` and its
///   height, and the entries of the TIFF, Exif and GPS dictionaries, in PNG, JPEG, WebP and TIFF;
///   `kCGImagePropertyGIFDelayTime` in the GIF dictionary. Others are ignored, and so are these in formats that have
///   no place for them.
public func CGImageDestinationAddImage(
    _ destination: CGImageDestination, _ image: CGImage, _ properties: NSDictionary?
) {
    destination.add(image, ImageProperties(properties))
}

/// Adds an image of a picture file, and what that says of it.
///
/// The image is decoded and encoded again.
///
/// - Parameter properties: What goes before what the file says; `NSNull` takes out a key of its.
public func CGImageDestinationAddImageFromSource(
    _ destination: CGImageDestination, _ source: CGImageSource, _ index: Int, _ properties: NSDictionary?
) {
    let image = source.has(index) ? source.reader.image(at: index) : nil
    let known = source.properties(at: index) ?? ImageProperties()
    destination.add(image, known.replaced(by: ImageProperties(properties)))
}

/// Writes the file, which appears whole or not at all, in the place of one that is there.
///
/// - Returns: Whether it was written: `false` if images are missing or were too many, if one cannot be encoded in the
///   format (one that is too large, HDR in JPEG), if it cannot be written, and the second time.
/// - Complexity: Encodes all images; those of a destination in memory are then held twice.
public func CGImageDestinationFinalize(_ destination: CGImageDestination) -> Bool { destination.finalize() }
