import Foundation
import MediaAsset
import MediaCore
import MediaTestSupport
import Testing

@testable import AssetExport
@testable import FFmpegKit
@testable import MediaEngine

@Suite struct `Whether a preset suits an asset` {
    /// What the plan of an export fails with; `nil` if there is one.
    private func reason(_ preset: ExportPreset, _ fixture: String, _ type: AVFileType? = nil) async throws -> String? {
        do {
            _ = try await AVAssetExportSession(asset: Fixture(fixture).asset, preset: preset)
                .plan(for: type ?? preset.fileTypes[0])
            return nil
        } catch let error as AVError {
            return error.reason
        }
    }

    @Test func `Compatibility of a preset depends on the asset's tracks`() async throws {
        func nothing(_ preset: String, _ track: String, _ kind: String) -> String {
            "nothing of the file would be left with the preset \(preset) (track 1 (\(track)): "
                + "the preset makes no \(kind))"
        }
        #expect(try await reason(builtIn("m4a"), "rotate-90.mp4") == nothing("m4a", "video, h264", "pictures"))
        #expect(try await reason(builtIn("gif"), "audio-only.m4a") == nothing("gif", "audio, aac", "sound"))
        // A cover is no picture that plays.
        #expect(try await reason(builtIn("gif"), "attached-picture.m4a") == nothing("gif", "audio, aac", "sound"))
        #expect(try await reason(builtIn("low"), "audio-only.flac") == nil)
        #expect(try await reason(builtIn("m4a"), "movie.mp4") == nil)
        for name in BuiltInPresets.names where name != "gif" {
            #expect(try await reason(builtIn(name), "movie.mp4") == nil)
        }
    }

    @Test func `Compatibility of a preset depends on the kind of file`() async throws {
        let text = "the preset webm-vp9 makes webm, mkv"
        #expect(try await reason(builtIn("webm-vp9"), "movie.mp4", .mp4) == text)
        #expect(try await reason(builtIn("webm-vp9"), "movie.mp4", .matroska) == nil)
    }

    @Test func `Compatibility of a preset depends on the size of the frames`() async throws {
        let text = "pictures of 2x2 are too small for libx265, which takes 16x16 and more"
        #expect(try await reason(builtIn("hevc-high"), "1x1.mp4") == text)
        #expect(try await reason(builtIn("high"), "1x1.mp4") == nil)
    }

    @Test(arguments: [(5 as UInt8, false), (8, true)])
    func `Compatibility of a preset depends on colours that can be interpreted`(
        _ profile: UInt8, _ isPossible: Bool
    ) async throws {
        let preset = try builtIn("high")
        let conversion = LinearConversion(
            preset: preset, source: Fixture("10bit.mp4").path, fileType: .mp4,
            amend: { $0.traits.sideData.append(SideData(kind: .dolbyVision, bytes: [1, 0, profile, 6, 1, 0, 1, 0])) })
        #expect((try await conversion.refusal() == nil) == isPossible)
    }

    @Test func `Compatibility of a preset depends on the asset's codecs`() async throws {
        let conversion = LinearConversion(
            preset: try builtIn("high"), source: Fixture("movie.mp4").path, fileType: .mp4,
            amend: {
                guard $0.stream.kind == .video else { return }
                ($0.stream.codec, $0.stream.decoder) = (Codec(rawValue: "magicyuv"), .missing)
            })
        #expect(try await conversion.refusal() == "there is no decoder for the codec magicyuv")
    }

    @Test func `Compatibility of a preset depends on the encoders of this FFmpeg`() async throws {
        var preset = try builtIn("low")
        #expect(preset.unavailabilityReason == nil)
        preset.videoEncoding?.encoder = "libnone"
        let text = "this FFmpeg has no encoder libnone, which the preset needs"
        #expect(preset.unavailabilityReason == text)
        #expect(try await reason(preset, "movie.mp4") == text)
    }

    /// What presets know of layouts of samples is what FFmpeg knows of them.
    @Test func `Pixel layouts that presets know agree with FFmpeg`() throws {
        for (name, layout) in PixelLayout.known {
            let facts = try #require(PixelFormatFacts(named: name))
            #expect(facts.depth == layout.depth, "\(name)")
            #expect(facts.chromaShiftHorizontal == layout.chromaShift.horizontal, "\(name)")
            #expect(facts.chromaShiftVertical == layout.chromaShift.vertical, "\(name)")
            #expect(facts.hasAlpha == layout.hasAlpha && facts.isRGB == layout.isRGB, "\(name)")
        }
        #expect(PixelFormatFacts(named: "no such") == nil)
        #expect(PixelFormatFacts(named: "vaapi") == nil)
        #expect(PixelFormatFacts(named: "gray")?.isGrey == true)
        #expect(PixelFormatFacts(named: "yuvj420p")?.isFullRange == true)
    }

    @Test func `Encoders that presets know agree with FFmpeg`() throws {
        for (name, encoder) in EncoderTraits.known {
            guard let capabilities = EncoderCapabilities(ofEncoder: name) else { continue }
            #expect(capabilities.codec == encoder.codec, "\(name)")
            #expect(capabilities.kind == (encoder.media == .video ? .video : .audio), "\(name)")
        }
        #expect(Encoder.isAvailable("aac") && !Encoder.isAvailable("libnone"))
        #expect(FilterGraph.hasFilter("scale") && !FilterGraph.hasFilter("nofilter"))
    }
}
