import MediaCore
import Testing

@Suite struct `Names of codecs in media types` {
    // Examples of RFC 6381 and of the bindings of AV1, VP9 and Opus to ISO files.
    @Test(arguments: [
        ("avc1.640028", Codec.h264), ("avc3.42E01E", .h264), ("hvc1.1.6.L93.B0", .hevc), ("av01.0.04M.08", .av1),
        ("vp09.00.10.08", .vp9), ("vp8", .vp8), ("mp4v.20.9", .mpeg4), ("mp4a.40.2", .aac), ("mp4a", .aac),
        ("mp4a.6B", .mp3), ("ac-3", .ac3), ("ec-3", .eac3), ("Opus", .opus), ("fLaC", .flac),
    ])
    func `Codec names of media types are known`(_ name: String, _ codec: Codec) {
        #expect(Codec(mediaTypeName: name) == codec)
    }

    @Test(arguments: ["", "xyz9", "mp4a.FF", "."])
    func `Unknown codec names of media types give no codec`(_ name: String) {
        #expect(Codec(mediaTypeName: name) == nil)
    }
}
