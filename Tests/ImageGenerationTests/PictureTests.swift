import Foundation
import ImageGeneration
import MediaAsset
import MediaCore
import MediaEngine
import MediaImage
import MediaTestSupport
import Testing

struct TurnCase: Sendable, CustomTestStringConvertible {
    var name: String
    var isTurned: Bool
    /// Which corner the red square is next to; the green one is in the opposite corner.
    var isRedRight: Bool
    var isRedBottom: Bool

    var testDescription: String { name }
}

struct SizeCase: Sendable, CustomTestStringConvertible {
    var name: String
    var box: CGSize
    var turns = false
    var expected: [Int]

    init(_ name: String, _ width: Int, _ height: Int, turns: Bool = false, is expected: [Int]) {
        (self.name, self.box, self.turns, self.expected) = (name, CGSize(width: width, height: height), turns, expected)
    }

    var testDescription: String { "\(name) in \(Int(box.width))x\(Int(box.height))\(turns ? " turned" : "")" }
}

@Suite(.serialized) struct `The picture of a still` {
    @Test(arguments: [
        TurnCase(name: "matrix-identity.mp4", isTurned: false, isRedRight: false, isRedBottom: false),
        TurnCase(name: "rotate-90.mp4", isTurned: true, isRedRight: true, isRedBottom: false),
        TurnCase(name: "rotate-180.mp4", isTurned: false, isRedRight: true, isRedBottom: true),
        TurnCase(name: "rotate-270.mp4", isTurned: true, isRedRight: false, isRedBottom: true),
        TurnCase(name: "flip-h.mp4", isTurned: false, isRedRight: true, isRedBottom: false),
        TurnCase(name: "flip-v.mp4", isTurned: false, isRedRight: false, isRedBottom: true),
        TurnCase(name: "transpose.mp4", isTurned: true, isRedRight: false, isRedBottom: false),
        TurnCase(name: "transverse.mp4", isTurned: true, isRedRight: true, isRedBottom: true),
    ])
    func `A still stands upright where it is asked to turn`(_ c: TurnCase) async throws {
        let generator = exactGenerator(of: Fixture(c.name).asset)
        generator.appliesPreferredTrackTransform = true
        let image = try await generator.image(at: seconds(1, 25)).image
        #expect(image.size == (c.isTurned ? [120, 160] : [160, 120]))
        // As coded: red at (8, 38), green at (150, 110) of 160x120.
        func place(_ x: Int, _ y: Int) -> [Int] {
            let (u, v) = c.isTurned ? (y, x) : (x, y)
            return image.color(
                x: c.isRedRight ? image.width - 1 - u : u, y: c.isRedBottom ? image.height - 1 - v : v)
        }
        #expect(PatternColor(near: place(8, 38)) == .red)
        #expect(PatternColor(near: place(150, 110)) == .green)
        #expect(PatternColor(near: place(5, 15)) == .white)
        #expect(PatternColor(near: place(15, 15)) == .black)
    }

    @Test(arguments: ["rotate-90.mp4", "rotate-180.mp4", "flip-v.mp4", "transverse.mp4"])
    func `A still stays as coded unless asked to turn`(_ name: String) async throws {
        let image = try await exactGenerator(of: Fixture(name).asset).image(at: seconds(2, 25)).image
        #expect(image.size == [160, 120])
        #expect(image.frameNumber == 2)
        #expect(PatternColor(near: image.color(x: 8, y: 38)) == .red)
    }

    @Test func `A still has square pixels`() async throws {
        let generator = exactGenerator(of: Fixture("anamorphic.mp4").asset)
        for mode in [AVAssetImageGenerator.ApertureMode.cleanAperture, .productionAperture] {
            generator.apertureMode = mode
            let image = try await generator.image(at: seconds(5, 25)).image
            #expect(image.size == [524, 288])
            #expect(image.frameNumber == 5)
            // The green square is 48 coded pixels wide, thus 70 shown ones.
            #expect(PatternColor(near: image.color(x: 524 - 60, y: 270)) == .green)
            #expect(PatternColor(near: image.color(x: 524 - 80, y: 270)) != .green)
        }
        generator.apertureMode = .encodedPixels
        let coded = try await generator.image(at: seconds(5, 25)).image
        #expect(coded.size == [360, 288])
        #expect(PatternColor(near: coded.color(x: 360 - 60, y: 270)) != .green)
    }

    @Test func `A still shows the clean aperture or everything`() async throws {
        let generator = exactGenerator(of: Fixture("clean-aperture.mov").asset)
        #expect(generator.apertureMode == nil)
        let clean = try await generator.image(at: seconds(3, 25)).image
        #expect(clean.size == [304, 228])
        generator.apertureMode = .productionAperture
        let whole = try await generator.image(at: seconds(3, 25)).image
        #expect(whole.size == [320, 240])
        #expect(whole.frameNumber == 3)
        generator.apertureMode = .encodedPixels
        #expect(try await generator.image(at: seconds(3, 25)).image.pixels == whole.pixels)
        // 304x228 from (12, 4), away from the edges, where chroma is interpolated.
        var largest = 0
        for y in stride(from: 4, to: 224, by: 3) {
            for x in stride(from: 4, to: 300, by: 3) {
                let (a, b) = (clean.color(x: x, y: y), whole.color(x: x + 12, y: y + 4))
                largest = max(largest, zip(a, b).map { abs($0 - $1) }.max() ?? 0)
            }
        }
        #expect(largest <= 2)
    }

    @Test(arguments: [("1x1.mp4", 1, 1), ("odd-33x17.mp4", 33, 17), ("odd-161x121.webm", 161, 121)])
    func `A still may have any size`(_ name: String, _ width: Int, _ height: Int) async throws {
        let image = try await Fixture(name).generator.image(at: .zero).image
        #expect(image.size == [width, height])
        #expect(image.pixels.count == width * height * 3)
    }

    @Test(arguments: [
        SizeCase("movie.mp4", 0, 0, is: [320, 240]), SizeCase("movie.mp4", 160, 0, is: [160, 120]),
        SizeCase("movie.mp4", 0, 60, is: [80, 60]), SizeCase("movie.mp4", 100, 100, is: [100, 75]),
        SizeCase("movie.mp4", 300, 30, is: [40, 30]), SizeCase("movie.mp4", 4000, 4000, is: [320, 240]),
        SizeCase("movie.mp4", 0, 4000, is: [320, 240]), SizeCase("movie.mp4", 1, 1, is: [1, 1]),
        SizeCase("movie.mp4", 33, 0, is: [33, 25]), SizeCase("anamorphic.mp4", 262, 0, is: [262, 144]),
        SizeCase("anamorphic.mp4", 0, 144, is: [262, 144]), SizeCase("rotate-90.mp4", 80, 80, is: [80, 60]),
        SizeCase("rotate-90.mp4", 80, 80, turns: true, is: [60, 80]),
        SizeCase("rotate-90.mp4", 60, 0, turns: true, is: [60, 80]),
        SizeCase("rotate-90.mp4", 0, 40, turns: true, is: [30, 40]), SizeCase("1x1.mp4", 10, 10, is: [1, 1]),
        SizeCase("clean-aperture.mov", 152, 0, is: [152, 114]), SizeCase("odd-161x121.webm", 80, 0, is: [80, 60]),
        SizeCase("movie.mp4", -5, -5, is: [320, 240]),
    ])
    func `A still fits into the maximum size and is never enlarged`(_ c: SizeCase) async throws {
        let generator = exactGenerator(of: Fixture(c.name).asset)
        generator.maximumSize = c.box
        generator.appliesPreferredTrackTransform = c.turns
        let image = try await generator.image(at: .zero).image
        #expect(image.size == c.expected)
        #expect(image.pixels.count == image.packedBytesPerRow * image.height)
    }

    @Test(arguments: [
        ("alpha-png.mov", true), ("alpha-prores.mov", true), ("animated.png", true), ("movie.mp4", false),
    ])
    func `A still keeps alpha where there is some`(_ name: String, _ hasAlpha: Bool) async throws {
        let image = try await Fixture(name).generator.image(at: .zero).image
        #expect(image.hasAlpha == hasAlpha)
        guard hasAlpha else { return }
        func alpha(_ x: Int, _ y: Int) -> Int { Int(image.pixels[y * image.packedBytesPerRow + x * 4 + 3]) }
        #expect(alpha(5, 5) == 255, "bars are opaque")
        #expect(alpha(4, 60) <= 4, "the left is clear")
        // Twelve bits of ProRes reduced to eight may be off by one.
        #expect(abs(alpha(84, 60) - 8 * 17) <= 1, "the ninth of sixteen steps")
    }
}

struct ColorCase: Sendable, CustomTestStringConvertible {
    var name: String
    var matrix: String
    var range: String

    var testDescription: String { "\(name) as \(matrix) \(range)" }
}

@Suite(.serialized) struct `The colours of a still` {
    @Test(arguments: [
        ColorCase(name: "full-range.mp4", matrix: "170m", range: "full"),
        ColorCase(name: "bt601-tagged.mp4", matrix: "170m", range: "limited"),
        ColorCase(name: "bt709-tagged.mp4", matrix: "709", range: "limited"),
        ColorCase(name: "movie.mp4", matrix: "170m", range: "limited"),
        ColorCase(name: "h264-444.mp4", matrix: "170m", range: "limited"),
        ColorCase(name: "10bit.mp4", matrix: "170m", range: "limited"),
    ])
    func `Colours of a still agree with another converter`(_ c: ColorCase) async throws {
        let fixture = Fixture(c.name)
        let image = try await fixture.generator.image(at: seconds(4, 25)).image
        let filter =
            "zscale=matrixin=\(c.matrix):rangein=\(c.range):chromalin=left:matrix=gbr:range=full:filter=bicubic,format=gbrp"
        let other = try await CommandRun.ffmpegPixels(
            of: fixture.path, options: ["-vf", "select=eq(n\\,4),\(filter),format=rgb24", "-frames:v", "1"])
        try #require(other.count == image.pixels.count)
        var sum = 0
        var count = 0
        var largest = 0
        for index in stride(from: 0, to: other.count, by: 7) {
            let difference = abs(Int(other[index]) - Int(image.pixels[index]))
            sum += difference
            count += 1
            largest = max(largest, difference)
        }
        // Bicubic filters differ a little at the squares' edges; inside them rounding makes up to two steps.
        #expect(Double(sum) / Double(count) < 0.6)
        #expect(largest <= 12)
        for (x, y) in [(10, 70), (310, 230), (5, 20), (25, 20)] {
            let start = y * image.packedBytesPerRow + x * 3
            let distance = zip(image.color(x: x, y: y), other[start..<(start + 3)]).map { abs($0 - Int($1)) }
            #expect(distance.allSatisfy { $0 <= 2 }, "at \(x), \(y): \(image.color(x: x, y: y))")
        }
    }

    @Test(arguments: ["full-range.mp4", "bt601-tagged.mp4", "bt709-tagged.mp4"])
    func `Colours of a still are the pure ones of the pattern`(_ name: String) async throws {
        let image = try await Fixture(name).generator.image(at: .zero).image
        let expected = [
            (10, 70, [255, 0, 0]), (310, 230, [0, 255, 0]), (5, 20, [255, 255, 255]), (25, 20, [0, 0, 0]),
        ]
        for (x, y, color) in expected {
            // x264's losses at this rate; a wrong matrix is off by 40 and more, a wrong range by 16.
            let distance = zip(image.color(x: x, y: y), color).map { abs($0 - $1) }.max() ?? 255
            #expect(distance <= 10, "\(image.color(x: x, y: y)) at \(x), \(y)")
        }
    }
}
