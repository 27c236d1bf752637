import Foundation
import ImageGeneration
import MediaAsset
import MediaCore
import MediaEngine
import MediaImage
import MediaTestSupport
import Testing

private func size(_ width: Int, _ height: Int) -> PixelSize { PixelSize(width: width, height: height) }

private func shape(_ image: CGImage) -> [Int] { [image.width, image.height] }

@Suite(.serialized) struct `The shape of a still` {
    private let time = seconds(1, 5)

    private func images(
        of name: String, turns: Bool = true, _ setUp: (AVAssetImageGenerator) -> Void
    ) async throws -> [CGImage] {
        let generator = exactGenerator(of: Fixture(name).asset)
        generator.appliesPreferredTrackTransform = turns
        setUp(generator)
        return try #require(try await generator.allStills(for: [time]).first).images
    }

    // MARK: Several sizes

    @Test(arguments: ["movie.mov", "rotate-90.mp4", "anamorphic.mp4", "alpha-png.mov"])
    func `A still of several sizes has for each the pixels of that size alone`(_ name: String) async throws {
        let boxes = [size(100, 0), size(0, 50), size(0, 0), size(30, 30)]
        let together = try await images(of: name) { $0.sizes = boxes }
        #expect(together.count == boxes.count)
        for (box, image) in zip(boxes, together) {
            let alone = try await images(of: name) {
                $0.maximumSize = CGSize(width: box.width, height: box.height)
            }
            #expect(alone.count == 1)
            #expect(shape(image) == shape(alone[0]) && image.pixels == alone[0].pixels, "\(box)")
        }
    }

    @Test func `A still of several sizes costs one decode`() async throws {
        let generator = exactGenerator(of: Fixture("movie.mov").asset)
        generator.sizes = [size(32, 0)]
        _ = try await generator.allStills(for: [time])
        let one = generator.statistics.decoded
        let other = exactGenerator(of: Fixture("movie.mov").asset)
        other.sizes = [size(32, 0), size(64, 0), size(96, 0), size(128, 0)]
        _ = try await other.allStills(for: [time])
        #expect(other.statistics.decoded == one)
    }

    // MARK: Parts

    @Test(arguments: ["movie.mov", "rotate-90.mp4", "anamorphic.mp4", "alpha-png.mov", "h264-444.mp4"])
    func `A cropped still is a part of the upright image to the pixel`(_ name: String) async throws {
        let whole = try #require(try await images(of: name) { _ in }.first)
        // Odd places and sizes on purpose.
        let part = PixelRect(x: 7, y: 5, width: whole.width / 2 + 1, height: whole.height / 2 + 1)
        let cut = try #require(try await images(of: name) { $0.cropRect = part }.first)
        let size = whole.packedBytesPerPixel
        let expected = (part.y..<(part.y + part.height)).flatMap { row in
            whole.pixels[(row * whole.packedBytesPerRow + part.x * size)...].prefix(part.width * size)
        }
        #expect(shape(cut) == [part.width, part.height] && cut.pixels == expected)
        let small = try #require(
            try await images(of: name) {
                $0.cropRect = part
                $0.maximumSize = CGSize(width: 20, height: 0)
            }.first)
        #expect(small.width == 20)
    }

    @Test(arguments: [(300, 0, 30, 30), (0, 230, 10, 11), (-1, 0, 10, 10)])
    func `A crop that does not lie inside the image fails`(
        _ x: Int, _ y: Int, _ width: Int, _ height: Int
    ) async throws {
        let generator = exactGenerator(of: Fixture("movie.mov").asset)
        generator.cropRect = PixelRect(x: x, y: y, width: width, height: height)
        let error = try #require(await generator.failure(at: time) as? AVError)
        #expect(error.code == .incorrectlyConfigured)
        #expect(error.reason.contains("320x240"))
    }

    // MARK: Boxes

    /// What 320x240 is scaled to, which side has to give, and by how much.
    @Test(arguments: [
        (100, 100, 133, 100), (300, 100, 300, 225), (320, 240, 320, 240), (640, 100, 640, 480), (1, 1, 1, 1),
        (64, 200, 267, 200),
    ])
    func `A still that covers a box is cropped to its middle`(
        _ width: Int, _ height: Int, _ full: Int, _ tall: Int
    ) async throws {
        let found = try #require(
            try await images(of: "movie.mov") {
                $0.fit = .cover
                $0.sizes = [size(width, height)]
            }.first)
        #expect(shape(found) == [width, height])
        guard full <= 320 else { return }
        // The middle of the picture scaled as a whole.
        let whole = try #require(
            try await images(of: "movie.mov") { $0.maximumSize = CGSize(width: full, height: tall) }.first)
        try #require(shape(whole) == [full, tall] || width == 1)
        guard shape(whole) == [full, tall] else { return }
        let (x, y) = ((full - width) / 2, (tall - height) / 2)
        let expected = (y..<(y + height)).flatMap { row in
            whole.pixels[(row * whole.packedBytesPerRow + 3 * x)...].prefix(3 * width)
        }
        #expect(found.pixels == expected)
    }

    @Test(arguments: [(100, 100), (300, 100), (320, 240), (400, 100), (64, 200)])
    func `A still padded into a box stands between bars`(_ width: Int, _ height: Int) async throws {
        let color = RGBColor(red: 10, green: 200, blue: 30)
        let padded = try #require(
            try await images(of: "movie.mov") {
                ($0.fit, $0.sizes, $0.backgroundColor) = (.pad, [size(width, height)], color)
            }.first)
        #expect(shape(padded) == [width, height])
        let inside = try #require(
            try await images(of: "movie.mov") { $0.maximumSize = CGSize(width: width, height: height) }.first)
        let (x, y) = ((width - inside.width) / 2, (height - inside.height) / 2)
        for row in 0..<height {
            for column in 0..<width {
                let start = (row * width + column) * 3
                let isInside = (x..<(x + inside.width)).contains(column) && (y..<(y + inside.height)).contains(row)
                let other = ((row - y) * inside.width + column - x) * 3
                let expected = isInside ? Array(inside.pixels[other..<(other + 3)]) : [10, 200, 30]
                guard Array(padded.pixels[start..<(start + 3)]) != expected else { continue }
                Issue.record("pixel \(column), \(row)")
                return
            }
        }
    }

    @Test func `A still is enlarged to cover or pad a box, and not to fit into one`() async throws {
        for fit in AVAssetImageGenerator.Fit.allCases {
            let found = try await images(of: "movie.mov") { ($0.fit, $0.sizes) = (fit, [size(640, 640)]) }
            #expect(shape(found[0]) == (fit == .contain ? [320, 240] : [640, 640]))
        }
    }

    @Test func `A turned still stands upright in its box`() async throws {
        // A picture of 2:1, turned.
        let whole = try await images(of: "rotate-90.mp4") { _ in }
        #expect(whole[0].height > whole[0].width)
        let found = try await images(of: "rotate-90.mp4") {
            ($0.fit, $0.sizes, $0.backgroundColor) = (.pad, [size(100, 100)], .white)
        }
        #expect(shape(found[0]) == [100, 100])
        // Bars at the sides.
        #expect(Array(found[0].pixels[(50 * 300)..<(50 * 300 + 3)]) == [255, 255, 255])
        #expect(Array(found[0].pixels[(50 * 3)..<(50 * 3 + 3)]) != [255, 255, 255])
    }

    @Test(
        arguments: [AVAssetImageGenerator.Fit.cover, .pad], [size(0, 100), size(100, 0), size(1_000_000, 1_000_000)])
    func `A box without sense is refused where a still covers or pads it`(
        _ fit: AVAssetImageGenerator.Fit, _ box: PixelSize
    ) async throws {
        let generator = exactGenerator(of: Fixture("movie.mov").asset)
        (generator.fit, generator.sizes) = (fit, [box])
        let error = await generator.failure(at: time)
        #expect(
            (error as? AVError)?.code == .incorrectlyConfigured,
            "\(String(describing: error))")
    }
}

@Suite(.serialized) struct `Black bars` {
    /// A film of pictures with bars, one in `dark` of them black at the left half.
    private func film(_ filter: String, in folder: TemporaryFolder, seconds: Int = 6) async throws -> AVAsset {
        let run = try await CommandRun.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=240x120:r=10:d=\(seconds)", "-vf",
                "format=gbrp," + filter, "-c:v",
                "libx264", "-qp", "0", "-pix_fmt", "yuv444p", "-g", "10", "film.mp4",
            ], in: folder.url)
        try #require(run.exitCode == 0, "\(run.errorOutput)")
        return AVURLAsset(url: folder.url.appendingPathComponent("film.mp4"))
    }

    /// `testsrc2` has no black lines.
    @Test(arguments: [
        ("pad=240:180:0:30", PixelRect(x: 0, y: 30, width: 240, height: 120)),
        ("pad=300:120:30:0", PixelRect(x: 30, y: 0, width: 240, height: 120)),
        ("pad=250:160:2:33", PixelRect(x: 2, y: 33, width: 240, height: 120)),
        ("null", PixelRect(x: 0, y: 0, width: 240, height: 120)),
        // Dark scenes, black ones, and a subtitle in one of the pictures.
        (
            "drawbox=w=120:c=black:t=fill:enable='lt(t,2)',pad=240:180:0:30",
            PixelRect(x: 0, y: 30, width: 240, height: 120)
        ),
        (
            "drawbox=c=black:t=fill:enable='between(t,2,4)',pad=240:180:0:30",
            PixelRect(x: 0, y: 30, width: 240, height: 120)
        ),
        (
            "pad=240:180:0:30,drawbox=x=60:y=160:w=120:h=12:c=white:t=fill:enable='between(t,2.4,2.6)'",
            PixelRect(x: 0, y: 30, width: 240, height: 120)
        ),
        ("drawbox=c=black:t=fill", PixelRect(x: 0, y: 0, width: 240, height: 120)),
    ])
    func `Black bars are cropped alike in all stills`(_ filter: String, _ expected: PixelRect) async throws {
        let folder = try TemporaryFolder()
        let asset = try await film(filter, in: folder)
        let generator = AVAssetImageGenerator(asset: asset)
        #expect(try await generator.contentRect() == expected)
    }

    @Test func `Black bars are found in the upright image`() async throws {
        let folder = try TemporaryFolder()
        _ = try await film("pad=240:180:0:40", in: folder, seconds: 1)
        let run = try await CommandRun.run(
            "ffmpeg", ["-v", "error", "-display_rotation", "90", "-i", "film.mp4", "-c", "copy", "turned.mp4"],
            in: folder.url)
        let name: String
        if run.exitCode == 0 {
            name = "turned.mp4"
        } else {
            // FFmpeg 5.1 has no such option.
            let older = try await CommandRun.run(
                "ffmpeg",
                ["-v", "error", "-y", "-i", "film.mp4", "-c", "copy", "-metadata:s:v", "rotate=270", "turned.mp4"],
                in: folder.url)
            try #require(older.exitCode == 0)
            name = "turned.mp4"
        }
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: folder.url.appendingPathComponent(name)))
        generator.appliesPreferredTrackTransform = true
        // 40 rows above and 20 below become columns.
        let found = try await generator.contentRect()
        #expect(found.width == 120 && found.height == 240 && found.y == 0)
        #expect([20, 40].contains(found.x))
    }
}

@Suite(.serialized) struct `Embedded pictures` {
    @Test(arguments: ["attached-picture.mp3", "attached-picture.m4a"])
    func `Attached pictures of audio files are delivered`(_ name: String) async throws {
        let generator = AVAssetImageGenerator(asset: Fixture(name).asset)
        let pictures = try await generator.attachedPictures()
        #expect(pictures.count == 1)
        let expected = try await CommandRun.run(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=width,height", "-of", "csv=p=0",
                Fixture(name).path,
            ])
        let found = try #require(pictures.first?.images.first)
        #expect("\(found.width),\(found.height)" == expected.output.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    @Test func `Attached pictures that are not there are an error`() async throws {
        let generator = AVAssetImageGenerator(asset: Fixture("movie.mov").asset)
        let error = await #expect(throws: AVError.self) { try await generator.attachedPictures() }
        #expect(error?.code == .noSourceTrack)
        let other = AVAssetImageGenerator(asset: Fixture("attached-picture.mp3").asset)
        await #expect(throws: AVError.self) { try await other.attachedPictures(trackID: 77) }
    }
}

@Suite(.serialized) struct `The video track asked for` {
    /// Two tracks of different sizes and colours, the second one disabled.
    private func film(in folder: TemporaryFolder) async throws -> URL {
        let run = try await CommandRun.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "color=red:s=64x32:r=10:d=2", "-f", "lavfi", "-i",
                "color=blue:s=32x64:r=5:d=2", "-f", "lavfi", "-i", "sine=d=2", "-map", "0:v", "-map", "1:v", "-map",
                "2:a", "-c:v", "libx264", "-disposition:v:1", "0", "film.mp4",
            ], in: folder.url)
        try #require(run.exitCode == 0, "\(run.errorOutput)")
        return folder.url.appendingPathComponent("film.mp4")
    }

    private func asset(_ url: URL, _ track: Int32?) -> AVURLAsset {
        AVURLAsset(url: url, options: track.map { [AVURLAssetVideoTrackIDKey: $0] })
    }

    @Test func `The chosen video track gives the stills and their times`() async throws {
        let folder = try TemporaryFolder()
        let url = try await film(in: folder)
        for (track, expected) in [(nil, [64, 32]), (1, [64, 32]), (2, [32, 64])] as [(Int32?, [Int])] {
            let asset = asset(url, track)
            let image = try await exactGenerator(of: asset).image(at: seconds(1, 1)).image
            #expect(shape(image) == expected, "track \(String(describing: track))")
            // The second frame is that of 10 or of 5 frames a second.
            #expect(try await asset.loadTime(ofFrame: 1) == (track == 2 ? seconds(1, 5) : seconds(1, 10)))
            #expect(try await exactGenerator(of: asset).verifyFrames(samples: 5).isPassed)
        }
    }

    @Test(arguments: [3, 9] as [Int32])
    func `A chosen video track that is missing is an error with the tracks that exist`(_ track: Int32) async throws {
        let folder = try TemporaryFolder()
        let asset = asset(try await film(in: folder), track)
        let error = await #expect(throws: AVError.self) { try await asset.loadDescription() }
        #expect(error?.code == .noSourceTrack)
        #expect(error?.reason == "track \(track) is no video track; there are 1 and 2")
    }
}
