import Foundation
import OpenAVFoundation
import Testing

private func fixture(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/\(name)")
}

@Suite(.timeLimit(.minutes(5))) struct `Code that loads as AVFoundation's clients do` {
    @Test func `Client code prepares a player by keys`() async throws {
        let facts = try await prepare("movie.mp4").get()
        // ffprobe's duration, ids, title and creation_time.
        #expect(facts.duration == 10 && facts.trackIDs == [1, 2, 3] && facts.title == "Counting bars")
        #expect(facts.formats == ["com.apple.itunes"] && facts.isExportable)
        // Of its two lists of chapters the text track counts, which ffprobe calls eng; Nero's has no language.
        #expect(facts.languages == ["en"])
        #expect(facts.created == "2024-05-06 07:08:09 +0000" && facts.transform == .identity)
    }

    @Test func `Client code learns which key of a player failed`() async throws {
        let outcome = await prepare("text.mp4")
        #expect(outcome == .failure(.key("playable", AVFoundationErrorDomain)))
    }

    private func prepare(_ name: String) async -> Result<PlayerPreparation.Facts, PlayerPreparation.Failure> {
        let preparation = PlayerPreparation(url: fixture(name))
        return await withCheckedContinuation { continuation in
            preparation.prepare { outcome in
                withExtendedLifetime(preparation) { continuation.resume(returning: outcome) }
            }
        }
    }

    @Test func `Client code loads keys of tracks and items`() async throws {
        let asset = AVURLAsset(url: fixture("movie.mp4"))
        for track in try await asset.load(.tracks) {
            #expect(await failures(of: track, keys: KeyStatusReport.trackKeys).isEmpty)
        }
        for item in try await asset.load(.metadata) {
            #expect(await failures(of: item, keys: KeyStatusReport.itemKeys).isEmpty)
        }
        #expect(await failures(of: asset, keys: ["tracks", "ducation"]) == ["ducation": -11862])
        var error: NSError?
        #expect(withUnsafeMutablePointer(to: &error) { !KeyStatusReport.isLoaded(asset, key: "nothing", error: $0) })
        #expect(error != nil && KeyStatusReport.isLoaded(asset, key: "tracks"))
        #expect(try await asset.load(.duration).seconds == 10)
    }

    private func failures<Object: AVAsynchronousKeyValueLoading>(of object: Object, keys: [String]) async -> [String:
        Int]
    {
        await withCheckedContinuation { continuation in
            KeyStatusReport.failures(of: object, keys: keys) { continuation.resume(returning: $0) }
        }
    }

    @Test func `Client code fills a table with completion handlers`() async throws {
        let (rows, problems) = await table("languages.mp4")
        #expect(problems.isEmpty)
        // ffprobe: 320x240 at 25/1; eng, deu, fra; deu.
        #expect(rows.map(\.detail).dropFirst() == ["320x240 @ 25.0", "eng", "deu", "fra", "deu"])
        #expect(rows.map(\.type).dropFirst() == ["vide", "soun", "soun", "soun", "sbtl"])
        let (none, errors) = await table("text.mp4")
        #expect(none.map(\.detail) == ["0 items"] || none.map(\.detail) == ["-1 items"])
        #expect(errors == ["sbtl", "soun", "tmcd", "vide"].map { "\($0): \(AVFoundationErrorDomain)" })
    }

    private func table(_ name: String) async -> ([TrackTable.Row], [String]) {
        let table = TrackTable(asset: AVAsset(url: fixture(name)))
        return await withCheckedContinuation { continuation in
            table.load { rows, problems in
                withExtendedLifetime(table) { continuation.resume(returning: (rows, problems)) }
            }
        }
    }

    @Test func `Client code keeps assets and tracks in sets`() async throws {
        let cache = AssetCache()
        let identifier = UUID()
        let asset = LibraryAsset(identifier: identifier, url: fixture("movie.mp4"))
        let copy = try #require(asset.copy() as? AVAsset)
        let other = AVAsset(url: fixture("languages.mp4"))
        #expect(try await cache.duration(of: asset).seconds == 10)
        #expect(try await cache.duration(of: copy).seconds == 10)
        #expect(try await cache.duration(of: other).seconds == 3)
        #expect(cache.loads == 2 && cache.identifiers() == [identifier])
        #expect(cache.fileName(of: other) == "languages.mp4" && cache.fileName(of: copy) == "movie.mp4")
        for track in other.tracks { cache.toggle(track) }
        for track in try await other.loadTracks(withMediaType: .audio) { cache.toggle(track) }
        #expect(cache.selected.map(\.trackID).sorted() == [1, 5])
        #expect(cache.generators(for: [asset, other]).count == 4)
    }

    @Test(arguments: [
        // ffprobe's width, height and rotation.
        ("movie.mp4", CGSize(width: 160, height: 120), VideoGeometry.Direction.up),
        ("rotate-90.mp4", CGSize(width: 120, height: 160), .right),
        ("rotate-180.mp4", CGSize(width: 160, height: 120), .down),
        ("rotate-270.mp4", CGSize(width: 120, height: 160), .left),
    ])
    func `Client code computes sizes of synchronous facts`(
        _ name: String, _ size: CGSize, _ way: VideoGeometry.Direction
    ) throws {
        let geometry = try #require(VideoGeometry(asset: AVAsset(url: fixture(name)), maximumSide: 160))
        #expect(geometry.renderSize == size && geometry.direction == way)
        #expect(geometry.isPortrait == (size.height > size.width))
        #expect(geometry.frameDuration == CMTime(value: 1, timescale: 25) && geometry.targetBitRate > 0)
        #expect(VideoGeometry(asset: AVAsset(url: fixture("audio-only.m4a")), maximumSide: 160) == nil)
    }

    @Test func `Client code reports tracks by eight properties`() async throws {
        let reports = try await TrackReport.all(of: fixture("movie.mp4"))
        // ffprobe's codec tags, durations, sums of packets' sizes and bit rates.
        #expect(reports.prefix(2).map(\.codec) == ["avc1", "aac "])
        #expect(reports.prefix(2).map(\.bytes) == [56237, 59562] && reports.map(\.seconds) == [10, 10, 10])
        #expect(reports[0].bitRate == 44990 && reports.prefix(2).allSatisfy(\.isUsable))
        await #expect(throws: AVError.self) { try await TrackReport.all(of: fixture("text.mp4")) }
    }

    @Test func `Client code lists languages`() {
        let menu = LanguageMenu(asset: AVAsset(url: fixture("languages.mp4")))
        // ffprobe's languages and dispositions.
        #expect(menu.sound.map(\.title) == ["English", "German", "French"] && menu.sound.map(\.trackID) == [2, 3, 4])
        #expect(menu.sound.map(\.isSelected) == [false, true, false])
        #expect(menu.subtitles.map(\.title) == ["German"] && menu.hasAlternatives && menu.chapterTrack == nil)
        #expect(LanguageMenu(asset: AVAsset(url: fixture("movie.mov"))).chapterTrack == 3)
    }

    @Test func `Client code finds media times through edit lists`() async throws {
        let asset = AVURLAsset(url: fixture("edit-list-empty.mp4"))
        let track = try #require(try await asset.loadTracks(withMediaType: .video).first)
        let clock = MediaClock(track: track)
        #expect(clock.owner === asset)
        let (shown, empty) = clock.shownAndEmpty()
        // The empty edit lasts a second, the pictures ffprobe's three.
        #expect(empty.seconds == 1 && shown.seconds == 3)
        let media = try await clock.mediaSeconds(at: [0.5, 1, 2.5, 99])
        #expect(media[0] == nil && media[3] == nil)
        let (later, earlier) = (try #require(media[2]), try #require(media[1]))
        #expect(abs(later - earlier - 1.5) < 1e-9)
        #expect(clock.isGap(at: .zero) && !clock.isGap(at: CMTime(value: 1, timescale: 1)))
    }

    @Test func `Client code accepts or rejects uploads by type`() async {
        let gate = UploadGate()
        #expect(gate.accepts(mimeType: "video/mp4") && !gate.accepts(mimeType: "application/pdf"))
        #expect(AVURLAsset.isPlayableExtendedMIMEType("video/mp4; codecs=\"avc1.640028, mp4a.40.2\""))
        #expect(AVURLAsset.isPlayableExtendedMIMEType("Audio/MPEG"))
        #expect(!AVURLAsset.isPlayableExtendedMIMEType("video/mp4; codecs=\"avc1.640028, xyz9\""))
        #expect(!AVURLAsset.isPlayableExtendedMIMEType("text/html"))
        #expect(Set(AVURLAsset.audiovisualTypes()).isSuperset(of: [.mov, .mp4, .m4a, .mp3, .wav]))
        #expect(!AVURLAsset.audiovisualTypes().contains(.jpg))
        let size = CGSize(width: 320, height: 240)
        #expect(await gate.verdict(on: fixture("movie.mp4"), mimeType: "video/mp4") == .accepted(naturalSize: size))
        let text = await gate.verdict(on: fixture("text.mp4"), mimeType: "video/mp4")
        #expect(text == .unreadable(AVError.Code.fileFormatNotRecognized.rawValue))
        #expect(await gate.verdict(on: fixture("movie.mp4"), mimeType: "text/plain") == .unknownType)
    }
}
