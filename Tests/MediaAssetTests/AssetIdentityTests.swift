import Foundation
import MediaCore
import MediaTestSupport
import Testing

@testable import MediaAsset

/// A subclass as clients write them, with an initialiser of its own.
private final class NamedAsset: AVURLAsset, @unchecked Sendable {
    let name: String

    init(name: String, url: URL) {
        self.name = name
        super.init(url: url, options: nil)
    }
}

/// A subclass without one.
private final class PlainAsset: AVURLAsset, @unchecked Sendable {}

@Suite struct `Assets and tracks as objects` {
    private let fixture = Fixture("languages.mp4")

    @Test func `Assets made of a URL are URL assets`() throws {
        let asset = AVAsset(url: fixture.url)
        #expect((asset as? AVURLAsset)?.url == fixture.url)
        let make: (URL) -> AVAsset = AVAsset.init(url:)
        #expect(make(fixture.url) is AVURLAsset)
        #expect(type(of: AVURLAsset(url: fixture.url)) == AVURLAsset.self)
    }

    @Test func `Assets may be subclassed`() async throws {
        let named = NamedAsset(name: "a", url: fixture.url)
        #expect(try await named.load(.duration).seconds == 3)
        #expect(named.tracks.first?.asset === named)
        #expect((named.copy() as? NamedAsset)?.name == "a")
        #expect(type(of: PlainAsset(url: fixture.url)) == PlainAsset.self)
    }

    @Test func `Assets equal their copies and no others`() throws {
        let asset = fixture.asset
        let copy = try #require(asset.copy() as? AVURLAsset)
        #expect(copy == asset && copy.hash == asset.hash && copy.url == asset.url)
        #expect(asset != fixture.asset)
        #expect(asset.isEqual(nil) == false && !asset.isEqual("asset"))
        #expect(Set([asset, copy, fixture.asset]).count == 2)
    }

    @Test func `Tracks are equal by asset and number`() async throws {
        let asset = fixture.asset
        let tracks = try await asset.load(.tracks)
        let again = try await asset.loadTracks(withMediaType: .audio)
        #expect(tracks.filter { $0.mediaType == .audio } == again)
        #expect(Set(tracks + again).count == 5)
        #expect(tracks != fixture.asset.tracks)
        #expect(tracks[0] != tracks[1])
        #expect((tracks[0].copy() as? AVAssetTrack) == tracks[0])
    }

    @Test func `Tracks know their asset and do not retain it`() async throws {
        var asset: AVURLAsset? = fixture.asset
        let track = try #require(try await asset?.loadTrack(withTrackID: 2))
        #expect(track.asset === asset)
        asset = nil
        // The task that loaded its tracks may have it for a moment longer.
        #expect(await eventually(within: .seconds(20)) { track.asset == nil })
        #expect(track.languageCode == "eng" && track.associatedTracks(ofType: .chapterList).isEmpty)
        #expect(Fixture("movie.mov").asset.tracks.first?.associatedTracks(ofType: .chapterList).map(\.trackID) == [3])
    }

    @Test func `Segments are equal by their time mapping`() throws {
        let first = try #require(Fixture("edit-list-trim.mp4").asset.tracks.first?.segments)
        let second = try #require(Fixture("edit-list-trim.mp4").asset.tracks.first?.segments)
        #expect(first == second && first.map(\.hash) == second.map(\.hash))
        #expect(first != Fixture("movie.mp4").asset.tracks.first?.segments)
    }
}
