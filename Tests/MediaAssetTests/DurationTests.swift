import Foundation
import MediaAsset
import MediaCore
import MediaTestSupport
import Testing

/// How long assets last whose headers do not say it, or say something else.
@Suite("How long assets last", .timeLimit(.minutes(5)))
struct DurationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ name: String, _ arguments: String) async throws -> AVURLAsset {
        let path = folder.path(name)
        let made = try await CommandRun.run(
            "ffmpeg", ["-v", "error", "-f", "lavfi"] + arguments.split(separator: " ").map(String.init) + [path])
        try #require(made.exitCode == 0, "\(made.errorOutput)")
        return AVURLAsset(url: URL(fileURLWithPath: path))
    }

    /// How long a linear decode by another program lasts, in samples of one channel at 48 kHz.
    private func decodedSamples(_ url: URL) async throws -> Int {
        let run = try await CommandRun.run(
            "ffmpeg", ["-v", "error", "-i", url.path, "-f", "s16le", "-ac", "1", "-ar", "48000", "-"])
        return run.standardOutput.count / 2
    }

    /// Some 15 packets have one time in common.
    @Test func `A transport stream lasts to the end of its last audio`() async throws {
        let asset = try await make("sound.ts", "-i sine=440:r=48000:d=3 -c:a aac -b:a 48k")
        let (duration, tracks) = try await asset.load(.duration, .tracks)
        let probed = try await CommandRun.run(
            "ffprobe",
            ["-v", "error", "-of", "csv=p=0", "-show_entries", "packet=pts,duration", folder.path("sound.ts")])
        let packets = probed.output.split(separator: "\n")
            .map { $0.split(separator: ",").compactMap { Int64($0) } }.filter { $0.count == 2 }
        let (first, last) = (try #require(packets.first), try #require(packets.last))
        #expect(duration == CMTime(value: last[0] + last[1] - first[0], timescale: 90000))
        #expect(try await tracks[0].load(.timeRange) == CMTimeRange(start: .zero, duration: duration))
    }

    @Test func `The duration of a long transport stream is the same from its end as from all of it`() async throws {
        let film = "-i testsrc2=size=1280x720:rate=25:duration=6 -f lavfi -i sine=440:r=48000:d=6"
        let asset = try await make("long.ts", film + " -c:v mpeg2video -b:v 24M -minrate 24M -maxrate 24M -bufsize 2M")
        let size = try #require(
            FileManager.default.attributesOfItem(atPath: asset.url.path)[.size] as? Int)
        try #require(size > 10_000_000)
        let options = [AVURLAssetPreferPreciseDurationAndTimingKey: true]
        let precise = try await AVURLAsset(url: asset.url, options: options).load(.duration)
        #expect(try await asset.load(.duration) == precise)
    }

    /// The positions of pages count what decoders leave out (RFC 7845, 4.2).
    @Test func `Opus in Ogg lasts as long as its decoded samples`() async throws {
        let asset = try await make("sound.opus", "-i sine=440:r=48000:d=3 -c:a libopus")
        #expect(try await asset.load(.duration) == CMTime(value: 3, timescale: 1))
        #expect(try await decodedSamples(asset.url) == 3 * 48000)
    }

    @Test func `Opus in Ogg whose first audio page is missing lasts as long as the rest`() async throws {
        let whole = try await make("sound.opus", "-i sine=440:r=48000:d=3 -c:a libopus")
        let bytes = [UInt8](try Data(contentsOf: whole.url))
        let pages = bytes.indices.filter { bytes[$0...].starts(with: "OggS".utf8) } + [bytes.count]
        try #require(pages.count > 4)
        let url = URL(fileURLWithPath: folder.path("cut.opus"))
        try Data(bytes[..<pages[2]] + bytes[pages[3]...]).write(to: url)
        let (duration, samples) = (try await AVURLAsset(url: url).load(.duration), try await decodedSamples(url))
        #expect(duration == CMTime(value: Int64(samples), timescale: 48000))
    }

    /// ISO/IEC 14496-12, 8.2.2: a movie lasts as long as the longest of its tracks by their edit lists.
    @Test func `A movie header's duration that counts hidden samples is ignored`() async throws {
        var bytes = [UInt8](try Data(contentsOf: Fixture("edit-list-trim.mp4").url))
        let header = try #require(bytes.indices.first { bytes[$0...].starts(with: "mvhd".utf8) })
        // After the version, two times and the timescale of 1000: ten seconds.
        bytes.replaceSubrange((header + 20)..<(header + 24), with: [0, 0, 0x27, 0x10])
        let url = URL(fileURLWithPath: folder.path("overstated.mp4"))
        try Data(bytes).write(to: url)
        #expect(try await AVURLAsset(url: url).load(.duration) == CMTime(value: 43, timescale: 10))
    }
}
