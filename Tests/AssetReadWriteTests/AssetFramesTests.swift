import AssetReadWrite
import Foundation
import ImageGeneration
import MediaAsset
import MediaCore
import MediaEngine
import MediaImage
import MediaTestSupport
import SampleBuffers
import Testing

/// Pictures and sound in Swift's own form.
struct AssetFramesTests {
    private func rgb(_ frame: AssetFrame) -> CGImage? {
        let (width, height) = (CVPixelBufferGetWidth(frame.pixelBuffer), CVPixelBufferGetHeight(frame.pixelBuffer))
        let pixels = frame.withPlane(0) { bytes, bytesPerRow in
            (0..<height).flatMap { row in
                (0..<(3 * width)).map { bytes.unsafeLoad(fromByteOffset: row * bytesPerRow + $0, as: UInt8.self) }
            }
        }
        return pixels.flatMap { CGImage(width: width, height: height, hasAlpha: false, pixels: $0) }
    }

    @Test(
        arguments: Tier.some(
            [
                "rotate-90.mp4", "rotate-180.mp4", "rotate-270.mp4", "flip-h.mp4", "flip-v.mp4", "transpose.mp4",
                "transverse.mp4", "anamorphic.mp4", "clean-aperture.mov", "interlaced-tff.mp4", "vp9.webm",
            ], 4))
    func `Frames of an asset are upright, with square pixels and whole, as stills are`(_ name: String) async throws {
        let asset = Fixture(name).asset
        let generator = AVAssetImageGenerator(asset: asset)
        (generator.requestedTimeToleranceBefore, generator.requestedTimeToleranceAfter) = (.zero, .zero)
        generator.appliesPreferredTrackTransform = true
        var count = 0
        for try await frame in asset.frames(in: range(.zero, seconds(320)), format: kCVPixelFormatType_24RGB) {
            let still = try await generator.image(at: frame.presentationTime).image
            let picture = try #require(rgb(frame))
            #expect(picture.size == still.size)
            let differences = zip(picture.pixels, still.packedRGB).map { abs(Int($0) - Int($1)) }
            #expect(differences.reduce(0, +) <= 2 * differences.count, "picture \(count)")
            count += 1
        }
        #expect(count == 8)
    }

    @Test(arguments: [("odd-33x17.mp4", 33, 17), ("odd-161x121.webm", 161, 121), ("1x1.mp4", 1, 1)])
    func `Frames of an asset lose no row and no column`(_ name: String, _ width: Int, _ height: Int) async throws {
        let probed = try await ffprobe(
            Fixture(name).path, ["-select_streams", "v:0", "-show_entries", "stream=pix_fmt"])
        let format = probed == ["yuv444p"] ? "nv24" : "nv12"
        let wanted = try await CommandRun.ffmpegPixels(of: Fixture(name).path, options: [], format: format)
        var found: [UInt8] = []
        for try await frame in Fixture(name).asset.frames() {
            let buffer = frame.pixelBuffer
            #expect((CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer)) == (width, height))
            found += buffer.withLockedPlanes(.readOnly) { planes in
                planes.flatMap { plane in (0..<plane.height).flatMap { Array(plane.row($0)) } }
            }
        }
        #expect(isSame(found, wanted))
    }

    @Test func `Frames of an asset at even distances are those shown there`() async throws {
        var found: [(CMTime, CMTime)] = []
        for try await frame in Fixture("vfr.mp4").asset.frames(
            in: range(seconds(500), seconds(3000)), every: seconds(250))
        {
            found.append((frame.time, frame.presentationTime))
        }
        #expect(found.map(\.0) == (0..<10).map { seconds(500 + 250 * $0) })
        let all = try await Reading.read(Fixture("vfr.mp4").asset).frames.map(\.presentationTime)
        for (time, shown) in found { #expect(shown == all.last { $0 <= time }) }
    }

    @Test func `Raw frames of an asset are those of a reader`() async throws {
        let stored = try await Reading.read(Fixture("rotate-90.mp4").asset).frames
        var index = 0
        for try await frame in Fixture("rotate-90.mp4").asset.frames(stored: true) {
            let bytes = frame.pixelBuffer.withLockedPlanes(.readOnly) { planes in
                planes.flatMap { plane in (0..<plane.height).flatMap { Array(plane.row($0)) } }
            }
            #expect(isSame(bytes, stored[index].bytes))
            index += 1
        }
        #expect(index == stored.count)
    }

    @Test func `Sizes of an asset's frames are kept in proportion`() async throws {
        for try await frame in Fixture("movie.mp4").asset.frames(
            in: range(.zero, seconds(40)), size: CGSize(width: 160, height: 0))
        {
            #expect(CVPixelBufferGetWidth(frame.pixelBuffer) == 160)
            #expect(CVPixelBufferGetHeight(frame.pixelBuffer) == 120)
        }
    }

    @Test func `Damage and a truncated end are errors after the frames before them`() async throws {
        for name in ["truncated.mp4", "damaged.mp4"] {
            var count = 0
            await #expect(throws: AVError.self) {
                for try await _ in Fixture(name).asset.frames() { count += 1 }
            }
            #expect(count > 100)
        }
    }

    @Test func `Impossible requests for frames or audio are errors`() async throws {
        await #expect(throws: AVError.self) {
            for try await _ in Fixture("movie.mp4").asset.frames(every: .zero) {}
        }
        await #expect(throws: AVError.self) {
            for try await _ in Fixture("audio-only.m4a").asset.frames() {}
        }
        await #expect(throws: AVError.self) {
            for try await _ in Fixture("movie.mp4").asset.sound(channels: 33) {}
        }
    }

    @Test func `Reading an asset's frames stops when its task is cancelled`() async throws {
        let task = Task {
            var count = 0
            for try await _ in Fixture("long-gop.mp4").asset.frames() {
                count += 1
                if count == 3 { withUnsafeCurrentTask { $0?.cancel() } }
            }
            return count
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `Audio of an asset is that of ffmpeg, in its channels`() async throws {
        var samples: [Float] = []
        for try await piece in Fixture("movie.mp4").asset.sound(in: range(seconds(1000), seconds(2000))) {
            #expect(piece.sampleRate == 48_000)
            _ = piece.withChannel(piece.channelCount - 1) { span in
                for index in span.indices { samples.append(span[index]) }
            }
        }
        #expect(samples.count == 48_000)
        let bytes = try await ffmpegSound(of: Fixture("movie.mp4").path, "f32le")
        let channels = bytes.count / 4 / 480_000
        let expected = bytes.withUnsafeBytes { raw in
            (48_000..<96_000).map {
                raw.loadUnaligned(fromByteOffset: 4 * ($0 * channels + channels - 1), as: Float.self)
            }
        }
        let worst = zip(samples, expected).map { abs($0 - $1) }.max() ?? 1
        #expect(worst < 0.01)
    }

    @Test func `A media writer makes a media file of frames and audio`() async throws {
        let folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path("film.mp4"))
        try await MediaWriter.write(to: url) { writer in
            let pictures = try writer.addPictures(.init(width: 320, height: 240))
            let sound = try writer.addSound()
            try writer.start()
            for try await frame in Fixture("movie.mp4").asset.frames(in: range(.zero, seconds(2000)), stored: true) {
                try await pictures.append(frame.pixelBuffer, at: frame.time)
            }
            try await pictures.finish(at: seconds(2000))
            for try await piece in Fixture("movie.mp4").asset.sound(in: range(.zero, seconds(2000))) {
                try await sound.append(piece)
            }
            try await sound.finish()
        }
        let frames = try await Reading.read(AVURLAsset(url: url)).frames
        #expect(frames.map(\.number) == (0..<50).map { $0 })
        let durations = try await ffprobe(url.path, ["-show_entries", "stream=codec_type,duration"]).sorted()
        #expect(durations == ["audio,2.000000", "video,2.000000"])
    }

    @Test func `A media writer leaves no file when its body throws`() async throws {
        let folder = try TemporaryFolder()
        await #expect(throws: CocoaError.self) {
            try await MediaWriter.write(to: URL(fileURLWithPath: folder.path("film.mp4"))) { writer in
                let pictures = try writer.addPictures(.init(width: 320, height: 240))
                try writer.start()
                for try await frame in Fixture("movie.mp4").asset.frames(stored: true) {
                    try await pictures.append(frame.pixelBuffer, at: frame.time)
                    if frame.time > seconds(1000) { throw CocoaError(.userCancelled) }
                }
            }
        }
        #expect(try folder.contents().isEmpty)
    }
}

extension CGImage {
    /// Red, green and blue, without alpha.
    fileprivate var packedRGB: [UInt8] {
        let step = packedBytesPerPixel
        return (0..<(width * height)).flatMap { pixels[($0 * step)..<($0 * step + 3)] }
    }
}
