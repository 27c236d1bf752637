import AssetReadWrite
import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaTestSupport
import SampleBuffers
import Testing

/// Decoded pictures of a reader, held against those of `ffmpeg`.
struct FrameReadingTests {
    struct Film: Sendable, CustomStringConvertible {
        let name: String
        let format: String
        var description: String { name }
        init(_ name: String, _ format: String = "nv12") { (self.name, self.format) = (name, format) }
    }

    @Test(
        arguments: Tier.some(
            [
                Film("movie.mp4"), Film("movie.mov"), Film("vfr.mp4"), Film("h264-open-gop.mp4"),
                Film("hevc-open-gop.mp4"),
                Film("h264-open-gop.ts"), Film("h264.ts"), Film("h264-cut.ts"), Film("edit-list-trim.mp4"),
                Film("edit-list-empty.mp4"), Film("fragmented.mp4"), Film("cues.mkv"), Film("no-cues.mkv"),
                Film("nonzero-start.mkv"), Film("vp8.webm"), Film("vp9.webm"), Film("av1.webm"), Film("theora.ogv"),
                Film("wmv2.asf"), Film("h264.flv"), Film("h264.avi"), Film("packed-b.avi"), Film("mpeg2.ps"),
                Film("mpeg2-ps-sparse-pts.mpg"), Film("interlaced.ts"), Film("anamorphic.mp4"), Film("rotate-90.mp4"),
                Film("clean-aperture.mov"), Film("odd-161x121.webm"), Film("long-gop.mp4"), Film("one-frame.mp4"),
                Film("h264-intra-refresh.mp4"), Film("10bit.mp4", "p010le"), Film("h264-444.mp4", "nv24"),
                Film("alpha-png.mov", "bgra"), Film("alpha-prores.mov", "rgba64le"), Film("animated.gif", "bgra"),
            ], 9))
    func `Frames that are read are those of a linear decode`(_ film: Film) async throws {
        let reading = try await Reading.read(Fixture(film.name).asset)
        #expect(reading.status == .completed, "\(String(describing: reading.error))")
        let expected = try await CommandRun.ffmpegPixels(
            of: Fixture(film.name).path, options: ["-fps_mode", "passthrough"], format: film.format)
        #expect(!expected.isEmpty)
        #expect(isSame(reading.frames.flatMap(\.bytes), expected))
    }

    @Test(arguments: ["movie.mp4", "vfr.mp4", "edit-list-trim.mp4", "h264-open-gop.mp4", "fragmented.mp4"])
    func `Frames that are read have ffprobe's times, and last until the next one`(_ name: String) async throws {
        let frames = try await Reading.read(Fixture(name).asset).frames
        let told = try await ffprobe(
            Fixture(name).path, ["-select_streams", "v:0", "-show_entries", "frame=pts_time"]
        ).compactMap { Double($0.split(separator: ",")[0]) }
        #expect(frames.count == told.count)
        for (frame, time) in zip(frames, told) { #expect(abs(frame.presentationTime.seconds - time) < 0.000_01) }
        for (frame, next) in zip(frames, frames.dropFirst()) {
            #expect(frame.presentationTime + frame.duration == next.presentationTime)
        }
        let duration = try await Fixture(name).asset.load(.duration)
        let last = try #require(frames.last)
        #expect(last.presentationTime + last.duration <= duration + seconds(40))
    }

    @Test func `Frames of a range begin with the one shown at its start, and end before its end`() async throws {
        // 25 pictures a second, whose bars tell their numbers.
        let reading = try await Reading.read(
            Fixture("movie.mp4").asset, range: range(seconds(1015), seconds(2000)))
        #expect(reading.status == .completed)
        #expect(reading.frames.map(\.number) == (25..<50).map { $0 })
        let first = try #require(reading.frames.first)
        #expect(first.presentationTime == seconds(1, 1))
        #expect(first.outputTime == seconds(1015))
        let last = try #require(reading.frames.last)
        #expect(last.presentationTime + last.duration == seconds(2, 1))
    }

    @Test func `A range of a few ticks has one frame, cut at the range's end`() async throws {
        let reading = try await Reading.read(
            Fixture("long-gop.mp4").asset, range: range(seconds(5021), seconds(5022)))
        #expect(reading.frames.map(\.number) == [125])
        #expect(reading.frames.first.map { $0.presentationTime + $0.duration } == seconds(5022))
    }

    @Test func `A range beyond the end has no frames`() async throws {
        let reading = try await Reading.read(
            Fixture("movie.mp4").asset, range: range(seconds(20_000), seconds(21_000)))
        #expect(reading.frames.isEmpty)
        #expect(reading.status == .completed)
    }

    @Test(arguments: ["h264-open-gop.mp4", "hevc-open-gop.ts", "vfr.mp4", "edit-list-trim.mp4", "cues.mkv", "mpeg2.ps"])
    func `Frames of any range are those of all with these times`(_ name: String) async throws {
        let all = try await Reading.read(Fixture(name).asset).frames
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<6 {
            let start = seconds(Int64.random(in: 0..<2500, using: &generator))
            let end = start + seconds(Int64.random(in: 1..<1500, using: &generator))
            let part = try await Reading.read(Fixture(name).asset, range: range(start, end))
            let expected = all.filter {
                $0.presentationTime < end && $0.presentationTime + $0.duration > start
            }
            #expect(part.status == .completed)
            #expect(part.frames.map(\.presentationTime) == expected.map(\.presentationTime), "\(start) \(end)")
            #expect(isSame(part.frames.map(\.bytes), expected.map(\.bytes)))
        }
    }

    struct Form: Sendable, CustomStringConvertible {
        let code: OSType
        let name: String
        var description: String { name }
    }

    @Test(
        arguments: Tier.some(
            [
                Form(code: kCVPixelFormatType_32BGRA, name: "bgra"),
                Form(code: kCVPixelFormatType_32RGBA, name: "rgba"),
                Form(code: kCVPixelFormatType_32ARGB, name: "argb"),
                Form(code: kCVPixelFormatType_24RGB, name: "rgb24"),
                Form(code: kCVPixelFormatType_422YpCbCr8, name: "uyvy422"),
                Form(code: kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, name: "p010le"),
                Form(code: kCVPixelFormatType_OneComponent8, name: "gray"),
                Form(code: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, name: "nv12"),
                Form(code: kCVPixelFormatType_420YpCbCr8Planar, name: "yuv420p"),
                Form(code: kCVPixelFormatType_OneComponent16, name: "gray16le"),
            ], 4))
    func `Frames are read in the pixel formats that are asked for`(_ form: Form) async throws {
        let frames = try await Reading.read(Fixture("bt709-tagged.mp4").asset, pictures(form.code)).frames
        let isFull = form.code == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
        let scale =
            "scale=flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp:in_color_matrix=bt709:in_h_chr_pos=0:in_v_chr_pos=128"
            + (form.name == "uyvy422" || isFull ? ":out_h_chr_pos=0" : "")
            + (isFull ? ":out_v_chr_pos=128:out_range=full" : "")
        let expected = try await CommandRun.ffmpegPixels(
            of: Fixture("bt709-tagged.mp4").path, options: ["-vf", scale], format: form.name)
        let bytes = frames.flatMap(\.bytes)
        #expect(frames.allSatisfy { CVPixelBufferGetPixelFormatType($0.buffer) == form.code })
        #expect(bytes.count == expected.count)
        // Chroma between samples may be rounded in another way; the low bytes of deep samples are left alone.
        let step = form.name.hasSuffix("le") ? 2 : 1
        var worst = 0
        for index in stride(from: step - 1, to: bytes.count, by: step) {
            worst = max(worst, abs(Int(bytes[index]) - Int(expected[index])))
        }
        #expect(worst <= 2)
    }

    @Test func `Frames that share the decoder's memory have the same bytes as copies`() async throws {
        let format = kCVPixelFormatType_420YpCbCr8Planar
        let copied = try await Reading.read(Fixture("movie.mp4").asset, pictures(format))
        let shared = try await Reading.read(Fixture("movie.mp4").asset, pictures(format), copies: false)
        #expect(isSame(copied.frames.map(\.bytes), shared.frames.map(\.bytes)))
    }

    @Test func `Frames are scaled to the size that is asked for`() async throws {
        let both = try await Reading.read(
            Fixture("one-frame.mp4").asset, pictures(kCVPixelFormatType_24RGB, width: 64, height: 64)
        ).frames
        #expect(both.map { [CVPixelBufferGetWidth($0.buffer), CVPixelBufferGetHeight($0.buffer)] } == [[64, 64]])
        let one = try await Reading.read(
            Fixture("movie.mp4").asset, pictures(kCVPixelFormatType_24RGB, width: 160)
        ).frames
        #expect(one.first.map { [CVPixelBufferGetWidth($0.buffer), CVPixelBufferGetHeight($0.buffer)] } == [160, 120])
    }

    @Test func `Frames have their colours, shape and aperture as attachments`() async throws {
        let tagged = try #require(try await Reading.read(Fixture("bt709-tagged.mp4").asset).frames.first)
        func text(_ key: CFString) -> String? {
            (CVBufferCopyAttachment(tagged.buffer, key, nil) as? NSString).map { String(describing: $0) }
        }
        #expect(text(kCVImageBufferYCbCrMatrixKey) == "ITU_R_709_2")
        #expect(text(kCVImageBufferColorPrimariesKey) == "ITU_R_709_2")
        let wide = try #require(try await Reading.read(Fixture("anamorphic.mp4").asset).frames.first)
        let natural = try await Fixture("anamorphic.mp4").asset.loadTracks(withMediaType: .video)[0].load(.naturalSize)
        #expect(CVImageBufferGetDisplaySize(wide.buffer).width.rounded() == natural.width.rounded())
        let rgb = try #require(
            try await Reading.read(Fixture("bt709-tagged.mp4").asset, pictures(kCVPixelFormatType_32BGRA)).frames.first)
        #expect(!CVBufferHasAttachment(rgb.buffer, kCVImageBufferYCbCrMatrixKey))
    }

    @Test(arguments: ["damaged.mp4", "truncated.mp4", "damaged.ts"])
    func `Frames of a damaged file are right up to the damage, where the reader fails`(_ name: String) async throws {
        let reading = try await Reading.read(Fixture(name).asset)
        #expect(reading.status == .failed)
        #expect((reading.error as? AVError)?.code == .fileFailedToParse)
        #expect(!reading.frames.isEmpty)
        let lenient = try await Reading.read(Fixture(name).asset, allowsDamage: true)
        #expect(lenient.status == .completed)
        #expect(lenient.frames.count >= reading.frames.count)
        #expect(isSame(lenient.frames.prefix(reading.frames.count).map(\.bytes), reading.frames.map(\.bytes)))
    }
}
