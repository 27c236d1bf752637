internal import CFFmpeg
package import MediaCore

extension SubtitleStyling {
    /// The override codes of ASS that set it, without the backslash, as far as FFmpeg's encoder of a codec leaves them out.
    ///
    /// Colors of timed text come out of some versions, and not of version 5.1.
    fileprivate func codes(lostIn codec: Codec) -> Set<String> {
        switch (self, codec) {
        case (.positions, .timedText), (.positions, .webVTT): ["an", "a", "pos", "move", "org"]
        case (.positions, _): ["pos", "move", "org"]
        case (.colors, .timedText), (.colors, .webVTT):
            ["c", "1c", "2c", "3c", "4c", "alpha", "1a", "2a", "3a", "4a"]
        case (.fonts, .webVTT): ["fn", "fs"]
        default: []
        }
    }

    /// What of an event of ASS, by its override codes, a codec's encoder leaves out.
    fileprivate static func lost(of event: String, in codec: Codec) -> Set<SubtitleStyling> {
        var found: Set<SubtitleStyling> = []
        for block in event.split(separator: "{", omittingEmptySubsequences: false).dropFirst() {
            for code in block.prefix(while: { $0 != "}" }).split(separator: "\\") {
                for styling in allCases where styling.codes(lostIn: codec).contains(where: { sets($0, code) }) {
                    found.insert(styling)
                }
            }
        }
        return found
    }

    /// Whether a code is of a name, with a value: by itself it takes one back.
    private static func sets(_ name: String, _ code: Substring) -> Bool {
        guard code.hasPrefix(name), let value = code.dropFirst(name.count).first else { return false }
        return name == "fn" || value.isNumber || "&(+-".contains(value)
    }
}

/// Turns text subtitles of one kind into another: SubRip into the timed text of MP4.
package final class SubtitleConverter {
    private let decoder: UnsafeMutablePointer<AVCodecContext>
    let encoder: UnsafeMutablePointer<AVCodecContext>
    private let log = LogCapture()
    /// More than any text, and what the ffmpeg command allows.
    private static let maximumBytes = 1 << 20

    /// The ticks of the packets that come out.
    package let timeBase: TimeBase
    private let codec: Codec
    private let hasStyles: Bool
    private var buffer: [UInt8] = []
    /// Bytes of the texts that are put together in one.
    private static let maximumTogether = 32 << 10
    /// What the texts had so far that the new form has not.
    package private(set) var lost: Set<SubtitleStyling> = []
    /// Whether the form shows one text at a time.
    package let showsOneAtATime: Bool

    /// A text that is shown from one time to another.
    package struct Cue {
        /// Events of ASS, as FFmpeg writes them.
        fileprivate var events: [String]
        fileprivate let packet: Packet
        fileprivate var lost: Set<SubtitleStyling>
        /// In ticks of ``SubtitleConverter/timeBase``.
        package var start: Int64
        /// `nil` if nothing says when it ends.
        package var end: Int64?
    }

    private init(
        decoder: UnsafeMutablePointer<AVCodecContext>, encoder: UnsafeMutablePointer<AVCodecContext>, to codec: Codec
    ) {
        self.decoder = decoder
        self.encoder = encoder
        showsOneAtATime = codec == .timedText
        self.codec = codec
        hasStyles = decoder.pointee.codec_id == AV_CODEC_ID_ASS
        // The muxer of movies ends texts by times of other tracks, as if they counted in the ticks of the text's:
        // the finer these are, the later it takes a text for one that is over, and the less it moves the next one.
        timeBase = TimeBase(numerator: 1, denominator: showsOneAtATime ? 90_000 : 1000)
    }

    deinit {
        for context in [decoder, encoder] {
            var owned: UnsafeMutablePointer<AVCodecContext>? = context
            avcodec_free_context(&owned)
        }
    }

    /// Prepares for the packets of a stream.
    ///
    /// - Parameter codec: The one to write them in, by whose name FFmpeg has its encoder.
    package static func open(
        stream index: Int, of demuxer: Demuxer, to codec: Codec
    ) throws(FFmpegError) -> SubtitleConverter {
        guard let stream = demuxer.avStream(index), stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_SUBTITLE
        else {
            throw FFmpegError(kind: .other, operation: .encode, reason: "there is no stream \(index) of subtitles")
        }
        let source = Codec(stream.pointee.codecpar.pointee)
        guard let decoding = avcodec_find_decoder(stream.pointee.codecpar.pointee.codec_id),
            SafetyPolicy.subtitleDecoders.contains(String(cString: decoding.pointee.name)),
            avcodec_descriptor_get(stream.pointee.codecpar.pointee.codec_id).map({
                $0.pointee.props & AV_CODEC_PROP_TEXT_SUB != 0
            }) == true
        else {
            throw FFmpegError(
                kind: .unsupported, operation: .encode, reason: "subtitles of the kind \(source) are not text")
        }
        guard let encoding = avcodec_find_encoder_by_name(codec.rawValue),
            encoding.pointee.type == AVMEDIA_TYPE_SUBTITLE
        else {
            throw FFmpegError(kind: .unsupported, operation: .encode, reason: "this FFmpeg has no encoder \(codec)")
        }
        guard let decoder = avcodec_alloc_context3(decoding), let encoder = avcodec_alloc_context3(encoding) else {
            throw FFmpegError(kind: .limit, operation: .encode, reason: "not enough memory")
        }
        let converter = SubtitleConverter(decoder: decoder, encoder: encoder, to: codec)
        try converter.log.check(.encode, avcodec_parameters_to_context(decoder, stream.pointee.codecpar))
        decoder.pointee.pkt_timebase = stream.pointee.time_base
        try converter.log.check(.encode) { avcodec_open2(decoder, decoding, nil) }
        encoder.pointee.time_base = AVRational(converter.timeBase)
        try converter.copyStyles()
        try converter.log.check(.encode) { avcodec_open2(encoder, encoding, nil) }
        return converter
    }

    /// Between the two, subtitles are events of ASS, under a header with their styles.
    private func copyStyles() throws(FFmpegError) {
        guard let header = decoder.pointee.subtitle_header, decoder.pointee.subtitle_header_size > 0 else { return }
        let size = Int(decoder.pointee.subtitle_header_size)
        guard let copy = av_mallocz(size + 1) else {
            throw FFmpegError(kind: .limit, operation: .encode, reason: "not enough memory")
        }
        copy.copyMemory(from: header, byteCount: size)
        encoder.pointee.subtitle_header = copy.assumingMemoryBound(to: UInt8.self)
        encoder.pointee.subtitle_header_size = Int32(size)
    }

    /// The text of a packet; `nil` if it holds nothing to show.
    ///
    /// - Parameter timeBase: The ticks of the packet's times.
    package func cue(_ packet: Packet, timeBase source: TimeBase) throws(FFmpegError) -> Cue? {
        guard let ticks = packet.presentationTicks else { return nil }
        var subtitle = AVSubtitle()
        var isThere: Int32 = 0
        log.clear()
        try log.check(.encode) { avcodec_decode_subtitle2(decoder, &subtitle, &isThere, packet.pointer) }
        guard isThere != 0 else { return nil }
        defer { avsubtitle_free(&subtitle) }
        let events = (0..<Int(subtitle.num_rects)).compactMap {
            subtitle.rects[$0]?.pointee.ass.map { String(cString: $0) }
        }
        guard !events.isEmpty else { return nil }
        let milliseconds = TimeBase(numerator: 1, denominator: 1000)
        func length(ofMilliseconds count: Int64) -> Int64 {
            timeBase.ticks(atOrBefore: milliseconds.time(of: count))
        }
        let delay = Int64(subtitle.start_display_time)
        let shown = Int64(subtitle.end_display_time) - delay
        let start = timeBase.ticks(atOrBefore: source.time(of: ticks)) &+ length(ofMilliseconds: delay)
        // A packet's own duration is what the container says; the text may say otherwise.
        let said = packet.durationTicks.map { timeBase.ticks(atOrBefore: source.time(of: $0)) }
        let duration = shown > 0 && shown < Int64(UInt32.max) ? length(ofMilliseconds: shown) : said
        var lost = events.reduce(into: Set<SubtitleStyling>()) { $0.formUnion(SubtitleStyling.lost(of: $1, in: codec)) }
        if hasStyles { lost.insert(.styles) }
        var size = 0
        if av_packet_get_side_data(packet.pointer, AV_PKT_DATA_WEBVTT_SETTINGS, &size) != nil, size > 0 {
            lost.insert(.positions)
        }
        return Cue(
            events: events, packet: packet, lost: lost, start: start,
            end: duration.flatMap { length in
                let (end, overflow) = start.addingReportingOverflow(length)
                return length > 0 && !overflow ? end : nil
            })
    }

    /// A packet of texts that are shown together, without a time of its own.
    ///
    /// - Parameter cues: The texts, in the order of their lines.
    /// - Returns: `nil` if there is nothing to show.
    package func packet(of cues: [Cue]) throws(FFmpegError) -> Packet? {
        guard let first = cues.first, let text = joined(cues) else { return nil }
        for cue in cues { lost.formUnion(cue.lost) }
        var subtitle = AVSubtitle()
        defer { avsubtitle_free(&subtitle) }
        subtitle.rects = av_mallocz(MemoryLayout<UnsafeMutablePointer<AVSubtitleRect>?>.stride)?
            .assumingMemoryBound(to: UnsafeMutablePointer<AVSubtitleRect>?.self)
        guard subtitle.rects != nil, let rect = av_mallocz(MemoryLayout<AVSubtitleRect>.stride) else {
            throw FFmpegError(kind: .limit, operation: .encode, reason: "not enough memory")
        }
        let event = rect.assumingMemoryBound(to: AVSubtitleRect.self)
        (subtitle.rects[0], subtitle.num_rects) = (event, 1)
        (event.pointee.type, event.pointee.ass) = (SUBTITLE_ASS, av_strdup(text))
        guard event.pointee.ass != nil else {
            throw FFmpegError(kind: .limit, operation: .encode, reason: "not enough memory")
        }
        if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: Self.maximumBytes) }
        log.clear()
        let size = log.capturing { avcodec_encode_subtitle(encoder, &buffer, Int32(Self.maximumBytes), &subtitle) }
        try log.check(.encode, size)
        return size > 0 ? Packet(bytes: Array(buffer.prefix(Int(size))), like: first.packet) : nil
    }

    /// A packet of timed text that shows nothing.
    package func pause(like cue: Cue) -> Packet? { Packet(bytes: [0, 0], like: cue.packet) }

    /// Notes that more texts were to be shown at a time than are put together.
    package func noteOverlaps() { lost.insert(.overlaps) }

    /// One event with the lines of several.
    ///
    /// An event has eight fields, separated by commas, and its text; the third field names its style.
    private func joined(_ cues: [Cue]) -> String? {
        let events = cues.flatMap(\.events)
        guard var joined = events.first else { return nil }
        for event in events.dropFirst() {
            let fields = event.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
            guard fields.count == 9 else { continue }
            guard joined.utf8.count + event.utf8.count < Self.maximumTogether else {
                noteOverlaps()
                break
            }
            joined += "\\N{\\r\(fields[2])}\(fields[8])"
        }
        return joined
    }
}
