import Foundation
import ImageGeneration
import MediaCore
import MediaEngine
import MediaImage
import MediaTestSupport
import Testing

/// Where chroma lies, by ffmpeg's names, in the order of H.264's `chroma_sample_loc_type`.
private let sitings = ["left", "center", "topleft", "top", "bottomleft", "bottom"]

/// A picture of even brightness whose chroma has waves of some twelve pixels in both directions.
private enum Waves {
    static let (width, height) = (128, 96)

    /// The planes of a picture of 8 bits.
    static func picture(across: Int, down: Int) -> Data {
        let (columns, rows) = (width / across, height / down)
        var data = Data(repeating: 120, count: width * height)
        for isRed in [false, true] {
            for y in 0..<rows {
                for x in 0..<columns {
                    let (u, v) = (Double(x * across), Double(y * down))
                    let phase = isRed ? (u - v) / 5.9 : u / 6.1 + sin(v / 6.3) * 2
                    data.append(UInt8((128 + 55 * sin(phase)).rounded()))
                }
            }
        }
        return data
    }
}

/// A file with subsampled chroma, whose siting is settled without a tag.
private struct UntaggedSiting: Sendable, CustomTestStringConvertible {
    let format: String
    let across: Int
    let down: Int
    let fileName: String
    let arguments: String
    let siting: String
    /// Whether it is JPEG, thus BT.601 of full range by definition.
    var isJPEG = false

    var testDescription: String { "\(format) in \(fileName)" }

    static let all = [
        // MPEG-2 and its successors.
        UntaggedSiting(
            format: "yuv420p", across: 2, down: 2, fileName: "a.mkv", arguments: "-c:v ffv1", siting: "left"),
        UntaggedSiting(
            format: "yuv420p", across: 2, down: 2, fileName: "a.mp4", arguments: "-c:v libx264 -qp 0", siting: "left"),
        // JFIF.
        UntaggedSiting(
            format: "yuvj420p", across: 2, down: 2, fileName: "a.avi", arguments: "-c:v mjpeg -q:v 1",
            siting: "center", isJPEG: true),
        // ITU-R BT.601: co-sited with every other luma sample.
        UntaggedSiting(
            format: "yuv422p", across: 2, down: 1, fileName: "a.mkv", arguments: "-c:v ffv1", siting: "left"),
        UntaggedSiting(
            format: "yuv422p", across: 2, down: 1, fileName: "a.mp4", arguments: "-c:v libx264 -qp 0", siting: "left"),
    ]
}

@Suite(.serialized) struct `Chroma that is not sampled at every pixel` {
    /// The file's picture as zimg makes it, for each siting one.
    private func references(of path: String, _ sitings: [String], isJPEG: Bool = false) async throws -> [[UInt8]] {
        let split = "split=\(sitings.count)" + sitings.map { "[\($0)]" }.joined()
        let branches = sitings.map { siting in
            let input =
                "min=\(isJPEG ? "470bg" : "709"):rin=\(isJPEG ? "full" : "limited"):pin=709:tin=709:cin=\(siting)"
            return "[\(siting)]zscale=\(input):m=gbr:r=full:p=709:t=709:filter=bicubic,format=gbrp[\(siting)2]"
        }
        let stack = sitings.map { "[\($0)2]" }.joined() + "vstack=\(sitings.count)"
        let filter = ([split] + branches + [stack]).joined(separator: ";")
        let bytes = try await CommandRun.ffmpegPixels(of: path, options: ["-vf", filter, "-frames:v", "1"])
        let size = Waves.width * Waves.height * 3
        try #require(bytes.count == size * sitings.count)
        return sitings.indices.map { Array(bytes[$0 * size..<($0 + 1) * size]) }
    }

    /// The mean difference of each component, the edges left out, where filters differ.
    private func differences(_ image: CGImage, _ other: [UInt8], margin: Int = 8) -> [Double] {
        var sums = [0, 0, 0]
        for y in margin..<(image.height - margin) {
            for index in (y * image.width + margin) * 3..<((y + 1) * image.width - margin) * 3 {
                sums[index % 3] += abs(Int(image.pixels[index]) - Int(other[index]))
            }
        }
        let count = (image.width - 2 * margin) * (image.height - 2 * margin)
        return sums.map { Double($0) / Double(count) }
    }

    /// Expects the picture to be the reference of one siting, and of no other.
    private func expect(_ image: CGImage, at siting: String, of names: [String], _ references: [[UInt8]]) {
        #expect(image.size == [Waves.width, Waves.height])
        guard image.size == [Waves.width, Waves.height], !image.hasAlpha else { return }
        let all = references.map { differences(image, $0) }
        let report = zip(names, all).map { name, by in "\(name) \(by.map { ($0 * 100).rounded() / 100 })" }
        guard let index = names.firstIndex(of: siting) else { return }
        #expect(all[index].allSatisfy { $0 < 1 }, "\(report)")
        // Red and blue show chroma most.
        for other in names.indices where other != index {
            #expect(all[other][0] + all[other][2] > 2 * (all[index][0] + all[index][2]), "\(report)")
        }
    }

    /// Makes a file for each siting, alike but for the tag, and one without it: `base.mp4`.
    private func makeTaggedFiles(in folder: TemporaryFolder) async throws {
        let encode = "-pix_fmt yuv420p -c:v libx264 -qp 0 base.mp4".words
        try await folder.encode(
            Waves.picture(across: 2, down: 2), "yuv420p", width: Waves.width, height: Waves.height, encode)
        let tags = "colour_primaries=1:transfer_characteristics=1:matrix_coefficients=1:video_full_range_flag=0"
        let outputs = sitings.enumerated().flatMap { type, name in
            ["-c", "copy", "-bsf:v", "h264_metadata=\(tags):chroma_sample_loc_type=\(type)", "\(name).mp4"]
        }
        let run = try await CommandRun.run("ffmpeg", ["-v", "error", "-i", "base.mp4"] + outputs, in: folder.url)
        try #require(run.exitCode == 0, "\(run.errorOutput)")
    }

    @Test func `Chroma lies where the file says`() async throws {
        let folder = try TemporaryFolder()
        try await makeTaggedFiles(in: folder)
        let references = try await references(of: folder.path("base.mp4"), sitings)
        for siting in sitings {
            expect(try await folder.still(of: "\(siting).mp4"), at: siting, of: sitings, references)
        }
    }

    @Test(arguments: UntaggedSiting.all)
    fileprivate func `Chroma without a tag lies where the format has it by default`(_ c: UntaggedSiting) async throws {
        let folder = try TemporaryFolder()
        let filter = "setparams=" + (c.isJPEG ? "colorspace=bt470bg:range=pc" : "colorspace=bt709:range=tv")
        try await folder.encode(
            Waves.picture(across: c.across, down: c.down), c.format, width: Waves.width, height: Waves.height,
            ["-vf", filter] + c.arguments.words + [c.fileName])
        let image = try await folder.still(of: c.fileName)
        // 4:2:2 has chroma in every line.
        let names = c.down == 2 ? sitings : ["left", "center"]
        let references = try await references(of: folder.path(c.fileName), names, isJPEG: c.isJPEG)
        expect(image, at: c.siting, of: names, references)
    }

    @Test func `Chroma lies where the file says when the image is made smaller`() async throws {
        let folder = try TemporaryFolder()
        try await makeTaggedFiles(in: folder)
        let references = try await references(of: folder.path("base.mp4"), sitings).map(halved)
        for siting in sitings {
            let generator = exactGenerator(of: folder.asset("\(siting).mp4"))
            generator.maximumSize = CGSize(width: Waves.width / 2, height: 0)
            let image = try await generator.image(at: .zero).image
            #expect(image.size == [Waves.width / 2, Waves.height / 2])
            guard image.pixels.count == references[0].count else { continue }
            let all = references.map { differences(image, $0, margin: 4) }.map { $0[0] + $0[2] }
            let report = zip(sitings, all).map { "\($0) \(($1 * 100).rounded() / 100)" }
            let nearest = sitings[all.indices.min { all[$0] < all[$1] } ?? 0]
            #expect(nearest == siting, "\(report)")
        }
    }

    /// Each pixel is the mean of four.
    private func halved(_ pixels: [UInt8]) -> [UInt8] {
        let row = Waves.width * 3
        return stride(from: 0, to: Waves.height, by: 2).flatMap { y in
            (0..<(row / 2)).map { index in
                let first = y * row + index / 3 * 6 + index % 3
                let sum = [first, first + 3, first + row, first + row + 3].reduce(0) { $0 + Int(pixels[$1]) }
                return UInt8((sum + 2) / 4)
            }
        }
    }
}
