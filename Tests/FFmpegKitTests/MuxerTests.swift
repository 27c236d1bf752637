import Foundation
import MediaCore
import TestSupport
import Testing

@testable import FFmpegKit

struct RemuxCase: Sendable, CustomTestStringConvertible {
    var name: String
    var formats: [String]

    init(_ name: String, _ formats: String...) { (self.name, self.formats) = (name, formats) }
    var testDescription: String { "\(name) to \(formats.joined(separator: ", "))" }
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct `Copying streams into another container` {
    /// A file of each container and codec, and the containers that hold all or some of its streams.
    @Test(
        arguments: Tier.some(
            [
                RemuxCase("movie.mp4", "mov", "mp4", "matroska", "mpegts"), RemuxCase("movie.mov", "mp4", "matroska"),
                RemuxCase("cues.mkv", "mov", "mp4", "matroska", "mpegts"), RemuxCase("languages.mkv", "mp4", "mpegts"),
                RemuxCase("languages.mp4", "mov", "matroska"), RemuxCase("h264.ts", "mov", "mp4", "matroska", "mpegts"),
                RemuxCase("hevc-open-gop.ts", "mp4", "matroska"),
                RemuxCase("hevc-open-gop.mp4", "mov", "mpegts", "matroska"),
                RemuxCase("av1.webm", "mp4", "matroska", "webm"), RemuxCase("alpha-vp9.webm", "matroska", "webm"),
                RemuxCase("vp8.webm", "matroska", "webm"), RemuxCase("h264.avi", "mp4", "matroska"),
                RemuxCase("h264.flv", "mp4", "mpegts"), RemuxCase("mpeg2.ps", "mp4", "matroska", "mpegts"),
                RemuxCase("mjpeg.avi", "mov", "mp4"), RemuxCase("theora.ogv", "ogg", "matroska"),
                RemuxCase("vfr.mp4", "mov", "matroska"), RemuxCase("fragmented.mp4", "mp4", "matroska"),
                RemuxCase("edit-list-trim.mp4", "mov", "mp4", "matroska"),
                RemuxCase("edit-list-empty.mp4", "mp4", "mpegts"),
                RemuxCase("nonzero-start.mkv", "mp4", "mpegts"), RemuxCase("interlaced.ts", "mp4", "matroska"),
                RemuxCase("attached-picture.m4a", "mp4", "ipod"), RemuxCase("attached-picture.mp3", "mp3", "mp4"),
                RemuxCase("audio-only.flac", "flac", "mp4", "matroska", "ogg"),
                RemuxCase("audio-only.mp3", "mp4", "mpegts"),
                RemuxCase("audio-only.m4a", "adts", "ipod", "matroska"),
                RemuxCase("alpha-prores.mov", "mov", "matroska"),
                RemuxCase("animated.gif", "gif"), RemuxCase("truncated.mp4", "mp4"),
            ], 10))
    func `Remuxed streams have the packets and times that ffmpeg gives them`(_ c: RemuxCase) async throws {
        let folder = try TemporaryFolder()
        for format in c.formats {
            let sink = MemorySink()
            var remux = Remux(Fixture(c.name).path, to: format)
            try remux.run(into: sink)
            #expect(remux.repairs == 0)
            let maps = remux.copied.flatMap { ["-map", "0:\($0)"] }
            try #require(!maps.isEmpty)
            let (ours, theirs) = (folder.path("ours"), folder.path("theirs"))
            try sink.save(ours)
            _ = try await Peer.run(
                "ffmpeg",
                ["-v", "error", "-nostdin", "-y", "-copyts", "-fflags", "+genpts", "-i", Fixture(c.name).path] + maps
                    + ["-c", "copy", "-copyinkf", "-map_chapters", "-1", "-strict", "-2", "-f", format, theirs])
            let (packets, expected) = (try await Peer.packets(ours), try await Peer.packets(theirs))
            #expect(packets == expected, "\(format)")
        }
    }

    @Test(arguments: [
        RemuxCase("h264.ts", "mp4", "matroska"), RemuxCase("movie.mp4", "mpegts", "matroska"),
        RemuxCase("cues.mkv", "mp4"), RemuxCase("hevc-open-gop.mp4", "mpegts", "matroska"),
        RemuxCase("vp9.webm", "mp4"), RemuxCase("edit-list-trim.mp4", "mov"),
    ])
    func `Remuxed video decodes to the same frames`(_ c: RemuxCase) async throws {
        let folder = try TemporaryFolder()
        let expected = try await Peer.decodedHashes(Fixture(c.name).path)
        for format in c.formats {
            let sink = MemorySink()
            var remux = Remux(Fixture(c.name).path, to: format)
            try remux.run(into: sink)
            try sink.save(folder.path("copy"))
            #expect(try await Peer.decodedHashes(folder.path("copy")) == expected, "\(format)")
        }
    }

    /// Matroska tells times in milliseconds, which makes packets of sound seem to
    /// last now longer, now shorter than their samples.
    @Test func `Remuxed audio of Matroska gets its exact times back`() async throws {
        let folder = try TemporaryFolder()
        try await Peer.sine(rate: 44100, to: folder.path("sound.mkv"))
        let sink = MemorySink()
        var remux = Remux(folder.path("sound.mkv"), to: "mp4")
        try remux.run(into: sink)
        try sink.save(folder.path("copy.mp4"))
        let durations = try await Peer.streams(folder.path("copy.mp4"), "packet=duration")
        #expect(durations.count > 80)
        // A few narrow down what the first one's rounded time stood for.
        #expect(durations.dropFirst().dropLast().count { $0 != "packet|duration=1024" } <= 4)
    }

    @Test func `Remuxed streams keep their traits`() async throws {
        let folder = try TemporaryFolder()
        for (name, format) in [("rotate-90.mp4", "mov"), ("anamorphic.mp4", "matroska"), ("languages.mkv", "mp4")] {
            let sink = MemorySink()
            var remux = Remux(Fixture(name).path, to: format)
            try remux.run(into: sink)
            try sink.save(folder.path("copy"))
            let (source, copy) = (
                try Fixture(name).open(),
                try Demuxer.open(folder.path("copy"), policy: SafetyPolicy(), interrupt: Interrupt())
            )
            for (index, original) in remux.copied.enumerated() {
                let (before, after) = (source.streams[original], copy.streams[index])
                #expect(after.language ?? "und" == before.language ?? "und")
                #expect(after.video?.displayMatrix == before.video?.displayMatrix)
                #expect(after.video?.sampleAspectRatio == before.video?.sampleAspectRatio)
                #expect(after.video?.color == before.video?.color)
                // A movie file has at least one enabled track of each kind.
                #expect(
                    copy.traits(ofStream: index).disposition
                        .isSuperset(of: source.traits(ofStream: original).disposition))
            }
        }
    }

    @Test func `Traits given to the muxer replace those of the stream`() async throws {
        let folder = try TemporaryFolder()
        let demuxer = try Fixture("movie.mp4").open()
        let sink = MemorySink()
        let muxer = try Muxer.open(ContainerFormat(.mp4), sink: sink)
        var traits = demuxer.traits(ofStream: 0)
        traits.language = "fra"
        traits.displayMatrix = [0, 65536, 0, -65536, 0, 0, 0, 0, 1 << 30]
        var hdr = HDRMetadata()
        hdr.contentLight = .init(maximum: 1000, maximumAverage: 400)
        traits.hdr = hdr
        _ = try muxer.addStream(CodedStream(copying: 0, of: demuxer, traits: traits))
        muxer.setMetadata(["title": "A name"])
        demuxer.select(streams: [0])
        try muxer.start(options: ["movflags": "+disable_chpl"])
        while let packet = try demuxer.readPacket() {
            try muxer.write(packet, toStream: 0, timeBase: demuxer.streams[0].timeBase)
        }
        try muxer.finish()
        try sink.save(folder.path("copy.mp4"))
        let copy = try Demuxer.open(folder.path("copy.mp4"), policy: SafetyPolicy(), interrupt: Interrupt())
        let copied = copy.traits(ofStream: 0)
        #expect(copied.language == "fra")
        #expect(copied.displayMatrix == traits.displayMatrix)
        #expect(try await Peer.streams(folder.path("copy.mp4"), "format_tags=title") == ["format|tag:title=A name"])
    }

    @Test func `Remuxed HEVC gets the tag hvc1 in MP4`() throws {
        for (name, wanted) in [("hevc-open-gop.ts", "hvc1"), ("h264.ts", "avc1")] {
            let demuxer = try Fixture(name).open()
            let muxer = try Muxer.open(ContainerFormat(.mp4), sink: MemorySink())
            let index = try muxer.addStream(CodedStream(copying: 0, of: demuxer))
            try muxer.start()
            #expect(muxer.codecTag(ofStream: index) == wanted)
        }
    }

    @Test func `Remuxed packets go through a bitstream filter`() async throws {
        let folder = try TemporaryFolder()
        let demuxer = try Fixture("packed-b.avi").open()
        demuxer.select(streams: [0])
        demuxer.infersPresentationTimes = true
        let filter = try BitstreamFilter.open("mpeg4_unpack_bframes", stream: 0, of: demuxer)
        let sink = MemorySink()
        let muxer = try Muxer.open(ContainerFormat(.mp4), sink: sink)
        _ = try muxer.addStream(CodedStream(from: filter, traits: demuxer.traits(ofStream: 0)))
        try muxer.start()
        var isDone = false
        while !isDone {
            switch try filter.receive() {
            case .packet(let packet): try muxer.write(packet, toStream: 0, timeBase: filter.timeBase)
            case .needsPacket: try filter.send(try demuxer.readPacket())
            case .end: isDone = true
            }
        }
        try muxer.finish()
        try sink.save(folder.path("copy.mp4"))
        let hashes = try await Peer.decodedHashes(folder.path("copy.mp4"))
        #expect(try await Peer.decodedHashes(Fixture("packed-b.avi").path) == hashes)
        #expect(throws: FFmpegError.self) { try BitstreamFilter.open("no_such_filter", stream: 0, of: demuxer) }
    }
}

@Suite(.serialized) struct `A muxer` {
    private func muxer(_ format: String, sink: MemorySink = MemorySink()) throws -> Muxer {
        try Muxer.open(ContainerFormat(Container(rawValue: format)), sink: sink)
    }

    @Test(arguments: [0, 1, 40, 4096, 30_000, 60_000, 120_000], ["mp4", "matroska", "mpegts"])
    func `A muxer throws what its sink threw`(_ capacity: Int, _ format: String) throws {
        let sink = MemorySink(capacity: capacity)
        var remux = Remux(Fixture("movie.mp4").path, to: format)
        let error = #expect(throws: MemorySink.Full.self) { try remux.run(into: sink) }
        #expect(error.map { $0.position <= capacity } == true)
        #expect(sink.bytes.count <= capacity)
    }

    @Test func `A muxer does not call a sink again that threw`() throws {
        let sink = MemorySink(capacity: 0)
        let demuxer = try Fixture("movie.mp4").open()
        let muxer = try muxer("mpegts", sink: sink)
        _ = try muxer.addStream(CodedStream(copying: 0, of: demuxer))
        demuxer.select(streams: [0])
        #expect(throws: MemorySink.Full.self) {
            try muxer.start()
            while let packet = try demuxer.readPacket() {
                try muxer.write(packet, toStream: 0, timeBase: demuxer.streams[0].timeBase)
            }
            try muxer.finish()
        }
        #expect(sink.writes == 1)
        #expect(throws: FFmpegError.self) { try muxer.finish() }
        #expect(sink.writes == 1)
    }

    @Test(arguments: ["mpegts", "matroska", "mp4"])
    func `A muxer writes to a sink that cannot seek`(_ format: String) async throws {
        let folder = try TemporaryFolder()
        let sink = MemorySink(isSeekable: false)
        let options = format == "mp4" ? ["movflags": "frag_keyframe+empty_moov+default_base_moof"] : [:]
        var remux = Remux(Fixture("movie.mp4").path, to: format, options: options)
        try remux.run(into: sink)
        try sink.save(folder.path("copy"))
        let expected = try await Peer.decodedHashes(Fixture("movie.mp4").path)
        #expect(try await Peer.decodedHashes(folder.path("copy")) == expected)
    }

    @Test func `A muxer refuses what is not possible, with the reason`() throws {
        func failure(_ body: () throws -> Void) -> FFmpegError? {
            do { try body() } catch { return error as? FFmpegError }
            return nil
        }
        for name in ["hls", "image2", "segment", "tee", "nonsense", ""] {
            #expect(failure { _ = try ContainerFormat(Container(rawValue: name)) }?.kind == .unsupported)
        }
        let demuxer = try Fixture("vp8.webm").open()
        let codec = failure { _ = try muxer("mp4").addStream(CodedStream(copying: 0, of: demuxer)) }
        #expect(codec?.kind == .unsupported)
        #expect(codec?.reason == "mp4 cannot hold the codec vp8")
        let movie = try Fixture("movie.mp4").open()
        let sink = MemorySink()
        let option = failure {
            let muxer = try muxer("mp4", sink: sink)
            _ = try muxer.addStream(CodedStream(copying: 0, of: movie))
            try muxer.start(options: ["movflags": "disable_chpl", "no_such_option": "1"])
        }
        #expect(option?.kind == .unsupported)
        #expect(option?.reason == "the container mp4 has no option no_such_option")
        #expect(sink.bytes.isEmpty)
        let value = failure {
            let muxer = try muxer("mp4")
            _ = try muxer.addStream(CodedStream(copying: 0, of: movie))
            try muxer.start(options: ["movflags": "nonsense"])
        }
        #expect(value?.reason.contains("nonsense") == true)
    }

    @Test func `A muxer opens no other file`() throws {
        // Moving the index to the front makes libavformat read its own output again.
        var remux = Remux(Fixture("movie.mp4").path, to: "mp4", options: ["movflags": "faststart"])
        let error = #expect(throws: FFmpegError.self) { try remux.run(into: MemorySink()) }
        #expect(error?.operation == .write)
    }

    @Test func `A muxer writes its trailer only when asked to, and once`() throws {
        let sink = MemorySink()
        let demuxer = try Fixture("movie.mp4").open()
        do {
            let muxer = try muxer("mp4", sink: sink)
            #expect(throws: FFmpegError.self) { try muxer.finish() }
            _ = try muxer.addStream(CodedStream(copying: 0, of: demuxer))
            try muxer.start()
            #expect(throws: FFmpegError.self) { try muxer.start() }
            #expect(throws: FFmpegError.self) { try muxer.addStream(CodedStream(copying: 0, of: demuxer)) }
            let packet = try #require(try demuxer.readPacket())
            try muxer.write(packet, toStream: 0, timeBase: demuxer.streams[0].timeBase)
            #expect(throws: FFmpegError.self) {
                try muxer.write(packet, toStream: 7, timeBase: demuxer.streams[0].timeBase)
            }
        }
        let marker = Array("moov".utf8)
        #expect(!sink.bytes.indices.contains { sink.bytes[$0...].starts(with: marker) })
        let whole = try muxer("mp4", sink: MemorySink())
        _ = try whole.addStream(CodedStream(copying: 0, of: demuxer))
        try whole.start()
        try whole.finish()
        #expect(throws: FFmpegError.self) { try whole.finish() }
    }

    @Test func `A muxer refuses extreme times and packets without times`() throws {
        let demuxer = try Fixture("movie.mp4").open()
        let packet = try #require(try demuxer.readPacket())
        for (presentation, decode) in [(Int64.max, Int64.max), (.min + 1, .min + 1), (nil, 0), (nil, nil)]
            as [(Int64?, Int64?)]
        {
            let muxer = try muxer("mp4")
            _ = try muxer.addStream(CodedStream(copying: 0, of: demuxer))
            try muxer.start()
            let odd = try packet.retimed(presentation: presentation, decode: decode, duration: -5)
            #expect(throws: FFmpegError.self) {
                try muxer.write(odd, toStream: 0, timeBase: demuxer.streams[0].timeBase)
            }
        }
    }

    @Test func `A muxer stops when its source is cancelled`() throws {
        let interrupt = Interrupt()
        interrupt.cancel()
        var remux = Remux(Fixture("mpeg2.ps").path, to: "matroska")
        let error = #expect(throws: FFmpegError.self) { try remux.run(into: MemorySink(), interrupt: interrupt) }
        #expect(error?.kind == .cancelled)
    }

    @Test func `A muxer shifts all streams alike where times before zero are not possible`() async throws {
        let folder = try TemporaryFolder()
        for format in ["mp4", "matroska"] {
            let demuxer = try Fixture("movie.mp4").open()
            demuxer.select(streams: [0, 1])
            let sink = MemorySink()
            let muxer = try muxer(format, sink: sink)
            for index in 0..<2 { _ = try muxer.addStream(CodedStream(copying: index, of: demuxer)) }
            try muxer.start()
            while let packet = try demuxer.readPacket() {
                let base = demuxer.streams[packet.streamIndex].timeBase
                let shift = Int64(base.denominator) * 16 / 100
                let moved = try packet.retimed(
                    presentation: packet.presentationTicks.map { $0 - shift },
                    decode: packet.decodeTicks.map { $0 - shift },
                    duration: packet.durationTicks)
                try muxer.write(moved, toStream: packet.streamIndex, timeBase: base)
            }
            try muxer.finish()
            try sink.save(folder.path("copy"))
            let (before, after) = (
                try await Peer.firstTimes(Fixture("movie.mp4").path), try await Peer.firstTimes(folder.path("copy"))
            )
            let moved = (0..<2).map { after[$0] - before[$0] }
            #expect(abs(moved[0] - moved[1]) < 0.0015, "\(format) \(moved)")
            #expect(format == "mp4" ? abs(moved[0] + 0.16) < 0.001 : after.min() == 0)
        }
    }
}

@Suite struct `Decode times` {
    private func placed(_ times: [(Int64?, Int64?)], allowsEqual: Bool = false, ignoresPrevious: Bool = false) -> (
        [[Int64?]], Int
    ) {
        var order = DecodeOrder(allowsEqual: allowsEqual, ignoresPrevious: ignoresPrevious)
        let result = times.map { times in
            let (presentation, decode) = order.placed(presentation: times.0, decode: times.1)
            return [presentation, decode]
        }
        return (result, order.repairs)
    }

    @Test func `Decode times that rise stay as they are`() {
        let times: [(Int64?, Int64?)] = [(0, -2), (3, -1), (1, 0), (2, 1), (nil, nil), (9, 9)]
        let (result, repairs) = placed(times)
        #expect(result == times.map { [$0.0, $0.1] })
        #expect(repairs == 0)
    }

    @Test func `Decode times that do not rise move up behind the one before`() {
        let (result, repairs) = placed([(5, 5), (5, 5), (2, 2), (9, 3)])
        #expect(result == [[5, 5], [6, 6], [7, 7], [9, 8]])
        #expect(repairs == 3)
        #expect(placed([(5, 5), (5, 5)], allowsEqual: true).1 == 0)
        #expect(placed([(5, 5), (5, 5)], ignoresPrevious: true).1 == 0)
    }

    /// As ffmpeg: the middle of the two times and of the tick after the last decode time.
    @Test func `Decode times after the presentation time are replaced by a guess`() {
        #expect(placed([(10, 10), (12, 20)]).0 == [[10, 10], [12, 12]])
        #expect(placed([(10, 10), (5, 20)]).0 == [[10, 10], [11, 11]])
        #expect(placed([(5, 20)]).0 == [[5, 5]])
    }
}

@Suite struct `Containers` {
    @Test(
        arguments: [
            ("mp4", "h264", true, "avc1"), ("mp4", "hevc", true, "hvc1"), ("mp4", "vp8", false, nil),
            ("mp4", "av1", true, "av01"), ("mov", "av1", false, nil), ("mov", "prores", true, nil),
            ("mp4", "mov_text", true, "tx3g"), ("mp4", "subrip", false, nil), ("matroska", "subrip", true, nil),
            ("webm", "h264", false, nil), ("webm", "opus", true, nil), ("mpegts", "h264", true, nil),
            ("mpegts", "vp9", false, nil), ("mp3", "mp3", true, nil), ("mp3", "aac", false, nil),
            ("flac", "flac", true, nil), ("ogg", "opus", true, nil), ("ipod", "aac", true, "mp4a"),
            ("wav", "pcm_s16le", true, nil), ("wav", "aac", false, nil), ("aiff", "pcm_s16be", true, nil),
            ("gif", "gif", true, nil), ("adts", "aac", true, nil), ("mp4", "nonsense", false, nil),
        ] as [(String, String, Bool, String?)])
    func `Containers know which codecs they can hold`(
        _ name: String, _ codec: String, _ canHold: Bool, _ tag: String?
    ) throws {
        let format = try ContainerFormat(Container(rawValue: name))
        #expect(format.canHold(codec: Codec(rawValue: codec)) == canHold)
        if let tag { #expect(format.codecTag(for: Codec(rawValue: codec)) == tag) }
    }

    @Test func `Containers know whether they need global headers`() throws {
        let (movie, stream) = (try ContainerFormat(.mp4), try ContainerFormat(.mpegTransportStream))
        #expect(movie.wantsGlobalHeader && !stream.wantsGlobalHeader)
        #expect(try ContainerFormat(.mp3).canHold(codec: .motionJPEG, isAttachedPicture: true))
        #expect(try !ContainerFormat(.mp3).canHold(codec: .motionJPEG))
    }
}
