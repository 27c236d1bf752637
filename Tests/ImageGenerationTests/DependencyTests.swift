import FFmpegKit
import Foundation
import MediaAsset
import MediaTestSupport
import Testing

@testable import ImageGeneration
@testable import MediaEngine

/// An encoder's way of referring from picture to picture.
private struct ReferenceStructure: Sendable, CustomTestStringConvertible {
    let name: String
    let fileName: String
    let arguments: String

    var testDescription: String { name }

    static func x264(_ name: String, _ parameters: String, _ fileName: String = "a.mp4") -> ReferenceStructure {
        ReferenceStructure(
            name: "x264 \(name)", fileName: fileName,
            arguments: "-c:v libx264 -preset veryfast -x264-params keyint=60:\(parameters)")
    }

    static let all = [
        x264("one reference", "ref=1:bframes=3"),
        x264("one reference, CAVLC", "ref=1:bframes=3:cabac=0"),
        x264("one reference, CAVLC, slices", "ref=1:bframes=3:cabac=0:slices=3:b-pyramid=strict"),
        x264("one reference, temporal direct", "ref=1:bframes=5:b-adapt=0:direct=temporal", "a.mkv"),
        x264("one reference in a transport stream", "ref=1:bframes=3:slices=4", "a.ts"),
        x264("many references, weights", "ref=6:bframes=8:b-adapt=0:weightp=2:weightb=1"),
        x264("all references", "ref=16:bframes=16:b-adapt=0"),
        x264("no B-pictures, weights", "ref=3:bframes=0:weightp=2"),
        x264("open GOPs", "ref=2:bframes=3:open-gop=1:keyint=24"),
        x264("fields", "ref=1:bframes=3:interlaced=1"),
        ReferenceStructure(
            name: "x264 4:4:4 of 10 bits", fileName: "a.mov",
            arguments: "-c:v libx264 -preset superfast -pix_fmt yuv444p10le -g 60"),
        ReferenceStructure(
            name: "x265 temporal layers", fileName: "a.mp4",
            arguments:
                "-c:v libx265 -preset ultrafast -x265-params log-level=none:keyint=60:temporal-layers=1:bframes=3"),
        ReferenceStructure(
            name: "x265 open GOPs", fileName: "a.mkv",
            arguments: "-c:v libx265 -preset ultrafast -x265-params log-level=none:keyint=40:open-gop=1:bframes=4"),
        ReferenceStructure(
            name: "SVT-AV1 pyramids", fileName: "a.mkv", arguments: "-c:v libsvtav1 -preset 12 -g 60"),
        ReferenceStructure(
            name: "libaom, resilient", fileName: "a.webm",
            arguments: "-c:v libaom-av1 -usage realtime -cpu-used 8 -error-resilience 1 -g 60"),
        ReferenceStructure(
            name: "libaom, hidden pictures", fileName: "a.mp4", arguments: "-c:v libaom-av1 -cpu-used 8 -g 60 -t 3"),
    ]
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct `Decoding only what a picture depends on` {
    private let source = [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=5,noise=alls=12:allf=t", "-pix_fmt", "yuv420p",
    ]

    private func make(_ arguments: String, in folder: TemporaryFolder, _ fileName: String) async throws -> URL {
        let file = folder.url.appendingPathComponent(fileName)
        let made = try await CommandRun.run(
            "ffmpeg", source + arguments.split(separator: " ").map(String.init) + [file.path])
        try #require(made.exitCode == 0)
        return file
    }

    private func makeReader(_ file: URL) throws -> FrameReader {
        let source = AssetSource(path: file.path, policy: SafetyPolicy(), prefersPreciseDuration: false)
        return try FrameReader(source: source, streamIndex: 0)
    }

    @Test(arguments: Tier.some(ReferenceStructure.all, 5))
    fileprivate func `Frames decoded with only their references are those of a linear decode`(
        _ structure: ReferenceStructure
    ) async throws {
        let folder = try TemporaryFolder()
        let file = try await make(structure.arguments, in: folder, structure.fileName)
        let report = try await exactGenerator(of: AVURLAsset(url: file)).verifyFrames(samples: 130)
        #expect(report.frames >= 74)
        #expect(report.wrong == 0 && report.refused == 0, "\(report.findings.prefix(3))")
    }

    /// With a fixed pattern of I P B b b, each P-picture refers to the one before, the middle
    /// B-picture to the P-pictures around it, and the others to their neighbours.
    @Test(arguments: ["cabac=1", "cabac=0"])
    func `A frame is decoded with the fewest frames that its references allow`(_ coding: String) async throws {
        let folder = try TemporaryFolder()
        let parameters = "ref=1:bframes=3:b-adapt=0:b-pyramid=strict:scenecut=0:keyint=1000:\(coding)"
        let file = try await make(
            "-c:v libx264 -preset veryfast -x264-params \(parameters)", in: folder, "a.mp4")
        for number in [1, 2, 3, 4, 5, 6, 7, 8, 41, 42, 43, 44, 90] {
            let reader = try makeReader(file)
            guard case .shown(let shown) = try reader.frame(at: Int64(number) * 512, goesOn: false) else {
                Issue.record("frame \(number) cannot be had")
                continue
            }
            #expect(shown.ticks == Int64(number) * 512)
            let chain = (number + 3) / 4 + 1
            let least = number % 4 == 0 ? chain : number % 4 == 2 ? chain + 1 : chain + 2
            #expect(reader.counters.decoded == least, "frame \(number)")
            #expect(reader.counters.entries == 1)
        }
    }

    @Test func `A frame of an AV1 pyramid is decoded through its references, most frames skipped`() async throws {
        let folder = try TemporaryFolder()
        let file = try await make("-c:v libsvtav1 -preset 12 -g 1000", in: folder, "a.mkv")
        let reader = try makeReader(file)
        guard case .shown(let shown) = try reader.frame(at: 4600, goesOn: false) else {
            Issue.record("the frame cannot be had")
            return
        }
        #expect(shown.ticks == 4600)
        #expect(reader.counters.decoded < 40, "of 116 pictures")
        #expect(reader.counters.skipped > 60)
    }

    @Test func `Frames requested after a selective decode are still right`() async throws {
        let folder = try TemporaryFolder()
        let file = try await make(
            "-c:v libx264 -preset veryfast -x264-params ref=1:bframes=3:keyint=50", in: folder, "a.mp4")
        let linear = try makeReader(file)
        let digests = try (0..<125).map { number -> UInt64 in
            guard case .shown(let shown) = try linear.frame(at: Int64(number) * 512) else { return 0 }
            return shown.frame.contentDigest
        }
        let reader = try makeReader(file)
        for (number, goesOn) in [
            (30, false), (31, true), (33, false), (29, false), (90, false), (91, true), (92, true),
        ] {
            guard case .shown(let shown) = try reader.frame(at: Int64(number) * 512, goesOn: goesOn) else {
                Issue.record("frame \(number) cannot be had")
                continue
            }
            #expect(shown.frame.contentDigest == digests[number], "frame \(number)")
        }
    }
}
