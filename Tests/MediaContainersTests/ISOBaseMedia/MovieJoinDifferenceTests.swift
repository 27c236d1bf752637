import MediaCore
import MediaIO
import TestSupport
import Testing

@testable import MediaContainers

@Suite("Differences between joined movies")
struct MovieJoinDifferenceTests {
    private static func picture(
        _ type: String = "avc1", width: Int = 640, height: Int = 360, name: UInt8 = 0, _ boxes: [UInt8] = []
    ) -> MovieBuilder {
        let fields =
            MovieBuilder.zeros(7) + [1] + MovieBuilder.zeros(16) + MovieBuilder.u16(width) + MovieBuilder.u16(height)
            + MovieBuilder.zeros(14) + Array(repeating: name, count: 32) + MovieBuilder.zeros(4)
        return MovieBuilder(tracks: [
            MovieBuilder.Track(entries: [(type, fields + boxes)], durations: [50, 50], samples: numbered(2))
        ])
    }

    private static func sound(rate: Int, channels: Int) -> MovieBuilder {
        let fields =
            MovieBuilder.zeros(7) + [1] + MovieBuilder.zeros(8) + MovieBuilder.u16(channels) + MovieBuilder.zeros(6)
            + MovieBuilder.u32(rate << 16)
        return MovieBuilder(tracks: [
            MovieBuilder.Track(handler: "soun", entries: [("mp4a", fields)], durations: [50, 50], samples: numbered(2))
        ])
    }

    private static func differences(_ first: MovieBuilder, _ second: MovieBuilder) throws -> [MovieTrackDifference] {
        try MovieJoin([.init(first, lasting: 1000), .init(second, lasting: 1000)]).differences.map(\.difference)
    }

    @Test func `Differences between joined movies are described in words`() throws {
        let size = try Self.differences(Self.picture(), Self.picture(width: 320, height: 180))
        #expect(size == [.init(kind: .dimensions, text: "size 640x360 against 320x180")])
        let codec = try Self.differences(Self.picture(), Self.picture("hvc1"))
        #expect(codec == [.init(kind: .codec, text: "codec avc1 against hvc1")])
        let sound = try Self.differences(Self.sound(rate: 48000, channels: 2), Self.sound(rate: 44100, channels: 1))
        #expect(sound.map(\.text) == ["sample rate 48000 Hz against 44100 Hz", "channels 2 against 1"])
        let medium = try Self.differences(Self.picture(), Self.sound(rate: 48000, channels: 2))
        #expect(medium.map(\.kind) == [.medium])
    }

    @Test func `Differences between joined movies may lie in the boxes of a description`() throws {
        func kinds(_ one: [UInt8], _ other: [UInt8]) throws -> [MovieTrackDifference.Kind] {
            try Self.differences(Self.picture("avc1", one), Self.picture("avc1", other)).map(\.kind)
        }
        let aspect = MovieBuilder.box("pasp", MovieBuilder.u32(4), MovieBuilder.u32(3))
        #expect(try kinds(MovieBuilder.box("avcC", [1, 2]), MovieBuilder.box("avcC", [1, 3])) == [.configuration])
        #expect(try kinds(aspect, []) == [.pixelAspect])
        #expect(try kinds(MovieBuilder.box("colr", [1]), MovieBuilder.box("colr", [2])) == [.color])
        #expect(try kinds(MovieBuilder.box("clap", [1]), MovieBuilder.box("clap", [2])) == [.cleanAperture])
        // Rates of bits are none.
        #expect(try kinds(MovieBuilder.box("btrt", [1]), MovieBuilder.box("btrt", [2])).isEmpty)
    }

    @Test func `Encoder names and timescales are no differences between joined movies`() throws {
        var other = Self.picture(name: 65)
        other.tracks[0].timescale = 50
        other.tracks[0].durations = [25, 25]
        #expect(try Self.differences(Self.picture(), other).isEmpty)
    }

    @Test func `Differences between joined movies are a problem unless they are allowed`() throws {
        let join = try MovieJoin([
            .init(Self.picture("avc1", MovieBuilder.box("avcC", [1])), lasting: 1000),
            .init(Self.picture("avc1", MovieBuilder.box("avcC", [2])), lasting: 1000),
        ])
        #expect(join.problem() == "piece 2, track 1: codec configuration (avcC)")
        #expect(join.problem(allowing: [.configuration]) == nil)
    }

    @Test func `Differences between joined movies become further sample descriptions`() throws {
        let one = Self.picture("avc1", MovieBuilder.box("avcC", [1]))
        let other = Self.picture("avc1", MovieBuilder.box("avcC", [2]))
        let joined = try Joined([.init(one, lasting: 1000), .init(other, lasting: 1000), .init(one, lasting: 1000)])
        let video = joined.movie.tracks[0]
        let entries = try #require(video.tables["stsd"])
        #expect(MovieReading.u32(entries, 4) == 2)
        let shown = Set(video.edits.map(\.mediaTime))
        #expect(shown.count == 3)
        // After each piece but the last its first picture comes again, unseen, for libavformat to stop at.
        #expect(video.samples.map(\.description) == [1, 1, 1, 2, 2, 2, 1, 1])
        #expect(joined.movie.shown(video).map(\.bytes) == numbered(2) + numbered(2) + numbered(2))
        #expect(joined.movie.shown(video).map(\.start) == (0..<6).map { milliseconds($0 * 500) })
    }

    @Test func `Movies coded alike share one sample description when joined`() throws {
        let joined = try Joined([
            .init(Self.picture(name: 65), lasting: 1000), .init(Self.picture(name: 66), lasting: 1000),
        ])
        let video = joined.movie.tracks[0]
        #expect(MovieReading.u32(try #require(video.tables["stsd"]), 4) == 1)
        #expect(video.samples.allSatisfy { $0.description == 1 })
    }
}
