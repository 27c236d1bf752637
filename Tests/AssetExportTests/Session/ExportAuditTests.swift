import AssetExport
import FFmpegKit
import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaIO
import MediaMetadata
import MediaTestSupport
import Testing

/// Something that ffmpeg takes away from a film, and what the audit has to call it.
private struct Removal: CustomTestStringConvertible, Sendable {
    let fixture: String
    let arguments: [String]
    let ending: String
    let trait: ExportLoss.Trait?
    let kind: ExportLoss.Kind
    var item = ""

    init(
        _ fixture: String, _ arguments: String, to ending: String, _ trait: ExportLoss.Trait?,
        _ kind: ExportLoss.Kind = .media, item: String = ""
    ) {
        (self.fixture, self.ending, self.trait, self.kind) = (fixture, ending, trait, kind)
        (self.arguments, self.item) = (arguments.split(separator: " ").map(String.init), item)
    }

    var testDescription: String { "\(fixture) \(arguments.joined(separator: " "))" }
}

@Suite("What a finished file lost", .timeLimit(.minutes(15)))
struct ExportAuditTests {
    private func inventory(_ path: String, readsWhole: Bool) throws -> MediaInventory {
        try MediaInventory(
            AssetSource(path: path, policy: SafetyPolicy(), prefersPreciseDuration: false), readsWhole: readsWhole)
    }

    /// What an audit says of a copy that another program made, which no plan knows of.
    private func findings(_ source: String, copy arguments: [String], to ending: String) async throws -> [ExportLoss] {
        let folder = try TemporaryFolder()
        let copy = folder.path("copy.\(ending)")
        let made = try await CommandRun.run(
            "ffmpeg", ["-v", "error", "-i", source, "-map", "0", "-c", "copy"] + arguments + [copy])
        try #require(made.exitCode == 0, "\(made.errorOutput)")
        if arguments.contains("rotate=0") { try turnTracks(of: URL(fileURLWithPath: copy), by: 0) }
        let session = try #require(
            AVAssetExportSession(
                asset: AVURLAsset(url: URL(fileURLWithPath: source)), presetName: AVAssetExportPresetPassthrough))
        let plan = try await session.plan(for: try #require(AVFileType(filenameExtension: ending)))
        return ExportAudit(
            source: try inventory(source, readsWhole: true), output: try inventory(copy, readsWhole: true), plan: plan,
            range: plan.requestedRange, known: []
        ).findings()
    }

    @Test(arguments: [
        Removal("rotate-90.mp4", "-metadata:s:v rotate=0", to: "mp4", .orientation),
        Removal("anamorphic.mp4", "-aspect 1:1", to: "mp4", .pixelAspectRatio),
        Removal("languages.mkv", "-metadata:s:a:0 language=", to: "mkv", .language),
        Removal("languages.mkv", "-metadata:s:a:0 language=fin", to: "mkv", .language),
        Removal("movie.mp4", "-map -0:a", to: "mp4", nil, .track),
        Removal("movie.mp4", "-map_chapters -1", to: "mp4", nil, .chapters),
        Removal("movie.mp4", "-map_metadata -1", to: "mp4", nil, .metadata, item: "itsk/%A9nam"),
        Removal("movie.mp4", "-metadata title=Other", to: "mp4", nil, .metadata, item: "itsk/%A9nam"),
        Removal("movie.mp4", "-t 5", to: "mp4", .frames),
        Removal("alpha-vp9.webm", "-metadata:s:v alpha_mode=", to: "webm", .alpha),
    ])
    private func `A loss in a finished file is named, whatever it is`(_ removal: Removal) async throws {
        let found = try await findings(Fixture(removal.fixture).path, copy: removal.arguments, to: removal.ending)
        #expect(
            found.contains { loss in
                loss.kind == removal.kind && loss.trait == removal.trait && !loss.isForeseen
                    && (removal.item.isEmpty || loss.item == removal.item)
            }, "\(found)")
    }

    @Test(arguments: [("movie.mp4", "mp4"), ("cues.mkv", "mkv"), ("vp9.webm", "webm"), ("h264.ts", "ts")])
    func `A complete copy has no losses`(_ name: String, ending: String) async throws {
        #expect(try await findings(Fixture(name).path, copy: [], to: ending).filter { $0.kind != .metadata } == [])
    }

    /// Whatever is found here was lost by an export that did not say so.
    @Test(arguments: Tier.some(["mp4", "mov", "mkv", "webm", "ts", "avi", "m4a", "mp3", "ogg"], 3))
    func `Losses in a finished file are in the plan already, for every fixture`(_ ending: String) async throws {
        let fileType = try #require(AVFileType(filenameExtension: ending))
        for name in try FileManager.default.contentsOfDirectory(atPath: Fixture.folder.path).sorted() {
            guard name.contains("."), name != "README.md", !Self.unlisted.contains(name) else { continue }
            let folder = try TemporaryFolder()
            let session = try #require(
                AVAssetExportSession(asset: Fixture(name).asset, presetName: AVAssetExportPresetPassthrough))
            session.auditDepth = .full
            do {
                try await session.export(to: folder.url.appendingPathComponent("new.\(ending)"), as: fileType)
            } catch let error as AVError {
                #expect(error.code != .exportFailed, "\(name): \(error.reason)")
                continue
            }
            let found = try #require(session.result).losses.filter { !$0.isForeseen }
            #expect(found == [], "\(name) to \(ending)")
        }
    }

    /// Long films of which others here have all that matters.
    private static let unlisted: Set<String> = ["long-gop.mp4"]

    @Test func `The timecode of the first frame is copied, or named as lost`() async throws {
        let folder = try TemporaryFolder()
        let source = folder.path("labelled.mov")
        let made = try await CommandRun.run(
            "ffmpeg",
            [
                "-v", "error", "-i", Fixture("movie.mp4").path, "-map", "0:v", "-c", "copy", "-timecode", "01:02:03:04",
                source,
            ])
        try #require(made.exitCode == 0, "\(made.errorOutput)")
        for (ending, isHeld) in [("mkv", true), ("mp4", true), ("avi", false), ("ts", false)] {
            let session = try #require(
                AVAssetExportSession(
                    asset: AVURLAsset(url: URL(fileURLWithPath: source)), presetName: AVAssetExportPresetPassthrough))
            let output = folder.path("new.\(ending)")
            try await session.export(
                to: URL(fileURLWithPath: output), as: try #require(AVFileType(filenameExtension: ending)))
            let losses = try #require(session.result).losses
            #expect(losses.filter { !$0.isForeseen } == [], "\(ending)")
            #expect(losses.contains { $0.trait == .timecode } == !isHeld, "\(ending): \(losses)")
            let said = try await CommandRun.run(
                "ffprobe",
                ["-v", "error", "-show_entries", "stream_tags=timecode:format_tags=timecode", "-of", "csv", output])
            #expect(said.output.contains("01:02:03:04") == isHeld, "\(ending): \(said.output)")
        }
    }

    @Test func `A finished file is not audited where that is turned off`() async throws {
        let folder = try TemporaryFolder()
        let session = try #require(
            AVAssetExportSession(asset: Fixture("movie.mp4").asset, presetName: AVAssetExportPresetPassthrough))
        session.auditDepth = .none
        try await session.export(to: folder.url.appendingPathComponent("new.mp4"), as: .mp4)
        #expect(session.result?.auditDepth == ExportAuditDepth.none)
    }
}
