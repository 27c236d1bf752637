internal import CFFmpeg
internal import MediaContainers
package import MediaCore
package import MediaIO

/// An open media file: its streams, its packets in file order, its positions.
///
/// A class because readers keep open files in a pool; one thread at a time may
/// use it. Only local files and pipes are opened, and nothing that the file
/// refers to, unless the policy allows more.
package final class Demuxer {
    private let input: InputContext
    let context: UnsafeMutablePointer<AVFormatContext>
    private let log: LogCapture
    package let interrupt: Interrupt
    package let policy: SafetyPolicy
    /// The demuxer's name, such as `mov,mp4,m4a,3gp,3g2,mj2`.
    package let container: Container
    // Asked for each packet.
    private let isAnimation: Bool
    private let isMatroska: Bool
    private let isOgg: Bool
    private let isTagged: Bool
    package internal(set) var streams: [StreamInfo] = []
    /// Packets read since opening.
    package private(set) var packetsRead = 0
    /// Pictures of an animation that were read since opening or the last seek.
    private var animationPictures: Int64 = 0
    /// Seeks since opening.
    package private(set) var seeks = 0
    /// How far the streams have been read since opening or the last seek.
    private(set) var progress = ReadProgress()
    /// Holds packets back whose presentation times the container does not store.
    var queue = PacketQueue()
    /// The first packets, where they were read ahead for what they say of the picture.
    private var heldPackets: [Packet] = []
    /// Leaves out tags between the frames of MPEG sound.
    private var innerTags = InnerTags()
    /// The file itself, where there may be such tags that lie in several packets.
    package var taggedFile: RandomAccessFile?
    /// Keeps the layers of a picture together.
    private var layers = LayerJoin()
    /// Times the pictures of a container that tells none; `nil` for others, and after a jump.
    var pictureClock: PictureClock?
    /// The parts that the file was put together of; `nil` if it is one.
    package var joinedParts: JoinedParts?
    /// Tells which packets of a transport stream are whole; `nil` for others and where nobody looked.
    package var wholeness: UnitWholeness?
    /// Cuts the sound of a movie where its samples or edits end within a packet; `nil` for others.
    package var soundEnds: SoundEnds?
    /// Reads tracks by their own edit lists; `nil` where libavformat does.
    private var edited: EditedTracks?
    /// Whether libavformat would guess by the bit rate where a time lies.
    private var seeksByGuess = false
    /// Streams that began after the file was opened, of which nothing is known.
    package private(set) var lateStreams: Set<Int> = []
    /// The part that each stream was read in last, and all that packets came from since opening or the last seek.
    private var currentParts: [Int: Int] = [:]
    private var partsRead: Set<Int> = []
    /// How many joins of recordings whose times jump were passed since opening or the last seek.
    package var jumpsPassed: Int { joinedParts?.jumps(among: partsRead) ?? 0 }

    private init(
        adopting input: InputContext, log: LogCapture, interrupt: Interrupt, policy: SafetyPolicy
    ) {
        self.input = input
        self.context = input.pointer
        self.log = log
        self.interrupt = interrupt
        self.policy = policy
        container = Container(rawValue: String(cString: input.pointer.pointee.iformat.pointee.name))
        (isAnimation, isMatroska) = (container.has(.isAnimation), container == .matroskaOrWebM)
        isOgg = container == .ogg
        isTagged = container == .mp3
    }

    /// Opens a media file and finds out what its streams are.
    ///
    /// - Parameters:
    ///   - input: A file, or a pipe, which is read from its first byte whatever has been read of it before; with
    ///     `allowsNetwork`, an address too.
    ///   - probesFurther: Whether to read more where streams are announced of which nothing is found at the beginning.
    package static func open(
        _ input: MediaInput, policy: SafetyPolicy, interrupt: Interrupt, probesFurther: Bool = true
    ) throws(FFmpegError) -> Demuxer {
        var content: MediaInput.Content
        do { content = try input.open() } catch { throw FFmpegError(error) }
        switch content {
        case .address(let address):
            if let objection = FFmpegError.objection(toAddress: address, policy) { throw objection }
        case .pipe(let spool):
            // One that has been read to its end is like any other file.
            if let file = input.file { content = .file(file) }
            do {
                return try open(input, content, policy: policy, interrupt: interrupt, probesFurther: false)
            } catch {
                throw error.explained(by: spool.contents.flatMap { ForeignFormat(of: $0) }, policy)
            }
        case .file(let file):
            guard file.byteCount > 0 else {
                throw FFmpegError(kind: .damaged, operation: .open, reason: FFmpegError.emptyFile)
            }
            do {
                return try open(input, content, policy: policy, interrupt: interrupt, probesFurther: probesFurther)
            } catch {
                throw error.explained(by: ForeignFormat(of: file), policy)
            }
        }
        return try open(input, content, policy: policy, interrupt: interrupt, probesFurther: false)
    }

    /// Opens a media file by its path.
    package static func open(
        _ path: String, policy: SafetyPolicy, interrupt: Interrupt
    ) throws(FFmpegError) -> Demuxer {
        try open(MediaInput(path, limits: policy.limits), policy: policy, interrupt: interrupt)
    }

    private static func open(
        _ input: MediaInput, _ content: MediaInput.Content, policy: SafetyPolicy, interrupt: Interrupt,
        probesFurther: Bool
    ) throws(FFmpegError) -> Demuxer {
        interrupt.setDeadline(after: policy.limits.openTime)
        defer { interrupt.setDeadline(after: nil) }
        let demuxer = try probe(input, content, policy: policy, interrupt: interrupt)
        guard probesFurther, demuxer.lacksFormats, case .file = content else { return demuxer }
        do {
            return try probe(input, content, policy: policy, isFurther: true, interrupt: interrupt)
        } catch {
            // What was found before is better than nothing.
            guard interrupt.state == .none else { throw error }
            return demuxer
        }
    }

    /// Whether streams were announced of which no packet came yet that tells what they are.
    package var lacksFormats: Bool { container.has(.isMPEGStream) && streams.contains(where: \.lacksFormat) }

    private static func probe(
        _ media: MediaInput, _ content: MediaInput.Content, policy: SafetyPolicy, isFurther: Bool = false,
        interrupt: Interrupt
    ) throws(FFmpegError) -> Demuxer {
        let log = LogCapture()
        let input = try InputContext.open(
            media, content, policy: policy, probesFurther: isFurther, interrupt: interrupt, log: log)
        let demuxer = Demuxer(adopting: input, log: log, interrupt: interrupt, policy: policy)
        try demuxer.checkSizes()
        let colors = demuxer.storedColors()
        try demuxer.probeStreams()
        let completed = demuxer.completeColors(colors)
        try demuxer.readStreams()
        for index in completed { demuxer.streams[index].video?.isColorOfContainer = true }
        demuxer.readUnpackedConfigurations()
        demuxer.readOrientation()
        demuxer.orderPictures()
        demuxer.joinLayers()
        if case .file(let file) = content {
            if demuxer.container.isMovie { try demuxer.readEdits() }
            if demuxer.container == .avi { demuxer.correctLengths(file) }
            if demuxer.container == .mxf { demuxer.seeksByGuess = !MXFPartitions.haveIndex(in: file) }
        }
        if let error = input.readFailure(.open) { throw error }
        log.clear()
        return demuxer
    }

    // MARK: What the file is

    /// The header's duration in microseconds, or FFmpeg's estimate.
    package var durationMicroseconds: Int64? {
        StreamInfo.optional(context.pointee.duration).flatMap { $0 > 0 ? $0 : nil }
    }

    /// Whether the duration was only guessed from the bit rate.
    package var durationIsGuess: Bool { context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE }

    /// Bytes of the file; `nil` if they are not known, or are those of a playlist only.
    package var byteCount: Int64? {
        guard !input.isPlaylist else { return nil }
        let size = avio_size(context.pointee.pb)
        return size >= 0 ? size : nil
    }

    package var isSeekable: Bool { context.pointee.pb.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0 }

    package struct Chapter: Sendable {
        package var start: CMTime
        package var end: CMTime
        package var title: String?
    }

    package var chapters: [Chapter] {
        (0..<Int(context.pointee.nb_chapters)).compactMap { index in
            guard let chapter = context.pointee.chapters[index] else { return nil }
            let base = TimeBase(chapter.pointee.time_base)
            return Chapter(
                start: base.time(of: chapter.pointee.start), end: base.time(of: chapter.pointee.end),
                title: StreamInfo.metadata(chapter.pointee.metadata, "title"))
        }
    }

    /// The container's tags, in its order, by FFmpeg's names.
    package var metadata: [(key: String, value: String)] { Self.pairs(of: context.pointee.metadata) }

    /// A stream's own tags.
    package func metadata(ofStream index: Int) -> [(key: String, value: String)] {
        guard index >= 0, index < Int(context.pointee.nb_streams), let stream = context.pointee.streams[index] else {
            return []
        }
        return Self.pairs(of: stream.pointee.metadata)
    }

    private static func pairs(of dictionary: OpaquePointer?) -> [(key: String, value: String)] {
        var pairs: [(key: String, value: String)] = []
        var entry: UnsafeMutablePointer<AVDictionaryEntry>?
        while true {
            entry = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX)
            guard let key = entry?.pointee.key, let value = entry?.pointee.value else { return pairs }
            pairs.append((String(cString: key), String(cString: value)))
        }
    }

    /// Whether a stream's list of samples has their presentation times.
    package func listsPresentationTimes(ofStream index: Int) -> Bool { edited?.has(index) ?? false }

    /// The container's own list of samples, as far as it has been read.
    package func indexEntries(ofStream index: Int) -> [IndexEntry] {
        if let entries = edited?.indexEntries(ofStream: index) { return entries }
        let stream = context.pointee.streams[index]
        let count = avformat_index_get_entries_count(stream)
        return (0..<max(0, count)).compactMap { position in
            guard let entry = avformat_index_get_entry(stream, position) else { return nil }
            let flags = Int(entry.pointee.flags)
            return IndexEntry(
                ticks: entry.pointee.timestamp, isKey: flags & Int(AVINDEX_KEYFRAME) != 0,
                isHidden: flags & Int(AVINDEX_DISCARD_FRAME) != 0)
        }
    }

    /// The time of the last sample that the container's index lists.
    package func lastIndexTicks(ofStream index: Int) -> Int64? {
        if let ticks = edited?.lastTicks(ofStream: index) { return ticks }
        let stream = context.pointee.streams[index]
        let count = avformat_index_get_entries_count(stream)
        return count > 0 ? avformat_index_get_entry(stream, count - 1)?.pointee.timestamp : nil
    }

    package struct IndexEntry: Sendable {
        /// The decode time in most containers, the presentation time in Matroska.
        package var ticks: Int64
        package var isKey: Bool
        /// Whether an edit list hides the sample.
        package var isHidden: Bool
    }

    // MARK: Reading

    /// Lets only these streams through; the rest is skipped unparsed.
    package func select(streams wanted: Set<Int>) {
        for index in 0..<Int(context.pointee.nb_streams) {
            let isRead = wanted.contains(index) && edited?.has(index) != true
            context.pointee.streams[index]?.pointee.discard = isRead ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        }
        edited?.select(wanted)
    }

    private func isSelected(_ index: Int) -> Bool {
        // Streams that begin later than anybody looked are nobody's.
        guard streams.indices.contains(index), let stream = context.pointee.streams[index] else { return false }
        return stream.pointee.discard != AVDISCARD_ALL
    }

    /// Whether packets without a presentation time get one worked out from the
    /// decode times of those that follow, as copying from AVI needs it.
    package var infersPresentationTimes: Bool {
        get { context.pointee.flags & AVFMT_FLAG_GENPTS != 0 }
        set {
            if newValue {
                context.pointee.flags |= AVFMT_FLAG_GENPTS
            } else {
                context.pointee.flags &= ~AVFMT_FLAG_GENPTS
            }
        }
    }

    /// The next packet of the selected streams, `nil` at the end of the file.
    ///
    /// Packets come in decoding order. Where the container stores decode times
    /// only, presentation times come from the order of the pictures.
    package func readPacket() throws(FFmpegError) -> Packet? {
        guard queue.isNeeded else { return try readStoredPacket() }
        while let packet = try queue.next(readStoredPacket) {
            if isSelected(packet.streamIndex) || edited?.isSelected(packet.streamIndex) == true { return packet }
        }
        return nil
    }

    /// The next packet; `nil` also where the file is damaged, which those who read what it holds find out.
    package func readUndamagedPacket() throws(FFmpegError) -> Packet? {
        do {
            return try readPacket()
        } catch {
            guard [.damaged, .inputOutput].contains(error.kind) else { throw error }
            return nil
        }
    }

    /// The next packet with the times that the container stores.
    func readStoredPacket() throws(FFmpegError) -> Packet? {
        if edited != nil { return try readEditedPacket() }
        let packet = layers.isNeeded ? try layers.next(readParsedPacket) : try readParsedPacket()
        if let packet, let clock = pictureClock { pictureClock = clock.timing(packet) }
        return packet
    }

    /// Has video tracks read by their own edit lists, where that is needed.
    private func readEdits() throws(FFmpegError) {
        guard let boxes = input.boxes else { return }
        let interrupt = interrupt
        let tracks = EditedTracks(of: boxes, streams: streams, withoutTimes: queue.streams) {
            (try? interrupt.check(.open)) == nil
        }
        try interrupt.check(.open)
        guard let tracks else { return }
        edited = tracks
        for index in streams.indices where tracks.has(index) {
            queue.remove(stream: index)
            context.pointee.streams[index]?.pointee.discard = AVDISCARD_ALL
            if let rate = tracks.frameRate(ofStream: index) { streams[index].video?.averageFrameRate = rate }
            guard let shown = tracks.shown(ofStream: index) else { continue }
            streams[index].startTicks = shown.start
            streams[index].durationTicks = shown.end - shown.start
        }
    }

    /// The next packet of the tracks that are read by their own edit lists and of all others.
    private func readEditedPacket() throws(FFmpegError) -> Packet? {
        try interrupt.check(.read)
        let othersAreWanted = streams.indices.contains(where: isSelected)
        let packet = try edited?.next(among: streams) { () throws(FFmpegError) in
            othersAreWanted ? try readParsedPacket() : nil
        }
        // The others were counted when they were read.
        guard let packet, edited?.has(packet.streamIndex) == true else { return packet }
        packetsRead += 1
        if progress.notePosition(of: packet) { WorkPulse.beat() }
        if progress.note(packet) { WorkPulse.beat() }
        return packet
    }

    /// The next packet as FFmpeg's parsers divide the stream.
    private func readParsedPacket() throws(FFmpegError) -> Packet? {
        let packet = Packet()
        while true {
            let code = readFrame(into: packet)
            if code == oav_error_eof {
                try interrupt.check(.read)
                // What could not be read is not the end.
                if let error = input.refusal(.read) ?? input.readFailure(.read) { throw error }
                progress.noteEnd(log.lastError.map { Complaint(ofDemuxer: $0) })
                return nil
            }
            if code == oav_error_posix(EAGAIN) {
                try interrupt.check(.read)
                continue
            }
            guard code >= 0 else { throw failure(code, .read) }
            // Nor is what follows what could not be read the next packet.
            if let error = input.readFailure(.read) { throw error }
            packetsRead += 1
            if progress.notePosition(of: packet) { WorkPulse.beat() }
            if isAnimation { try countAnimationPicture() }
            if !streams.indices.contains(packet.streamIndex) { lateStreams.insert(packet.streamIndex) }
            // What was read to probe the file comes through whatever was selected since.
            guard isSelected(packet.streamIndex) else {
                av_packet_unref(packet.pointer)
                continue
            }
            if packet.isCorrupt { keepWholeSamples(packet) }
            if progress.note(packet) { WorkPulse.beat() }
            if isMatroska { hideIfBeforeZero(packet) }
            // libavformat takes what a last page leaves out of more than one packet from the last one, below zero.
            if isOgg, let duration = packet.durationTicks, duration > Int64(Int32.max) { packet.setDuration(0) }
            if joinedParts != nil { putOnTimeline(packet) }
            if wholeness != nil, streams.indices.contains(packet.streamIndex) {
                wholeness?.judge(packet, of: streams[packet.streamIndex], interrupt)
            }
            soundEnds?.trim(packet, of: streams[packet.streamIndex])
            guard isTagged, streams[packet.streamIndex].kind == .audio else { return packet }
            if let sound = try innerTags.next(packet, of: taggedFile) { return sound }
            av_packet_unref(packet.pointer)
        }
    }

    /// What there is of a last packet of samples that stand by themselves is as good as any.
    private func keepWholeSamples(_ packet: Packet) {
        guard !container.has(.isMPEGStream), streams[packet.streamIndex].codec.isPCM,
            let block = avStream(packet.streamIndex)?.pointee.codecpar.pointee.block_align, block > 0
        else { return }
        packet.pointer.pointee.size -= packet.pointer.pointee.size % block
        if packet.byteCount > 0 { packet.setCorrupt(false) }
    }

    private func readFrame(into packet: Packet) -> Int32 {
        guard !heldPackets.isEmpty else { return log.capturing { av_read_frame(context, packet.pointer) } }
        withExtendedLifetime(heldPackets.removeFirst()) { av_packet_move_ref(packet.pointer, $0.pointer) }
        return 0
    }

    /// The streams of each program of a broadcast, which a receiver shows one of; none where the container has no programs.
    package var programs: [[Int]] {
        (0..<Int(context.pointee.nb_programs)).compactMap { index in
            guard let program = context.pointee.programs[index], let streams = program.pointee.stream_index else {
                return nil
            }
            return (0..<Int(program.pointee.nb_stream_indexes)).map { Int(streams[$0]) }
        }.filter { !$0.isEmpty }
    }

    /// A stream's first packet, which is read ahead; `nil` where it does not come soon.
    func firstPacket(ofStream index: Int) -> Packet? {
        guard packetsRead == 0, seeks == 0 else { return nil }
        if let packet = heldPackets.first(where: { $0.streamIndex == index }) { return packet }
        while heldPackets.count < Self.mostHeldPackets {
            let packet = Packet()
            guard log.capturing({ av_read_frame(context, packet.pointer) }) >= 0 else { return nil }
            heldPackets.append(packet)
            if packet.streamIndex == index { return packet }
        }
        return nil
    }

    private static let mostHeldPackets = 64

    private func readUnpackedConfigurations() {
        for index in streams.indices where streams[index].codec == .aacLATM {
            var unpacker = LATMUnpacker()
            _ = firstPacket(ofStream: index)?.withBytes { unpacker.frames(in: $0) }
            streams[index].unpackedConfiguration = unpacker.configuration
        }
    }

    /// Gives a packet the times that it has on the timeline of all parts of the file.
    private func putOnTimeline(_ packet: Packet) {
        let index = packet.streamIndex
        guard let joinedParts, streams.indices.contains(index) else { return }
        // Packets that have no place of their own come from within the one before.
        let part = packet.position.map { joinedParts.part(at: $0) } ?? currentParts[index] ?? 0
        currentParts[index] = part
        partsRead.insert(part)
        guard part > 0 else { return }
        let base = streams[index].timeBase
        let isBefore = joinedParts.isBefore(packet, inPart: part, base)
        packet.set(
            presentation: packet.presentationTicks.map { joinedParts.ticks($0, inPart: part, base) },
            decode: packet.decodeTicks.map { joinedParts.ticks($0, inPart: part, base) },
            isDiscarded: isBefore ? true : nil)
    }

    /// The packet identifiers of a transport stream's video and audio streams, those of video first.
    package var mediaIdentifiers: [UInt16] {
        let playing = streams.filter { $0.kind == .video } + streams.filter { $0.kind == .audio }
        return playing.compactMap { UInt16(exactly: $0.containerID) }
    }

    private func countAnimationPicture() throws(FFmpegError) {
        animationPictures += 1
        guard animationPictures <= policy.limits.frames else {
            throw FFmpegError(
                kind: .limit, operation: .read,
                reason: "the animation has more pictures than the limit of \(policy.limits.frames)", limit: .frames)
        }
    }

    /// What the demuxer complained about since the last call, if anything.
    package func takeComplaint() -> Complaint? {
        defer { log.clear() }
        return log.lastError.map { Complaint(ofDemuxer: $0) }
    }

    /// Moves to the last sync sample at or before a time of one stream, as the
    /// container's index or a search sees it; the result has to be verified.
    ///
    /// - Returns: Whether the demuxer found a position.
    package func seek(stream index: Int, toTicks ticks: Int64) throws(FFmpegError) -> Bool {
        if let joinedParts, streams.indices.contains(index) {
            guard let place = joinedParts.place(of: streams[index], before: ticks) else { return false }
            try enter(atByte: place)
            return true
        }
        seeks += 1
        lateStreams = []
        wholeness?.restart()
        soundEnds?.restart()
        innerTags = InnerTags()
        queue.restart()
        layers.restart()
        pictureClock = nil
        progress = ReadProgress()
        animationPictures = 0
        heldPackets = []
        var (reference, target) = (index, ticks)
        if seeksByGuess, streams.indices.contains(index) { target = streams[index].startTicks ?? 0 }
        var isThere = true
        if edited != nil, streams.indices.contains(index) {
            var time = streams[index].timeBase.time(of: ticks)
            if let found = edited?.seek(stream: index, to: time) {
                isThere = found.isThere
                // What others have is needed from the first frame on that is shown.
                time = min(time, found.shown ?? time)
                target = streams[index].timeBase.ticks(atOrBefore: time)
            }
            if edited?.has(index) == true {
                guard let other = streams.indices.first(where: isSelected) else { return isThere }
                (reference, target) = (other, streams[other].timeBase.ticks(atOrBefore: time))
            }
        }
        let code = log.capturing { av_seek_frame(context, Int32(reference), target, AVSEEK_FLAG_BACKWARD) }
        if reference != index, code < 0 {
            _ = log.capturing {
                av_seek_frame(context, Int32(reference), streams[reference].startTicks ?? 0, AVSEEK_FLAG_BACKWARD)
            }
        }
        try interrupt.check(.seek)
        if let error = input.readFailure(.seek) { throw error }
        return reference == index ? code >= 0 : isThere
    }

    /// Leaves out all but a file's last bytes, or nothing if there are no more than that.
    ///
    /// For containers that can be entered anywhere. What is left begins at a multiple of the number of bytes, and is less
    /// than twice as long: where the number is one of whole packets, it begins with a packet.
    package func skip(toLast bytes: Int64) throws(FFmpegError) {
        let size = avio_size(context.pointee.pb)
        guard bytes > 0, size > bytes else { return }
        try enter(atByte: (size - bytes) / bytes * bytes)
    }

    /// Reads all streams from the first byte again, of a container that can be entered anywhere.
    package func rewind() throws(FFmpegError) {
        select(streams: Set(streams.indices))
        try enter(atByte: 0)
    }

    /// Reads on from a byte, of a container that can be entered there.
    package func enter(atByte position: Int64) throws(FFmpegError) {
        seeks += 1
        innerTags = InnerTags()
        (currentParts, partsRead, lateStreams) = ([:], [], [])
        wholeness?.restart()
        soundEnds?.restart()
        layers.restart()
        pictureClock = nil
        queue.restart()
        progress = ReadProgress()
        animationPictures = 0
        heldPackets = []
        edited?.rewind()
        let code = log.capturing { av_seek_frame(context, -1, position, AVSEEK_FLAG_BYTE) }
        try interrupt.check(.seek)
        guard code < 0 else { return }
        throw failure(code, .seek)
    }

    /// A decoder for one stream of pictures or of sound.
    package func makeDecoder(
        stream index: Int, threading: Decoder.Threading = .single
    ) throws(FFmpegError) -> sending Decoder {
        guard let stream = avStream(index) else {
            throw FFmpegError(kind: .other, operation: .decode, reason: "there is no stream \(index)")
        }
        guard !streams[index].isForeign else {
            throw FFmpegError(kind: .unsupported, operation: .decode, reason: StreamInfo.foreignReason)
        }
        // A decoder copies what the demuxer knows of the stream and shares nothing with it, so that it may go to
        // another thread: https://ffmpeg.org/doxygen/5.1/group__lavc__core.html, avcodec_parameters_to_context.
        let video = streams[index].video
        nonisolated(unsafe) let decoder = try Decoder.open(
            stream.pointee.codecpar, timeBase: stream.pointee.time_base, hasAlpha: video?.hasAlpha ?? false,
            aspectRatio: video.flatMap { $0.isAspectOfContainer ? nil : $0.codedAspectRatio }, policy: policy,
            pixelLimit: pixelLimit(ofStream: index), threading: threading)
        return decoder
    }

    /// The still picture that a stream is, such as cover art, undecoded.
    package func attachedPicture(ofStream index: Int) -> Packet? {
        guard let stream = avStream(index), stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0,
            stream.pointee.attached_pic.size > 0
        else { return nil }
        let packet = Packet()
        return av_packet_ref(packet.pointer, &stream.pointee.attached_pic) >= 0 ? packet : nil
    }

    /// A stream as FFmpeg has it; not to be kept beyond the caller's method.
    func avStream(_ index: Int) -> UnsafeMutablePointer<AVStream>? {
        streams.indices.contains(index) ? context.pointee.streams[index] : nil
    }

    // MARK: Opening

    private func probeStreams() throws(FFmpegError) {
        var options = [OpaquePointer?](repeating: nil, count: Int(context.pointee.nb_streams))
        defer { for index in options.indices { av_dict_free(&options[index]) } }
        for index in options.indices {
            let codec = context.pointee.streams[index]?.pointee.codecpar.pointee.codec_id ?? AV_CODEC_ID_NONE
            let limit = policy.limits.pixels(pixelLimit(ofStream: index), codec)
            av_dict_set(&options[index], "max_pixels", String(limit), 0)
        }
        let code = log.capturing {
            options.withUnsafeMutableBufferPointer { avformat_find_stream_info(context, $0.baseAddress) }
        }
        guard code < 0 else { return try checkProbing() }
        throw failure(code, .open)
    }

    /// Some demuxers go on without the streams that are too many, and all go on without the size of a picture that is
    /// too large.
    private func checkProbing() throws(FFmpegError) {
        guard let error = FFmpegError(limitIn: log.lastError, operation: .open) else { return }
        let isWithoutSize = (0..<Int(context.pointee.nb_streams)).contains { index in
            let parameters = context.pointee.streams[index]?.pointee.codecpar.pointee
            return parameters?.codec_type == AVMEDIA_TYPE_VIDEO && parameters?.width == 0
                && pixelLimit(ofStream: index) == .pixels
        }
        if error.limit == .streams || isWithoutSize { throw error }
    }

    private func readStreams() throws(FFmpegError) {
        streams = (0..<Int(context.pointee.nb_streams)).compactMap { index in
            context.pointee.streams[index].map { stream in
                var info = StreamInfo(stream, of: context)
                info.decoder = DecoderAvailability(stream.pointee.codecpar.pointee.codec_id, policy)
                return info
            }
        }
        for index in streams.indices where input.foreignTracks.contains(streams[index].containerID) {
            streams[index].isForeign = true
        }
        if container == .ogg { correctOpusDurations() }
        // Times of Matroska are those of packets.
        if isMatroska {
            for index in streams.indices {
                streams[index].leadIn = streams[index].preSkip + streams[index].firstVorbisPacket
            }
        }
        try checkSizes()
    }

    /// libavformat takes the last page's position for a stream's length, which counts what decoders leave out at the
    /// beginning, and what a stream that was cut begins with.
    ///
    /// Source: RFC 7845, 4.3.
    private func correctOpusDurations() {
        for index in streams.indices where streams[index].codec == .opus {
            guard let length = streams[index].durationTicks, length > 0 else { continue }
            let left = streams[index].timeBase.ticks(atOrAfter: streams[index].preSkip)
            let fromStart = max(0, length - max(0, streams[index].startTicks ?? 0))
            streams[index].durationTicks = max(0, fromStart - left)
        }
    }

    /// FFmpeg tells how a photograph is to be turned of the decoded frame only, or not at all.
    private func readOrientation() {
        guard container.has(.isPhotograph), streams.count == 1, streams[0].video?.displayMatrix == nil else {
            return
        }
        guard let packet = firstPacket(ofStream: 0) else { return }
        streams[0].video?.displayMatrix = packet.withBytes { PictureOrientation(file: $0) }?.displayMatrix
    }

    private func joinLayers() {
        let layered = streams.filter { $0.codec == .hevc && HEVCLayers.areAnnounced(in: $0.extradata) }
        layers = LayerJoin(streams: Set(layered.map(\.index)))
    }

    /// The limit on a stream's pixels.
    private func pixelLimit(ofStream index: Int) -> MediaLimits.Name {
        let disposition = context.pointee.streams[index]?.pointee.disposition ?? 0
        return disposition & AV_DISPOSITION_ATTACHED_PIC != 0 ? .artworkPixels : .pixels
    }

    /// Checked before probing, which may decode, and after it, which may learn
    /// of other sizes.
    ///
    /// A cover that is too large is refused where it is decoded: the film is none the worse for it.
    private func checkSizes() throws(FFmpegError) {
        for index in 0..<Int(context.pointee.nb_streams) where pixelLimit(ofStream: index) == .pixels {
            guard let parameters = context.pointee.streams[index]?.pointee.codecpar.pointee else { continue }
            let (width, height) = (Int64(parameters.width), Int64(parameters.height))
            guard width >= 0, height >= 0, width * height <= policy.limits.pixels else {
                throw FFmpegError(
                    kind: .limit, operation: .open,
                    reason: "a picture of \(width)x\(height) is over the limit of \(policy.limits.pixels) pixels",
                    limit: .pixels)
            }
        }
    }

    private func failure(_ code: Int32, _ operation: FFmpegError.Operation) -> FFmpegError {
        input.failure(code, operation, interrupt, log.lastError)
    }
}
