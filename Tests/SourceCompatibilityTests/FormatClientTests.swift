import Foundation
import OpenAVFoundation
import TestSupport
import Testing

private let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures")

private func asset(_ name: String) -> AVURLAsset { AVURLAsset(url: fixtures.appendingPathComponent(name)) }

private func track(_ name: String, _ type: AVMediaType = .video) async throws -> AVAssetTrack {
    try #require(try await asset(name).loadTracks(withMediaType: type).first)
}

/// What ffprobe said of a fixture's stream when it was made.
private func probed(_ name: String, _ type: String) throws -> [String: Any]? {
    // The one that is installed: what the decoders of different versions say of range and matrix is not the same.
    let path = fixtures.appendingPathComponent(name).path
    let data = try CommandRun.runBlocking("ffprobe", ["-v", "error", "-show_streams", "-of", "json", path])
        .standardOutput
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let streams = object["streams"] as? [[String: Any]]
    return streams?.first { $0["codec_type"] as? String == type }
}

/// Core Media's names of what ffprobe calls otherwise.
private let colours = [
    "bt709": "ITU_R_709_2", "bt2020": "ITU_R_2020", "bt2020nc": "ITU_R_2020", "smpte2084": "SMPTE_ST_2084_PQ",
    "arib-std-b67": "ITU_R_2100_HLG",
]

@Suite struct `Format descriptions for clients` {
    private static let names = (try? FileManager.default.contentsOfDirectory(atPath: fixtures.path)) ?? []

    @Test func `Format descriptions give codes as the documentation's example does`() async throws {
        #expect(try await track("movie.mov").mediaFormat == "vide/avc1")
        #expect(try await track("movie.mov", .audio).mediaFormat == "soun/aac")
        #expect(try await track("alpha-prores.mov").mediaFormat == "vide/ap4h")
    }

    @Test func `Format descriptions of video agree with ffprobe`() async throws {
        var count = 0
        for name in Self.names {
            // Files that nobody can read have no streams, or none that are known.
            guard let stream = try? probed(name, "video"),
                let film = try? await asset(name).loadTracks(withMediaType: .video).first,
                let description = try await film.load(.formatDescriptions).first,
                let format = PictureFormat(description)
            else { continue }
            let (width, height) = (stream["width"] as? Int ?? 0, stream["height"] as? Int ?? 0)
            #expect((Int(format.width), Int(format.height)) == (width, height), "\(name)")
            let ratio = (stream["sample_aspect_ratio"] as? String ?? "1:1").split(separator: ":").compactMap {
                Double($0)
            }
            if ratio.count == 2, ratio[0] > 0, ratio[1] > 0 {
                #expect(
                    abs(format.pixelAspect.width / format.pixelAspect.height - ratio[0] / ratio[1]) < 1e-6, "\(name)")
            }
            let range = stream["color_range"] as? String
            #expect(format.isFullRange == (range == "pc" ? true : range == "tv" ? false : nil), "\(name)")
            if let primaries = stream["color_primaries"] as? String, let expected = colours[primaries] {
                #expect(format.primaries == expected, "\(name)")
            }
            if let curve = stream["color_transfer"] as? String, let expected = colours[curve] {
                #expect(format.transfer == expected, "\(name)")
            }
            #expect(
                format.fields == (stream["field_order"] as? String ?? "progressive" == "progressive" ? 1 : 2), "\(name)"
            )
            count += 1
        }
        #expect(count > 40)
    }

    @Test func `Format descriptions of tagged and of cropped video have their extensions`() async throws {
        let old = try #require(try await track("bt601-tagged.mp4").load(.formatDescriptions).first)
        let format = try #require(PictureFormat(old))
        // ffprobe: smpte170m three times, tv.
        #expect(format.primaries == "SMPTE_C" && format.transfer == "ITU_R_709_2" && format.matrix == "ITU_R_601_4")
        #expect(old.extensions[.colorPrimaries] == .colorPrimaries(.smpte_C) && !format.isHDR)
        let cropped = try #require(try await track("clean-aperture.mov").load(.formatDescriptions).first)
        let seen = try #require(PictureFormat(cropped))
        #expect(seen.presentation.width < 320 || seen.presentation.height < 240)
        #expect(seen.presentation == seen.aperture.size && seen.width == 320)
        let bottom = CMVideoFormatDescriptionGetCleanAperture(cropped, originIsAtTopLeft: false)
        #expect(seen.aperture.minY + seen.aperture.height + bottom.minY == 240)
        let interlaced = try #require(try await track("interlaced-tff.mp4").load(.formatDescriptions).first)
        #expect(interlaced.extensions[.fieldDetail] == .fieldDetail(.temporalTopFirst))
    }

    @Test func `Format descriptions decide what clients copy`() async throws {
        #expect(try await PassthroughCheck().canCopy(track("movie.mp4")))
        #expect(try await PassthroughCheck().canCopy(track("movie.mp4", .audio)))
        #expect(try await !PassthroughCheck().canCopy(track("vp9.webm")))
        let prores = try #require(try await track("alpha-prores.mov").load(.formatDescriptions).first)
        guard case .proRes = PictureFormat.coding(of: prores) else {
            Issue.record("ProRes is called something else")
            return
        }
        #expect(prores.mediaSubType.description == "'ap4h'" && prores.mediaType == .video)
    }

    @Test func `Format descriptions are made by hand and compared`() throws {
        var made: [CMVideoFormatDescription?] = [nil, nil, nil]
        for index in 0..<3 {
            let extensions = [
                kCMFormatDescriptionExtension_PixelAspectRatio: [
                    kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing: 4,
                    kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing: 3,
                ]
            ]
            let status = CMVideoFormatDescriptionCreate(
                allocator: kCFAllocatorDefault, codecType: kCMVideoCodecType_H264, width: 1440, height: 1080,
                extensions: index == 2 ? nil : extensions as CFDictionary, formatDescriptionOut: &made[index])
            #expect(status == noErr)
        }
        let first = try #require(made[0])
        #expect(CMFormatDescriptionEqual(first, otherFormatDescription: made[1]) && first != made[2])
        #expect(first.presentationDimensions() == CGSize(width: 1920, height: 1080))
        let plain = try #require(made[2])
        #expect(first.mediaSubType == .h264 && CMFormatDescriptionGetExtensions(plain) == nil)
    }
}

@Suite struct `Sound formats for clients` {
    @Test func `Format descriptions of audio agree with ffprobe`() async throws {
        // Frames in a packet: ISO/IEC 14496-3 and 11172-3.
        let cases: [(String, AudioFormatID, UInt32)] = [
            ("audio-only.m4a", kAudioFormatMPEG4AAC, 1024), ("audio-only.mp3", kAudioFormatMPEGLayer3, 1152),
            ("movie.mov", kAudioFormatMPEG4AAC, 1024), ("h264.ts", kAudioFormatMPEG4AAC, 1024),
        ]
        for (name, identifier, frames) in cases {
            let format = try #require(try await SoundFormat(track: track(name, .audio)))
            let stream = try #require(try probed(name, "audio"))
            #expect(format.identifier == identifier && format.framesPerPacket == frames, "\(name)")
            #expect(String(Int(format.sampleRate)) == stream["sample_rate"] as? String, "\(name)")
            #expect(Int(format.channels) == stream["channels"] as? Int && format.isCompressed, "\(name)")
            #expect(format.layoutTag == kAudioChannelLayoutTag_Stereo, "\(name)")
        }
        let film = try #require(try await track("movie.mov").load(.formatDescriptions).first)
        #expect(SoundFormat(film) == nil && film.audioChannelLayout == nil && film.audioFormatList.isEmpty)
        let flac = try #require(try await track("audio-only.flac", .audio).load(.formatDescriptions).first)
        #expect(flac.audioStreamBasicDescription?.mFormatFlags == kAppleLosslessFormatFlag_16BitSourceData)
    }

    @Test func `Audio formats plan a client's buffers`() throws {
        let plan = BufferPlan(sampleRate: 48_000, channels: 2)
        #expect(plan.bytes(seconds: 0.5) == 96_000 && !plan.isFloat && !plan.isBigEndian)
        let description = try plan.formatDescription()
        #expect(BufferPlan(description)?.format == plan.format && description.mediaSubType == .linearPCM)
        #expect(description.audioChannelLayout?.tag == kAudioChannelLayoutTag_Stereo)
        #expect(AudioChannelLayoutTag_GetNumberOfChannels(kAudioChannelLayoutTag_AAC_5_1) == 6)
        #expect(MemoryLayout<AudioStreamBasicDescription>.size == 40 && MemoryLayout<AudioChannelLayout>.size == 32)
    }
}

@Suite struct `Geometry for clients` {
    @Test func `Client code lays out videos by their geometry`() async throws {
        let turned = VideoLayout(track: try await track("rotate-90.mp4"))
        #expect(try await turned.orientedSize() == CGSize(width: 120, height: 160))
        let wide = VideoLayout(track: try await track("anamorphic.mp4"))
        #expect(abs(try #require(try await wide.stretch()) - 16.0 / 11) < 1e-4)
        let frame = try await wide.frame(in: CGRect(x: 10, y: 20, width: 400, height: 400))
        #expect(frame.width == 400 && abs(frame.height - 220) < 0.01 && abs(frame.midY - 220) < 1e-9)
        #expect(
            AVMakeRect(
                aspectRatio: CGSize(width: 1, height: 2), insideRect: CGRect(x: 0, y: 0, width: 100, height: 100))
                == CGRect(x: 25, y: 0, width: 50, height: 100))
    }
}
