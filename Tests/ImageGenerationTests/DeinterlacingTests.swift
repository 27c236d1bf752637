import Foundation
import ImageGeneration
import MediaAsset
import MediaCore
import MediaEngine
import MediaImage
import MediaTestSupport
import Testing

/// Which field is the earlier one, as `ffmpeg` calls it.
private enum FieldOrder: String, Sendable, CaseIterable {
    case top = "tff"
    case bottom = "bff"
}

/// A file of 25 pictures a second, each of the lines of two moments of a moving pattern.
private struct FieldClip: Sendable, CustomTestStringConvertible {
    let order: FieldOrder
    /// ffmpeg's name of the pixel format.
    let format: String
    let width: Int
    let height: Int
    let fileName: String
    let codec: String

    init(
        _ order: FieldOrder, _ format: String, _ fileName: String, _ codec: String, width: Int = 192, height: Int = 144
    ) {
        (self.order, self.format, self.width, self.height) = (order, format, width, height)
        (self.fileName, self.codec) = (fileName, codec)
    }

    var testDescription: String { "\(order.rawValue) \(format) \(width)x\(height) \(codec) in \(fileName)" }

    /// A pattern that moves by nine pixels from field to field, soft, so that each field holds all of it.
    private var pattern: String {
        let step = format.hasSuffix("10le") ? 4 : 1
        let luma = "\(step)*(128+80*sin((X+9*N)/14)*cos((Y+2*N)/19))"
        let chroma = ["\(step)*(128+40*sin((X+7*N)/33))", "\(step)*(128+40*cos((Y+3*X+5*N)/41))"]
        return "format=\(format),geq=lum='\(luma)':cb='\(chroma[0])':cr='\(chroma[1])'"
    }

    /// Makes the moments, 50 a second, as `source.mkv`, and the clip of them.
    func make(in folder: TemporaryFolder) async throws {
        let graph =
            "nullsrc=s=\(width)x\(height):r=50:d=0.16,\(pattern),split[a][b];"
            + "[b]interlace=scan=\(order.rawValue):lowpass=off[c]"
        var arguments = ["-v", "error", "-filter_complex", graph, "-map", "[a]", "-c:v", "ffv1", "source.mkv"]
        arguments += ["-map", "[c]"] + codec.words + [fileName]
        let run = try await CommandRun.run("ffmpeg", arguments, in: folder.url)
        try #require(run.exitCode == 0, "\(run.errorOutput)")
    }

    static let lossless = FieldOrder.allCases.flatMap { order in
        ["yuv420p", "yuv422p", "yuv444p", "yuv420p10le", "yuv422p10le"].map { format in
            FieldClip(order, format, "a.mkv", "-c:v ffv1")
        }
    }

    static let odd = FieldOrder.allCases.flatMap { order in
        [(192, 143), (161, 121), (33, 17)].flatMap { width, height in
            ["yuv420p", "yuv422p10le"].map { format in
                FieldClip(order, format, "a.mkv", "-c:v ffv1", width: width, height: height)
            }
        }
    }

    static let coded =
        FieldOrder.allCases.flatMap { order in
            [
                FieldClip(order, "yuv420p", "a.mp4", "-c:v libx264 -crf 8 -flags +ilme+ildct"),
                FieldClip(order, "yuv422p10le", "a.mkv", "-c:v libx264 -crf 8 -flags +ilme+ildct"),
                FieldClip(order, "yuv420p", "a.ts", "-c:v mpeg2video -q:v 2 -flags +ilme+ildct"),
                FieldClip(order, "yuv422p", "a.mpg", "-c:v mpeg2video -q:v 2 -flags +ilme+ildct"),
                FieldClip(order, "yuv422p10le", "a.mov", "-c:v prores_ks -profile:v 3 -flags +ildct"),
                FieldClip(order, "yuv422p10le", "a.mov", "-c:v v210"),
            ]
        } + [FieldClip(.bottom, "yuv420p", "a.dv", "-c:v dvvideo", width: 720, height: 576)]

    /// Files whose pictures do not say how they were scanned: their container does.
    ///
    /// `ffmpeg` writes 9 for pictures of interleaved lines with the top field first, and 14 for the others, as
    /// Matroska's FieldOrder element and Apple's TN2162 have it; its own raw decoders read them so.
    static let toldByContainer = FieldOrder.allCases.flatMap { order in
        [
            FieldClip(order, "yuv422p", "a.mkv", "-c:v huffyuv"),
            FieldClip(order, "yuv420p", "a.mkv", "-c:v ffvhuff"),
        ]
    }

    static let packed = FieldOrder.allCases.map { FieldClip($0, "yuv422p", "a.mov", "-c:v rawvideo -pix_fmt uyvy422") }
}

/// The peak signal-to-noise ratio of two pictures in dB; zero if they differ in size.
private func likeness(_ one: [UInt8], _ other: [UInt8]) -> Double {
    guard one.count == other.count, !one.isEmpty else { return 0 }
    let sum = zip(one, other).reduce(0) { $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)) }
    return sum == 0 ? .infinity : 10 * log10(255 * 255 * Double(one.count) / Double(sum))
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct `Stills of interlaced video` {
    /// Compares the third picture with the moments that it was made of.
    private func check(_ clip: FieldClip, floor: Double) async throws {
        let folder = try TemporaryFolder()
        try await clip.make(in: folder)
        func picture(_ name: String, _ number: Int) async throws -> [UInt8] {
            let options = ["-vf", "select=eq(n\\,\(number)),scale=flags=accurate_rnd+full_chroma_int+full_chroma_inp"]
            return try await CommandRun.ffmpegPixels(
                of: folder.path(name), options: options + ["-frames:v", "1", "-fps_mode", "passthrough"])
        }
        let options: [String: Any] = [AVURLAssetAllowedFormatsKey: ["huffyuv", "ffvhuff"]]
        let asset = AVURLAsset(url: folder.url.appendingPathComponent(clip.fileName), options: options)
        let generator = exactGenerator(of: asset)
        generator.apertureMode = .encodedPixels
        let still = try await generator.image(at: seconds(2, 25)).image
        #expect(still.size == [clip.width, clip.height])
        let first = try await picture("source.mkv", 4)
        let own = likeness(still.pixels, first)
        let later = try await likeness(still.pixels, picture("source.mkv", 5))
        let woven = try await likeness(picture(clip.fileName, 2), first)
        #expect(own > floor && own > later + 8 && own > woven + 6, "\(own) dB; later \(later), woven \(woven)")
    }

    @Test(arguments: FieldClip.lossless)
    fileprivate func `Stills of interlaced video show the moment of the first field`(_ clip: FieldClip) async throws {
        try await check(clip, floor: 34)
    }

    @Test(arguments: FieldClip.odd)
    fileprivate func `Stills of interlaced video may have an odd number of lines`(_ clip: FieldClip) async throws {
        try await check(clip, floor: 30)
    }

    @Test(arguments: Tier.some(FieldClip.coded, 4))
    fileprivate func `Stills of interlaced video show the moment of the first field in every codec`(
        _ clip: FieldClip
    ) async throws {
        try await check(clip, floor: 30)
    }

    @Test(arguments: FieldClip.toldByContainer)
    fileprivate func `Stills of interlaced video show the first field where only the container tells of fields`(
        _ clip: FieldClip
    ) async throws {
        try await check(clip, floor: 34)
    }

    @Test(arguments: FieldClip.packed)
    fileprivate func `Stills of interlaced video show the first field where components are packed`(
        _ clip: FieldClip
    ) async throws {
        try await check(clip, floor: 30)
    }

    @Test(arguments: FieldOrder.allCases)
    fileprivate func `Stills of interlaced video show the first field when made smaller`(
        _ order: FieldOrder
    ) async throws {
        let folder = try TemporaryFolder()
        let clip = FieldClip(order, "yuv420p", "a.mkv", "-c:v ffv1")
        try await clip.make(in: folder)
        let generator = exactGenerator(of: folder.asset(clip.fileName))
        generator.maximumSize = CGSize(width: 48, height: 36)
        let still = try await generator.image(at: seconds(2, 25)).image
        var ratios: [Double] = []
        for number in [4, 5] {
            let options = [
                "-vf", "select=eq(n\\,\(number)),scale=48:36:flags=area", "-frames:v", "1", "-fps_mode", "passthrough",
            ]
            let moment = try await CommandRun.ffmpegPixels(of: folder.path("source.mkv"), options: options)
            ratios.append(likeness(still.pixels, moment))
        }
        #expect(ratios[0] > 34 && ratios[0] > ratios[1] + 8, "\(ratios)")
    }
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct `Progressive pictures in interlaced files` {
    private static let (width, height) = (192, 144)

    /// The stills of one picture in full-resolution YCbCr: once flagged as interlaced, once as progressive.
    private func stills(of luma: [UInt8], _ order: FieldOrder) async throws -> (flagged: CGImage, expected: [UInt8]) {
        let folder = try TemporaryFolder()
        let chroma = (0..<(Self.width * Self.height)).map { UInt8(96 + $0 % Self.width / 8) }
        let picture = Data(luma + chroma + chroma.reversed())
        try await folder.encode(
            picture, "yuv444p", width: Self.width, height: Self.height,
            ["-vf", "setfield=\(order.rawValue)", "-c:v", "ffv1", "a.mkv"])
        // BT.601, as below 720 lines.
        let filter = "zscale=matrixin=470bg:rangein=limited:matrix=gbr:range=full,format=gbrp"
        let expected = try await CommandRun.ffmpegPixels(of: folder.path("a.mkv"), options: ["-vf", filter])
        return (try await folder.still(of: "a.mkv"), expected)
    }

    private func check(_ sample: (_ x: Int, _ y: Int) -> Int, _ order: FieldOrder) async throws {
        let luma = (0..<(Self.width * Self.height)).map { UInt8(clamping: sample($0 % Self.width, $0 / Self.width)) }
        let (flagged, expected) = try await stills(of: luma, order)
        try #require(flagged.pixels.count == expected.count)
        let greatest = zip(flagged.pixels, expected).map { abs(Int($0) - Int($1)) }.max()
        #expect(greatest ?? 255 <= 3)
    }

    @Test(arguments: FieldOrder.allCases)
    fileprivate func `Progressive frames in interlaced files keep lines of one pixel`(
        _ order: FieldOrder
    ) async throws {
        try await check({ x, y in (x < 96 ? y % 8 == 3 : (x + 3 * y) % 37 == 0) ? 210 : 70 }, order)
    }

    @Test(arguments: FieldOrder.allCases)
    fileprivate func `Progressive frames in interlaced files keep edges`(_ order: FieldOrder) async throws {
        try await check({ x, y in (x / 10 + y / 9) % 2 == 0 ? 60 : 200 }, order)
    }

    /// Film grain, as in scans of film, which is often coded as interlaced: its standard deviation is 5 codes.
    @Test(arguments: FieldOrder.allCases)
    fileprivate func `Progressive frames in interlaced files keep grain`(_ order: FieldOrder) async throws {
        var random = SeededGenerator(seed: 5)
        let grain = (0..<(Self.width * Self.height)).map { _ in
            (0..<12).map { _ in Double.random(in: 0..<1, using: &random) }.reduce(-6, +) * 5
        }
        try await check({ x, y in 90 + x / 4 + Int(grain[y * Self.width + x].rounded()) }, order)
    }
}
