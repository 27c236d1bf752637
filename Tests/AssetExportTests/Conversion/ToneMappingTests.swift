import FFmpegKit
import Foundation
import MediaAsset
import MediaCore
import MediaTestSupport
import Testing

@testable import AssetExport
@testable import MediaEngine

/// ITU-R BT.2100 and BT.2390 as their texts have them, in light relative to 203 cd/m².
private enum Light {
    static func pq(_ signal: Double) -> Double {
        let power = pow(signal, 32 / 2523.0)
        return 10000 * pow(max(0, power - 0.8359375) / (18.8515625 - 18.6875 * power), 8192 / 1305.0) / 203
    }

    static func pqSignal(_ light: Double) -> Double {
        let power = pow(light * 203 / 10000, 1305 / 8192.0)
        return pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 2523 / 32.0)
    }

    /// Grey of a display of 1000 cd/m², system gamma 1.2.
    static func hlg(_ signal: Double) -> Double {
        let scene = signal <= 0.5 ? signal * signal / 3 : (exp((signal - 0.55991073) / 0.17883277) + 0.28466892) / 12
        return 1000 / 203 * pow(scene, 1.2)
    }

    static func rolledOff(_ light: Double, peak: Double) -> Double {
        let top = pqSignal(peak)
        let (signal, white) = (pqSignal(light) / top, pqSignal(1) / top)
        let knee = 1.5 * white - 0.5
        guard signal > knee else { return light }
        let t = (signal - knee) / (1 - knee)
        let bent =
            (2 * t * t * t - 3 * t * t + 1) * knee + (t * t * t - 2 * t * t + t) * (1 - knee)
            + (3 * t * t - 2 * t * t * t) * white
        return pq(bent * top)
    }

    static func sRGB(_ light: Double) -> Double {
        255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055)
    }
}

@Suite(.serialized) struct `HDR pictures` {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A ramp of greys, 10-bit codes of video range, each 16 pixels wide.
    private static let codes = Array(stride(from: 64, through: 940, by: 12))

    private func ramp(_ transfer: String, highest: Int) async throws -> String {
        let path = folder.path("\(transfer).mkv")
        let row = Self.codes.flatMap { [UInt16](repeating: UInt16(min($0, highest)), count: 16) }
        let width = row.count
        var samples: [UInt16] = []
        for _ in 0..<32 { samples += row }
        samples += [UInt16](repeating: 512, count: width * 16)
        let run = try await CommandRun.run(
            "ffmpeg",
            [
                "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "yuv420p10le", "-s", "\(width)x32", "-r", "25", "-i",
                "-", "-vf", "setparams=color_primaries=bt2020:color_trc=\(transfer):colorspace=bt2020nc:range=tv",
                "-c:v",
                "ffv1", "-color_primaries", "bt2020", "-color_trc", transfer, "-colorspace", "bt2020nc",
                "-color_range", "tv", path,
            ], input: samples.withUnsafeBytes { Data($0) })
        try #require(run.exitCode == 0, "\(run.errorOutput)")
        return path
    }

    /// The content's peak is unknown, which stands for 1000 cd/m²: code 723 in PQ.
    @Test(arguments: [("smpte2084", 723), ("arib-std-b67", 940)])
    func `HDR frames become SDR with the greys of stills`(_ transfer: String, _ highest: Int) async throws {
        let source = try await ramp(transfer, highest: highest)
        let preset = try builtIn("high") { $0.rateControl = .constantQuality(quality: 1, maximumBitRate: nil) }
        let made = try await MadeFile(source, by: preset, as: .mp4, in: folder)
        #expect(try made.video.changes == [.toneMapped, .depthReduced])
        let tags = try await made.probe("color_space", "color_primaries", "color_transfer", "color_range")
        #expect(
            tags == [
                "color_space": "bt709", "color_primaries": "bt709", "color_transfer": "bt709", "color_range": "tv",
            ])
        let pixels = try await made.pixels()
        var worst = 0.0
        for (index, code) in Self.codes.enumerated() {
            let signal = Double(min(code, highest) - 64) / 876
            let light = transfer == "smpte2084" ? Light.pq(signal) : Light.hlg(signal)
            let expected = Light.sRGB(min(1, Light.rolledOff(light, peak: 1000 / 203)))
            let actual = Double(pixels[(16 * Self.codes.count * 16 + index * 16 + 8) * 3 + 1])
            worst = max(worst, abs(actual - expected))
        }
        // For coding, rounding, and the steps of the table of colors.
        #expect(worst <= 2.5, "\(worst)")
    }

    @Test(arguments: ["hevc-high", "webm-av1", "prores-422"])
    func `HDR frames stay HDR where the preset allows it`(_ name: String) async throws {
        let source = try await ramp("smpte2084", highest: 723)
        let preset = try builtIn(name) { $0.maximumSize = nil }
        // SVT-AV1 takes no picture of 32 lines.
        guard name != "webm-av1" else {
            #expect(
                try await LinearConversion(preset: preset, source: source, fileType: .webM).refusal()
                    == "pictures of 1184x32 are too small for libsvtav1, which takes 64x64 and more")
            return
        }
        let made = try await MadeFile(source, by: preset, as: preset.fileTypes[0], in: folder)
        #expect(try !made.video.changes.contains(.toneMapped))
        let tags = try await made.probe("color_space", "color_primaries", "color_transfer")
        #expect(tags == ["color_space": "bt2020nc", "color_primaries": "bt2020", "color_transfer": "smpte2084"])
    }

    @Test func `HDR frames keep their display metadata, or lose it when mapped to SDR`() async throws {
        let source = try await ramp("smpte2084", highest: 723)
        var light = HDRMetadata()
        light.contentLight = .init(maximum: 1000, maximumAverage: 400)
        light.masteringDisplay = .init(
            red: .init(x: 0.68, y: 0.32), green: .init(x: 0.265, y: 0.69), blue: .init(x: 0.15, y: 0.06),
            white: .init(x: 0.3127, y: 0.329), minimumLuminance: 0.005, maximumLuminance: 1000)
        func sideData(_ path: String) async throws -> String {
            try await CommandRun.run("ffprobe", ["-v", "error", "-show_frames", "-select_streams", "v", path]).output
        }
        for (name, isLit) in [("hevc-high", true), ("high", false)] {
            let preset = try builtIn(name)
            let made = try await MadeFile(source, by: preset, as: .mp4, in: folder) { [light] in $0.traits.hdr = light }
            let data = try await sideData(made.path)
            #expect(data.contains("side_data_type=Mastering display metadata") == isLit, "\(name)")
            #expect(data.contains("max_content=1000") == isLit, "\(name)")
            #expect(made.conversions[0].traits.hdr == (isLit ? light : HDRMetadata()))
        }
    }
}
