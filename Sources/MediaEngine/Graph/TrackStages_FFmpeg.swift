package import FFmpegKit
internal import MediaAsset
package import MediaContainers
internal import MediaCore
internal import MediaIO
internal import MetadataFormats

/// The stages of one track.
struct TrackStages {
    private let run: PipelineRun
    /// The track's place in the new file.
    private let index: Int
    private let track: PipelineJob.Track
    private let demuxer: Demuxer
    private let entry: SeekPoint
    private let range: KeptRange
    private let reader: ReadStage

    /// What was added for a track.
    struct Added: Sendable {
        var coded: CodedStream
        /// Whether the time reached is also this track's.
        var isCounted = true
        fileprivate(set) var pictures: AddedPictures?
        fileprivate(set) var segments: StageOutcome<SegmentStage.Outcome>?
        fileprivate(set) var joined: StageOutcome<SegmentCounts>?
        fileprivate var sound: StageOutcome<SoundStage.Outcome>?

        /// Notes what the stages have found out.
        func note(in result: inout PipelineResult.Track) {
            if let decoded = pictures?.decoding.value, let encoded = pictures?.encoding.value {
                result.frames = encoded.frames
                result.droppedFrames = decoded.dropped + encoded.dropped
                result.damagedFrames = decoded.damagedFrames
            }
            for counts in [segments?.value?.counts, joined?.value] {
                result.frames += counts?.frames ?? 0
                result.droppedFrames += counts?.dropped ?? 0
            }
            if let sound = sound?.value {
                result.frames = sound.frames
                result.damagedFrames = sound.damagedFrames
                result.filledSamples = sound.filledSamples
                result.overlappingSamples = sound.overlappingSamples
            }
        }
    }

    /// The stages of a track of pictures that is encoded.
    struct AddedPictures: Sendable {
        let coded: CodedStream
        let decoding: StageOutcome<PictureStage.Outcome>
        let encoding: StageOutcome<EncodeStage.Outcome>
    }

    init(
        _ run: PipelineRun, _ index: Int, _ track: PipelineJob.Track, _ input: PipelineSource, _ reader: ReadStage
    ) {
        (self.run, self.index, self.track, self.reader) = (run, index, track, reader)
        (demuxer, entry, range) = (input.demuxer, input.entry, input.range)
    }

    private var job: PipelineJob { run.job }
    private var cancellation: Cancellation { run.cancellation }
    private var description: AssetDescription { run.description }
    private var info: StreamInfo { demuxer.streams[track.stream] }

    /// Starts what the job wants of the track, its packets going to a muxer.
    func add(_ mux: MuxPort) throws -> Added {
        switch track.treatment {
        case .passthrough: return try addCopy(mux)
        case .subtitles(let codec): return try addSubtitles(codec, mux)
        case .encoding(let encoding):
            guard case .video = encoding.encoder.media else { return try addSound(encoding, mux) }
            if let segments = encoding.segments { return try addSegments(encoding, segments, mux) }
            let pictures = try addPictures(encoding, .file(mux))
            return Added(coded: pictures.coded, pictures: pictures)
        }
    }

    func damageWatch(delay: Int) -> DamageWatch {
        DamageWatch(isAllowed: job.allowsDamage, delay: Int64(delay), origin: description.origin)
    }

    // MARK: Encoding

    func addPictures(_ encoding: TrackEncoding, _ target: EncodeStage.Target) throws -> AddedPictures {
        let encoder = try Encoder.open(try completed(encoding).encoder)
        let coded = try CodedStream(from: encoder, traits: track.traits)
        let (decoding, filtered) = try addDecoding(encoding, timeBase: encoder.timeBase)
        let encode = makeEncoding(encoder, encoding.effects, input: filtered, target)
        return AddedPictures(coded: coded, decoding: decoding, encoding: run.threads.start("encode", encode))
    }

    /// The encoding with what the run and the first picture add to it.
    func completed(_ encoding: TrackEncoding) throws -> TrackEncoding {
        try run.completed(encoding, track: index) {
            demuxer.isSeekable ? try run.firstPictureLight(of: track.stream) : HDRMetadata()
        }
    }

    /// Starts decoding and filtering the pictures of a track.
    ///
    /// - Returns: What is known of it in the end, and where the pictures come out.
    func addDecoding(
        _ encoding: TrackEncoding, timeBase: TimeBase, window: SegmentWindow? = nil, startsAtZero: Bool = false
    ) throws -> (StageOutcome<PictureStage.Outcome>, BoundedChannel<EncodeStage.Item>) {
        let decoded: BoundedChannel<EncodeStage.Item> = cancellation.channel(capacity: 3, byteCapacity: 64 << 20)
        let filtered: BoundedChannel<EncodeStage.Item> = cancellation.channel(capacity: 3, byteCapacity: 64 << 20)
        let decoding = try makeDecoding(
            encoding, timeBase: timeBase, window: window, startsAtZero: startsAtZero, output: decoded)
        var filters = encoding.filters
        if case .second(_, let found) = run.pass, let palette = found.palettes[index] {
            filters = { format throws(FFmpegError) in
                var description = try encoding.filters(format)
                description.stills["palette"] = palette
                return description
            }
        }
        let filtering = FilterStage(
            filters, frameRate: info.video?.averageFrameRate, timeBase: timeBase,
            threads: window == nil ? 0 : 1, input: decoded, output: filtered)
        run.threads.start("filter", filtering)
        return (run.threads.start("decode", decoding), filtered)
    }

    func makeEncoding(
        _ encoder: sending Encoder, _ effects: TrackEffects, input: BoundedChannel<EncodeStage.Item>,
        _ target: EncodeStage.Target
    ) -> sending EncodeStage {
        EncodeStage(
            encoder, track: index, shortest: job.format.shortestPicture, longest: job.format.longestPicture,
            input: input, target: target, count: run.frames, effects: effects)
    }

    // MARK: Segments

    /// Starts the work on pictures that are encoded in segments, which read the source by themselves.
    private func addSegments(
        _ encoding: TrackEncoding, _ segments: PictureSegments, _ mux: MuxPort
    ) throws -> Added {
        let (encoding, crew) = try prepared(encoding, count: segments.count)
        let encoder = try Encoder.open(encoding.encoder)
        let outlet = SegmentedTrackOutlet(
            mux, track: index, timeBase: encoder.timeBase, last: segments.count - 1)
        let coded = try CodedStream(from: encoder, traits: track.traits)
        var added = Added(coded: coded)
        if let pieces = encoding.pieces {
            added.joined = run.threads.start(
                "pieces",
                SegmentPieceStage(
                    pieces, header: coded.configuration, count: segments.count, outlet: outlet, frames: run.frames))
        } else {
            added.segments = start(encoding, segments, 0..<segments.count, crew, coded.configuration, outlet)
        }
        return added
    }

    /// Starts encoding some segments for another process, that joins them.
    func addPiece(_ wanted: Range<Int>, to piece: PieceWriter) throws -> StageOutcome<SegmentStage.Outcome>? {
        guard case .encoding(let encoding) = track.treatment, let segments = encoding.segments else { return nil }
        let (prepared, crew) = try prepared(encoding, count: wanted.count)
        let header = try CodedStream(from: Encoder.open(prepared.encoder), traits: track.traits).configuration
        try piece.add(SegmentRecord.header(header))
        return start(prepared, segments, wanted, crew, header, PieceOutlet(piece))
    }

    /// The encoding of one segment, and how many are encoded at a time.
    private func prepared(_ encoding: TrackEncoding, count: Int) throws -> (TrackEncoding, SegmentCrew) {
        var encoding = try completed(encoding)
        let crew = SegmentCrew(encoding.encoder, count: count)
        encoding.encoder = encoding.encoder.forSegment(threads: crew.threads)
        return (encoding, crew)
    }

    private func start(
        _ encoding: TrackEncoding, _ segments: PictureSegments, _ wanted: Range<Int>, _ crew: SegmentCrew,
        _ header: [UInt8], _ outlet: any PacketOutlet
    ) -> StageOutcome<SegmentStage.Outcome> {
        let relay = SegmentRelay(first: wanted.lowerBound, outlet: outlet, cancellation: cancellation)
        return run.threads.start(
            "segments",
            SegmentStage(
                run, index, encoding, segments, wanted: wanted, atATime: crew.segments, range: range, header: header,
                relay: relay))
    }

    /// Starts the work on one segment, whose packets are read from its own source.
    func addSegment(
        _ segment: Int, of segments: PictureSegments, _ encoding: TrackEncoding, _ relay: SegmentRelay,
        _ places: SegmentPlaces
    ) throws -> AddedPictures {
        let encoder = try Encoder.open(encoding.encoder)
        let window = SegmentWindow(segment, of: segments, encoder.timeBase)
        let coded = try CodedStream(from: encoder, traits: track.traits)
        let (decoding, filtered) = try addDecoding(encoding, timeBase: encoder.timeBase, window: window)
        let encode = makeEncoding(
            encoder, encoding.effects, input: filtered, .segment(segment, window, relay))
        return AddedPictures(
            coded: coded, decoding: decoding,
            encoding: run.threads.start("encode", SegmentEncodeStage(encode, places)))
    }

    /// Finds the palette for all pictures of a track; nothing is encoded.
    func addPaletteSearch(
        _ encoding: TrackEncoding, _ filters: @escaping FilterChoice, _ progress: ProgressReport
    ) throws -> StageOutcome<Frame?>? {
        guard case .video(let video) = encoding.encoder.media else { return nil }
        let decoded: BoundedChannel<EncodeStage.Item> = cancellation.channel(capacity: 3, byteCapacity: 64 << 20)
        let found: BoundedChannel<EncodeStage.Item> = cancellation.channel(capacity: 3, byteCapacity: 64 << 20)
        let decoding = try makeDecoding(encoding, timeBase: video.timeBase, output: decoded)
        let filtering = FilterStage(
            filters, frameRate: info.video?.averageFrameRate, timeBase: video.timeBase,
            input: decoded, output: found, progress: progress)
        run.threads.start("decode", decoding)
        run.threads.start("filter", filtering)
        return run.threads.start("palette", PaletteStage(input: found))
    }

    /// The stage that decodes the pictures of a track, with its packets coming from the reader.
    private func makeDecoding(
        _ encoding: TrackEncoding, timeBase: TimeBase, window: SegmentWindow? = nil, startsAtZero: Bool = false,
        output: BoundedChannel<EncodeStage.Item>
    ) throws -> sending PictureStage {
        let decoder = try demuxer.makeDecoder(stream: track.stream, threading: window == nil ? .frames(0) : .single)
        let packets: BoundedChannel<Packet> = cancellation.channel(capacity: 64, byteCapacity: 16 << 20)
        reader.add(VideoPacketIntake(entry.point(ofStream: track.stream), output: packets), stream: track.stream)
        return PictureStage(
            decoder, info: info, entry: entry.point(ofStream: track.stream), range: range, timeBase: timeBase,
            rateLimit: encoding.rateLimit,
            startsAtZero: startsAtZero
                || job.format.container.has(.startsPicturesAtZero) && entry.position == .beginning,
            statedEnd: description.statedEnd(of: info, in: demuxer.container, allowsDamage: job.allowsDamage),
            window: window, damage: damageWatch(delay: decoder.threadCount),
            input: packets,
            output: output)
    }

    private func addSound(_ encoding: TrackEncoding, _ mux: MuxPort) throws -> Added {
        var settings = encoding.encoder
        settings.usesGlobalHeader = job.format.wantsGlobalHeader
        let encoder = try Encoder.open(settings)
        let coded = try CodedStream(from: encoder, traits: track.traits)
        let sound = try addSoundDecoding(
            encoding.filters, startsAtZero: job.format.startsSoundAtZero,
            output: run.outlet(encoding, encoder, track: index, mux))
        return Added(coded: coded, sound: sound)
    }

    /// Starts measuring how loud the track is.
    func addMeasuring(
        _ encoding: TrackEncoding, _ audio: AudioSettings, _ progress: ProgressReport
    ) throws -> LoudnessRecord {
        let found = LoudnessRecord()
        _ = try addSoundDecoding(
            encoding.filters, startsAtZero: job.format.startsSoundAtZero,
            output: run.meter(encoding, audio, found, progress))
        return found
    }

    /// Starts decoding and filtering the sound of the track.
    ///
    /// - Parameters:
    ///   - startsAtZero: Whether silence stands in for what comes before the first sound.
    ///   - newDuration: How long it is in the end, if that is not how long it was.
    func addSoundDecoding(
        _ filters: @escaping FilterChoice, startsAtZero: Bool, newDuration: CMTime? = nil,
        output: sending any SoundOutlet
    ) throws -> StageOutcome<SoundStage.Outcome> {
        let decoder = try demuxer.makeDecoder(stream: track.stream)
        let packets: BoundedChannel<Packet> = cancellation.channel(capacity: 256, byteCapacity: 4 << 20)
        let stage = SoundStage(
            decoder, info: info, filters: filters,
            settings: .init(
                range: range, startsAtZero: startsAtZero, hasCoarseTimes: demuxer.container.has(.hasCoarseTimes),
                latest: description.latestTime, beginning: beginningOfSound, newDuration: newDuration),
            damage: damageWatch(delay: 0), input: packets, output: output)
        let selection = SoundSelection(info, in: demuxer.container, start: range.start)
        reader.add(AudioPacketIntake(selection, output: packets), stream: track.stream)
        return run.threads.start("sound", stage)
    }

    /// What the place of the first sample of a range is found by.
    private var beginningOfSound: (origin: CMTime, firstEnd: @Sendable () -> CMTime?)? {
        guard range.start > description.origin,
            let track = description.tracks.first(where: { $0.streamIndex == info.index })
        else { return nil }
        let (source, cancellation) = (run.source, cancellation)
        return (description.origin, { SoundFeed.firstEnd(of: track, of: source, cancellation: cancellation) })
    }

    // MARK: Passthrough

    private func addCopy(_ mux: MuxPort) throws -> Added {
        let info = info
        let isCounted = info.kind == .video || info.kind == .audio
        let (coded, filter) = try codedCopy()
        var form = CopiedPictures.Form(job.format, info)
        form.hasEditList = job.hidesByEditList
        let copy = PassthroughTrack(
            track.stream, of: demuxer, entry: entry.point(ofStream: track.stream),
            settings: .init(
                range: range, form: form, followsPictures: hasPictures,
                hiddenPreroll: AudioPreroll(info), preroll: preroll(of: info),
                allowsDamage: job.allowsDamage, origin: description.origin,
                parameterSets: parameterSets(of: info, coded.traits.configuration), laterPiece: job.laterPiece,
                saysLeadIn: job.format.saysLeadIn(of: info.codec),
                unpacksLATM: info.unpackedConfiguration != nil && job.format.unpacksLATM,
                scrubber: scrubber(of: info)),
            filter: filter, track: index, mux: mux)
        reader.add(copy, stream: track.stream, track: index)
        return Added(coded: coded, isCounted: isCounted)
    }

    /// What the track is in the new file where its samples stay as they are, and what they go through.
    func codedCopy() throws -> (CodedStream, BitstreamFilter?) {
        let info = info
        if let configuration = info.unpackedConfiguration, job.format.unpacksLATM {
            let coded = try CodedStream(
                unpacking: track.stream, of: demuxer, configuration: configuration, traits: track.traits)
            return (coded, nil)
        }
        let filters = sampleFilters(info)
        let filter =
            filters.isEmpty
            ? nil
            : try BitstreamFilter.open(filters.joined(separator: ","), stream: track.stream, of: demuxer)
        var traits = track.traits
        if job.isForSharing { traits.configuration = configuration(of: info, scrubber(of: info)) }
        let ticks = pictureTicks(info, track)
        let coded =
            try filter.map { try CodedStream(from: $0, ticks: ticks, traits: traits) }
            ?? CodedStream(copying: track.stream, of: demuxer, ticks: ticks, traits: traits)
        return (coded, filter)
    }

    private func scrubber(of info: StreamInfo) -> SampleScrubber? {
        job.isForSharing ? SampleScrubber(codec: info.codec.rawValue, configuration: info.extradata) : nil
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
                ["h264_mp4toannexb"] + statingFilters(info)
                + (job.format.container == .mpegTransportStream ? ["dump_extra"] : [])
        } else {
            filters += statingFilters(info)
        }
        return filters
    }

    /// Has coded pictures say themselves what the source's container says of them, where the new one cannot.
    private func statingFilters(_ info: StreamInfo) -> [String] {
        guard job.format.container == .mpegTransportStream, let video = info.video else { return [] }
        var options: [String] = []
        if info.codec.has(.hasNALUnits), video.codedAspectRatio ?? Ratio(1, 1) != video.sampleAspectRatio {
            let ratio = video.sampleAspectRatio
            options.append("sample_aspect_ratio=\(ratio.numerator)/\(ratio.denominator)")
        }
        if video.isColorOfContainer { options += BitstreamFilter.colorOptions(video.color, of: info.codec) }
        guard !options.isEmpty else { return [] }
        let name = info.codec == .mpeg2Video ? "mpeg2" : info.codec.rawValue
        return ["\(name)_metadata=" + options.joined(separator: ":")]
    }

    /// What a decoder gets first, without tags and messages; `nil` if there are none.
    private func configuration(of info: StreamInfo, _ scrubber: SampleScrubber?) -> [UInt8]? {
        var patches = CodecHeaderScrubber.patches(codec: info.codec.rawValue, info.extradata)
        patches += scrubber?.patches(inConfiguration: info.extradata) ?? []
        return info.extradata.withUnsafeBytes { SampleScrubber.applying(patches, to: $0) }
    }

    /// What the first picture of a transport stream may lack: the muxer puts parameter sets before IDR pictures only.
    private func parameterSets(of info: StreamInfo, _ configuration: [UInt8]?) -> [UInt8] {
        let hasStartCodes = info.codec == .h264 && info.extradata.first != 1
        guard hasStartCodes, job.format.container == .mpegTransportStream else { return [] }
        return configuration ?? info.extradata
    }

    /// At the source's beginning, what comes before is the decoder's own delay.
    private func preroll(of info: StreamInfo) -> AudioPreroll? {
        // In AVI the first packet of each track is the beginning.
        if job.format.container == .avi { return AudioPreroll() }
        if range.start <= description.origin { return nil }
        return job.hidesByEditList ? AudioPreroll(info) : AudioPreroll()
    }

    private var hasPictures: Bool { job.tracks.contains { demuxer.streams[$0.stream].kind == .video } }

    private func addSubtitles(_ codec: Codec, _ mux: MuxPort) throws -> Added {
        let converter = try SubtitleConverter.open(stream: track.stream, of: demuxer, to: codec)
        reader.add(
            SubtitleTrack(converter, source: info.timeBase, range: range, track: index, mux: mux),
            stream: track.stream, track: index)
        return Added(coded: try CodedStream(from: converter, traits: track.traits), isCounted: false)
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
    package init(_ info: StreamInfo) {
        self.init(codec: info.codec, hasBandReplication: info.profile?.hasPrefix("HE") == true)
    }
}

extension CopiedPictures.Form {
    package init(_ format: ContainerFormat, _ info: StreamInfo) {
        hasEditList = format.container.isMovie
        hasDecodeTimesOnly = format.container == .avi
        // A tick of Matroska, and of AVI where its ticks are no pictures. Readers of transport streams take pictures
        // that follow each other so closely for a break in the stream.
        moment =
            format.container == .mpegTransportStream
            ? nil : max(1, info.timeBase.ticks(atOrAfter: CMTime(value: 1, timescale: 1000)))
    }
}
