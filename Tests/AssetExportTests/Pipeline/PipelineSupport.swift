import FFmpegKit
import Foundation
import MediaAsset
import MediaCore
import MediaTestSupport
import Testing

@testable import AssetExport
@testable import MediaEngine

/// A file that is written at positions, and fails or calls a test where it wants.
final class FileSink: MuxerSink {
    struct Full: Error, Equatable { var limit: Int }

    let isSeekable = true
    private let handle: FileHandle
    private let limit: Int
    private let firstWrite: () -> Void
    private var hasWritten = false

    init(_ path: String, limit: Int = .max, firstWrite: @escaping () -> Void = {}) throws {
        try Data().write(to: URL(fileURLWithPath: path))
        handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        (self.limit, self.firstWrite) = (limit, firstWrite)
    }

    func write(_ bytes: UnsafeRawBufferPointer, at position: UInt64) throws {
        guard Int(position) + bytes.count <= limit else { throw Full(limit: limit) }
        if !hasWritten { firstWrite() }
        hasWritten = true
        try handle.seek(toOffset: position)
        try handle.write(contentsOf: Data(bytes))
    }
}

/// What a pipeline is to make of a file.
struct PipelineCase: Sendable, CustomTestStringConvertible {
    enum Video: Sendable { case copy, encode, none }
    enum Sound: Sendable {
        case copy, none
        case encode(String)
    }

    var source: String
    var format = "mp4"
    /// On the asset's timeline.
    var range: Range<CMTime>?
    var video = Video.encode
    var sound = Sound.encode("aac")
    var subtitles: String?
    var rateLimit: FrameRateLimit?
    var adjust: @Sendable (inout EncoderSettings) -> Void = { _ in }
    var allowsDamage = false
    var refusesTornEnds = false
    var isTwoPass = false
    var temporaryDirectory: String?
    /// How long segments are at least that are encoded apart; `nil` for one encoder.
    var segmentLength: CMTime?

    init(_ source: String, to format: String = "mp4", _ range: Range<CMTime>? = nil) {
        (self.source, self.format, self.range) = (source, format, range)
    }

    init(_ fixture: Fixture, to format: String = "mp4", _ range: Range<CMTime>? = nil) {
        self.init(fixture.path, to: format, range)
    }

    var name: String { URL(fileURLWithPath: source).lastPathComponent }

    var testDescription: String {
        let part = range.map { "\($0.lowerBound.seconds)..<\($0.upperBound.seconds) s of " } ?? ""
        return part + "\(name) to \(format), \(video) \(sound)"
    }

    /// What is the same for both.
    static let timeBase = TimeBase(numerator: 1, denominator: 90_000)

    func makePipeline() throws -> Pipeline {
        var policy = SafetyPolicy()
        policy.refusesTornEnds = refusesTornEnds
        let asset = AssetSource(path: source, policy: policy, prefersPreciseDuration: false)
        let origin = try asset.describe().origin
        let demuxer = try asset.checkOut()
        defer { asset.checkIn(demuxer) }
        var job = PipelineJob(
            tracks: try demuxer.streams.compactMap { try track($0, demuxer) },
            format: try ContainerFormat(Container(rawValue: format)))
        job.range = range.map { CMTimeRange(start: $0.lowerBound + origin, end: $0.upperBound + origin) }
        job.allowsDamage = allowsDamage
        job.temporaryDirectory = temporaryDirectory
        if let segmentLength {
            let duration = try range.map { $0.upperBound - $0.lowerBound } ?? asset.describe().duration
            divide(&job, try #require(PictureSegments(length: segmentLength, duration: duration)))
        }
        return Pipeline(job, source: asset)
    }

    private func divide(_ job: inout PipelineJob, _ segments: PictureSegments) {
        // Files of one job are to be the same bytes.
        job.muxerOptions["fflags"] = "+bitexact"
        for index in job.tracks.indices {
            guard case .encoding(var encoding) = job.tracks[index].treatment, case .video = encoding.encoder.media
            else {
                continue
            }
            encoding.segments = segments
            job.tracks[index].treatment = .encoding(encoding)
        }
    }

    func run(to path: String) throws -> PipelineResult { try makePipeline().run(into: FileSink(path)) }

    private func track(_ stream: StreamInfo, _ demuxer: Demuxer) throws -> PipelineJob.Track? {
        let traits = demuxer.traits(ofStream: stream.index)
        func made(_ treatment: PipelineJob.Treatment) -> PipelineJob.Track {
            var isCopy = false
            if case .passthrough = treatment { isCopy = true }
            return .init(stream: stream.index, treatment: treatment, traits: isCopy ? traits : traits.forEncoding)
        }
        switch stream.kind {
        case .video:
            switch video {
            case .none: return nil
            case .copy: return made(.passthrough)
            case .encode: return made(.encoding(pictures(stream)))
            }
        case .audio:
            switch sound {
            case .none: return nil
            case .copy: return made(.passthrough)
            case .encode(let name): return made(.encoding(try samples(stream, name)))
            }
        case .subtitle:
            return subtitles.map { made($0 == "copy" ? .passthrough : .subtitles(codec: Codec(rawValue: $0))) }
        default: return nil
        }
    }

    private func pictures(_ stream: StreamInfo) -> TrackEncoding {
        // The bars of the fixtures have to be readable afterwards, nothing else.
        let (width, height) = (stream.video?.width ?? 0, stream.video?.height ?? 0)
        let isWebM = format == "webm"
        var video = VideoSettings(width: width, height: height, pixelFormat: "yuv420p", timeBase: Self.timeBase)
        video.frameRate = stream.video?.averageFrameRate
        var settings = EncoderSettings(name: isWebM ? "libvpx" : "libx264", media: .video(video))
        settings.options = isWebM ? ["deadline": "realtime"] : ["preset": "ultrafast"]
        if isWebM { settings.bitRate = 1_000_000 }
        adjust(&settings)
        var encoding = TrackEncoding(encoder: settings, rateLimit: rateLimit) { _ in "format=yuv420p" }
        encoding.isAnalyzed = isTwoPass
        return encoding
    }

    private func samples(_ stream: StreamInfo, _ name: String) throws -> TrackEncoding {
        let rate = name == "libopus" ? 48_000 : stream.audio?.sampleRate ?? 48_000
        let format = EncoderCapabilities(ofEncoder: name)?.sampleFormats.first ?? "s16"
        let layout = stream.audio?.channels == 1 ? "mono" : "stereo"
        let settings = EncoderSettings(
            name: name, media: .audio(.init(sampleRate: rate, sampleFormat: format, channelLayout: layout)))
        return TrackEncoding(encoder: settings) { _ in
            "aresample=\(rate),aformat=sample_fmts=\(format):channel_layouts=\(layout)"
        }
    }
}

/// A picture as another program shows it.
struct ShownPicture: Equatable, CustomStringConvertible {
    var time: CMTime
    /// From the bar code; `nil` if it cannot be read.
    var number: Int?

    var description: String { "\(number.map(String.init) ?? "?") at \(time.seconds)" }
}

/// What the `ffmpeg` and `ffprobe` commands make of a file.
enum Reading {
    struct Failure: Error, CustomStringConvertible { var description: String }

    static func run(_ program: String, _ arguments: [String]) async throws -> CommandRun {
        let run = try await CommandRun.run(program, arguments, limit: .seconds(120))
        guard run.exitCode == 0, !run.timedOut else { throw Failure(description: "\(program): \(run.errorOutput)") }
        return run
    }

    static func ffmpeg(_ arguments: [String]) async throws {
        _ = try await run("ffmpeg", ["-v", "error", "-nostdin", "-y"] + arguments)
    }

    static func probe(_ path: String, _ arguments: [String]) async throws -> [[String]] {
        try await run("ffprobe", ["-v", "error", "-of", "csv=p=0"] + arguments + [path]).output
            .split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    }

    /// The numbers of the pictures of the first track in the order in which they are shown, whatever their times.
    static func numbers(_ path: String) async throws -> [Int?] {
        let facts = try await probe(path, ["-select_streams", "v:0", "-show_entries", "stream=width,height"])
        guard let width = facts.first.flatMap({ Int($0[0]) }), let height = facts.first.flatMap({ Int($0[1]) }) else {
            return []
        }
        let pixels = try await luma(path)
        return stride(from: pixels.startIndex, to: pixels.endIndex, by: max(1, width * height)).map { start in
            number(pixels[start..<min(pixels.endIndex, start + width * height)], width, height)
        }
    }

    /// The pictures as they are coded: from version 7 on ffmpeg cuts off what the container says, unless it is told not to.
    private static func luma(_ path: String) async throws -> Data {
        func decode(_ options: [String]) async throws -> Data {
            try await run(
                "ffmpeg",
                ["-v", "error", "-nostdin", "-noautorotate"] + options
                    + [
                        "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-copyts", "-pix_fmt", "gray", "-f",
                        "rawvideo", "-",
                    ]
            ).standardOutput
        }
        // Older versions know the option, and not the word.
        if let pixels = try? await decode(["-apply_cropping", "codec"]) { return pixels }
        return try await decode([])
    }

    /// The pictures of the first track in the order in which they are shown.
    static func pictures(_ path: String) async throws -> [ShownPicture] {
        let facts = try await probe(path, ["-select_streams", "v:0", "-show_entries", "stream=width,height,time_base"])
        guard let width = facts.first.flatMap({ Int($0[0]) }), let height = facts.first.flatMap({ Int($0[1]) }),
            let base = facts.first?[2]
        else { return [] }
        let times = try await probe(
            path, ["-select_streams", "v:0", "-show_entries", "frame=best_effort_timestamp"])
        let pixels = try await luma(path)
        let size = width * height
        guard pixels.count / max(1, size) == times.count else {
            throw Failure(description: "\(pixels.count / max(1, size)) pictures, \(times.count) times")
        }
        return times.enumerated().compactMap { index, fields in
            Int64(fields[0]).flatMap { CMTime(ticks: $0, timeBase: base) }.map { time in
                let start = pixels.startIndex + index * size
                return ShownPicture(time: time, number: number(pixels[start..<(start + size)], width, height))
            }
        }
    }

    /// The number in the bars of a fixture's picture.
    private static func number(_ luma: Data, _ width: Int, _ height: Int) -> Int? {
        let row = luma.startIndex + height / 8 * width
        let bars = (0..<16).map { luma[row + (2 * $0 + 1) * width / 32] > 127 ? 1 : 0 }
        let value = bars[2..<14].reduce(0) { $0 << 1 | $1 }
        let isSound = bars[0] == 1 && bars[1] == 0 && bars[15] == 0 && bars[14] == value.nonzeroBitCount & 1
        return isSound ? value : nil
    }

    /// The first channel of the first track of sound, silence before it included.
    static func samples(_ path: String, rate: Int = 48_000, fillsStart: Bool = true) async throws -> [Int16] {
        let filters = fillsStart ? ["-af", "aresample=async=1:min_hard_comp=0.0001:first_pts=0"] : []
        let bytes = try await run(
            "ffmpeg",
            ["-v", "error", "-nostdin", "-i", path, "-map", "0:a:0"] + (fillsStart ? ["-copyts"] : []) + filters
                + ["-ar", "\(rate)", "-ac", "1", "-f", "s16le", "-"]
        ).standardOutput
        return bytes.withUnsafeBytes { bytes in
            (0..<(bytes.count / 2)).map { bytes.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self) }
        }
    }
}

func seconds(_ value: Double) -> CMTime { CMTime(value: Int64((value * 1_000_000).rounded()), timescale: 1_000_000) }

/// The pictures of a fixture between two times, on the timeline that starts at the first.
func expected(_ fixture: Fixture, _ range: Range<CMTime>) throws -> [ShownPicture] {
    let frames = try Sidecar.load(fixture).shownFrames
    return frames[frames.index(shownAt: range.lowerBound)...].prefix { $0.time < range.upperBound }
        .map { ShownPicture(time: max(.zero, $0.time - range.lowerBound), number: $0.number) }
}

/// Whether two lists hold the same pictures at the same times, but for rounding.
func agree(_ left: [ShownPicture], _ right: [ShownPicture], within tolerance: CMTime) -> Bool {
    left.map(\.number) == right.map(\.number)
        && zip(left, right).allSatisfy { CMTimeAbsoluteValue($0.time - $1.time) <= tolerance }
}
