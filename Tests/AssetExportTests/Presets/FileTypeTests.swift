import AssetExport
import FFmpegKit
import MediaAsset
internal import MediaCore
import MediaEngine
import Testing

@Suite struct `Kinds of files` {
    /// Identifiers and extensions as AVFoundation documents them.
    @Test(arguments: [
        (AVFileType.mov, "com.apple.quicktime-movie", "mov"), (.mp4, "public.mpeg-4", "mp4"),
        (.m4v, "com.apple.m4v-video", "m4v"), (.m4a, "com.apple.m4a-audio", "m4a"),
        (.mobile3GPP, "public.3gpp", "3gp"), (.caf, "com.apple.coreaudio-format", "caf"),
        (.wav, "com.microsoft.waveform-audio", "wav"), (.mp3, "public.mp3", "mp3"),
        (.eac3, "public.enhanced-ac3-audio", "eac3"), (.SCC, "com.scenarist.closed-caption", "scc"),
    ])
    func `File types have the identifiers of AVFoundation`(_ type: AVFileType, _ identifier: String, _ end: String) {
        #expect(type.rawValue == identifier)
        #expect(type.preferredFilenameExtension == end)
        #expect(AVFileType(filenameExtension: end.uppercased()) == type)
    }

    @Test func `File types that can be written have a muxer of this FFmpeg`() throws {
        for end in ["mov", "mp4", "m4v", "m4a", "mkv", "webm", "ogg", "opus", "flac", "gif", "ts", "avi", "wav", "caf"]
        {
            let type = try #require(AVFileType(filenameExtension: end))
            #expect(type.isWritable)
            _ = try type.containerFormat()
        }
        #expect(throws: FFmpegError.self) { try AVFileType.heic.containerFormat() }
        #expect(!AVFileType.heic.isWritable)
        #expect(AVFileType(filenameExtension: "exe") == nil)
    }

    @Test func `File types choose the muxer that holds the codecs`() throws {
        #expect(try AVFileType.m4v.containerFormat(holding: [.h264, .aac]).container == .iPod)
        #expect(try AVFileType.m4v.containerFormat(holding: [.hevc, .aac]).container == .mp4)
    }
}
