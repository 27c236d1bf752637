package import ArgumentParser
package import MediaIO

/// `avtool frames`: decoded pictures for other programs.
package struct FramesCommand: MediaCommand, Writing, DamageTolerating {
    package static let configuration = CommandConfiguration(
        commandName: "frames",
        abstract: "Decode pictures of a film for another program: YUV4MPEG2, raw samples or PNG.",
        usage: "avtool frames [<options>] <files> ...",
        discussion: """
            Pictures come in the order in which they are shown, as they are meant to be seen: upright, cropped to the \
            clean aperture, of square pixels, interlaced ones as frames, HDR as SDR where samples have eight bits. \
            --stored gives them as the file has them. The first one is what is shown at --from.

            y4m has one rate: where a film's differs from picture to picture, pictures are repeated or left out, which \
            is said. With --every, what is shown at each of these times is given, again where it is the same. A \
            picture that is damaged, and a film that ends early, end the command with 65, after the pictures before.

            Examples:
              avtool frames -o - movie.mp4 | x264 --demuxer y4m -o new.264 -
              avtool frames --format raw --size 224x224 --every 1s -o - a.mp4 | ./classify
              avtool frames --from 10s --to 12s -o part.y4m movie.mp4
            """)

    @OptionGroup(title: "Pictures") package var part: PartOptions

    @Option(help: ArgumentHelp("Only what is shown at each of these distances.", valueName: "duration"))
    package var every: Written<Length>?

    @Option(help: "y4m, raw or png; if not given, by the filename extension given with -o, else y4m.")
    var format: FrameStreamFormat?

    @Option(
        help: ArgumentHelp(
            """
            How samples lie, by FFmpeg's names: rgb24, bgr24, rgba, bgra, gray, rgb48le, gray16le, nv12, yuv420p, \
            yuv422p, yuv444p, yuv420p10le and so on; if not given, close to the film's own, of png rgb24.
            """, valueName: "name"))
    package var pixelFormat: FrameSampleFormat?

    @Option(
        help: ArgumentHelp("Scale to this size; a side of 0 is in proportion to the other.", valueName: "WxH"))
    package var size: StillSize?

    @Flag(help: "Pictures as the file has them: not turned, not cropped, with fields, HDR as it is.")
    package var stored = false

    @OptionGroup package var destination: OutputOptions<Self>
    @OptionGroup package var tracks: TrackOptions
    @OptionGroup package var damage: DamageOptions<Self>
    @OptionGroup package var report: ReportOptions<Self>
    @OptionGroup package var source: SourceOptions

    package static let outputHelp = ArgumentHelp(
        "Name of the result, with {name} and {ext} for several films; a folder; or - for standard output.",
        valueName: "file")
    package static let jsonHelp: ArgumentHelp =
        "Print JSON Lines, one object for each film; with -o - one before each picture, whose byteCount tells its bytes."
    package static let damageHelp: ArgumentHelp = "Give damaged pictures too."

    package var resumes: Bool { destination.resume }
    /// Whether pictures go to a program that reads them one after the other.
    package var streams: Bool { destination.isStandardOutput }

    /// What pictures become.
    package var wanted: FrameStreamFormat {
        if let format { return format }
        let named = destination.output.flatMap { $0.split(separator: ".").last.map { String($0).lowercased() } }
        return named.flatMap { FrameStreamFormat(rawValue: $0) } ?? .y4m
    }

    package func addGrants(to grants: inout FileGrants, for file: String) {
        grants.add(results: destination.output, usual: "{name}.{ext}", of: file)
    }

    package func validate() throws {
        try part.validate()
        try every?.validate(aboveZero: "--every")
        if destination.isStandardOutput, source.named.count > 1 || source.several.filesFrom != nil {
            throw ValidationError("-o - takes a single file.")
        }
        guard wanted != .png || destination.isStandardOutput else {
            throw ValidationError("png goes to standard output, -o -; 'avtool thumbs' makes files.")
        }
        guard !report.json || !destination.isStandardOutput || wanted != .y4m else {
            throw ValidationError("y4m has no place for --json; raw has.")
        }
        if let pixelFormat {
            guard wanted != .y4m || pixelFormat.isForY4M else {
                throw ValidationError("y4m has no name for \(pixelFormat.rawValue); yuv420p and the like can be had.")
            }
            guard wanted != .png || [.rgb24, .rgba, .rgb48le].contains(pixelFormat) else {
                throw ValidationError("png is made of rgb24, rgba or rgb48le.")
            }
        }
    }

    package init() {}
}

/// What pictures become that go to another program.
package enum FrameStreamFormat: String, CaseIterable, Sendable, ExpressibleByArgument {
    /// YUV4MPEG2, which encoders read from pipes.
    case y4m
    /// Samples without anything between.
    case raw
    /// PNG files, one after the other.
    case png

    package var filenameExtension: String { rawValue }
}

/// How samples of raw pictures lie, by FFmpeg's names.
package enum FrameSampleFormat: String, CaseIterable, Sendable, ExpressibleByArgument {
    case rgb24, bgr24, rgba, bgra, gray, rgb48le, gray16le, nv12, yuv420p, yuv422p, yuv444p, yuv420p10le, yuv422p10le,
        yuv444p10le

    /// Whether YUV4MPEG2 has a name for it.
    var isForY4M: Bool {
        [.gray, .yuv420p, .yuv422p, .yuv444p, .yuv420p10le, .yuv422p10le, .yuv444p10le].contains(self)
    }
}
