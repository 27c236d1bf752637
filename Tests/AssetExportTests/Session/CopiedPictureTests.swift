import AssetExport
import FFmpegKit
import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaIO
import MediaMetadata
import MediaTestSupport
import SampleBuffers
import Testing

/// A source and the kind of file that its samples are copied into.
struct CopyCase: Sendable, CustomTestStringConvertible {
    var name: String
    var ending: String
    var testDescription: String { "\(name) to \(ending)" }

    /// Films whose pictures carry their numbers, by the containers that hold their codec.
    static let all: [CopyCase] = [
        "movie.mp4 vfr.mp4 edit-list-empty.mp4 h264-open-gop.ts h264.ts h264.avi fragmented.mp4 no-cues.mkv":
            "mkv ts avi mp4",
        "h264.flv interlaced-tff.mp4 rotate-90.mp4 clean-aperture.mov mpeg2.ps interlaced.ts mpeg4-b.avi":
            "mkv ts avi mp4",
        "packed-b.avi h264-intra-refresh.mp4 nonzero-start.mkv languages.mkv": "mkv ts avi mov",
        "hevc-open-gop.mp4 hevc-open-gop.ts 10bit.mp4": "mkv ts mp4 mov", "vp9.webm av1.webm": "mkv mp4",
        "vp8.webm": "mkv", "mjpeg.avi": "mkv avi mov", "theora.ogv wmv2.asf": "mkv",
    ].flatMap { names, endings in
        names.split(separator: " ").flatMap { name in
            endings.split(separator: " ").map { CopyCase(name: String(name), ending: String($0)) }
        }
    }
}

/// What becomes of pictures that are copied into another container.
///
/// Times and numbers come from a linear decode of the fixtures by another program.
@Suite("Copied pictures", .timeLimit(.minutes(10)))
struct CopiedPictureTests {
    static func copy(
        _ source: URL, to path: String, options: [String: Any]? = nil,
        _ adjust: (AVAssetExportSession) -> Void = { _ in }
    ) async throws -> ExportResult {
        let session = try #require(
            AVAssetExportSession(
                asset: AVURLAsset(url: source, options: options), presetName: AVAssetExportPresetPassthrough))
        adjust(session)
        let url = URL(fileURLWithPath: path)
        try await session.export(to: url, as: try #require(AVFileType(filenameExtension: url.pathExtension)))
        return try #require(session.result)
    }

    private static func relative(_ pictures: [ShownPicture]) -> [ShownPicture] {
        pictures.map { ShownPicture(time: $0.time - (pictures.first?.time ?? .zero), number: $0.number) }
    }

    /// A film without its edit list showed what this hides; pictures of AVI, and those that are decoded after they are
    /// shown, changed places.
    @Test(arguments: Tier.some(CopyCase.all, 16))
    func `Copied frames keep their order and their times in every container`(_ c: CopyCase) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("new.\(c.ending)")
        _ = try await Self.copy(Fixture(c.name).url, to: path)
        let expected = Self.relative(
            try Sidecar.load(Fixture(c.name)).shownFrames.map { ShownPicture(time: $0.time, number: $0.number) })
        guard c.ending == "avi" else {
            let pictures = Self.relative(try await Reading.pictures(path))
            #expect(pictures.map(\.number) == expected.map(\.number))
            #expect(agree(pictures, expected, within: Self.tolerance))
            return
        }
        // AVI stores when pictures are decoded; those shown take these times in their order. A track begins with its
        // first picture, which lasts until the second is due.
        let (times, numbers) = (try await chunkTimes(path), try await Reading.numbers(path))
        let pictures = zip(times, numbers).map { ShownPicture(time: $0, number: $1) }
        #expect(numbers == expected.map(\.number))
        #expect(
            agree(
                Self.relative(Array(pictures.dropFirst())), Self.relative(Array(expected.dropFirst())),
                within: Self.tolerance))
    }

    /// The source has parameter sets at its beginning only, and the muxer writes them before IDR pictures only.
    @Test(arguments: ["ts", "mkv"])
    func `A copy that begins with an open group is decoded from its first frame on`(ending: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("new.\(ending)")
        let (start, end) = (CMTime(value: 1, timescale: 1), CMTime(value: 3, timescale: 1))
        _ = try await Self.copy(Fixture("h264-open-gop.ts").url, to: path) {
            $0.timeRange = CMTimeRange(start: start, end: end)
        }
        // The picture after the last one is decoded before it, and cannot be hidden.
        #expect(try await Reading.numbers(path) == (25..<76).map { $0 })
    }

    /// Ticks of Matroska and of AVI, and rounding.
    private static let tolerance = CMTime(value: 2, timescale: 1000)

    /// When an AVI file's pictures are due, in order.
    private func chunkTimes(_ path: String) async throws -> [CMTime] {
        let base = try await Reading.probe(path, ["-select_streams", "v:0", "-show_entries", "stream=time_base"])
        let times = try await Reading.probe(path, ["-select_streams", "v:0", "-show_entries", "packet=dts,size"])
        return times.compactMap { fields in
            Int64(fields[0]).flatMap { CMTime(ticks: $0, timeBase: base.first?.first ?? "1/25") }
        }.sorted()
    }

    /// 125 pictures were shown instead of 107, and the result denied it.
    @Test func `Hidden frames of a copied edit list stay only if others need them, and are counted`() async throws {
        let folder = try TemporaryFolder()
        let shown = Array(43...149)
        for (ending, lead) in [("mkv", 0.02), ("ts", 1), ("avi", 0.2)] {
            let path = folder.path("new.\(ending)")
            let result = try await Self.copy(Fixture("edit-list-trim.mp4").url, to: path)
            let pictures = try await Reading.pictures(path)
            let numbers = try await Reading.numbers(path).compactMap { $0 }
            #expect(numbers.suffix(shown.count) == shown[...])
            // Half of the hidden pictures are ones that no other needs.
            #expect(numbers.count == shown.count + 9)
            let start = pictures[9].time
            #expect((start - pictures[0].time).seconds < lead)
            let loss = try #require(result.losses.first { $0.item.contains("edit list") })
            #expect(loss.reason.contains("9 hidden pictures"))
        }
        let path = folder.path("new.mp4")
        let result = try await Self.copy(Fixture("edit-list-trim.mp4").url, to: path)
        #expect(try await Reading.pictures(path).compactMap(\.number) == shown)
        #expect(!result.losses.contains { $0.item.contains("edit list") })
    }

    /// Pictures that a movie decodes after they are shown changed places.
    @Test(
        .enabled(if: Fixture.corpus != nil, "the corpus of other people's files is not there"),
        arguments: ["mkv", "ts"])
    func `Copied frames that are shown before they are decoded keep their times`(_ ending: String) async throws {
        let folder = try TemporaryFolder()
        let source = try #require(Fixture.corpus).appendingPathComponent("odd/water_180_mvhevc_5frames.mov")
        let result = try await Self.copy(source, to: folder.path("new.\(ending)"))
        #expect(!result.warnings.contains { $0.contains("put in order") })
        func times(_ path: String) async throws -> [Double] {
            let packets = try await Reading.probe(
                path, ["-select_streams", "v:0", "-show_entries", "packet=pts_time,size"])
            let times = packets.compactMap { Double($0[0]) }
            return times.map { $0 - (times.min() ?? 0) }
        }
        let (made, expected) = (try await times(folder.path("new.\(ending)")), try await times(source.path))
        #expect(made.count == expected.count)
        #expect(zip(made, expected).allSatisfy { abs($0 - $1) < 0.0011 })
    }

    /// Films copied from AVI have decode times for presentation times, and films cut in an open group have pictures
    /// without a time: such were refused ("samples that its index lists are missing", "a packet does not tell when it is
    /// to be shown").
    @Test(
        arguments: Tier.some(
            [
                ("h264.avi", "", "source.mp4"), ("mpeg4-b.avi", "", "source.mp4"),
                ("h264-open-gop.mp4", "-ss 1.5", "source.mkv"), ("hevc-open-gop.mp4", "-ss 1.5", "source.mkv"),
            ], 2), ["mkv", "mp4", "ts"])
    func `Copies of copies show the same frames`(_ source: (String, String, String), _ ending: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path(source.2)
        let words = ["-v", "error"] + source.1.split(separator: " ").map(String.init)
        let arguments = words + ["-i", Fixture(source.0).url.path, "-c", "copy", path]
        try #require(try await CommandRun.run("ffmpeg", arguments).exitCode == 0)
        let expected = try await Reading.numbers(path)
        try #require(expected.count > 70)
        _ = try await Self.copy(URL(fileURLWithPath: path), to: folder.path("new.\(ending)"))
        #expect(try await Reading.numbers(folder.path("new.\(ending)")) == expected)
    }

    @Test func `The plan counts hidden frames as the result does`() async throws {
        let folder = try TemporaryFolder()
        let session = try #require(
            AVAssetExportSession(
                asset: Fixture("edit-list-trim.mp4").asset, presetName: AVAssetExportPresetPassthrough))
        let plan = try await session.plan(for: .matroska)
        let result = try await Self.copy(Fixture("edit-list-trim.mp4").url, to: folder.path("new.mkv"))
        #expect(plan.losses == result.losses)
    }

    /// Decoders learned of the picture's size from the header, which a transport stream has none of.
    @Test(arguments: ["mp4", "mkv"])
    func `MPEG-4 frames can be decoded from a transport stream`(_ ending: String) async throws {
        let folder = try TemporaryFolder()
        let source = folder.path("source.\(ending)")
        try await Reading.ffmpeg([
            "-i", Fixture("movie.mp4").path, "-an", "-c:v", "mpeg4", "-bf", "2", "-q:v", "3", source,
        ])
        _ = try await Self.copy(URL(fileURLWithPath: source), to: folder.path("new.ts"))
        #expect(try await Reading.pictures(folder.path("new.ts")).compactMap(\.number) == Array(0..<250))
    }

    // MARK: How pictures are seen

    /// The turn was lost without a word.
    @Test(
        arguments: [
            ("rotate-90.mp4", -90.0, 0.0), ("rotate-180.mp4", 180, 0), ("rotate-270.mp4", 90, 0),
            ("flip-h.mp4", 0, 180),
            ("flip-v.mp4", 180, 180), ("transpose.mp4", 90, 180), ("transverse.mp4", -90, 180),
        ])
    func `Matroska holds how frames are turned, and so does a movie made of it`(
        _ name: String, roll: Double, yaw: Double
    ) async throws {
        let folder = try TemporaryFolder()
        let (path, back) = (folder.path("new.mkv"), folder.path("back.mp4"))
        let result = try await Self.copy(Fixture(name).url, to: path)
        let facts = try await Reading.run("mkvmerge", ["-J", path]).output
        let tracks =
            try #require(
                try JSONSerialization.jsonObject(with: Data(facts.utf8)) as? [String: Any])["tracks"]
            as? [[String: Any]]
        let properties = try #require(tracks?.first?["properties"] as? [String: Any])
        #expect(properties["projection_pose_roll"] as? Double == roll)
        #expect(properties["projection_pose_yaw"] as? Double == yaw)
        #expect(result.losses.contains { $0.item.contains("mirrored") } == (yaw != 0))
        _ = try await Self.copy(URL(fileURLWithPath: path), to: back)
        let matrix = ["-show_entries", "stream_side_data=displaymatrix"]
        // The shift into the corner is missing in the fixtures that are mirrored.
        func parts(_ path: String) async throws -> [[String]] {
            try await Reading.probe(path, matrix).filter { yaw == 0 || $0.first?.contains("00000002") == false }
        }
        let (made, expected) = (try await parts(back), try await parts(Fixture(name).path))
        #expect(made == expected)
        let turned = try await AVURLAsset(url: URL(fileURLWithPath: path)).loadTracks(withMediaType: .video)[0]
            .load(.preferredTransform)
        let stored = try await Fixture(name).asset.loadTracks(withMediaType: .video)[0].load(.preferredTransform)
        #expect([turned.a, turned.b, turned.c, turned.d] == [stored.a, stored.b, stored.c, stored.d])
    }

    @Test func `Matroska holds which part of the frames is shown`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("new.mkv")
        #expect(try await Self.copy(Fixture("clean-aperture.mov").url, to: path).losses.isEmpty)
        #expect(try await Reading.run("mkvmerge", ["-J", path]).output.contains(#""cropping": "12,4,4,8""#))
        let result = try await Self.copy(URL(fileURLWithPath: path), to: folder.path("back.mp4"))
        #expect(result.losses.contains { $0.item.contains("clean aperture") })
    }

    @Test(arguments: ["ts", "avi"])
    func `Display properties that a container cannot hold are named as lost`(_ ending: String) async throws {
        let folder = try TemporaryFolder()
        let turned = try await Self.copy(Fixture("rotate-90.mp4").url, to: folder.path("a.\(ending)"))
        #expect(turned.losses.contains { $0.item.contains("turned") })
        let cropped = try await Self.copy(Fixture("clean-aperture.mov").url, to: folder.path("b.\(ending)"))
        #expect(cropped.losses.contains { $0.item.contains("clean aperture") })
    }

    /// It was dropped without a word.
    @Test func `Alpha beside VP9 is named where it is lost, and kept where it can be`() async throws {
        let folder = try TemporaryFolder()
        let source = Fixture("alpha-vp9.webm").url
        #expect(try await Self.copy(source, to: folder.path("a.mp4")).losses.contains { $0.item.hasPrefix("alpha") })
        for ending in ["mkv", "webm"] {
            let path = folder.path("a.\(ending)")
            #expect(try await !Self.copy(source, to: path).losses.contains { $0.item.hasPrefix("alpha") })
            let decoder = ["-v", "error", "-c:v", "libvpx-vp9", "-i"]
            let end = ["-f", "framemd5", "-"]
            let made = try await Reading.run("ffmpeg", decoder + [path] + end).output
            let expected = try await Reading.run("ffmpeg", decoder + [source.path] + end).output
            #expect(made.contains("0,") && made == expected)
        }
    }

    @Test(.enabled(if: Fixture.corpus != nil, "the corpus of other people's files is not there"))
    func `Captions in the frames are kept by H.264 and named as lost by others`() async throws {
        let source = try #require(Fixture.corpus).appendingPathComponent("subtitles/fragmented_captions.mp4")
        for (preset, type, isLost) in [
            ("high", AVFileType.mp4, false), ("hevc-high", .mp4, true), ("webm-vp9", .webM, true), ("low", .mp4, false),
        ] {
            let session = try #require(AVAssetExportSession(asset: AVURLAsset(url: source), presetName: preset))
            let plan = try await session.plan(for: type)
            #expect(plan.losses.contains { $0.item.contains("captions") } == isLost)
        }
    }
}

/// What becomes of pictures of two fields.
@Suite("Fields of exported pictures", .timeLimit(.minutes(5)))
struct ExportedFieldTests {
    private func export(_ source: String, to path: String, preset: String) async throws {
        let session = try #require(
            AVAssetExportSession(asset: AVURLAsset(url: URL(fileURLWithPath: source)), presetName: preset))
        let url = URL(fileURLWithPath: path)
        try await session.export(to: url, as: try #require(AVFileType(filenameExtension: url.pathExtension)))
    }

    /// Whether each decoded picture has fields, and the top one first.
    private func fields(_ path: String) async throws -> Set<String> {
        let frames = try await Reading.probe(
            path, ["-select_streams", "v:0", "-show_entries", "frame=interlaced_frame,top_field_first"])
        return Set(frames.map { $0.prefix(2).joined(separator: ",") }.filter { $0.count == 3 })
    }

    @Test(arguments: ["interlaced-tff.mp4", "interlaced.ts"], ["mov", "mkv"])
    func `ProRes with fields says which comes first`(_ name: String, _ ending: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("new.\(ending)")
        try await export(Fixture(name).path, to: path, preset: "prores-422")
        let order = try await Reading.probe(path, ["-select_streams", "v:0", "-show_entries", "stream=field_order"])
        #expect(order.first?.first == "tt")
        #expect(try await fields(path) == ["1,1"])
        guard ending == "mov" else { return }
        // Two fields, the top one first and stored first.
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let box = try #require(bytes.range(of: Data("fiel".utf8)))
        #expect(Array(bytes[box.upperBound..<(box.upperBound + 2)]) == [2, 1])
    }

    /// MBAFF pictures were progressive in the next file.
    @Test(arguments: ["mkv", "ts", "avi"])
    func `MBAFF frames stay interlaced by way of another container`(_ ending: String) async throws {
        let folder = try TemporaryFolder()
        let (copy, path) = (folder.path("copy.\(ending)"), folder.path("new.mov"))
        try await export(Fixture("interlaced-tff.mp4").path, to: copy, preset: AVAssetExportPresetPassthrough)
        #expect(try await fields(copy) == ["1,1"])
        try await export(copy, to: path, preset: "prores-422")
        #expect(try await fields(path) == ["1,1"])
    }

    /// Pictures without fields had the bottom one first.
    @Test func `Frames without fields have the order of those around them`() async throws {
        let folder = try TemporaryFolder()
        let (source, path) = (folder.path("source.m2v"), folder.path("new.mov"))
        var bytes = Data()
        for (rate, options) in [("50", ["-vf", "tinterlace=4", "-flags", "+ilme+ildct"]), ("25", [])] {
            let part = folder.path("\(rate).m2v")
            try await Reading.ffmpeg(
                ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=\(rate):d=1"] + options + ["-c:v", "mpeg2video", part])
            bytes += try Data(contentsOf: URL(fileURLWithPath: part))
        }
        try bytes.write(to: URL(fileURLWithPath: source))
        #expect(try await fields(source) == ["1,1", "0,0"])
        try await export(source, to: path, preset: "prores-422")
        #expect(try await fields(path) == ["1,1"])
    }
}
