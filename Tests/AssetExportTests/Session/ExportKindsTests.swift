import AssetExport
import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaIO
import MediaMetadata
import MediaTestSupport
import MetadataFormats
import Testing

/// What is asked of metadata, with every preset and every kind of file that it makes.
@Suite("Metadata and kinds of files", .timeLimit(.minutes(10)))
struct ExportKindsTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var preset: String
        var fixture: String
        var testDescription: String { "\(preset) of \(fixture)" }
    }

    static let cases = ExportPresetCatalog.builtIn.names.flatMap { preset in
        ["one-frame.mp4", "audio-only.flac", "movie.mov"].map { Case(preset: preset, fixture: $0) }
    }

    /// A picture of one pixel.
    static let picture = MediaItem.Artwork(
        data: Array(
            Data(
                base64Encoded:
                    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
            ) ?? Data()))

    /// Changes of metadata, and whether they ask for something by name.
    static let changes: [(name: String, asks: Bool, change: @Sendable (AVAssetExportSession) throws -> Void)] = [
        ("nothing", false, { _ in }),
        ("a field", true, { try $0.setMetadata("title", to: "X") }),
        ("a pair", true, { try $0.setMetadata("track", to: "3/12") }),
        ("a place", true, { try $0.setMetadata("location", to: "48.8,2.3") }),
        ("a name of one's own", true, { try $0.setMetadata("vorb/MINE", to: "X") }),
        ("a picture", true, { $0.artwork = Self.picture }),
        ("a removal", false, { try $0.removeMetadata("title") }),
        ("no metadata", false, { $0.metadata = [] }),
        ("a filter", false, { $0.metadataItemFilter = .forSharing() }),
    ]

    @Test(arguments: Tier.some(cases, 24))
    func `Changes of metadata are planned for every kind of file, and losses are named`(_ c: Case) async throws {
        let preset = try ExportPresetCatalog.builtIn.entry(c.preset).preset
        for fileType in preset.fileTypes {
            for (name, asks, change) in Self.changes {
                let session = try #require(AVAssetExportSession(asset: Fixture(c.fixture).asset, presetName: c.preset))
                try change(session)
                do {
                    let plan = try await session.plan(for: fileType)
                    guard fileType.holdsNoTags, c.fixture == "movie.mov" else { continue }
                    #expect(!asks, "\(name) is lost in silence in \(fileType)")
                    if name == "nothing" {
                        #expect(plan.losses.contains { $0.item == "mdta/title" }, "\(fileType): \(plan.losses)")
                    }
                } catch is MetadataNameError {
                    #expect(asks, "\(name) in \(fileType)")
                } catch is AVError {
                    // The preset cannot make that of this source, or the file has no place for what was asked for.
                }
            }
        }
    }

    @Test(arguments: ["ogg", "mkv"])
    func `Metadata of the further links of chained Ogg files is named as lost`(_ ending: String) async throws {
        let folder = try TemporaryFolder()
        var chain = Data()
        for title in ["One", "Two"] {
            _ = try await CommandRun.run(
                "ffmpeg",
                [
                    "-v", "error", "-f", "lavfi", "-i", "sine=d=1", "-metadata", "title=\(title)", "-c:a", "libvorbis",
                    folder.path("\(title).ogg"),
                ])
            chain += try Data(contentsOf: folder.url.appendingPathComponent("\(title).ogg"))
        }
        try chain.write(to: folder.url.appendingPathComponent("chain.ogg"))
        let asset = AVURLAsset(url: folder.url.appendingPathComponent("chain.ogg"))
        let session = try #require(AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough))
        let url = folder.url.appendingPathComponent("a.\(ending)")
        try await session.export(to: url, as: try #require(AVFileType(filenameExtension: ending)))
        let lost = try #require(session.result).losses.map(\.item)
        #expect(lost.contains("what decoders leave out where links meet"), "\(lost)")
        #expect(lost.contains("vorb/title of link 2"), "\(lost)")
        #expect(try MetadataFile(url: url).mediaItem.name == "One")
    }

    @Test(arguments: ["gif", "ts", "caf"])
    func `Files that hold no tags refuse to set some and name those of the source`(_ ending: String) async throws {
        let folder = try TemporaryFolder()
        let fileType = try #require(AVFileType(filenameExtension: ending))
        let preset = ending == "gif" ? "gif" : AVAssetExportPresetPassthrough
        func session() throws -> AVAssetExportSession {
            let session = try #require(
                AVAssetExportSession(asset: Fixture("movie.mov").asset, presetName: preset))
            session.timeRange = CMTimeRange(start: .zero, duration: CMTime(value: 1, timescale: 1))
            return session
        }
        let url = folder.url.appendingPathComponent("a.\(ending)")
        let asking = try session()
        try asking.setMetadata("title", to: "X")
        let error = await #expect(throws: AVError.self) { try await asking.export(to: url, as: fileType) }
        #expect(error?.reason.contains("title: this kind of file holds no metadata") == true)
        #expect(try folder.contents() == [])
        // FFmpeg cannot put this fixture's sound into CAF.
        guard ending != "caf" else { return }
        let plain = try session()
        try await plain.export(to: url, as: fileType)
        let lost = try #require(plain.result).losses.map(\.item)
        #expect(lost.contains("mdta/title") && lost.contains("mdta/artist"), "\(lost)")
    }
}

extension AVFileType {
    fileprivate var holdsNoTags: Bool { [.gif, .mpeg2TransportStream, .caf, .ac3, .eac3].contains(self) }
}
