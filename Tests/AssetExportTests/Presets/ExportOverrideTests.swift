import AssetExport
import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaIO
import MediaMetadata
import MediaTestSupport
import Testing

@Suite struct `Overrides of a preset` {
    private func overrides(_ change: (inout ExportOverrides) -> Void) -> ExportOverrides {
        var overrides = ExportOverrides()
        change(&overrides)
        return overrides
    }

    @Test func `Overrides of a preset take the place of its values`() throws {
        let preset = try ExportPresetCatalog.builtIn.preset("high").applying(
            overrides {
                ($0.quality, $0.frameRate, $0.audioBitRate, $0.rotation) = (30, 12.5, 64_000, 180)
                $0.size = .init(width: 160, height: 90)
                $0.crop = .init(x: 2, y: 4, width: 100, height: 80)
            })
        #expect(preset.videoEncoding?.rateControl == .constantQuality(quality: 30, maximumBitRate: nil))
        #expect(preset.videoEncoding?.maximumFrameRate == 12.5)
        #expect(preset.videoEncoding?.maximumSize == .init(width: 160, height: 90))
        #expect(preset.videoEncoding?.crop == .init(x: 2, y: 4, width: 100, height: 80))
        #expect(preset.videoEncoding?.rotation == 180)
        #expect(preset.audioEncoding?.bitRates[2] == 64_000 && preset.audioEncoding?.bitRates[6] == 64_000)
        let rate = try ExportPresetCatalog.builtIn.preset("high").applying(overrides { $0.bitRate = 500_000 })
        #expect(rate.videoEncoding?.rateControl == .bitRate(500_000, passes: 1))
        let sound = try ExportPresetCatalog.builtIn.preset("mp3").applying(overrides { $0.quality = 0 })
        #expect(sound.audioEncoding?.quality == 0)
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        var preset: String
        var key: String
        var reason: String
        var change: @Sendable (inout ExportOverrides) -> Void
        var testDescription: String { "\(preset): \(key)" }
    }

    @Test(arguments: [
        Refused(preset: "high", key: "quality", reason: "must be from 0 to 51") { $0.quality = 52 },
        Refused(preset: "high", key: "quality", reason: "goes without a bit rate") {
            ($0.quality, $0.bitRate) = (20, 1)
        },
        Refused(preset: "high", key: "bitRate", reason: "must be from 10000 to 1000000000") { $0.bitRate = 1 },
        Refused(preset: "high", key: "size", reason: "must be from 2 to 16384") {
            $0.size = .init(width: 0, height: 1)
        },
        Refused(preset: "high", key: "frameRate", reason: "must be from 1 to 1000") { $0.frameRate = 0 },
        Refused(preset: "high", key: "frameRate", reason: "is no number that can be used") { $0.frameRate = .infinity },
        Refused(preset: "high", key: "rotation", reason: "must be one of 0, 90, 180, 270") { $0.rotation = 45 },
        Refused(preset: "high", key: "audioBitRate", reason: "must be from 6000 to 4000000") { $0.audioBitRate = 1 },
        Refused(preset: "prores-422", key: "quality", reason: "the encoder has no constant quality") { $0.quality = 1 },
        Refused(preset: "prores-422", key: "bitRate", reason: "the encoder has no bit rate to choose") {
            $0.bitRate = 100_000
        },
        Refused(preset: "passthrough", key: "quality", reason: "the preset passthrough encodes no pictures") {
            $0.quality = 20
        },
        Refused(preset: "m4a", key: "crop", reason: "the preset m4a encodes no pictures") {
            $0.crop = .init(x: 0, y: 0, width: 10, height: 10)
        },
        Refused(preset: "copy-audio-h264", key: "audioBitRate", reason: "the preset copy-audio-h264 encodes no sound") {
            $0.audioBitRate = 64_000
        },
        Refused(preset: "flac", key: "audioBitRate", reason: "flac has no bit rate that could be chosen") {
            $0.audioBitRate = 64_000
        },
    ])
    func `Overrides of a preset are refused as a document would be`(_ refused: Refused) throws {
        let preset = try ExportPresetCatalog.builtIn.preset(refused.preset)
        let error = try #require(throws: ExportPresetError.self) { try preset.applying(overrides(refused.change)) }
        #expect(error.kind == .invalidOverride)
        #expect(error.keyPath == refused.key && error.reason == refused.reason, "\(error)")
    }
}

/// Expected pixels are those that ffmpeg shows of the source, cropped and turned by ffmpeg.
@Suite("Cropped and turned pictures", .timeLimit(.minutes(10)))
struct CroppedPictureTests {
    @Test(arguments: Tier.some(["movie", "rotate-90", "rotate-180", "flip-h", "transverse"], 2), [0, 90, 270])
    func `Cropped and turned frames are a part of what is shown, turned clockwise`(
        _ name: String, _ degrees: Int
    ) async throws {
        let folder = try TemporaryFolder()
        var overrides = ExportOverrides()
        overrides.crop = .init(x: 20, y: 32, width: 60, height: 80)
        overrides.rotation = degrees
        overrides.quality = 4
        let preset = try ExportPresetCatalog.builtIn.preset("high").applying(overrides)
        let turn = degrees == 0 ? "" : degrees == 90 ? ",transpose=clock" : ",transpose=cclock"
        for type in [AVFileType.mp4, .matroska] {
            let session = AVAssetExportSession(asset: Fixture(name + ".mp4").asset, preset: preset)
            session.timeRange = CMTimeRange(start: .zero, duration: seconds(0.2))
            let url = folder.url.appendingPathComponent("new.\(type.preferredFilenameExtension)")
            try await session.export(to: url, as: type)
            let size = degrees == 0 ? "60:80" : "80:60"
            let made = folder.path("made.mkv")
            // The new file as it is shown, beside the source as it is to be shown.
            try await Reading.ffmpeg(["-i", url.path, "-frames:v", "1", "-c:v", "ffv1", made])
            let run = try await Reading.run(
                "ffmpeg",
                [
                    "-v", "info", "-nostdin", "-i", made, "-i", Fixture(name + ".mp4").path, "-filter_complex",
                    "[1]trim=end_frame=1,crop=60:80:20:32\(turn),crop=\(size):0:0[b];[0]crop=\(size):0:0[a];[a][b]psnr",
                    "-frames:v", "1",
                    "-f", "null", "-",
                ])
            let text = try #require(run.errorOutput.range(of: "average:[0-9a-z.]+", options: .regularExpression))
            let value = run.errorOutput[text].dropFirst("average:".count)
            // Coding at this quality costs more than 40 dB leave; another part of the picture is below 20.
            #expect(value == "inf" || (Double(value) ?? 0) > 38, "\(type.preferredFilenameExtension): \(value)")
        }
    }
}
