import Foundation
import MediaAsset
import MediaCore
import MediaTestSupport
import SampleBuffers
import Testing

/// What AVFoundation gives as a track's size, by reports of its users: the track header's (decision 0046).
@Suite struct `Natural sizes` {
    /// The last eight bytes of each track header, found without our readers: width and height in 16.16.
    private static func headers(in bytes: Data) -> [(offset: Int, size: CGSize)] {
        var found: [(offset: Int, size: CGSize)] = []
        var position = bytes.startIndex
        while let range = bytes.range(of: Data("tkhd".utf8), in: position..<bytes.endIndex) {
            position = range.upperBound
            guard range.lowerBound >= 4 else { continue }
            func number(_ offset: Int) -> Int { bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) } }
            let end = range.lowerBound - 4 + number(range.lowerBound - 4)
            guard end <= bytes.endIndex, end - 8 > range.upperBound else { continue }
            let size = CGSize(width: Double(number(end - 8)) / 65536, height: Double(number(end - 4)) / 65536)
            found.append((end - 8, size))
        }
        return found
    }

    @Test(arguments: ["anamorphic.mp4", "clean-aperture.mov", "rotate-90.mp4", "odd-33x17.mp4", "movie.mp4"])
    func `Natural sizes are those of the track headers`(_ name: String) async throws {
        let header = try #require(Self.headers(in: try Data(contentsOf: Fixture(name).url)).first)
        let track = try #require(try await Fixture(name).asset.loadTracks(withMediaType: .video).first)
        #expect(try await track.load(.naturalSize) == header.size)
    }

    @Test func `Natural sizes are stretched where the coded size is not`() async throws {
        let track = try #require(try await Fixture("anamorphic.mp4").asset.loadTracks(withMediaType: .video).first)
        // ffprobe: 360x288, sample aspect ratio 16:11.
        let size = try await track.load(.naturalSize)
        #expect(abs(size.width - 360.0 * 16 / 11) < 0.001 && size.height == 288)
        let format = try #require(try await track.load(.formatDescriptions).first)
        #expect(format.dimensions.width == 360 && format.dimensions.height == 288)
        #expect(abs(format.presentationDimensions().width - 360.0 * 16 / 11) < 0.001)
        #expect(format.presentationDimensions(usePixelAspectRatio: false).width == 360)
    }

    // A simulator's recordings had 2436 where 2436 << 16 was meant; AVFoundation said that they were 0.037 high.
    @Test(arguments: [[0, 0], [0x0168_0000, 2436], [0x0168_0000, 0], [0xFFFF_0000, 0x0120_0000], [1, 1]])
    func `Implausible natural sizes of a header are replaced by the frame's`(_ header: [UInt32]) async throws {
        var bytes = try Data(contentsOf: Fixture("anamorphic.mp4").url)
        let offset = try #require(Self.headers(in: bytes).first).offset
        let numbers = header.flatMap { number in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
        }
        bytes.replaceSubrange(offset..<(offset + 8), with: numbers)
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("size-\(UUID().uuidString).mp4")
        try bytes.write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let track = try #require(try await AVURLAsset(url: url).loadTracks(withMediaType: .video).first)
        let size = try await track.load(.naturalSize)
        #expect(abs(size.width - 360.0 * 16 / 11) < 0.001 && size.height == 288, "\(header)")
    }

    @Test func `Natural sizes in other containers are those of the frame`() async throws {
        for (name, size) in [
            ("odd-161x121.webm", CGSize(width: 161, height: 121)), ("h264.ts", CGSize(width: 320, height: 240)),
        ] {
            let track = try #require(try await Fixture(name).asset.loadTracks(withMediaType: .video).first)
            #expect(try await track.load(.naturalSize) == size, "\(name)")
        }
    }
}
