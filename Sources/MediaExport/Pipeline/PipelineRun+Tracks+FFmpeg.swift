internal import Bitstream
internal import FFmpegKit
internal import MediaAsset
internal import MediaConcurrency
internal import MediaMetadata
internal import MediaTime
internal import MediaTypes

/// The stages of each track.
extension PipelineRun {
    func addTrack(_ index: Int, _ track: PipelineJob.Track, _ mux: MuxStage) throws {
        switch track.treatment {
        case .passthrough: try addCopy(index, track, mux)
        case .subtitles(let codec): try addSubtitles(index, track, codec, mux)
        case .encoding(let encoding):
            switch encoding.encoder.media {
            case .video: try addPictures(index, track, encoding, .file(mux))
            case .audio: try addSound(index, track, encoding, mux)
            }
        }
    }

    private var damageWatch: (_ delay: Int) -> DamageWatch {
        { [job, description] delay in
            DamageWatch(isAllowed: job.allowsDamage, delay: Int64(delay), origin: description.origin)
        }
    }

    // MARK: Encoding

    func addPictures(
        _ index: Int, _ track: PipelineJob.Track, _ encoding: TrackEncoding, _ target: EncodeStage.Target
    ) throws {
        let info = demuxer.streams[track.stream]
        var settings = encoding.encoder
        settings.usesGlobalHeader = job.format.wantsGlobalHeader
        if case .video(var video) = settings.media, video.hdr.isEmpty, video.color.isHDR {
            video.hdr = try firstPictureLight(of: track.stream)
            settings.media = .video(video)
        }
        switch pass {
        case .only: settings.pass = .only
        case .first(let folder): settings.pass = .first(directory: try folder.path(ofTrack: index))
        case .second where encoding.paletteFilters != nil: settings.pass = .only
        case .second(let folder, let found):
            settings.pass = .second(
                directory: try folder.path(ofTrack: index), statistics: found.statistics[index] ?? "")
        }
        let encoder = try Encoder.open(settings)
        if case .file(let mux) = target {
            try mux.addTrack(isCounted: true) { try $0.addStream(from: encoder, traits: track.traits) }
        }
        let decoded: BoundedChannel<EncodeStage.Item> = cancellation.channel(capacity: 3, byteCapacity: 64 << 20)
        let filtered: BoundedChannel<EncodeStage.Item> = cancellation.channel(capacity: 3, byteCapacity: 64 << 20)
        let decoding = try makeDecoding(track, encoding, timeBase: encoder.timeBase, output: decoded)
        var palette: Frame?
        if case .second(_, let found) = pass { palette = found.palettes[index] }
        let filtering = FilterStage(
            encoding.filters, palette: palette, frameRate: info.video?.averageFrameRate, timeBase: encoder.timeBase,
            input: decoded, output: filtered)
        let encode = EncodeStage(
            encoder, track: index, shortest: job.format.shortestPicture, longest: job.format.longestPicture,
            input: filtered, target: target, count: frames)
        pictures[index] = (decoding, encode)
        stages.append(("decode", { try decoding.run() }))
        stages.append(("filter", { try filtering.run() }))
        stages.append(("encode", { try encode.run() }))
    }

    /// Finds the palette for all pictures of a track; nothing is encoded.
    func addPaletteSearch(
        _ index: Int, _ track: PipelineJob.Track, _ encoding: TrackEncoding,
        _ filters: @escaping @Sendable (FrameFormat) -> String, _ progress: ProgressReport
    ) throws {
        guard case .video(let video) = encoding.encoder.media else { return }
        let decoded: BoundedChannel<EncodeStage.Item> = cancellation.channel(capacity: 3, byteCapacity: 64 << 20)
        let found: BoundedChannel<EncodeStage.Item> = cancellation.channel(capacity: 3, byteCapacity: 64 << 20)
        let decoding = try makeDecoding(track, encoding, timeBase: video.timeBase, output: decoded)
        let filtering = FilterStage(
            filters, frameRate: demuxer.streams[track.stream].video?.averageFrameRate, timeBase: video.timeBase,
            input: decoded, output: found, progress: progress)
        let palette = PaletteStage(input: found)
        palettes[index] = palette
        stages.append(("decode", { try decoding.run() }))
        stages.append(("filter", { try filtering.run() }))
        stages.append(("palette", { try palette.run() }))
    }

    /// The stage that decodes the pictures of a track, with its packets coming from the reader.
    private func makeDecoding(
        _ track: PipelineJob.Track, _ encoding: TrackEncoding, timeBase: TimeBase,
        output: BoundedChannel<EncodeStage.Item>
    ) throws -> PictureStage {
        let info = demuxer.streams[track.stream]
        let decoder = try demuxer.makeDecoder(stream: track.stream, threading: .frames(0))
        let packets: BoundedChannel<Packet> = cancellation.channel(capacity: 64, byteCapacity: 16 << 20)
        let decoding = PictureStage(
            decoder, info: info, entry: entry.entries[track.stream], range: range, timeBase: timeBase,
            rateLimit: encoding.rateLimit, startsAtZero: job.format.container.has(.startsPicturesAtZero),
            statedEnd: statedEnd(of: info), damage: damageWatch(decoder.threadCount), input: packets, output: output)
        reader.add(decoding, stream: track.stream)
        return decoding
    }

    /// Where the edit list of a movie ends, in the stream's ticks; not for a source that may lack its end.
    private func statedEnd(of info: StreamInfo) -> Int64? {
        guard demuxer.container.isMovie, !job.allowsDamage,
            let track = description.tracks.first(where: { $0.streamIndex == info.index }),
            let end = track.editList.last?.target.end, end.isNumeric
        else { return nil }
        return info.timeBase.ticks(nearest: end + description.origin)
    }

    /// The light of HDR content as the first picture tells it.
    private func firstPictureLight(of stream: Int) throws -> HDRMetadata {
        guard demuxer.isSeekable else { return HDRMetadata() }
        let interrupt = Interrupt()
        interrupt.follow(cancellation)
        let other = try source.open(interrupt: interrupt)
        other.select(streams: [stream])
        let decoder = try other.makeDecoder(stream: stream)
        var number: Int64 = 0
        // The bound is there for a stream that nothing comes out of.
        while number < 512 {
            switch try decoder.receive().output {
            case .frame(let frame): return frame.hdr
            case .end: return HDRMetadata()
            case .needsPacket:
                number += 1
                _ = try decoder.send(try other.readPacket(), number: number)
            }
        }
        return HDRMetadata()
    }

    private func addSound(
        _ index: Int, _ track: PipelineJob.Track, _ encoding: TrackEncoding, _ mux: MuxStage
    ) throws {
        var settings = encoding.encoder
        settings.usesGlobalHeader = job.format.wantsGlobalHeader
        let encoder = try Encoder.open(settings)
        try mux.addTrack(isCounted: true) { try $0.addStream(from: encoder, traits: track.traits) }
        let decoder = try demuxer.makeDecoder(stream: track.stream)
        let packets: BoundedChannel<Packet> = cancellation.channel(capacity: 256, byteCapacity: 4 << 20)
        let stage = SoundStage(
            decoder, info: demuxer.streams[track.stream], encoder: encoder, filters: encoding.filters,
            settings: .init(
                range: range, startsAtZero: job.format.startsSoundAtZero,
                hasCoarseTimes: demuxer.container.has(.hasCoarseTimes), latest: latestTime),
            damage: damageWatch(0), track: index, input: packets, mux: mux)
        reader.add(stage, stream: track.stream)
        sounds[index] = stage
        stages.append(("sound", { try stage.run() }))
    }

    /// A time beyond this is wrong; `nil` if the source's end is not known.
    private var latestTime: CMTime? {
        guard description.duration.isNumeric, !description.durationIsEstimate else { return nil }
        return description.origin + description.duration + CMTime(value: 10, timescale: 1)
    }

    // MARK: Passthrough

    private func addCopy(_ index: Int, _ track: PipelineJob.Track, _ mux: MuxStage) throws {
        let info = demuxer.streams[track.stream]
        let filters = sampleFilters(info)
        let filter =
            filters.isEmpty
            ? nil
            : try BitstreamFilter.open(filters.joined(separator: ","), stream: track.stream, of: demuxer)
        let isCounted = info.kind == .video || info.kind == .audio
        let scrubber =
            job.isForSharing ? SampleScrubber(codec: info.codec.rawValue, configuration: info.extradata) : nil
        var traits = track.traits
        if job.isForSharing { traits.configuration = configuration(of: info, scrubber) }
        try mux.addTrack(isCounted: isCounted) { muxer in
            let ticks = pictureTicks(info, track)
            if let filter { return try muxer.addStream(from: filter, ticks: ticks, traits: traits) }
            return try muxer.addStream(copying: track.stream, of: demuxer, ticks: ticks, traits: traits)
        }
        let copy = PassthroughTrack(
            track.stream, of: demuxer, entry: entry.entries[track.stream],
            settings: .init(
                range: range, form: .init(job.format, info), followsPictures: hasPictures,
                hiddenPreroll: AudioPreroll(info), preroll: preroll(of: info),
                allowsDamage: job.allowsDamage, origin: description.origin, scrubber: scrubber),
            filter: filter, track: index, mux: mux)
        reader.add(copy, stream: track.stream)
        copies[index] = copy
    }

    /// AVI tells times by counting: in pictures where they come at a fixed rate.
    private func pictureTicks(_ info: StreamInfo, _ track: PipelineJob.Track) -> TimeBase? {
        guard job.format.container == .avi, info.kind == .video else { return nil }
        let timing = FrameTiming(info)
        // Pictures of VP8 and VP9 that are never shown need places of their own.
        let hasHidden = track.unhiddenPictures > 0 || info.codec.has(.hasHiddenPictures)
        guard !hasHidden, !timing.isVariable, let rate = timing.rate else {
            return TimeBase(numerator: 1, denominator: 1000)
        }
        return TimeBase(numerator: rate.denominator, denominator: rate.numerator)
    }

    /// What has to be done to coded samples for the new container.
    private func sampleFilters(_ info: StreamInfo) -> [String] {
        var filters: [String] = []
        // Two pictures in a packet are a habit of AVI alone.
        if info.codec == .mpeg4, demuxer.container == .avi { filters.append("mpeg4_unpack_bframes") }
        // A transport stream has no header: decoders learn of the picture's size from the stream itself.
        if info.codec == .mpeg4, job.format.container == .mpegTransportStream { filters.append("dump_extra") }
        // In AVI, H.264 stands with start codes, as in a transport stream, where parameter sets are to come with each
        // entry point: the muxer's own filter puts them before IDR pictures only.
        if info.codec == .h264, job.format.container.has(.wantsStartCodes), info.extradata.first == 1 {
            filters +=
                ["h264_mp4toannexb"] + aspectFilters(info)
                + (job.format.container == .mpegTransportStream ? ["dump_extra"] : [])
        } else {
            filters += aspectFilters(info)
        }
        return filters
    }

    /// Has coded pictures say their aspect ratio as the source's container does, where the new one cannot.
    private func aspectFilters(_ info: StreamInfo) -> [String] {
        guard job.format.container == .mpegTransportStream, info.codec.has(.hasNALUnits), let video = info.video,
            video.codedAspectRatio ?? Ratio(1, 1) != video.sampleAspectRatio
        else { return [] }
        let ratio = video.sampleAspectRatio
        return ["\(info.codec)_metadata=sample_aspect_ratio=\(ratio.numerator)/\(ratio.denominator)"]
    }

    /// What a decoder gets first, without tags and messages; `nil` if there are none.
    private func configuration(of info: StreamInfo, _ scrubber: SampleScrubber?) -> [UInt8]? {
        var patches = CodecHeaderScrubber.patches(codec: info.codec.rawValue, info.extradata)
        patches += scrubber?.patches(inConfiguration: info.extradata) ?? []
        return info.extradata.withUnsafeBytes { SampleScrubber.applying(patches, to: $0) }
    }

    /// At the source's beginning, what comes before is the decoder's own delay.
    private func preroll(of info: StreamInfo) -> AudioPreroll? {
        // In AVI the first packet of each track is the beginning.
        if job.format.container == .avi { return AudioPreroll() }
        if range.start <= description.origin { return nil }
        return job.format.container.isMovie ? AudioPreroll(info) : AudioPreroll()
    }

    private var hasPictures: Bool { job.tracks.contains { demuxer.streams[$0.stream].kind == .video } }

    private func addSubtitles(
        _ index: Int, _ track: PipelineJob.Track, _ codec: Codec, _ mux: MuxStage
    ) throws {
        let converter = try SubtitleConverter.open(stream: track.stream, of: demuxer, to: codec)
        try mux.addTrack(isCounted: false) { try $0.addStream(from: converter, traits: track.traits) }
        reader.add(
            SubtitleTrack(
                converter, source: demuxer.streams[track.stream].timeBase, range: range, track: index, mux: mux),
            stream: track.stream)
    }
}

extension ContainerFormat {
    /// Whether the first sample is always the file's beginning.
    fileprivate var startsSoundAtZero: Bool {
        hasNoTimes || container.has(.startsSoundAtZero)
    }

    /// How long pictures are shown at least: players take shorter ones in a GIF for ones of a tenth of a second.
    fileprivate var shortestPicture: CMTime { container == .gif ? CMTime(value: 2, timescale: 100) : .zero }

    /// How long a picture can be shown at most, in the ticks that it is encoded in; `nil` for any time.
    fileprivate var longestPicture: Int64? { container == .gif ? 65535 : nil }
}

extension AudioPreroll {
    /// What a stream's codec needs.
    fileprivate init(_ info: StreamInfo) {
        self.init(codec: info.codec, hasBandReplication: info.profile?.hasPrefix("HE") == true)
    }
}

extension CopiedPictures.Form {
    init(_ format: ContainerFormat, _ info: StreamInfo) {
        hasEditList = format.container.isMovie
        hasDecodeTimesOnly = format.container == .avi
        // A tick of Matroska, and of AVI where its ticks are no pictures. Readers of transport streams take pictures
        // that follow each other so closely for a break in the stream.
        moment =
            format.container == .mpegTransportStream
            ? nil : max(1, info.timeBase.ticks(atOrAfter: CMTime(value: 1, timescale: 1000)))
    }
}
