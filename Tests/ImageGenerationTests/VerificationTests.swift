import FFmpegKit
import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaTestSupport
import Testing

@testable import ImageGeneration

@Suite(.serialized) struct `Random access compared with a linear decode` {
    private static let damaged: Set<String> = ["damaged.mp4", "damaged.ts", "truncated.mp4"]

    @Test(arguments: Tier.some(Fixture.video, 24))
    func `Random access gives no wrong frame of a fixture`(_ fixture: Fixture) async throws {
        let report = try await fixture.generator.verifyFrames(samples: 16)
        #expect(report.frames == (try Sidecar.load(fixture).frames?.count))
        #expect(report.asked >= min(report.frames, 16) * 2)
        #expect(report.wrong == 0, "\(report.findings.prefix(3))")
        #expect(report.refusedInVain == 0, "\(report.findings.prefix(3))")
        // The one fixture of which the end is missing.
        let isCut = fixture.name == "truncated.mp4"
        #expect((report.readFailure != nil) == isCut)
        #expect(report.isPassed == (report.refused == 0 && !isCut))
        if !Self.damaged.contains(fixture.name) {
            #expect(report.refused == 0, "\(report.findings.prefix(3))")
            #expect(report.damagedFrames == 0)
        }
    }

    @Test(arguments: [Fixture("damaged.mp4"), Fixture("damaged.ts")])
    func `Random access refuses damaged frames, and the report names them`(_ fixture: Fixture) async throws {
        let report = try await fixture.generator.verifyFrames(samples: 300)
        #expect(report.wrong == 0, "\(report.findings.prefix(3))")
        #expect(report.refused > 0)
        #expect(report.damagedFrames > 0)
        #expect(!report.isPassed)
        #expect(report.findings.count == min(100, report.refused))
        #expect(report.findings.allSatisfy { $0.reason.hasPrefix("refused") && !$0.actualTime.isValid })
    }

    // A read error was taken for the end of the file, whose rest was not verified.
    @Test func `Verification reports why the linear decode did not come to the end`() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("broken.y4m")
        let size = 16
        var bytes = Array("YUV4MPEG2 W\(size) H\(size) F25:1 Ip A1:1 C420jpeg\n".utf8)
        for number in 0..<200 {
            bytes += Array((number == 150 ? "broken" : "FRAME\n").utf8)
            bytes += [UInt8](repeating: UInt8(number), count: size * size * 3 / 2)
        }
        try Data(bytes).write(to: url)
        let source = AVURLAsset(url: url).source
        let decode = try LinearDecode(source: source, streamIndex: 0, interrupt: Interrupt()) { _ in }
        #expect(decode.pictures.count == 150)
        #expect(decode.readFailure != nil)
    }

    @Test func `Verification with the same seed asks for the same times`() async throws {
        let generator = Fixture("damaged.mp4").generator
        let first = try await generator.verifyFrames(samples: 40, seed: 5)
        let second = try await generator.verifyFrames(samples: 40, seed: 5)
        let third = try await generator.verifyFrames(samples: 40, seed: 6)
        #expect(first.findings.map(\.requestedTime) == second.findings.map(\.requestedTime))
        #expect(first.findings.map(\.requestedTime) != third.findings.map(\.requestedTime))
    }

    @Test func `Verification of a file without video is an error`() async {
        await #expect(throws: AVError.self) { try await Fixture("audio-only.m4a").generator.verifyFrames() }
    }

    private static let corpusFiles: [URL] = {
        guard let corpus = Fixture.corpus else { return [] }
        let wanted = ["open-gop", "ts-ps", "avi", "vfr", "start-time", "edit-list"]
        return wanted.flatMap { name -> [URL] in
            let folder = corpus.appendingPathComponent(name)
            let files = try? FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: [.fileSizeKey])
            let small = (files ?? []).filter { url in
                let size = try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize
                return (size ?? .max) < 1_500_000
            }
            return Array(small.sorted { $0.path < $1.path }.prefix(2))
        }
    }()

    @Test(
        .enabled(if: Tier.isFull, Comment(rawValue: Tier.skipReason)),
        .enabled(if: Fixture.corpus != nil, "the corpus of other people's files is not there"), arguments: corpusFiles)
    func `Random access gives no wrong frame of the corpus`(_ url: URL) async throws {
        let asset = AVURLAsset(url: url)
        guard let description = try? await asset.loadDescription(), description.videoTrack != nil else { return }
        let report = try await exactGenerator(of: asset).verifyFrames(samples: 12)
        #expect(report.wrong == 0, "\(report.findings.prefix(3))")
        #expect(report.refusedInVain == 0, "\(report.findings.prefix(3))")
    }
}
