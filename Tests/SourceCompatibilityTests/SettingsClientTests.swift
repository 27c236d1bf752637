import Foundation
import OpenAVFoundation
import Testing

@Suite struct `Settings for clients` {
    // Values as WebKit's tests hold them against AVFoundation (Tools/TestWebKitAPI, AVFoundationSoftLink).
    @Test func `Settings for clients have the values of Apple's platforms`() {
        let known = [
            AVVideoExpectedSourceFrameRateKey: "ExpectedFrameRate", AVVideoProfileLevelKey: "ProfileLevel",
            AVVideoAverageBitRateKey: "AverageBitRate", AVVideoMaxKeyFrameIntervalKey: "MaxKeyFrameInterval",
            AVVideoProfileLevelH264MainAutoLevel: "H264_Main_AutoLevel", AVEncoderBitRateKey: "AVEncoderBitRateKey",
            AVFormatIDKey: "AVFormatIDKey", AVNumberOfChannelsKey: "AVNumberOfChannelsKey",
            AVSampleRateKey: "AVSampleRateKey", AVVideoCodecType.h264.rawValue: "avc1",
            AVVideoCodecType.hevcWithAlpha.rawValue: "muxa", AVMediaType.muxed.rawValue: "muxx",
            AVMediaCharacteristic.isMainProgramContent.rawValue: "public.main-program-content",
            AVMediaCharacteristic.easyToRead.rawValue: "public.easy-to-read",
            AVMediaCharacteristic.containsOnlyForcedSubtitles.rawValue: "public.subtitles.forced-only",
        ]
        for (value, expected) in known { #expect(value == expected) }
        #expect(AVVideoCodecType(rawValue: "hvc1") == .hevc && AVVideoCodecType("jpeg") == .jpeg)
    }

    @Test func `Settings for clients are put together and read again`() throws {
        let settings = WriterSettings(size: CGSize(width: 1280, height: 720), bitRate: 6_000_000, frameRate: 30)
        #expect(settings.video[AVVideoCodecKey] as? AVVideoCodecType == .h264)
        let compression = try #require(settings.video[AVVideoCompressionPropertiesKey] as? [String: Any])
        #expect(compression["ProfileLevel"] as? String == "H264_High_AutoLevel" && compression.count == 6)
        let sound = WriterSettings.aac(channels: 2, sampleRate: 44_100)
        let layout = try #require(sound[AVChannelLayoutKey] as? Data)
        // The tag is the first number: 101 << 16 | 2.
        #expect(layout.count == 32 && Array(layout.prefix(4)) == [2, 0, 101, 0])
        #expect(sound[AVFormatIDKey] as? Int == 0x6161_6320 && sound[AVEncoderAudioQualityKey] as? Int == 0x60)
        #expect(WriterSettings.samples[AVFormatIDKey] as? UInt32 == 0x6C70_636D)
    }

    @Test func `Settings for clients take the colours of a track`() async throws {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fixtures/bt709-tagged.mp4")
        let track = try #require(try await AVURLAsset(url: url).loadTracks(withMediaType: .video).first)
        let format = try #require(try await track.load(.formatDescriptions).first)
        let hd =
            WriterSettings(size: .zero, bitRate: 1, frameRate: 1).video[AVVideoColorPropertiesKey] as? [String: String]
        #expect(colorProperties(of: format) == hd)
    }
}

@Suite struct `Uniform types for clients` {
    private func file(_ name: String) -> URL { URL(fileURLWithPath: "/tmp/\(name)") }

    @Test func `Uniform types sort files for clients`() {
        let importer = MediaImporter()
        let cases: [(String, MediaImporter.Kind)] = [
            ("a.MOV", .film), ("a.mkv", .film), ("a.webm", .film), ("a.mp3", .sound), ("a.flac", .sound),
            ("a.heic", .picture), ("a.webp", .picture), ("a.txt", .other), ("a.xyz", .other), ("a", .other),
        ]
        for (name, kind) in cases { #expect(importer.kind(of: file(name)) == kind, "\(name)") }
        // Media types registered with IANA, and `video/quicktime`.
        #expect(importer.mimeType(of: file("a.mov")) == "video/quicktime")
        #expect(
            importer.mimeType(of: file("a.mp4")) == "video/mp4" && importer.mimeType(of: file("a.png")) == "image/png")
        #expect(importer.mimeType(of: file("a.qqq")) == "application/octet-stream")
        #expect(importer.fileName(base: "a", mimeType: "video/mp4; codecs=\"avc1\"") == "a.mp4")
        #expect(importer.fileName(base: "a", mimeType: "IMAGE/JPEG") == "a.jpeg")
        for nonsense in ["", "/", "video", "video/", "video/mp4/x", "\u{0}", "nonsense/type"] {
            #expect(UTType(mimeType: nonsense) == nil && UTType(nonsense) == nil, "\(nonsense)")
        }
        #expect(importer.fileType(for: file("a.mov")) == .mov && importer.fileType(for: file("a.m4a")) == .m4a)
        #expect(importer.fileType(for: file("a.png")) == nil)
    }

    @Test func `Uniform types know all file types of exports`() {
        let types: [AVFileType] = [
            .mov, .mp4, .m4v, .m4a, .mobile3GPP, .mobile3GPP2, .caf, .wav, .aiff, .aifc, .amr, .mp3, .au, .ac3, .eac3,
            .jpg, .tif, .heic, .heif, .avci, .dng, .appleiTT, .SCC, .AHAP,
        ]
        for type in types {
            #expect(UTType(type.rawValue)?.identifier == type.rawValue, "\(type.rawValue)")
            #expect(type.preferredExtension == type.legacyExtension && !type.legacyExtension.isEmpty)
        }
        #expect(AVFileType.mov.legacyExtension == "mov" && AVFileType("public.mpeg-4").preferredExtension == "mp4")
        #expect(AVFileType("no.such.type").legacyExtension.isEmpty)
        #expect(legacyTypeIsMovie("mp4") && !legacyTypeIsMovie("wav") && !legacyTypeIsMovie("nope"))
    }

    @Test func `Uniform types conform to each other, and never to themselves in circles`() throws {
        #expect(UTType.mpeg4Movie.conforms(to: .movie) && UTType.mpeg4Movie.conforms(to: .data))
        #expect(UTType.mp3.isSubtype(of: .audio) && !UTType.audio.isSubtype(of: .audio))
        #expect(UTType.image.isSupertype(of: .heic) && !UTType.image.conforms(to: .movie))
        #expect(UTType.png.supertypes.isSuperset(of: [.image, .data, .content, .item]))
        let stored = try JSONEncoder().encode([UTType.mp3, .webP])
        #expect(String(decoding: stored, as: UTF8.self) == #"["public.mp3","org.webmproject.webp"]"#)
        #expect(try JSONDecoder().decode([UTType].self, from: stored) == [.mp3, .webP])
        #expect(
            UTType.jpeg.tags[.filenameExtension]?.contains("jpg") == true
                && UTType(importedAs: "a.b").isDeclared == false)
    }
}

@Suite struct `Core Foundation's names for clients` {
    @Test func `Core Foundation's names for clients carry times`() {
        let archive = TimeArchive()
        let range = CMTimeRange(start: CMTime(value: 3, timescale: 2), duration: CMTime(value: 5, timescale: 25))
        #expect(CMTimeRangeMakeFromDictionary(archive.encode(range)) == range)
        #expect(archive.text(range.start) == "{3/2 = 1.500}")
        let ranges = [range, .invalid, CMTimeRange(start: .negativeInfinity, duration: .positiveInfinity)]
        #expect(archive.unboxed(archive.boxed(ranges)) == ranges)
        #expect(NSValue(time: .zero).timeRangeValue == .invalid && NSValue(timeRange: range).timeValue == .invalid)
        let mapping = CMTimeMapping(source: range, target: ranges[0])
        #expect(NSValue(timeMapping: mapping).timeMappingValue == mapping)
        #expect(archive.nanoseconds(1.5) == CMTime(value: 1_500_000_000, timescale: 1_000_000_000))
        #expect(NSEC_PER_SEC == 1000 * NSEC_PER_MSEC && USEC_PER_SEC == NSEC_PER_MSEC)
    }

    @Test func `Core Foundation's names for clients are Foundation's objects`() {
        let options = ThumbnailOptions(maximumSize: 320).dictionary
        #expect(options["kCGImageSourceThumbnailMaxPixelSize"] as? Int == 320 && options.count == 3)
        #expect((options["kept"] as? NSNumber)?.boolValue == true)
        let (url, type) = ThumbnailOptions(maximumSize: 1).destination(URL(fileURLWithPath: "/tmp/a.jpg"))
        #expect((url as URL).lastPathComponent == "a.jpg" && type as String == "public.jpeg")
        #expect(ThumbnailOptions(maximumSize: 1).bytes(Data([1, 2])).length == 2)
        #expect(ThumbnailOptions(maximumSize: 1).names(["a", "b"]).count == 2)
    }

    @Test func `Autorelease pools pass results and errors through`() throws {
        #expect(try checksum(of: [Data([1, 2]), Data([3])]) == 7)
        #expect(throws: CocoaError.self) { try checksum(of: [Data()]) }
        var error: NSError?
        #expect(!report(&error) && error?.code == -11800)
    }

    @Test func `Constants bridge to objects`() {
        #expect(titleItem("A").identifier == .commonIdentifierTitle)
        #expect(AVFileType.mp4 as NSString == "public.mpeg-4")
        #expect(("public.mpeg-4" as NSString) as AVFileType == .mp4)
        #expect(AVMediaType("vide") == .video && AVMetadataKeySpace("comn") == .common)
    }
}
