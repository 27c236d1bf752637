import Foundation
import MediaCore
import TestSupport
import Testing

@testable import FFmpegKit

/// Decodes one stream, filters it, encodes it, and writes it: the simple loop.
struct Transcode {
    var source: String
    var stream = 0
    var filters: FilterChoice
    var settings: EncoderSettings
    var format: String
    var traits = StreamTraits()
    var frameLimit = Int.max
    var threads = 1
    /// How many frames were encoded.
    private(set) var frames = 0
    private(set) var statistics = ""

    init(
        _ source: String, stream: Int = 0, settings: EncoderSettings, to format: String,
        filters: @escaping FilterChoice
    ) {
        (self.source, self.stream, self.settings) = (source, stream, settings)
        (self.format, self.filters) = (format, filters)
    }

    mutating func run(into sink: any MuxerSink) throws {
        let demuxer = try Demuxer.open(source, policy: SafetyPolicy(), interrupt: Interrupt())
        demuxer.select(streams: [stream])
        let info = demuxer.streams[stream]
        let decoder = try demuxer.makeDecoder(stream: stream, threading: threads == 1 ? .single : .frames(threads))
        let muxer = try Muxer.open(ContainerFormat(Container(rawValue: format)), sink: sink)
        settings.usesGlobalHeader = muxer.format.wantsGlobalHeader
        let encoder = try Encoder.open(settings)
        let isFirstPass = settings.pass.number == 1
        if !isFirstPass {
            _ = try muxer.addStream(CodedStream(from: encoder, traits: traits))
            try muxer.start()
        }
        var configuration = FilterGraph.Configuration(timeBase: info.timeBase, filters: filters)
        configuration.frameRate = info.video?.averageFrameRate
        configuration.frameSize = encoder.frameSize
        let graph = FilterGraph(configuration)
        func drainEncoder() throws {
            while case .packet(let packet) = try encoder.receive() {
                guard !isFirstPass else { continue }
                try muxer.write(packet, toStream: 0, timeBase: encoder.timeBase)
            }
        }
        func drainGraph() throws {
            while case .frame(let frame) = try graph.pull() {
                guard frames < frameLimit, let ticks = frame.presentationTicks, let base = graph.timeBase else {
                    continue
                }
                frames += 1
                try encoder.send(frame, atTicks: encoder.timeBase.ticks(atOrBefore: base.time(of: ticks)))
                try drainEncoder()
            }
        }
        var (isDone, number) = (false, Int64(0))
        while !isDone, frames < frameLimit {
            switch try decoder.receive().output {
            case .frame(let frame):
                try graph.push(frame)
                try drainGraph()
            case .needsPacket:
                let packet = try demuxer.readPacket()
                number += 1
                _ = try decoder.send(packet, number: number)
            case .end: isDone = true
            }
        }
        try graph.finish()
        try drainGraph()
        try encoder.finish()
        try drainEncoder()
        statistics = encoder.passStatistics
        if !isFirstPass { try muxer.finish() }
    }
}

struct CodecCase: Sendable, CustomTestStringConvertible {
    var settings: EncoderSettings
    var format: String
    /// As `ffprobe` names them.
    var codec: String
    var pixelFormat: String

    init(
        _ name: String, _ pixelFormat: String = "yuv420p", _ options: [String: String] = [:], bitRate: Int64? = nil,
        in format: String, codec: String, as decodedFormat: String? = nil
    ) {
        var video = VideoSettings(
            width: 160, height: 120, pixelFormat: pixelFormat, timeBase: TimeBase(numerator: 1, denominator: 25))
        video.frameRate = Ratio(25, 1)
        video.color = ColorInfo(
            primaries: .bt709, transferFunction: .bt709, yCbCrMatrix: name == "gif" ? .identity : .bt709,
            range: .video)
        video.sampleAspectRatio = Ratio(1, 1)
        settings = EncoderSettings(name: name, media: .video(video))
        settings.options = options
        settings.bitRate = bitRate
        (self.format, self.codec, self.pixelFormat) = (format, codec, decodedFormat ?? pixelFormat)
    }

    var testDescription: String { "\(settings.name) \(pixelFormat)" }
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct `Encoding` {
    @Test(arguments: [
        CodecCase("libx264", "yuv420p", ["preset": "veryfast", "crf": "20"], in: "mp4", codec: "h264"),
        CodecCase("libx264", "yuv420p", ["preset": "veryfast"], in: "mpegts", codec: "h264"),
        CodecCase("libx265", "yuv420p10le", ["preset": "ultrafast"], in: "mp4", codec: "hevc"),
        CodecCase("libvpx-vp9", "yuv420p", ["cpu-used": "8", "deadline": "realtime"], in: "webm", codec: "vp9"),
        CodecCase("libvpx", "yuv420p", ["deadline": "realtime"], bitRate: 400_000, in: "webm", codec: "vp8"),
        CodecCase("libsvtav1", "yuv420p", ["preset": "12"], in: "mp4", codec: "av1"),
        CodecCase("prores_ks", "yuv422p10le", ["profile": "standard"], in: "mov", codec: "prores"),
        CodecCase("prores_ks", "yuva444p10le", ["profile": "4444"], in: "mov", codec: "prores", as: "yuva444p10le"),
        CodecCase("mjpeg", "yuvj420p", [:], in: "mov", codec: "mjpeg"),
        CodecCase("gif", "pal8", [:], in: "gif", codec: "gif", as: "bgra"),
    ])
    func `Encoded frames decode again`(_ c: CodecCase) async throws {
        let folder = try TemporaryFolder()
        let sink = MemorySink()
        let palette = ",split[a][b];[a]palettegen[p];[b][p]paletteuse"
        var transcode = Transcode(Fixture("movie.mp4").path, settings: c.settings, to: c.format) { _ in
            let last = c.settings.name == "gif" ? "format=bgra" + palette : "format=\(c.settings.pixelFormat)"
            return "trim=end_frame=12,scale=160:120,\(last)"
        }
        try transcode.run(into: sink)
        #expect(transcode.frames == 12)
        let path = folder.path("out." + c.format)
        try sink.save(path)
        let fields = "stream=codec_name,width,height,pix_fmt,nb_read_frames,sample_aspect_ratio,avg_frame_rate"
        let line = try await Peer.run(
            "ffprobe", ["-v", "error", "-count_frames", "-show_entries", fields, "-of", "compact", path])
        for part in [
            "codec_name=\(c.codec)|", "width=160|height=120|", "pix_fmt=\(c.pixelFormat)", "nb_read_frames=12",
        ] {
            #expect(line.contains(part), "\(line)")
        }
        if c.format != "gif" {
            #expect(line.contains("avg_frame_rate=25/1"), "\(line)")
            // The bar code and the rest of the picture are still what they were.
            let similarity = try await Peer.similarity(path, Fixture("movie.mp4").path, width: 160, height: 120)
            #expect(similarity > 0.85)
        }
    }

    @Test(arguments: [
        ("aac", "fltp", "mp4", "aac"), ("libmp3lame", "fltp", "mp3", "mp3"), ("libopus", "flt", "webm", "opus"),
        ("flac", "s16", "flac", "flac"), ("pcm_s16le", "s16", "wav", "pcm_s16le"), ("alac", "s16p", "ipod", "alac"),
        ("libvorbis", "fltp", "ogg", "vorbis"), ("ac3", "fltp", "mpegts", "ac3"),
    ])
    func `Encoded audio decodes again`(_ name: String, _ sampleFormat: String, _ format: String, _ codec: String)
        async throws
    {
        let folder = try TemporaryFolder()
        let settings = EncoderSettings(
            name: name,
            media: .audio(AudioSettings(sampleRate: 48000, sampleFormat: sampleFormat, channelLayout: "stereo")))
        let sink = MemorySink()
        var transcode = Transcode(Fixture("audio-only.m4a").path, settings: settings, to: format) { _ in
            "aresample=48000,aformat=sample_fmts=\(sampleFormat):channel_layouts=stereo"
        }
        try transcode.run(into: sink)
        let path = folder.path("out")
        try sink.save(path)
        let line = try await Peer.run(
            "ffprobe",
            ["-v", "error", "-show_entries", "stream=codec_name,sample_rate,channels", "-of", "compact", path])
        #expect(line.contains("codec_name=\(codec)|sample_rate=48000|channels=2"), "\(line)")
        let (samples, expected) = (
            try await Peer.sampleCount(path, rate: 48000),
            try await Peer.sampleCount(Fixture("audio-only.m4a").path, rate: 48000)
        )
        // Codecs of fixed frames without a record of their padding come out longer.
        let isExact = ["flac", "pcm_s16le", "alac", "libopus", "libvorbis"].contains(name)
        #expect(isExact ? abs(samples - expected) <= 64 : abs(samples - expected) < 4000, "\(samples) \(expected)")
    }

    @Test func `Encoders of two passes pass their statistics on by log files or as text`() throws {
        for (name, options) in [
            ("libx264", ["preset": "veryfast"]), ("libx265", ["preset": "ultrafast"]),
            ("libvpx-vp9", ["cpu-used": "8", "deadline": "good"]), ("mpeg4", [:]),
        ] {
            // A colon and a quote, which end values in the encoders' own syntax.
            let folder = try TemporaryFolder()
            let directory = folder.path("two: 'passes'")
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            var c = CodecCase(name, "yuv420p", options, bitRate: 150_000, in: "mp4", codec: "")
            func run() throws -> (Int, String) {
                let sink = MemorySink()
                var transcode = Transcode(Fixture("movie.mp4").path, settings: c.settings, to: "mp4") { _ in
                    "trim=end_frame=60,scale=160:120,format=yuv420p"
                }
                try transcode.run(into: sink)
                return (sink.bytes.count, transcode.statistics)
            }
            c.settings.pass = .first(directory: directory)
            let (none, statistics) = try run()
            #expect(none == 0)
            #expect(statistics.isEmpty == ["libx264", "libx265"].contains(name))
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory).isEmpty == !statistics.isEmpty)
            c.settings.pass = .second(directory: directory, statistics: statistics)
            let (size, _) = try run()
            // 2.4 seconds at 150 kbit/s are 45 kB; the picture is a simple one.
            #expect((12_000...75_000).contains(size), "\(name) \(size)")
        }
    }

    @Test func `Encoded HDR keeps its tags`() async throws {
        let folder = try TemporaryFolder()
        var hdr = HDRMetadata()
        hdr.masteringDisplay = .init(
            red: .init(x: 0.68, y: 0.32), green: .init(x: 0.265, y: 0.69), blue: .init(x: 0.15, y: 0.06),
            white: .init(x: 0.3127, y: 0.329), minimumLuminance: 0.005, maximumLuminance: 1000)
        hdr.contentLight = .init(maximum: 1000, maximumAverage: 400)
        for (name, options) in [
            ("libx265", ["preset": "ultrafast"]), ("libsvtav1", ["preset": "12"]), ("libx264", ["preset": "veryfast"]),
        ] {
            var c = CodecCase(name, "yuv420p10le", options, in: "mp4", codec: "")
            guard case .video(var video) = c.settings.media else { return }
            video.hdr = hdr
            video.color = ColorInfo(
                primaries: .bt2020, transferFunction: .pq, yCbCrMatrix: .bt2020, range: .video, chromaLocation: .topLeft
            )
            c.settings.media = .video(video)
            let sink = MemorySink()
            var transcode = Transcode(Fixture("movie.mp4").path, settings: c.settings, to: "mp4") { _ in
                "trim=end_frame=3,scale=160:120,format=yuv420p10le"
            }
            transcode.traits.hdr = hdr
            try transcode.run(into: sink)
            let path = folder.path("\(name).mp4")
            try sink.save(path)
            let copy = try Demuxer.open(path, policy: SafetyPolicy(), interrupt: Interrupt())
            #expect(copy.traits(ofStream: 0).hdr == hdr, "\(name)")
            #expect(copy.streams[0].video?.color.transferFunction == .pq)
            // The stream itself tells it too; FFmpeg 5.1 reads that of H.264 not.
            guard name != "libx264" else { continue }
            let frame = try #require(
                try Demuxer.open(path, policy: SafetyPolicy(), interrupt: Interrupt()).firstFrame())
            #expect(frame.hdr.contentLight == hdr.contentLight, "\(name)")
            let display = try #require(frame.hdr.masteringDisplay, "\(name)")
            #expect(abs(display.maximumLuminance - 1000) < 0.1 && abs(display.green.y - 0.69) < 0.001, "\(name)")
        }
    }

    @Test func `Encoded frames keep their durations`() throws {
        var video = VideoSettings(
            width: 320, height: 240, pixelFormat: "yuv420p", timeBase: TimeBase(numerator: 1, denominator: 1000))
        video.keyframeInterval = 250
        var settings = EncoderSettings(name: "libx264", media: .video(video))
        settings.options = ["preset": "ultrafast", "x264-params": "keyint=250:scenecut=0"]
        let encoder = try Encoder.open(settings)
        let frames = try Fixture("movie.mp4").frames(6)
        let times: [(Int64, Int64)] = [(0, 10), (10, 400), (410, 7), (417, 100), (517, 1), (518, 33)]
        var packets: [Packet] = []
        for (index, (frame, time)) in zip(frames, times).enumerated() {
            try encoder.send(frame, atTicks: time.0, duration: time.1, isKeyframe: index == 3)
            while case .packet(let packet) = try encoder.receive() { packets.append(packet) }
        }
        try encoder.finish()
        while case .packet(let packet) = try encoder.receive() { packets.append(packet) }
        packets.sort { ($0.presentationTicks ?? 0) < ($1.presentationTicks ?? 0) }
        #expect(packets.map(\.presentationTicks) == times.map(\.0))
        #expect(packets.map(\.durationTicks) == times.map(\.1))
        #expect(packets.map(\.isKey) == [true, false, false, true, false, false])
    }

    @Test func `Encoders fail with the name of the setting that is not possible`() throws {
        func reason(_ change: (inout EncoderSettings) -> Void) -> String? {
            var settings = CodecCase("libx264", in: "mp4", codec: "").settings
            change(&settings)
            do {
                _ = try Encoder.open(settings)
                return nil
            } catch {
                #expect(error.kind == .unsupported, "\(error)")
                return error.reason
            }
        }
        #expect(reason { _ in } == nil)
        #expect(reason { $0.options = ["no_such_option": "1"] } == "the encoder libx264 has no option no_such_option")
        #expect(reason { $0.options = ["preset": "no_such_preset"] }?.contains("no_such_preset") == true)
        #expect(reason { $0.options = ["crf": "many"] }?.contains("many") == true)
        #expect(reason { $0.options = ["x264-params": "no_such_parameter=1"] }?.contains("no_such_parameter") == true)
        #expect(reason { $0.name = "no_such_encoder" } == "this FFmpeg has no encoder no_such_encoder")
        #expect(
            reason {
                $0 = CodecCase("libx265", in: "mp4", codec: "").settings
                $0.options = ["x265-params": "no_such_parameter=1"]
            }?.contains("no_such_parameter") == true)
        #expect(
            reason {
                $0 = CodecCase("libsvtav1", in: "mp4", codec: "").settings
                $0.options = ["svtav1-params": "no_such_parameter=1"]
            }?.contains("no_such_parameter") == true)
        #expect(
            reason { $0 = CodecCase("libx264", "no_such_format", in: "mp4", codec: "").settings }?.contains(
                "no_such_format") == true)
        #expect(reason { $0 = CodecCase("libx264", "rgba", in: "mp4", codec: "").settings } != nil)
        #expect(
            reason {
                $0.name = "aac"
                $0.media = .audio(AudioSettings(sampleRate: 48000, sampleFormat: "fltp", channelLayout: "nonsense"))
            }?.contains("nonsense") == true)
    }

    /// SVT-AV1 is not made for being closed before its end.
    @Test(arguments: ["libx264", "libx265", "libsvtav1", "libvpx-vp9", "prores_ks"], [0, 1, 5])
    func `Encoders can be closed before their end`(_ name: String, _ count: Int) throws {
        let format = name == "prores_ks" ? "yuv422p10le" : "yuv420p"
        let encoder = try Encoder.open(CodecCase(name, format, in: "mp4", codec: "").settings)
        let graph = FilterGraph(
            .init(timeBase: TimeBase(numerator: 1, denominator: 12800)) { _ in
                "scale=160:120,format=\(format)"
            })
        for (index, frame) in try Fixture("movie.mp4").frames(count).enumerated() {
            try graph.push(frame)
            guard case .frame(let scaled) = try graph.pull() else { continue }
            try encoder.send(scaled, atTicks: Int64(index))
            while case .packet = try encoder.receive() {}
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["libx264", "libx265", "libsvtav1", "libvpx-vp9", "prores_ks"])
    func `Encoders without input end at once`(_ name: String) throws {
        let format = name == "prores_ks" ? "yuv422p10le" : "yuv420p"
        let encoder = try Encoder.open(CodecCase(name, format, in: "mp4", codec: "").settings)
        try encoder.finish()
        guard case .end = try encoder.receive() else {
            Issue.record("a packet of nothing")
            return
        }
    }

    @Test func `Encoders report what they can take`() throws {
        let x264 = try #require(EncoderCapabilities(ofEncoder: "libx264"))
        #expect(x264.codec == .h264 && x264.kind == .video)
        #expect(x264.pixelFormats.contains("yuv420p") && x264.pixelFormats.contains("yuv420p10le"))
        let opus = try #require(EncoderCapabilities(ofEncoder: "libopus"))
        #expect(opus.sampleRates.sorted() == [8000, 12000, 16000, 24000, 48000])
        #expect(opus.sampleFormats.sorted() == ["flt", "s16"])
        let ac3 = try #require(EncoderCapabilities(ofEncoder: "ac3"))
        #expect(ac3.channelLayouts.contains("5.1"))
        #expect(EncoderCapabilities(ofEncoder: "nonsense") == nil)
        #expect(Encoder.isAvailable("aac") && !Encoder.isAvailable("nonsense"))
    }
}

@Suite(.serialized) struct `Writers given up` {
    @Test func `Muxers closed before their end leave no memory behind`() async {
        // In a process of its own, where nothing else takes memory.
        await #expect(processExitsWith: .success) {
            func resident() throws -> Int {
                let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
                return (Int(fields[1]) ?? 0) * 4096
            }
            func work() throws {
                for format in ["mp4", "matroska", "mpegts"] {
                    var remux = Remux(Fixture("movie.mp4").path, to: format)
                    try? remux.run(into: MemorySink(capacity: 60_000))
                }
                let settings = CodecCase("libx264", "yuv420p", ["preset": "ultrafast"], in: "mp4", codec: "").settings
                var transcode = Transcode(Fixture("movie.mp4").path, settings: settings, to: "mp4") { _ in
                    "scale=160:120,format=yuv420p"
                }
                transcode.frameLimit = 10
                try? transcode.run(into: MemorySink(capacity: 100))
                let graph = FilterGraph(
                    .init(timeBase: TimeBase(numerator: 1, denominator: 25)) { _ in "tmix=frames=8" })
                for frame in try Fixture("odd-33x17.mp4").frames(4) { try graph.push(frame) }
            }
            for _ in 0..<10 { try work() }
            let before = try resident()
            for _ in 0..<40 { try work() }
            // One muxer's buffer left behind each time would be 10 MB for each container.
            if try resident() - before > 8 << 20 { exit(1) }
        }
    }
}

@Suite(.serialized) struct `A filter graph` {
    private func pulled(_ graph: FilterGraph) throws -> [Frame] {
        var result: [Frame] = []
        while case .frame(let frame) = try graph.pull() { result.append(frame) }
        return result
    }

    @Test func `A filter graph scales, converts and changes the rate`() throws {
        var configuration = FilterGraph.Configuration(timeBase: TimeBase(numerator: 1, denominator: 12800)) { _ in
            "scale=64:48,fps=50,format=yuv444p"
        }
        configuration.frameRate = Ratio(25, 1)
        let graph = FilterGraph(configuration)
        #expect(graph.timeBase == nil)
        var frames: [Frame] = []
        for frame in try Fixture("movie.mp4").frames(10) {
            try graph.push(frame)
            frames += try pulled(graph)
        }
        guard case .needsFrame = try graph.pull() else {
            Issue.record("wants no more")
            return
        }
        try graph.finish()
        frames += try pulled(graph)
        guard case .end = try graph.pull() else {
            Issue.record("has no end")
            return
        }
        #expect(frames.count == 20)
        #expect(frames.map(\.presentationTicks) == (0..<20).map { Int64($0) })
        #expect(frames.allSatisfy { $0.width == 64 && $0.height == 48 && $0.pixelFormat == "yuv444p" })
        #expect(graph.timeBase == TimeBase(numerator: 1, denominator: 50))
        #expect(graph.frameRate == Ratio(50, 1))
        #expect(graph.configurations == 1)
    }

    @Test func `A filter graph gives the frames that ffmpeg gives`() async throws {
        let filters = "scale=100:80:flags=lanczos,hflip,format=rgb24"
        let graph = FilterGraph(
            .init(timeBase: TimeBase(numerator: 1, denominator: 12800)) { _ in FilterDescription(filters) })
        var ours: [UInt8] = []
        for frame in try Fixture("movie.mp4").frames(3) {
            try graph.push(frame)
            for frame in try pulled(graph) {
                let row = frame.pointer.pointee.stride(ofPlane: 0)
                for line in 0..<80 {
                    let start = try #require(frame.pointer.pointee.dataPlane(0)) + line * row
                    ours += UnsafeBufferPointer(start: start, count: 300)
                }
            }
        }
        let theirs = try await CommandRun.ffmpegPixels(
            of: Fixture("movie.mp4").path, options: ["-frames:v", "3", "-vf", filters])
        #expect(ours == theirs)
    }

    @Test func `A filter graph is made anew when frames change their size`() throws {
        let graph = FilterGraph(
            .init(timeBase: TimeBase(numerator: 1, denominator: 25)) { format in
                guard case .video(let video) = format else { return "" }
                return video.width == 320 ? "tmix=frames=2,scale=32:24" : "scale=32:24,negate"
            })
        var frames: [Frame] = []
        var tick: Int64 = 0
        for name in ["movie.mp4", "odd-33x17.mp4", "movie.mp4"] {
            for frame in try Fixture(name).frames(4) {
                try graph.push(frame, atTicks: tick)
                tick += 1
                frames += try pulled(graph)
            }
        }
        try graph.finish()
        frames += try pulled(graph)
        #expect(graph.configurations == 3)
        #expect(frames.count == 12)
        #expect(frames.compactMap(\.presentationTicks).sorted() == (0..<12).map { Int64($0) })
        #expect(frames.allSatisfy { $0.width == 32 && $0.height == 24 })
    }

    @Test func `A filter graph makes audio frames of one size, whatever the sources`() throws {
        func sound(_ name: String) throws -> [Frame] { try Fixture(name).frames(30).filter(\.isSound) }
        var configuration = FilterGraph.Configuration(timeBase: TimeBase(numerator: 1, denominator: 44100)) { _ in
            "aresample=44100,aformat=sample_fmts=fltp:channel_layouts=stereo"
        }
        configuration.frameSize = 1000
        let graph = FilterGraph(configuration)
        let sources = try [sound("audio-only.m4a"), sound("audio-only.flac"), sound("audio-only.m4a")]
        #expect(sources.allSatisfy { !$0.isEmpty })
        var (tick, given): (Int64, Int) = (0, 0)
        var frames: [Frame] = []
        for frame in sources.flatMap({ $0 }) {
            try graph.push(frame, atTicks: tick)
            let samples = frame.sampleCount * 44100 / frame.sampleRate
            tick += Int64(samples)
            given += samples
            frames += try pulled(graph)
        }
        try graph.finish()
        frames += try pulled(graph)
        #expect(frames.dropLast().allSatisfy { $0.sampleCount == 1000 })
        let total = frames.reduce(0) { $0 + $1.sampleCount }
        #expect(abs(total - given) < 100, "\(total) of \(given)")
        #expect(frames.allSatisfy { $0.channelLayout == "stereo" && $0.sampleFormat == "fltp" })
    }

    @Test func `A filter graph names the part of its text that is wrong`() throws {
        let frame = try #require(try Fixture("movie.mp4").frames(1).first)
        for (filters, word) in [
            ("no_such_filter", "no_such_filter"), ("scale=w=nonsense", "nonsense"), ("scale=no_such=1", "no_such"),
            ("aresample=44100", ""),
        ] {
            let graph = FilterGraph(
                .init(timeBase: TimeBase(numerator: 1, denominator: 25)) { _ in FilterDescription(filters) })
            let error = #expect(throws: FFmpegError.self) { try graph.push(frame) }
            #expect(error?.operation == .filter)
            #expect(
                error.map { word.isEmpty || $0.reason.contains(word) } == true, "\(filters): \(error?.reason ?? "")")
        }
        let graph = FilterGraph(.init(timeBase: TimeBase(numerator: 1, denominator: 25)) { _ in "null" })
        try graph.finish()
        guard case .end = try graph.pull() else {
            Issue.record("has no end")
            return
        }
    }
}

@Suite(.serialized) struct `Decoding for a film` {
    @Test(arguments: [Decoder.Threading.frames(0), .frames(3), .slices(2)])
    func `A decoder gives the same frames with any number of threads`(_ threading: Decoder.Threading) throws {
        func digests(_ threading: Decoder.Threading) throws -> [UInt64] {
            let demuxer = try Fixture("h264.ts").open()
            demuxer.select(streams: [0])
            let decoder = try demuxer.makeDecoder(stream: 0, threading: threading)
            var (result, number): ([UInt64], Int64) = ([], 0)
            while true {
                switch try decoder.receive().output {
                case .frame(let frame): result.append(frame.contentDigest)
                case .end: return result
                case .needsPacket:
                    number += 1
                    _ = try decoder.send(try demuxer.readPacket(), number: number)
                }
            }
        }
        let expected = try digests(.single)
        #expect(expected.count > 50)
        #expect(try digests(threading) == expected)
    }

    @Test func `A decoder gives audio frames with their format`() throws {
        let frames = try Fixture("audio-only.m4a").frames(5)
        #expect(frames.count == 5)
        #expect(frames.allSatisfy { $0.isSound && $0.sampleFormat == "fltp" && $0.channels > 0 })
        #expect(frames.dropFirst().allSatisfy { $0.sampleCount == 1024 })
        guard case .audio(let format) = frames[0].format else {
            Issue.record("is no sound")
            return
        }
        #expect(format.sampleRate == frames[0].sampleRate)
    }
}
