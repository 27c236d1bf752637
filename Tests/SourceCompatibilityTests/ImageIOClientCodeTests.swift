import Foundation
import OpenAVFoundation
import TestSupport
import Testing

private func fixture(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/\(name)")
}

/// What a program prints.
private func output(of tool: String, _ arguments: [String]) throws -> Data {
    try CommandRun.runBlocking(tool, arguments).standardOutput
}

/// What `ffprobe` says of a stream, by names.
private func probe(_ url: URL, _ entries: String) throws -> [String] {
    let data = try output(
        of: "ffprobe", ["-v", "error", "-select_streams", "v:0", "-show_entries", entries, "-of", "csv=p=0", url.path])
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map { String($0) }
}

/// The pixels that `ffmpeg` decodes.
private func decoded(_ url: URL, _ format: String = "rgba") throws -> [UInt8] {
    Array(
        try output(
            of: "ffmpeg",
            ["-v", "error", "-i", url.path, "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", format, "-"]))
}

/// What `exiftool` says, by names.
private func tags(_ url: URL) throws -> [String: Any] {
    let data = try output(of: "exiftool", ["-json", "-n", url.path])
    return (try JSONSerialization.jsonObject(with: data) as? [[String: Any]])?.first ?? [:]
}

/// A folder that goes with the test.
private final class Folder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("ImageIO-\(UUID().uuidString)")
    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: url) }
    func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}

/// A picture of smooth colours; where it has alpha, from clear to opaque.
private func picture(width: Int, height: Int, hasAlpha: Bool = false) throws -> CGImage {
    var bytes: [UInt8] = []
    for y in 0..<height {
        for x in 0..<width {
            let alpha = hasAlpha ? x * 255 / (width - 1) : 255
            let color = [x * 255 / width, y * 255 / height, 128].map { UInt8($0 * alpha / 255) }
            bytes += color + [UInt8(alpha)]
        }
    }
    return try #require(RawPicture(width: width, height: height, bytes: bytes).image())
}

@Suite struct `Code written for Image I/O` {
    @Test(arguments: [
        ("a.png", "public.png", "png"), ("a.jpg", "public.jpeg", "mjpeg"), ("a.webp", "org.webmproject.webp", "webp"),
        ("a.avif", "public.avif", "av1"), ("a.tiff", "public.tiff", "tiff"), ("a.gif", "com.compuserve.gif", "gif"),
    ])
    func `Code written for ImageIO writes stills in six formats`(
        _ name: String, _ type: String, _ codec: String
    ) async throws {
        let folder = try Folder()
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: fixture("movie.mov")))
        let image = try await generator.image(at: .zero).image
        let url = folder.file(name)
        try PictureWriter().write(image, to: url, type: type)
        #expect(try probe(url, "stream=codec_name,width,height").first == "\(codec),320,240")
        let pixels = try decoded(url, "rgb24")
        #expect(pixels.count == image.pixels.count)
        let distance = zip(pixels, image.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        let isLossless = ["public.png", "public.tiff"].contains(type)
        #expect(isLossless ? distance == 0 : Double(distance) / Double(pixels.count) < 8, "\(name) \(distance)")
        // The same by our own reader.
        let source = try #require(CGImageSourceCreateWithURL(url as NSURL, nil))
        #expect(CGImageSourceGetType(source) as String? == type && CGImageSourceGetCount(source) == 1)
        let again = try #require(CGImageSourceCreateImageAtIndex(source, 0, nil))
        #expect(again.width == 320 && again.height == 240 && again.bitsPerPixel == 32)
        #expect(!isLossless || again.pixels == image.pixels)
    }

    @Test func `Code written for ImageIO makes smaller files of lower quality`() throws {
        let image = try picture(width: 160, height: 120)
        for type in ["public.jpeg", "org.webmproject.webp", "public.avif"] {
            let sizes = [0.1, 0.5, 1].compactMap { PictureWriter().data(of: image, type: type, quality: $0)?.count }
            #expect(sizes.count == 3 && sizes == sizes.sorted() && Set(sizes).count == 3, "\(type) \(sizes)")
        }
    }

    @Test func `Code written for ImageIO keeps alpha where the format has it`() throws {
        let folder = try Folder()
        let image = try picture(width: 64, height: 8, hasAlpha: true)
        for (name, type) in [("a.png", "public.png"), ("a.tiff", "public.tiff")] {
            try PictureWriter().write(image, to: folder.file(name), type: type)
            #expect(try decoded(folder.file(name)) == image.pixels)
            let source = try #require(CGImageSourceCreateWithURL(folder.file(name) as NSURL, nil))
            let again = try #require(CGImageSourceCreateImageAtIndex(source, 0, nil))
            #expect(again.alphaInfo == .last && again.pixels == image.pixels)
        }
        // JPEG has none: the clear side is white.
        try PictureWriter().write(image, to: folder.file("a.jpg"), type: "public.jpeg")
        #expect(try decoded(folder.file("a.jpg"), "rgb24")[..<3].allSatisfy { $0 > 245 })
    }

    @Test func `Code written for ImageIO makes small images of large ones, upright`() throws {
        let folder = try Folder()
        let url = folder.file("a.jpg")
        let image = try picture(width: 200, height: 100)
        try PictureWriter().write(image, to: url, type: "public.jpeg", properties: [kCGImagePropertyOrientation: 6])
        let small = try #require(downsampled(url, to: CGSize(width: 25, height: 25), scale: 2))
        #expect(small.width == 25 && small.height == 50)
        // Turned clockwise, what was at the lower left is at the upper left: no red, all green.
        #expect(small.pixels[0] < 20 && small.pixels[1] > 235)
        let source = try #require(CGImageSourceCreateWithURL(url as NSURL, nil))
        #expect(CGImageSourceCreateThumbnailAtIndex(source, 0, nil) == nil)
        let options = [kCGImageSourceCreateThumbnailFromImageIfAbsent: true] as NSDictionary
        #expect(CGImageSourceCreateThumbnailAtIndex(source, 0, options)?.width == 200)
    }

    @Test func `Code written for ImageIO makes animated GIFs`() throws {
        let folder = try Folder()
        let url = folder.file("a.gif")
        let images = try (1...3).map { try picture(width: 40, height: 30).resized(by: $0) }
        #expect(writeGIF(images, delay: 0.25, to: url))
        #expect(try probe(url, "packet=duration_time").map { Double($0) } == [0.25, 0.25, 0.25])
        #expect(try tags(url)["AnimationIterations"] as? Int == 0 || tags(url)["AnimationIterations"] != nil)
        #expect(try tags(url)["FrameCount"] as? Int == 3)
        let again = try #require(AnimatedPicture(try Data(contentsOf: url)))
        #expect(again.images.count == 3 && again.delays == [0.25, 0.25, 0.25] && again.loopCount == 0)
        // What FFmpeg decodes is what our reader decodes, and near what was drawn.
        let frames = try decoded(url, "rgb24")
        for (index, image) in images.enumerated() {
            let part = frames[(index * 3600)..<((index + 1) * 3600)]
            let distance = zip(part, image.rgbaBytes().enumerated().filter { $0.offset % 4 != 3 }.map(\.element))
                .reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
            #expect(Double(distance) / 3600 < 8)
        }
    }

    @Test func `Code written for ImageIO plays GIFs`() throws {
        let url = fixture("animated.gif")
        let animation = try #require(AnimatedPicture(try Data(contentsOf: url)))
        let delays = try probe(url, "packet=duration_time").compactMap { Double($0) }
        #expect(animation.images.count == delays.count && animation.delays == delays)
        let frames = try decoded(url, "rgba")
        let size = animation.images[0].width * animation.images[0].height * 4
        for (index, image) in animation.images.enumerated() where (index + 1) * size <= frames.count {
            #expect(image.pixels == Array(frames[(index * size)..<((index + 1) * size)]))
        }
        // Back to the first one.
        let source = try #require(CGImageSourceCreateWithURL(url as NSURL, nil))
        let last = CGImageSourceCreateImageAtIndex(source, delays.count - 1, nil)
        #expect(last?.pixels == animation.images.last?.pixels)
        #expect(CGImageSourceCreateImageAtIndex(source, 0, nil)?.pixels == animation.images[0].pixels)
        #expect(CGImageSourceCreateImageAtIndex(source, delays.count, nil) == nil)
        #expect(CGImageSourceCreateImageAtIndex(source, -1, nil) == nil)
    }

    @Test(arguments: [
        ("a.jpg", "public.jpeg"), ("a.png", "public.png"), ("a.webp", "org.webmproject.webp"),
        ("a.tiff", "public.tiff"),
    ])
    func `Code written for ImageIO writes the properties that cameras write`(_ name: String, _ type: String) throws {
        let folder = try Folder()
        let url = folder.file(name)
        let properties: [NSString: Any] = [
            kCGImagePropertyOrientation: 8, kCGImagePropertyDPIWidth: 300, kCGImagePropertyDPIHeight: 300,
            kCGImagePropertyTIFFDictionary: [kCGImagePropertyTIFFModel: "Box Ω", kCGImagePropertyTIFFSoftware: "Test"],
            kCGImagePropertyExifDictionary: [
                kCGImagePropertyExifDateTimeOriginal: "2024:01:31 12:34:56",
                kCGImagePropertyExifExposureTime: 1.0 / 250, kCGImagePropertyExifISOSpeedRatings: [400],
                kCGImagePropertyExifFNumber: 2.8, kCGImagePropertyExifExposureBiasValue: -0.5,
            ] as [NSString: Any],
            kCGImagePropertyGPSDictionary: [
                kCGImagePropertyGPSLatitude: 33.8568, kCGImagePropertyGPSLatitudeRef: "S",
                kCGImagePropertyGPSLongitude: 151.2153, kCGImagePropertyGPSLongitudeRef: "E",
            ] as [NSString: Any],
            "unknown": 7,
        ]
        try PictureWriter().write(try picture(width: 33, height: 21), to: url, type: type, properties: properties)
        let said = try tags(url)
        #expect(said["Orientation"] as? Int == 8 && said["Model"] as? String == "Box Ω", "\(said)")
        #expect(said["DateTimeOriginal"] as? String == "2024:01:31 12:34:56" && said["ISO"] as? Int == 400)
        #expect(said["ExposureTime"] as? Double == 0.004 && said["FNumber"] as? Double == 2.8)
        #expect(said["ExposureCompensation"] as? Double == -0.5)
        #expect(abs((said["GPSLatitude"] as? Double ?? 0) + 33.8568) < 1e-6)
        #expect(said["Warning"] == nil && said["Error"] == nil, "\(said)")
        let facts = try #require(PhotoFacts(url))
        #expect(facts.width == 33 && facts.height == 21 && facts.orientation == .left && facts.camera == "Box Ω")
        #expect(facts.date == "2024:01:31 12:34:56" && facts.exposure == 0.004)
        #expect(abs((facts.dotsPerInch ?? 0) - 300) < 0.01)
        #expect(abs((facts.position?[0] ?? 0) + 33.8568) < 1e-6 && abs((facts.position?[1] ?? 0) - 151.2153) < 1e-6)
        #expect(try decoded(url, "rgb24").count == 33 * 21 * 3)
    }

    @Test func `Code written for ImageIO converts files with their properties`() throws {
        let folder = try Folder()
        let url = folder.file("a.jpg")
        let properties: [NSString: Any] = [
            kCGImagePropertyOrientation: 3,
            kCGImagePropertyGPSDictionary: [kCGImagePropertyGPSLatitude: 10, kCGImagePropertyGPSLongitude: 20],
        ]
        try PictureWriter().write(
            try picture(width: 16, height: 16), to: url, type: "public.jpeg", properties: properties)
        for drops in [false, true] {
            let data = try #require(convert(try Data(contentsOf: url), to: "public.png", dropsPosition: drops))
            let copy = folder.file("b-\(drops).png")
            try data.write(to: copy)
            let facts = try #require(PhotoFacts(copy))
            #expect(facts.orientation == .down && facts.position == (drops ? nil : [10, 20]))
        }
    }

    @Test func `Code written for ImageIO gets nothing for what is no image`() throws {
        let folder = try Folder()
        #expect(CGImageSourceCreateWithURL(folder.file("none.png") as NSURL, nil) == nil)
        for data in [Data(), Data("text".utf8), Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])] {
            let source = try #require(CGImageSourceCreateWithData(data as NSData, nil))
            #expect(CGImageSourceCreateImageAtIndex(source, 0, nil) == nil)
            #expect(CGImageSourceCopyPropertiesAtIndex(source, 0, nil) == nil)
        }
        // Cut off in the middle.
        let whole = try #require(
            PictureWriter().data(of: try picture(width: 64, height: 64), type: "public.png", quality: 1))
        let source = try #require(CGImageSourceCreateWithData(whole.prefix(whole.count / 2) as NSData, nil))
        #expect(CGImageSourceCreateImageAtIndex(source, 0, nil) == nil)
        let image = try picture(width: 4, height: 4)
        #expect(CGImageDestinationCreateWithURL(folder.file("a") as NSURL, "public.heic", 1, nil) == nil)
        #expect(CGImageDestinationCreateWithURL(folder.file("a") as NSURL, "public.png", 0, nil) == nil)
        let destination = try #require(
            CGImageDestinationCreateWithURL(folder.file("no/folder/a.png") as NSURL, "public.png", 1, nil))
        #expect(!CGImageDestinationFinalize(destination))
        CGImageDestinationAddImage(destination, image, nil)
        #expect(!CGImageDestinationFinalize(destination))
    }
}

extension CGImage {
    /// As large, its middle mirrored and darkened: another picture of the same size.
    fileprivate func resized(by step: Int) throws -> CGImage {
        let context = try #require(
            CGContext(
                data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 0,
                space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGImageAlphaInfo.noneSkipLast.rawValue))
        context.draw(self, in: CGRect(x: 0, y: 0, width: width, height: height))
        context.setFillColor(gray: 0, alpha: 1)
        context.fill(CGRect(x: 5 * step, y: 3 * step, width: 8, height: 8))
        return try #require(context.makeImage())
    }
}
