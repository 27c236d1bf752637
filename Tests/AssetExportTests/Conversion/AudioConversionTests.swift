import FFmpegKit
import Foundation
import MediaAsset
import MediaCore
import MediaTestSupport
import Testing

@testable import AssetExport
@testable import MediaEngine

@Suite struct `Sound` {
    private static let aac = ["mono", "stereo", "3.0", "4.0", "5.0", "5.1", "7.1"]
    private static let opus = ["mono", "stereo", "3.0", "quad", "5.0", "5.1", "6.1", "7.1"]

    @Test(arguments: [
        ("stereo", 2, aac, 8, "stereo"), ("mono", 1, aac, 8, "mono"), ("5.1", 6, aac, 8, "5.1"),
        // Players know one place for surround speakers.
        ("5.1(side)", 6, aac, 8, "5.1"), ("5.0(side)", 5, opus, 8, "5.0"), ("quad(side)", 4, opus, 8, "quad"),
        ("5.1(side)", 6, aac, 2, "stereo"), ("7.1", 8, aac, 6, "5.1"), ("7.1", 8, aac, 8, "7.1"),
        ("6.1", 7, opus, 8, "6.1"), ("7.1(wide)", 8, aac, 8, "5.1"),
        // Silent channels are better than fewer.
        ("2.1", 3, aac, 8, "5.1"), ("4.0", 4, opus, 8, "6.1"), ("quad", 4, aac, 8, "5.0"), ("7.0", 7, aac, 8, "7.1"),
        ("2.1", 3, aac, 2, "stereo"), ("6.1", 7, aac, 8, "5.1"), ("octagonal", 8, aac, 8, "5.0"),
        ("downmix", 2, aac, 8, "stereo"), ("2 channels (FL+FR)", 2, aac, 8, "stereo"),
        ("", 1, aac, 8, "mono"), ("2 channels", 2, aac, 8, "stereo"), ("6 channels", 6, aac, 8, "5.1"),
        ("3 channels", 3, aac, 8, "3.0"), ("4 channels", 4, opus, 8, "quad"),
        ("16 channels", 16, [], .max, "16 channels"),
        ("12 channels", 12, aac, 8, "stereo"), ("ambisonic 3", 16, aac, 8, "stereo"), ("22.2", 24, aac, 8, "7.1"),
        ("5.1(side)", 6, [], .max, "5.1(side)"), ("5.1(side)", 6, [], 1, "mono"),
    ])
    func `Converted audio keeps the channels that can be kept`(
        _ layout: String, _ channels: Int, _ allowed: [String], _ maximum: Int, _ expected: String
    ) {
        let choice = AudioLayout.choice(
            for: layout, channels: channels, among: allowed, maximum: maximum, keepsAll: false)
        #expect(choice.layout == expected)
        #expect(choice.channels == AudioLayout.channels(of: expected))
    }

    @Test(arguments: [
        ("7.1", "7.1(wide)"), ("octagonal", "7.1(wide)"), ("quad", "5.0"), ("6.1", "6.1(back)"), ("2.1", "5.1"),
    ])
    func `Coding without loss keeps all channels`(_ layout: String, _ expected: String) throws {
        let alac = ["mono", "stereo", "3.0", "4.0", "5.0", "5.1", "6.1(back)", "7.1(wide)"]
        let channels = AudioLayout.channels(of: layout)
        let choice = AudioLayout.choice(for: layout, channels: channels, among: alac, maximum: .max, keepsAll: true)
        #expect(choice.layout == expected)
        #expect((choice.mapping == .renamed) == expected.hasPrefix("7.1"))
    }

    @Test(arguments: [
        ("quad(side)", "5.0", true), ("6.1", "6.1(back)", true), ("7.1", "5.1", false), ("4 channels", "quad", false),
    ])
    func `Channels have their places by their names`(_ layout: String, _ target: String, _ expected: Bool) {
        #expect(AudioLayout.isPlaced(layout, in: target) == expected)
    }

    @Test(arguments: [
        (44100, [48000, 24000, 16000, 12000, 8000], nil as Int?, 48000), (48000, [48000, 24000], nil, 48000),
        (22050, [48000, 24000, 16000], nil, 24000), (96000, [44100, 48000, 32000], nil, 48000),
        (88200, [44100, 48000, 32000], nil, 44100), (192_000, [96000, 48000, 44100], 48000, 48000),
        (176_400, [96000, 48000, 44100], 48000, 44100), (44100, [44100, 48000], 48000, 44100),
        (11025, [8000, 16000], nil, 16000), (96000, [], nil, 96000), (96000, [], 48000, 48000),
        (88200, [], 48000, 44100),
    ])
    func `Converted audio is resampled to the best near rate`(
        _ rate: Int, _ rates: [Int], _ maximum: Int?, _ expected: Int
    ) {
        #expect(AudioConversion.sampleRate(for: rate, among: rates, maximum: maximum) == expected)
    }

    @Test(arguments: [
        (1, 96000 as Int64), (2, 192_000), (4, 320_000), (6, 448_000), (8, 597_333),
    ])
    func `Converted audio has a bit rate by its channels`(_ channels: Int, _ rate: Int64) {
        #expect(AudioConversion.bitRate(for: channels, in: [1: 96000, 2: 192_000, 6: 448_000]) == rate)
        #expect(AudioConversion.bitRate(for: channels, in: [:]) == nil)
    }

    /// The level of each channel of a file, decoded by FFmpeg.
    private func levels(_ path: String, channels: Int) async throws -> [Double] {
        let run = try await CommandRun.run(
            "ffmpeg", ["-v", "error", "-nostdin", "-i", path, "-f", "f32le", "-c:a", "pcm_f32le", "-"])
        let samples = run.standardOutput.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        return (0..<channels).map { channel in
            let own = stride(from: channel, to: samples.count, by: channels).map { Double(samples[$0]) }
            let middle = own.dropFirst(own.count / 4).prefix(own.count / 2)
            return (middle.reduce(0) { $0 + $1 * $1 } / Double(max(1, middle.count))).squareRoot()
        }
    }

    /// ITU-R BS.775: the centre and each surround channel at -3 dB, the low frequencies left out.
    @Test(arguments: [
        ("FC", [0.7071, 0.7071]), ("FL", [1, 0]), ("BL", [0.7071, 0]), ("BR", [0, 0.7071]), ("LFE", [0, 0]),
    ])
    func `Converted audio is mixed down as ITU-R BS.775 says`(_ channel: String, _ expected: [Double]) async throws {
        let folder = try TemporaryFolder()
        let index = try #require(["FL", "FR", "FC", "LFE", "BL", "BR"].firstIndex(of: channel))
        let silent = (0..<6).map { $0 == index ? "0.25*sin(880*PI*t)" : "0" }.joined(separator: "|")
        let source = folder.path("surround.mov")
        _ = try await CommandRun.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "aevalsrc=\(silent):c=5.1:s=48000:d=1", "-c:a", "pcm_s16le", source,
            ])
        var preset = try ExportPresetCatalog.builtIn.preset("prores-422")
        preset.audioEncoding?.maximumChannels = 2
        try await LinearConversion(preset: preset, source: source, fileType: .mov).run(to: folder.path("new.mov"))
        let result = try await levels(folder.path("new.mov"), channels: 2)
        let full = 0.25 / 2.0.squareRoot()
        for (actual, expected) in zip(result, expected) {
            #expect(abs(actual / full - expected) < 0.002, "\(result)")
        }
    }

    @Test func `Converted audio of unknown channels keeps the first ones, and reports it`() async throws {
        let folder = try TemporaryFolder()
        let source = folder.path("tracks.mov")
        var samples: [Int16] = []
        for time in 0..<48000 {
            let wave = sin(880 * Double.pi * Double(time) / 48000)
            for channel in 1...12 { samples.append(Int16(1600 * Double(channel) * wave)) }
        }
        let made = try await CommandRun.run(
            "ffmpeg",
            ["-v", "error", "-f", "s16le", "-ar", "48000", "-ac", "12", "-i", "-", "-c:a", "pcm_s16le", source],
            input: samples.withUnsafeBytes { Data($0) })
        try #require(made.exitCode == 0, "\(made.errorOutput)")
        let preset = try ExportPresetCatalog.builtIn.preset("m4a")
        let conversions = try await LinearConversion(preset: preset, source: source, fileType: .m4a)
            .run(to: folder.path("new.m4a"))
        guard case .audio(let sound) = try #require(conversions.first).summary else { return }
        #expect(sound.changes == [.channelsDropped])
        #expect(sound.channels == 2)
        let levels = try await levels(folder.path("new.m4a"), channels: 2)
        let full = 1600 / 32768.0 / 2.0.squareRoot()
        #expect(abs(levels[0] / full - 1) < 0.05 && abs(levels[1] / full - 2) < 0.1, "\(levels)")
    }
}
