internal import ArgumentParser

/// What pictures become that go to another program.
package enum FrameStreamFormat: String, CaseIterable, Codable, Sendable, ExpressibleByArgument {
    /// YUV4MPEG2, which encoders read from pipes.
    case y4m
    /// Samples without anything between.
    case raw
    /// PNG files, one after the other.
    case png

    package var filenameExtension: String { rawValue }
}

/// How samples of raw pictures lie, by FFmpeg's names.
package enum FrameSampleFormat: String, CaseIterable, Codable, Sendable, ExpressibleByArgument {
    case rgb24, bgr24, rgba, bgra, gray, rgb48le, gray16le, nv12, yuv420p, yuv422p, yuv444p, yuv420p10le, yuv422p10le,
        yuv444p10le

    /// Whether YUV4MPEG2 has a name for it.
    package var isForY4M: Bool {
        [.gray, .yuv420p, .yuv422p, .yuv444p, .yuv420p10le, .yuv422p10le, .yuv444p10le].contains(self)
    }
}
