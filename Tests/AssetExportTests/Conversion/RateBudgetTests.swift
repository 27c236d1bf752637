import FFmpegKit
import Foundation
import MediaAsset
import MediaCore
import MediaIO
import MediaTestSupport
import Testing

@testable import AssetExport
@testable import MediaEngine

@Suite(.serialized) struct `A limit on the length of a file` {
    private func run(
        _ name: String, _ fixture: String, limit: Int64, fileType: AVFileType? = nil
    ) async throws -> (size: Int, conversions: [TrackConversion]) {
        let folder = try TemporaryFolder()
        let preset = try ExportPresetCatalog.builtIn.preset(name)
        let path = folder.path("new")
        let conversions = try await LinearConversion(
            preset: preset, source: Fixture(fixture).path, fileType: fileType ?? preset.fileTypes[0],
            adjust: { conversions, duration in
                try RateBudget(byteLimit: limit, duration: duration).apply(to: &conversions)
            }
        ).run(to: path)
        return (try Data(contentsOf: URL(fileURLWithPath: path)).count, conversions)
    }

    /// Four seconds that need twice as much otherwise.
    @Test(arguments: [
        ("high", 75_000 as Int64), ("high", 50_000), ("hevc-1920x1080", 60_000), ("webm-vp9", 50_000),
        ("webm-av1", 55_000), ("m4a", 40_000), ("mp3", 44_000), ("opus", 24_000),
    ])
    func `A limit on the length of a file is kept, and mostly used`(_ name: String, _ limit: Int64) async throws {
        let (size, _) = try await run(name, "cues.mkv", limit: limit)
        #expect(Double(size) <= Double(limit) * 1.02, "\(name): \(size)")
        #expect(Double(size) >= Double(limit) * 0.5, "\(name): \(size)")
    }

    @Test func `A limit on the length that is far away changes no more than the upper bound`() async throws {
        let free = try await run("high", "cues.mkv", limit: 1 << 40)
        let bound = try await run("high", "cues.mkv", limit: 3_000_000)
        #expect(free.conversions.map(\.summary) == bound.conversions.map(\.summary))
        #expect(bound.conversions.allSatisfy { $0.passes == 1 })
        #expect(abs(free.size - bound.size) < free.size / 100)
    }

    @Test(arguments: [("high", 12_000 as Int64), ("m4a", 5_000), ("prores-422", 1_000_000)])
    func `A limit on the length that cannot be kept is an error with a length that can`(
        _ name: String, _ limit: Int64
    ) async throws {
        let error = try await #require(throws: MediaLimitError.self) {
            _ = try await run(name, "cues.mkv", limit: limit)
        }
        let numbers = error.reason.matches(of: /\d+ bytes/).map { Int64($0.output.dropLast(6)) ?? 0 }
        #expect(numbers.first == limit)
        let needed = try #require(numbers.last)
        #expect(needed > limit)
        // What it says would do does.
        if name != "prores-422" {
            let size = try await run(name, "cues.mkv", limit: needed + needed / 50).size
            #expect(Double(size) <= Double(needed) * 1.04)
        }
    }

    @Test func `A limit on the length needs a duration`() async throws {
        var none: [TrackConversion] = []
        for duration in [CMTime.zero, .indefinite, .invalid] {
            #expect(throws: MediaLimitError.self) {
                try RateBudget(byteLimit: 1000, duration: duration).apply(to: &none)
            }
        }
    }
}

@Suite struct `Estimated bit rates` {
    /// What was measured on films that anybody can have: 720p24 of "Big Buck
    /// Bunny", 1080p24 of trailers; x264 at 18, x265 at 22, VP9 at 31.
    @Test(arguments: [
        ("libx264", 18.0, 1280, 720, 1_200_000 as Int64, 1_655_000.0),
        ("libx264", 18, 1920, 1080, 1_300_000, 3_540_000),
        ("libx265", 22, 1280, 720, 1_200_000, 1_031_000), ("libvpx-vp9", 31, 1280, 720, 1_200_000, 658_000),
    ])
    func `Estimated bit rates are right within a factor of two`(
        _ encoder: String, _ quality: Double, _ width: Int, _ height: Int, _ source: Int64, _ measured: Double
    ) {
        var estimate = BitRateEstimate(width: width, height: height, frameRate: 24)
        estimate.source = .init(width: width, height: height, frameRate: 24, bitRate: source)
        let rate = Double(estimate.bitRate(encoder: encoder, quality: quality))
        #expect(rate > measured / 2 && rate < measured * 2, "\(rate)")
    }

    @Test func `Estimated bit rates of extreme headers are not negative`() {
        for (width, height, rate) in [(0, 0, 0.0), (.max, .max, .infinity), (1, 1, .nan)] {
            let estimate = BitRateEstimate(width: width, height: height, frameRate: rate)
            #expect(estimate.bitRate(encoder: "libx264", quality: 20) >= 0)
        }
    }
}
