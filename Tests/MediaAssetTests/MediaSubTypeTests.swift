import Foundation
import MediaAsset
import MediaCore
import MediaTestSupport
import SampleBuffers
import Testing

@Suite struct `Media sub-types` {
    private static func text(_ type: CMFormatDescription.MediaSubType) -> String {
        let code = type.rawValue
        return String(
            decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> FourCharCode($0)) }, as: UTF8.self)
    }

    /// Core Audio's identifiers by the names that `ffprobe` has for codecs.
    private static let identifiers = [
        "aac": "aac ", "mp3": ".mp3", "mp2": ".mp2", "ac3": "ac-3", "eac3": "ec-3", "alac": "alac", "flac": "flac",
        "opus": "opus", "vorbis": "vorb", "amr_nb": "samr", "qdm2": "QDM2", "wmav2": "ms\u{1}a", "none": "none",
        "pcm_alaw": "alaw", "pcm_mulaw": "ulaw",
    ]

    private static func identifier(_ codec: String) -> String? {
        identifiers[codec] ?? (codec.hasPrefix("pcm_") ? "lpcm" : nil)
    }

    @Test func `Media subtypes of audio are Core Audio's, whatever the container`() async throws {
        var count = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: Fixture.folder.path) {
            guard let streams = try? Sidecar.load(Fixture(name)).streams,
                let tracks = try? await Fixture(name).asset.load(.tracks)
            else { continue }
            let sound = tracks.filter { $0.mediaType == .audio }
            for (track, stream) in zip(sound, streams.filter { $0.codecType == "audio" }) {
                let format = try #require(try await track.load(.formatDescriptions).first)
                let codec = try #require(stream.codecName)
                #expect(Self.text(format.mediaSubType) == Self.identifier(codec), "\(name)")
                count += 1
            }
        }
        #expect(count > 20)
    }

    @Test func `Media subtypes of video are those of a movie's sample entries`() async throws {
        let expected = [
            "movie.mov": "avc1", "alpha-prores.mov": "ap4h", "alpha-png.mov": "png ", "hevc-open-gop.mp4": "hvc1",
            "vp8.webm": "vp08", "vp9.webm": "vp09", "av1.webm": "av01", "h264.ts": "avc1", "h264.avi": "avc1",
            "h264.flv": "avc1", "mjpeg.avi": "jpeg", "mpeg2.ps": "mp2v", "mpeg4-b.avi": "mp4v", "wmv2.asf": "WMV2",
            "animated.gif": "gif ",
        ]
        for (name, code) in expected {
            let track = try #require(try await Fixture(name).asset.loadTracks(withMediaType: .video).first)
            let format = try #require(try await track.load(.formatDescriptions).first)
            #expect(Self.text(format.mediaSubType) == code, "\(name)")
            #expect(CMFormatDescriptionGetMediaSubType(format) == format.mediaSubType.rawValue)
        }
    }

    @Test func `Media subtypes are never 0`() async throws {
        let folders = [Fixture.folder, Fixture.corpus].compactMap(\.self)
        var count = 0
        for folder in folders {
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            for url in (files?.allObjects ?? []).compactMap({ $0 as? URL }) where !url.hasDirectoryPath {
                guard let tracks = try? await AVURLAsset(url: url).load(.tracks) else { continue }
                for track in tracks {
                    let format = try #require(try await track.load(.formatDescriptions).first)
                    #expect(format.mediaSubType.rawValue != 0, "\(url.lastPathComponent), \(format.codecName)")
                    guard track.mediaType == .audio, !Self.isProtected(format.mediaSubType) else { continue }
                    // What Core Audio has no identifier for keeps the code of its container.
                    guard let identifier = Self.identifier(format.codecName) else { continue }
                    // The only file of HE-AAC.
                    let isHE = url.lastPathComponent == "zero-length-mdat.m4a"
                    let expected = isHE ? "aach" : identifier
                    #expect(Self.text(format.mediaSubType) == expected, "\(url.lastPathComponent)")
                    count += 1
                }
            }
        }
        #expect(count > 20)
    }

    private static func isProtected(_ code: CMFormatDescription.MediaSubType) -> Bool {
        ["enca", "drms"].contains(text(code))
    }
}
