import AssetExport
import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaMetadata
import MediaTestSupport
import SampleBuffers
import Testing

/// A client adds items to those of the film, whose own ones, of bare keys, it cannot tell by common keys.
@Suite("Items that a client adds to a film's own", .timeLimit(.minutes(5)))
struct SetItemTests {
    struct Target: Sendable, CustomTestStringConvertible {
        let preset: String
        let ending: String
        var source = "movie.mov"
        var testDescription: String { "\(source) as \(ending) by \(preset)" }
    }

    static let targets: [Target] = [
        Target(preset: AVAssetExportPresetPassthrough, ending: "mov"),
        Target(preset: AVAssetExportPresetPassthrough, ending: "mp4"),
        Target(preset: AVAssetExportPresetLowQuality, ending: "mov"),
        Target(preset: AVAssetExportPresetLowQuality, ending: "mp4"),
        Target(preset: "passthrough", ending: "mkv"), Target(preset: "webm-vp9", ending: "webm"),
        Target(preset: AVAssetExportPresetAppleM4A, ending: "m4a"), Target(preset: "mp3", ending: "mp3"),
        Target(preset: "flac", ending: "flac"), Target(preset: "opus", ending: "opus"),
        Target(preset: "opus", ending: "ogg"),
        Target(preset: AVAssetExportPresetPassthrough, ending: "m4a", source: "audio-only.m4a"),
        Target(preset: AVAssetExportPresetAppleM4A, ending: "m4a", source: "audio-only.mp3"),
        Target(preset: "flac", ending: "flac", source: "audio-only.mp3"),
        Target(preset: "passthrough", ending: "mp4", source: "languages.mkv"),
        Target(preset: "passthrough", ending: "mkv", source: "movie.mp4"),
    ]

    private static let texts: [(AVMetadataKey, String)] = [
        (.commonKeyTitle, "Nouveau titre"), (.commonKeyArtist, "Someone"),
        (.commonKeyCreationDate, "2023-11-14T22:13:20Z"),
    ]

    private static let items: [AVMetadataItem] = texts.map { key, text in
        let item = AVMutableMetadataItem()
        item.keySpace = .common
        item.key = key.rawValue as NSString
        item.value = text as NSString
        return item
    }

    private struct Probe: Decodable {
        struct Part: Decodable { var tags: [String: String]? }
        var format: Part
        var streams: [Part]
    }

    /// All that ffprobe says of a file by names in small letters; several values of one name in one text.
    private func tags(_ path: String) async throws -> [String: String] {
        let run = try await CommandRun.run(
            "ffprobe", ["-v", "error", "-of", "json", "-show_format", "-show_streams", path])
        let probe = try JSONDecoder().decode(Probe.self, from: run.standardOutput)
        let all = ([probe.format] + probe.streams).flatMap { $0.tags ?? [:] }.map { ($0.key.lowercased(), $0.value) }
        return Dictionary(all, uniquingKeysWith: { "\($0);\($1)" })
    }

    /// All that exiftool says of a file's own words.
    private func words(_ path: String, _ tags: String...) async throws -> [String] {
        let run = try await CommandRun.run("exiftool", ["-s3", "-a", "-n"] + tags.map { "-\($0)" } + [path])
        return String(decoding: run.standardOutput, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func check(_ path: String, _ target: Target, old: [String: String]) async throws {
        let new = try await tags(path)
        for (key, text) in Self.texts.prefix(2) {
            let names = [key.rawValue, "com.apple.quicktime." + key.rawValue]
            #expect(Set(names.compactMap { new[$0] }) == [text], "\(new)")
        }
        for old in [old["title"], old["artist"], old["com.apple.quicktime.creationdate"]].compactMap({ $0 }) {
            #expect(!new.values.contains { $0.contains(old) }, "\(old): \(new)")
        }
        #expect(new.values.contains { $0.hasPrefix("2023-11-14") }, "\(new)")
        guard ["mov", "mp4", "m4a", "mp3", "flac"].contains(target.ending) else { return }
        // A film may say it in several places.
        #expect(Set(try await words(path, "Title")) == ["Nouveau titre"])
        #expect(Set(try await words(path, "Artist")) == ["Someone"])
    }

    @Test(arguments: Tier.some(targets, 4)) func `Items that a client adds replace the source's`(_ target: Target)
        async throws
    {
        let folder = try TemporaryFolder()
        let asset = Fixture(target.source).asset
        let session = try #require(AVAssetExportSession(asset: asset, presetName: target.preset))
        session.metadata = try await asset.load(.metadata) + Self.items
        let url = folder.url.appendingPathComponent("new.\(target.ending)")
        try await session.export(to: url, as: try #require(AVFileType(filenameExtension: target.ending)))
        try await check(url.path, target, old: try await tags(Fixture(target.source).path))
        let losses = try #require(session.result).losses
        // What gave way is told, once.
        for key in ["mdta/title", "mdta/artist", "mdta/creation_time"] where target.source == "movie.mov" {
            #expect(losses.filter { $0.item == key }.count == 1, "\(key): \(losses.map(\.item))")
        }
        #expect(!losses.contains { $0.item.hasPrefix("common/") }, "\(losses)")
    }

    @Test(arguments: Tier.some(targets, 4))
    func `Items that a client adds by name replace the source's`(_ target: Target) async throws {
        let folder = try TemporaryFolder()
        let session = try #require(
            AVAssetExportSession(asset: Fixture(target.source).asset, presetName: target.preset))
        for (name, text) in zip(["title", "artist", "creation-date"], Self.texts.map(\.1)) {
            try session.setMetadata(name, to: text)
        }
        let url = folder.url.appendingPathComponent("new.\(target.ending)")
        try await session.export(to: url, as: try #require(AVFileType(filenameExtension: target.ending)))
        try await check(url.path, target, old: try await tags(Fixture(target.source).path))
    }

    @Test func `Items that a client adds by identifier replace the source's`() async throws {
        let folder = try TemporaryFolder()
        let asset = Fixture("movie.mov").asset
        for (identifier, ending) in [
            (AVMetadataIdentifier.quickTimeMetadataTitle, "mov"), (.iTunesMetadataSongName, "mov"),
            (.iTunesMetadataSongName, "mkv"), (.id3MetadataTitleDescription, "mp4"), (.commonIdentifierTitle, "mp4"),
        ] {
            let session = try #require(AVAssetExportSession(asset: asset, presetName: "passthrough"))
            let item = AVMutableMetadataItem()
            item.identifier = identifier
            item.value = "Nouveau titre" as NSString
            session.metadata = try await asset.load(.metadata) + [item]
            let url = folder.url.appendingPathComponent("\(identifier.rawValue.filter(\.isLetter)).\(ending)")
            try await session.export(to: url, as: try #require(AVFileType(filenameExtension: ending)))
            let new = try await tags(url.path)
            let titles = ["title", "com.apple.quicktime.title"].compactMap { new[$0] }
            #expect(titles == ["Nouveau titre"], "\(identifier.rawValue) in \(ending): \(new)")
            #expect(new["artist"] == "Fixture Band")
        }
    }
}
