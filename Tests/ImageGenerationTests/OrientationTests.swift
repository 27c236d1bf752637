import Foundation
import ImageGeneration
import MediaAsset
import MediaCore
import MediaEngine
import MediaIO
import MediaImage
import MediaMetadata
import MediaTestSupport
import Testing

/// One of the eight display matrices that lay a picture onto its grid.
///
/// ISO/IEC 14496-12 puts the point (x, y) at (a·x + c·y + tx, b·x + d·y + ty).
private struct DisplayMatrix: Sendable, CustomTestStringConvertible {
    let name: String
    let a: Int, b: Int, c: Int, d: Int

    var testDescription: String { name }
    var swapsAxes: Bool { a == 0 }

    static let all = [
        DisplayMatrix(name: "upright", a: 1, b: 0, c: 0, d: 1),
        DisplayMatrix(name: "turned right", a: 0, b: 1, c: -1, d: 0),
        DisplayMatrix(name: "turned about", a: -1, b: 0, c: 0, d: -1),
        DisplayMatrix(name: "turned left", a: 0, b: -1, c: 1, d: 0),
        DisplayMatrix(name: "mirrored left to right", a: -1, b: 0, c: 0, d: 1),
        DisplayMatrix(name: "mirrored top to bottom", a: 1, b: 0, c: 0, d: -1),
        DisplayMatrix(name: "mirrored on the main diagonal", a: 0, b: 1, c: 1, d: 0),
        DisplayMatrix(name: "mirrored on the other diagonal", a: 0, b: -1, c: -1, d: 0),
    ]

    /// What brings a picture of a size back to where x and y start at zero.
    func shift(width: Int, height: Int) -> (x: Int, y: Int) {
        (-min(0, a * width) - min(0, c * height), -min(0, b * width) - min(0, d * height))
    }

    /// A picture laid out by the matrix: the square of each pixel goes where the matrix maps its middle.
    func map(_ picture: Picture) -> Picture {
        let (width, height) = swapsAxes ? (picture.height, picture.width) : (picture.width, picture.height)
        let shift = shift(width: picture.width, height: picture.height)
        var result = picture
        (result.width, result.height) = (width, height)
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                // Twice the coordinates of the pixel's middle, so that they are whole numbers.
                let (u, v) = (2 * x + 1, 2 * y + 1)
                let column = (a * u + c * v + 2 * shift.x - 1) / 2
                let row = (b * u + d * v + 2 * shift.y - 1) / 2
                for component in 0..<picture.channels {
                    result.bytes[(row * width + column) * picture.channels + component] =
                        picture.bytes[(y * picture.width + x) * picture.channels + component]
                }
            }
        }
        return result
    }

    /// Writes the matrix into the track header of a movie.
    func patch(_ file: URL, width: Int, height: Int, isShifted: Bool = true) throws {
        var movie = try Data(contentsOf: file)
        let header = try #require(movie.range(of: Data("tkhd".utf8)))
        // A full box of version 0: its matrix follows forty bytes after the type.
        try #require(movie[header.upperBound] == 0)
        let shift = isShifted ? shift(width: width, height: height) : (x: 0, y: 0)
        let values = [a, b, 0, c, d, 0, shift.x, shift.y, 1].enumerated().map { index, value in
            Int32(value) * (index % 3 == 2 ? 1 << 30 : 1 << 16)
        }
        let bytes = values.flatMap { value in withUnsafeBytes(of: value.bigEndian) { [UInt8]($0) } }
        movie.replaceSubrange((header.upperBound + 40)..<(header.upperBound + 76), with: bytes)
        try movie.write(to: file)
    }
}

/// Packed pixels.
private struct Picture: Equatable {
    var width: Int
    var height: Int
    var channels: Int
    var bytes: [UInt8]

    init(width: Int, height: Int, channels: Int, _ bytes: [UInt8]) {
        (self.width, self.height, self.channels, self.bytes) = (width, height, channels, bytes)
    }

    init(_ image: CGImage) {
        self.init(width: image.width, height: image.height, channels: image.packedBytesPerPixel, image.pixels)
    }

    /// A picture like none of its reflections.
    static func noise(width: Int, height: Int, channels: Int, seed: UInt64) -> Picture {
        var random = SeededGenerator(seed: seed)
        return Picture(width: width, height: height, channels: channels, random.bytes(width * height * channels))
    }

    /// Six rectangles of one colour each, in two rows.
    static func blocks(width: Int, height: Int) -> Picture {
        let colors: [[UInt8]] = [
            [255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0], [0, 255, 255], [255, 255, 255],
        ]
        var bytes: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width { bytes += colors[x * 3 / width + y * 2 / height * 3] }
        }
        return Picture(width: width, height: height, channels: 3, bytes)
    }
}

/// A picture of pixels that are not square, and the size that it is shown at.
private struct AnamorphicCase: Sendable, CustomTestStringConvertible {
    let (width, height): (Int, Int)
    let ratio: (Int, Int)
    /// The box that the upright picture has to fit into, zero for none.
    var box = (0, 0)
    /// The size where the axes are not swapped, and where they are.
    let straight: [Int]
    let turned: [Int]

    var testDescription: String { "\(width)x\(height) of \(ratio.0):\(ratio.1) in \(box.0)x\(box.1)" }

    init(_ width: Int, _ height: Int, _ ratio: (Int, Int), box: (Int, Int) = (0, 0), _ straight: [Int], _ turned: [Int])
    {
        (self.width, self.height, self.ratio, self.box) = (width, height, ratio, box)
        (self.straight, self.turned) = (straight, turned)
    }

    static let all = [
        AnamorphicCase(90, 60, (4, 3), [120, 60], [60, 120]),
        // 71 · 4/3 = 94.67
        AnamorphicCase(71, 45, (4, 3), [95, 45], [45, 95]),
        AnamorphicCase(90, 60, (8, 9), [80, 60], [60, 80]),
        // 77 · 64/45 = 109.51
        AnamorphicCase(77, 53, (64, 45), [110, 53], [53, 110]),
        AnamorphicCase(90, 60, (4, 3), box: (60, 0), [60, 30], [60, 120]),
        AnamorphicCase(90, 60, (4, 3), box: (0, 60), [120, 60], [30, 60]),
        AnamorphicCase(90, 60, (4, 3), box: (40, 40), [40, 20], [20, 40]),
        // A quarter of 94.67x45 is 23.67x11.25; the shown size of 95x45 gives the same.
        AnamorphicCase(71, 45, (4, 3), box: (24, 24), [24, 11], [11, 24]),
        AnamorphicCase(90, 60, (8, 9), box: (40, 40), [40, 30], [30, 40]),
    ]
}

@Suite(.serialized) struct `The eight ways to hold a camera` {
    /// Makes a movie of one picture without loss.
    private func movie(_ picture: Picture, ratio: (Int, Int) = (1, 1), in folder: TemporaryFolder) async throws -> URL {
        try await folder.encode(
            Data(picture.bytes), picture.channels == 4 ? "rgba" : "rgb24", width: picture.width, height: picture.height,
            ["-vf", "setsar=\(ratio.0)/\(ratio.1)", "-c:v", "png", "a.mov"])
        return folder.url.appendingPathComponent("a.mov")
    }

    /// A generator of upright pictures of a movie, once the movie has a matrix.
    private func generator(of file: URL, _ matrix: DisplayMatrix, _ picture: Picture) throws -> AVAssetImageGenerator {
        try matrix.patch(file, width: picture.width, height: picture.height)
        let generator = exactGenerator(of: AVURLAsset(url: file))
        generator.appliesPreferredTrackTransform = true
        return generator
    }

    @Test(arguments: [(37, 22), (16, 64), (1, 7)], [3, 4])
    func `Orientations put each pixel where the matrix maps it`(_ size: (Int, Int), channels: Int) async throws {
        let folder = try TemporaryFolder()
        let picture = Picture.noise(width: size.0, height: size.1, channels: channels, seed: UInt64(size.0))
        let file = try await movie(picture, in: folder)
        for matrix in DisplayMatrix.all {
            let generator = try generator(of: file, matrix, picture)
            #expect(Picture(try await generator.image(at: .zero).image) == matrix.map(picture), "\(matrix.name)")
            generator.appliesPreferredTrackTransform = false
            #expect(Picture(try await generator.image(at: .zero).image) == picture, "\(matrix.name), as coded")
        }
    }

    // Many programs leave the shift out.
    @Test func `Orientations need no shift in the matrix`() async throws {
        let folder = try TemporaryFolder()
        let picture = Picture.noise(width: 19, height: 8, channels: 3, seed: 5)
        let file = try await movie(picture, in: folder)
        for matrix in DisplayMatrix.all {
            let generator = try generator(of: file, matrix, picture)
            try matrix.patch(file, width: picture.width, height: picture.height, isShifted: false)
            #expect(Picture(try await generator.image(at: .zero).image) == matrix.map(picture), "\(matrix.name)")
        }
    }

    @Test func `Orientations hold for subsampled chroma`() async throws {
        let folder = try TemporaryFolder()
        let picture = Picture.noise(width: 35, height: 21, channels: 3, seed: 9)
        let arguments = "-pix_fmt yuv420p -c:v libvpx-vp9 -lossless 1 a.mp4".words
        try await folder.encode(Data(picture.bytes), "rgb24", width: 35, height: 21, arguments)
        for matrix in DisplayMatrix.all {
            let generator = try generator(of: folder.url.appendingPathComponent("a.mp4"), matrix, picture)
            let upright = Picture(try await generator.image(at: .zero).image)
            generator.appliesPreferredTrackTransform = false
            let coded = Picture(try await generator.image(at: .zero).image)
            #expect(coded.width == 35 && coded.height == 21)
            #expect(upright == matrix.map(coded), "\(matrix.name)")
        }
    }

    @Test(arguments: AnamorphicCase.all)
    fileprivate func `Orientations of anamorphic video give square pixels`(_ c: AnamorphicCase) async throws {
        let folder = try TemporaryFolder()
        let picture = Picture.blocks(width: c.width, height: c.height)
        let file = try await movie(picture, ratio: c.ratio, in: folder)
        for matrix in DisplayMatrix.all {
            let generator = try generator(of: file, matrix, picture)
            generator.maximumSize = CGSize(width: c.box.0, height: c.box.1)
            let image = try await generator.image(at: .zero).image
            let expected = matrix.swapsAxes ? c.turned : c.straight
            #expect(image.size == expected, "\(matrix.name)")
            guard image.size == expected else { continue }
            // The middles of the blocks, as the matrix maps them: a picture of one pixel for each block.
            let middles = matrix.map(.blocks(width: 3, height: 2))
            for row in 0..<middles.height {
                for column in 0..<middles.width {
                    let found = image.color(
                        x: (2 * column + 1) * image.width / (2 * middles.width),
                        y: (2 * row + 1) * image.height / (2 * middles.height))
                    let wanted = middles.bytes[((row * middles.width + column) * 3)...].prefix(3).map { Int($0) }
                    let isNear = zip(found, wanted).allSatisfy { abs($0 - $1) <= 2 }
                    #expect(isNear, "\(found) for \(wanted), \(matrix.name)")
                }
            }
        }
    }

    @Test func `Orientations are applied to the coded pixels where those are asked for`() async throws {
        let folder = try TemporaryFolder()
        let picture = Picture.noise(width: 23, height: 14, channels: 3, seed: 3)
        let file = try await movie(picture, ratio: (4, 3), in: folder)
        for matrix in DisplayMatrix.all {
            let generator = try generator(of: file, matrix, picture)
            generator.apertureMode = .encodedPixels
            #expect(Picture(try await generator.image(at: .zero).image) == matrix.map(picture), "\(matrix.name)")
        }
    }
}
