public import Foundation
package import MediaIO

/// A picture file, and the images in it.
///
/// Stands in for Image I/O's class of the same name. Read are PNG, animated PNG, JPEG, WebP (its first image), AVIF,
/// TIFF (its first page), GIF and BMP, by the same decoders and within the same limits as films. Not to be used by
/// two threads at a time.
public final class CGImageSource {
    let format: PictureFormat?
    let reader: PictureReader
    private let file: RandomAccessFile
    private var knownAnimation: AnimationFacts?
    private var knownBytes: [UInt8]?

    /// What is read to find out what a file says of itself.
    private static let maximumBytes = 256 << 20

    package init?(_ input: MediaInput) {
        guard let file = input.file else { return nil }
        self.file = file
        format = PictureFormat(file.read(at: 0, count: 16))
        reader = PictureReader(input)
    }

    convenience init?(path: String) { self.init(MediaInput(path)) }

    convenience init?(data: Data) {
        guard let contents = data.withUnsafeBytes({ RandomAccessFile(inMemory: $0) }) else { return nil }
        self.init(MediaInput(contents, named: ""))
    }

    var byteCount: Int { Int(clamping: file.byteCount) }

    /// The file's bytes, of a large one the first ones.
    var bytes: [UInt8] {
        if let knownBytes { return knownBytes }
        let bytes = file.read(at: 0, count: min(byteCount, Self.maximumBytes))
        knownBytes = bytes
        return bytes
    }

    /// What the file says of its images and their times.
    var animation: AnimationFacts {
        if let knownAnimation { return knownAnimation }
        let facts: AnimationFacts =
            switch format {
            case .gif: .gif(bytes)
            case .png: .png(FileChunks.png(bytes))
            default: AnimationFacts()
            }
        knownAnimation = facts
        return facts
    }

    /// How many images there are.
    var count: Int {
        switch format {
        case nil: 0
        case .gif, .png: animation.delays.count
        case .avif: reader.packetCount(limit: Int(MediaLimits().frames))
        default: 1
        }
    }

    func has(_ index: Int) -> Bool { format != nil && index >= 0 && (index == 0 || index < count) }
}

// MARK: Functions

/// Opens a picture file.
///
/// - Parameter options: Not needed: the bytes tell what the file is.
/// - Returns: `nil` if there is no such file; for a file that is no picture, a source without images.
public func CGImageSourceCreateWithURL(_ url: NSURL, _ options: NSDictionary?) -> CGImageSource? {
    guard url.isFileURL, let path = url.path else { return nil }
    return CGImageSource(path: path)
}

/// Opens a picture file in memory.
///
/// - Parameter options: Not needed: the bytes tell what the file is.
/// - Returns: A source without images for data that are no picture; `nil` if memory runs out.
public func CGImageSourceCreateWithData(_ data: NSData, _ options: NSDictionary?) -> CGImageSource? {
    CGImageSource(data: Data(referencing: data))
}

/// Opens a picture file that a provider gives; `nil` if the provider has no bytes.
public func CGImageSourceCreateWithDataProvider(
    _ provider: CGDataProvider, _ options: NSDictionary?
) -> CGImageSource? {
    provider.data.flatMap { CGImageSource(data: Data(referencing: $0)) }
}

/// How many images there are: those of an animation; 0 if the file is no picture.
///
/// - Complexity: Reads the file once, of AVIF its tables.
public func CGImageSourceGetCount(_ source: CGImageSource) -> Int { source.count }

/// The uniform type identifier of the file's format, such as `public.png`; `nil` if it is no picture.
public func CGImageSourceGetType(_ source: CGImageSource) -> NSString? {
    source.format.map { NSString(string: $0.rawValue) }
}

/// Which image is the one to show, counted from 0: the first one.
public func CGImageSourceGetPrimaryImageIndex(_ source: CGImageSource) -> Int { 0 }

/// The identifiers of the formats that are read.
public func CGImageSourceCopyTypeIdentifiers() -> NSArray {
    NSArray(array: PictureFormat.allCases.map { NSString(string: $0.rawValue) })
}

/// An image, as it is stored: not turned.
///
/// - Parameters:
///   - index: Which one, counted from 0.
///   - options: None is needed; they are ignored.
/// - Returns: `nil` if there is no such image, if it is damaged, or if it is larger than the limits allow.
/// - Complexity: Decodes the image; of an animation, those that lie between the last one asked for and this one.
public func CGImageSourceCreateImageAtIndex(
    _ source: CGImageSource, _ index: Int, _ options: NSDictionary?
) -> CGImage? {
    source.has(index) ? source.reader.image(at: index) : nil
}

/// A small picture of an image.
///
/// The file's own where there is one, unless `kCGImageSourceCreateThumbnailFromImageAlways` is true; where there is
/// none, and for it to be made of the image, either that key or `kCGImageSourceCreateThumbnailFromImageIfAbsent`. It
/// has no more than `kCGImageSourceThumbnailMaxPixelSize` pixels in either direction, and is never enlarged; with
/// `kCGImageSourceCreateThumbnailWithTransform` it is upright.
///
/// - Returns: `nil` if there is none and none is to be made, and where `CGImageSourceCreateImageAtIndex` gives none.
public func CGImageSourceCreateThumbnailAtIndex(
    _ source: CGImageSource, _ index: Int, _ options: NSDictionary?
) -> CGImage? {
    guard source.has(index) else { return nil }
    let options = ImageProperties(options)
    func isSet(_ key: NSString) -> Bool { (options.number(key) ?? 0) != 0 || options[key] as? Bool == true }
    var image: CGImage?
    if !isSet(kCGImageSourceCreateThumbnailFromImageAlways), let own = source.metadata?.thumbnail {
        image = CGImageSource(data: Data(own))?.reader.image(at: 0)
    }
    if image == nil {
        guard
            isSet(kCGImageSourceCreateThumbnailFromImageAlways)
                || isSet(kCGImageSourceCreateThumbnailFromImageIfAbsent)
        else { return nil }
        image = source.reader.image(at: index)
    }
    let limit = options.number(kCGImageSourceThumbnailMaxPixelSize).map { Int(min(1e6, max(0, $0))) }
    guard let small = image?.fitted(into: limit) else { return nil }
    return isSet(kCGImageSourceCreateThumbnailWithTransform) ? small.turned(source.orientation) : small
}

/// What the file says of itself: `kCGImagePropertyFileSize`; of an animation, how often it is shown.
///
/// - Returns: `nil` if the file is no picture.
public func CGImageSourceCopyProperties(_ source: CGImageSource, _ options: NSDictionary?) -> NSDictionary? {
    source.format == nil ? nil : source.properties.dictionary
}

/// What the file says of an image: its size, depth and colours, how it is turned, its resolution, and what cameras
/// wrote.
///
/// Values are `NSNumber`, `NSString`, `NSArray` and `NSDictionary` under Image I/O's keys. Of Exif, TIFF and GPS, the
/// entries that have a `kCGImageProperty…` constant here.
///
/// - Parameter index: Which image, counted from 0.
/// - Returns: `nil` if there is no such image.
public func CGImageSourceCopyPropertiesAtIndex(
    _ source: CGImageSource, _ index: Int, _ options: NSDictionary?
) -> NSDictionary? {
    source.has(index) ? source.properties(at: index)?.dictionary : nil
}
