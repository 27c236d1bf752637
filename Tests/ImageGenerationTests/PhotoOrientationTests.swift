import Foundation
import ImageGeneration
import MediaAsset
import MediaCore
import MediaEngine
import MediaImage
import MediaTestSupport
import Testing

/// A file format of single pictures, and how EXIF data get into it.
private enum PhotoFormat: String, CaseIterable, CustomTestStringConvertible {
    case jpeg, png, webp, tiff

    var testDescription: String { rawValue }
    var encoder: [String] {
        switch self {
        case .jpeg: ["-c:v", "mjpeg", "-q:v", "1", "-pix_fmt", "yuvj444p", "-f", "image2"]
        case .png: ["-c:v", "png", "-pix_fmt", "rgb24", "-f", "image2"]
        case .webp: ["-c:v", "libwebp", "-lossless", "1", "-pix_fmt", "bgra", "-f", "webp"]
        case .tiff: ["-c:v", "tiff", "-pix_fmt", "rgb24", "-f", "image2"]
        }
    }

    /// EXIF data with nothing but the orientation, and the pixels' aspect for company.
    private static func exif(_ orientation: Int, isLittle: Bool) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            let bytes = (0..<count).map { UInt8(value >> (8 * $0) & 255) }
            return isLittle ? bytes : bytes.reversed()
        }
        func entry(_ tag: Int, _ value: Int) -> [UInt8] {
            number(tag, 2) + number(3, 2) + number(1, 4) + number(value, 2) + [0, 0]
        }
        return Array((isLittle ? "II" : "MM").utf8) + number(42, 2) + number(8, 4) + number(2, 2)
            + entry(0x0103, 6) + entry(0x0112, orientation) + number(0, 4)
    }

    func file(_ picture: [UInt8], orientation: Int, isLittle: Bool) -> [UInt8] {
        let exif = Self.exif(orientation, isLittle: isLittle)
        switch self {
        case .jpeg:
            let segment = Array("Exif".utf8) + [0, 0] + exif
            let header: [UInt8] = [0xff, 0xe1, 0, UInt8(segment.count + 2)]
            return Array(picture[..<2]) + header + segment + Array(picture[2...])
        case .png:
            // Behind the first chunk; nobody checks the sum.
            let chunk = [0, 0, 0, UInt8(exif.count)] + Array("eXIf".utf8) + exif + [0, 0, 0, 0]
            return Array(picture[..<33]) + chunk + Array(picture[33...])
        case .webp:
            let padding: [UInt8] = exif.count % 2 == 1 ? [0] : []
            let body = Array(picture[8...]) + Array("EXIF".utf8) + [UInt8(exif.count), 0, 0, 0] + exif + padding
            return Array(picture[..<4]) + (0..<4).map { UInt8(body.count >> (8 * $0) & 255) } + body
        case .tiff: return Self.tiff(picture, orientation: orientation)
        }
    }

    /// The file with one more entry: the directory is moved behind everything.
    private static func tiff(_ picture: [UInt8], orientation: Int) -> [UInt8] {
        func number(_ at: Int, _ count: Int) -> Int { (0..<count).reduce(0) { $0 | Int(picture[at + $1]) << (8 * $1) } }
        func bytes(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }
        let directory = number(4, 4)
        let count = number(directory, 2)
        var entries = (0..<count).map { index in
            Array(picture[(directory + 2 + 12 * index)..<(directory + 14 + 12 * index)])
        }
        entries.append(bytes(0x0112, 2) + bytes(3, 2) + bytes(1, 4) + bytes(orientation, 2) + [0, 0])
        entries.sort { Int($0[0]) | Int($0[1]) << 8 < Int($1[0]) | Int($1[1]) << 8 }
        let moved = bytes(entries.count, 2) + entries.flatMap { $0 } + [0, 0, 0, 0]
        let start = picture.count + picture.count % 2
        let padding: [UInt8] = picture.count % 2 == 1 ? [0] : []
        return Array(picture[..<4]) + bytes(start, 4) + Array(picture[8...]) + padding + moved
    }
}

/// A photograph held upright came out lying on its side: what EXIF data say was not read.
@Suite(.serialized) struct `A photograph` {
    /// Nine colours in three rows of three.
    private static let colors: [[UInt8]] = [
        [255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0], [0, 255, 255], [255, 0, 255], [0, 0, 0], [255, 255, 255],
        [128, 128, 128],
    ]
    private static let (width, height) = (96, 48)

    /// The picture of the nine colours as a format's file.
    private func encoded(_ format: PhotoFormat) async throws -> [UInt8] {
        let folder = try TemporaryFolder()
        var raw: [UInt8] = []
        for y in 0..<Self.height {
            for x in 0..<Self.width { raw += Self.colors[y * 3 / Self.height * 3 + x * 3 / Self.width] }
        }
        let size = "\(Self.width)x\(Self.height)"
        let run = try await CommandRun.run(
            "ffmpeg",
            ["-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-i", "-"] + format.encoder + ["a"],
            input: Data(raw), in: folder.url)
        try #require(run.exitCode == 0, "\(run.errorOutput)")
        return [UInt8](try Data(contentsOf: folder.url.appendingPathComponent("a")))
    }

    /// Which of the nine stored areas an upright picture shows, row by row, by EXIF 2.32 table 6: where the
    /// stored row 0 and column 0 lie.
    private static func shown(_ orientation: Int) -> [Int] {
        (0..<9).map { place in
            let (x, y) = (place % 3, place / 3)
            let (row, column) =
                switch orientation {
                case 2: (y, 2 - x)  // row 0 top, column 0 right
                case 3: (2 - y, 2 - x)  // bottom, right
                case 4: (2 - y, x)  // bottom, left
                case 5: (x, y)  // left, top
                case 6: (2 - x, y)  // right, top: the leftmost shown is the last row
                case 7: (2 - x, 2 - y)  // right, bottom
                case 8: (x, 2 - y)  // left, bottom
                default: (y, x)
                }
            return row * 3 + column
        }
    }

    @Test(arguments: PhotoFormat.allCases)
    fileprivate func `A photograph stands upright, however it was held`(_ format: PhotoFormat) async throws {
        let folder = try TemporaryFolder()
        let picture = try await encoded(format)
        for orientation in 1...8 {
            let url = folder.url.appendingPathComponent("\(orientation).\(format)")
            try Data(format.file(picture, orientation: orientation, isLittle: orientation % 2 == 0)).write(to: url)
            let asset = AVURLAsset(url: url)
            let generator = exactGenerator(of: asset)
            generator.appliesPreferredTrackTransform = true
            let image = try await generator.image(at: .zero).image
            let isTurned = orientation > 4
            #expect(image.width == (isTurned ? Self.height : Self.width))
            #expect(image.height == (isTurned ? Self.width : Self.height))
            let size = try #require(try await asset.loadDescription().videoTrack?.video?.displaySize)
            #expect(size == PixelSize(width: image.width, height: image.height))
            let found = (0..<9).map { place in
                let (column, row) = (place % 3, place / 3)
                let (x, y) = ((2 * column + 1) * image.width / 6, (2 * row + 1) * image.height / 6)
                return Self.nearest(image, x, y)
            }
            #expect(found == Self.shown(orientation), "orientation \(orientation)")
        }
    }

    private static func nearest(_ image: CGImage, _ x: Int, _ y: Int) -> Int? {
        let start = y * image.packedBytesPerRow + x * image.packedBytesPerPixel
        return colors.firstIndex { color in
            zip(color, image.pixels[start...]).allSatisfy { abs(Int($0) - Int($1)) < 40 }
        }
    }

    @Test(arguments: [0, 9, 65535])
    func `A photograph is not turned where its EXIF data make no sense`(_ orientation: Int) async throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("a.jpg")
        let picture = try await encoded(.jpeg)
        try Data(PhotoFormat.jpeg.file(picture, orientation: orientation, isLittle: true)).write(to: url)
        let video = try #require(try await AVURLAsset(url: url).loadDescription().videoTrack?.video)
        #expect(video.preferredTransform.isIdentity)
    }

    @Test func `A photograph with damaged EXIF data is refused or whole`() async throws {
        let folder = try TemporaryFolder()
        let file = PhotoFormat.jpeg.file(try await encoded(.jpeg), orientation: 6, isLittle: true)
        var random = SeededGenerator(seed: 7)
        for round in 0..<40 {
            var damaged = file
            for _ in 0..<3 {
                // Behind the segment's name, up to its end.
                damaged[Int.random(in: 12..<50, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let url = folder.url.appendingPathComponent("\(round).jpg")
            try Data(damaged).write(to: url)
            // FFmpeg calls some of these damaged, and so do stills.
            guard let image = try? await exactGenerator(of: AVURLAsset(url: url)).image(at: .zero).image else {
                continue
            }
            #expect(image.width * image.height == Self.width * Self.height)
        }
    }
}
