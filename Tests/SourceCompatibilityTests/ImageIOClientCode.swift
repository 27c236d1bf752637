// Code as applications on Apple's platforms have it, for picture files; only the import differs.
import Foundation
import OpenAVFoundation

/// Writes pictures as exporters do.
struct PictureWriter {
    enum Problem: Error { case noDestination, notWritten }

    func write(_ image: CGImage, to url: URL, type: String, properties: [NSString: Any] = [:]) throws {
        guard
            let destination = CGImageDestinationCreateWithURL(url as NSURL, type as NSString, 1, nil)
        else { throw Problem.noDestination }
        CGImageDestinationAddImage(destination, image, properties as NSDictionary)
        guard CGImageDestinationFinalize(destination) else { throw Problem.notWritten }
    }

    func data(of image: CGImage, type: String, quality: Double) -> Data? {
        let data = NSMutableData()
        guard let destination = CGImageDestinationCreateWithData(data, type as NSString, 1, nil) else { return nil }
        CGImageDestinationAddImage(
            destination, image, [kCGImageDestinationLossyCompressionQuality: quality] as NSDictionary)
        return CGImageDestinationFinalize(destination) ? data as Data : nil
    }
}

/// A small picture of a large one, by the way that Apple recommends.
func downsampled(_ url: URL, to pointSize: CGSize, scale: CGFloat) -> CGImage? {
    let sourceOptions = [kCGImageSourceShouldCache: false] as NSDictionary
    guard let source = CGImageSourceCreateWithURL(url as NSURL, sourceOptions) else { return nil }
    let options =
        [
            kCGImageSourceCreateThumbnailFromImageAlways: true,
            kCGImageSourceShouldCacheImmediately: true,
            kCGImageSourceCreateThumbnailWithTransform: true,
            kCGImageSourceThumbnailMaxPixelSize: max(pointSize.width, pointSize.height) * scale,
        ] as [NSString: Any] as NSDictionary
    return CGImageSourceCreateThumbnailAtIndex(source, 0, options)
}

/// Makes a GIF of pictures.
func writeGIF(_ images: [CGImage], delay: Double, to url: URL) -> Bool {
    guard
        let destination = CGImageDestinationCreateWithURL(url as NSURL, "com.compuserve.gif", images.count, nil)
    else { return false }
    let fileProperties: [NSString: Any] = [
        kCGImagePropertyGIFDictionary: [kCGImagePropertyGIFLoopCount: 0]
    ]
    CGImageDestinationSetProperties(destination, fileProperties as NSDictionary)
    let frameProperties: [NSString: Any] = [
        kCGImagePropertyGIFDictionary: [kCGImagePropertyGIFDelayTime: delay]
    ]
    for image in images { CGImageDestinationAddImage(destination, image, frameProperties as NSDictionary) }
    return CGImageDestinationFinalize(destination)
}

/// The images of a GIF and their times, as players read them.
struct AnimatedPicture {
    var images: [CGImage] = []
    var delays: [Double] = []
    var loopCount: Int?

    init?(_ data: Data) {
        guard let source = CGImageSourceCreateWithData(data as NSData, nil) else { return nil }
        guard CGImageSourceGetType(source) as String? == "com.compuserve.gif" else { return nil }
        let whole = CGImageSourceCopyProperties(source, nil) as? [String: Any]
        let group = whole?[kCGImagePropertyGIFDictionary as String] as? [String: Any]
        loopCount = group?[kCGImagePropertyGIFLoopCount as String] as? Int
        for index in 0..<CGImageSourceGetCount(source) {
            guard let image = CGImageSourceCreateImageAtIndex(source, index, nil) else { return nil }
            images.append(image)
            delays.append(Self.delay(of: source, index))
        }
    }

    private static func delay(of source: CGImageSource, _ index: Int) -> Double {
        guard let properties = CGImageSourceCopyPropertiesAtIndex(source, index, nil) as? [String: Any],
            let gif = properties[kCGImagePropertyGIFDictionary as String] as? [String: Any]
        else { return 0.1 }
        if let delay = gif[kCGImagePropertyGIFUnclampedDelayTime as String] as? Double, delay > 0 { return delay }
        return gif[kCGImagePropertyGIFDelayTime as String] as? Double ?? 0.1
    }
}

/// What a gallery shows of a photograph.
struct PhotoFacts: Equatable {
    var width: Int
    var height: Int
    var orientation: CGImagePropertyOrientation
    var dotsPerInch: Double?
    var camera: String?
    var date: String?
    var exposure: Double?
    var position: [Double]?

    init?(_ url: URL) {
        guard let source = CGImageSourceCreateWithURL(url as NSURL, nil),
            let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil) as? [NSString: Any],
            let width = properties[kCGImagePropertyPixelWidth] as? Int,
            let height = properties[kCGImagePropertyPixelHeight] as? Int
        else { return nil }
        (self.width, self.height) = (width, height)
        let code = properties[kCGImagePropertyOrientation] as? UInt32 ?? 1
        orientation = CGImagePropertyOrientation(rawValue: code) ?? .up
        dotsPerInch = properties[kCGImagePropertyDPIWidth] as? Double
        camera = (properties[kCGImagePropertyTIFFDictionary] as? [NSString: Any])?[kCGImagePropertyTIFFModel] as? String
        let exif = properties[kCGImagePropertyExifDictionary] as? [NSString: Any]
        date = exif?[kCGImagePropertyExifDateTimeOriginal] as? String
        exposure = exif?[kCGImagePropertyExifExposureTime] as? Double
        if let gps = properties[kCGImagePropertyGPSDictionary] as? [NSString: Any],
            let latitude = gps[kCGImagePropertyGPSLatitude] as? Double,
            let longitude = gps[kCGImagePropertyGPSLongitude] as? Double
        {
            let isSouth = gps[kCGImagePropertyGPSLatitudeRef] as? String == "S"
            position = [isSouth ? -latitude : latitude, longitude]
        }
    }
}

/// Writes a picture file as another format, with what it says of itself.
func convert(_ data: Data, to type: String, dropsPosition: Bool) -> Data? {
    let result = NSMutableData()
    guard let source = CGImageSourceCreateWithData(data as NSData, nil),
        let destination = CGImageDestinationCreateWithData(result, type as NSString, 1, nil)
    else { return nil }
    let changes: [NSString: Any] = dropsPosition ? [kCGImagePropertyGPSDictionary: NSNull()] : [:]
    CGImageDestinationAddImageFromSource(destination, source, 0, changes as NSDictionary)
    return CGImageDestinationFinalize(destination) ? result as Data : nil
}
