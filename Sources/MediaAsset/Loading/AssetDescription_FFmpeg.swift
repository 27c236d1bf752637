internal import FFmpegKit
internal import Foundation
internal import MediaContainers
internal import MediaCore
internal import MediaIO
internal import SampleBuffers

extension AssetDescription {
    /// Puts together what the demuxer and a movie's own boxes tell of a file.
    init(demuxer: Demuxer, movie: MovieOutline?, fragments: MovieFragments?) {
        let streams = demuxer.streams
        let timeline = ContainerTimeline(demuxer: demuxer, movie: movie, fragments: fragments)
        let (origin, total) = (timeline.origin, timeline.duration)
        let headers = Dictionary(
            (movie?.tracks ?? []).map { (Int($0.id), $0) }, uniquingKeysWith: { first, _ in first })
        let ids = Self.trackIDs(of: streams)
        self.init(
            container: demuxer.container.rawValue,
            duration: total,
            durationIsEstimate: demuxer.durationIsGuess || !total.isNumeric || !timeline.isCertain,
            origin: origin,
            byteCount: demuxer.byteCount,
            tracks: [],
            attachedPictures: [],
            preferredRate: movie?.header.map { Float($0.rate) / 65536 } ?? 1,
            preferredVolume: movie?.header.map { Float($0.volume) / 256 } ?? 1,
            canContainFragments: movie?.canContainFragments ?? false,
            hasProtectedContent: false
        )
        containsFragments = fragments != nil
        if let movie { overallDurationHint = movie.announcedDuration }
        for (stream, id) in zip(streams, ids) {
            var track = TrackDescription(
                stream, trackID: id, header: headers[stream.containerID], movieTimescale: movie?.timescale ?? 0,
                timeline: timeline)
            track.isEncrypted = stream.isEncrypted || headers[stream.containerID]?.isProtected == true
            if track.isEncrypted { hasProtectedContent = true }
            if [.h264, .hevc].contains(stream.codec), stream.extradata.count <= Self.longestConfiguration {
                track.parameterSets = stream.extradata
            }
            track.hasDecoder = stream.decoder == .available || stream.codec.hasSubtitleDecoder
            // The movie's own tables list the first samples at most.
            if canContainFragments { track.sampleCount = nil }
            track.isSinglePicture = track.sampleCount == 1 || demuxer.tellsOnePicture(ofStream: stream.index)
            if let header = headers[stream.containerID] {
                track.takeRelations(from: header)
                if stream.kind == .data { track.dataDescription = DataTrackDescription(header) }
            }
            track.takePurposes(demuxer.disposition(ofStream: stream.index))
            if stream.isAttachedPicture { attachedPictures.append(track) } else { tracks.append(track) }
        }
        joinAlpha(headers)
        readTimecode(of: demuxer)
    }

    /// More bytes than these set up no decoder.
    private static let longestConfiguration = 1 << 14

    /// Makes known to each track of pictures which other one holds their alpha.
    private mutating func joinAlpha(_ headers: [Int: MovieTrack]) {
        for alpha in tracks where alpha.mediaType == .auxiliaryPicture {
            guard let master = headers[Int(alpha.trackID)]?.alphaOf,
                let index = tracks.firstIndex(where: { $0.mediaType == .video && Int64($0.trackID) == Int64(master) })
            else { continue }
            tracks[index].video?.alphaStreamIndex = alpha.streamIndex
            tracks[index].video?.hasAlpha = true
        }
    }

    private static func trackIDs(of streams: [StreamInfo]) -> [Int32] {
        func areUsable(_ ids: [Int]) -> Bool {
            ids.allSatisfy { $0 > 0 && $0 < Int32.max - Int32(ids.count) } && Set(ids).count == ids.count
        }
        if areUsable(streams.map(\.containerID)) { return streams.map { Int32($0.containerID) } }
        // Covers are no tracks, and have no number of one.
        let own = streams.filter { !$0.isAttachedPicture }.map(\.containerID)
        guard areUsable(own) else { return streams.indices.map { Int32($0 + 1) } }
        var last = Int32(own.max() ?? 0)
        return streams.map { stream in
            guard stream.isAttachedPicture else { return Int32(stream.containerID) }
            last += 1
            return last
        }
    }
}

extension Demuxer {
    /// Whether the tags that Matroska's muxers write say that a stream holds one picture, or next to no time.
    fileprivate func tellsOnePicture(ofStream index: Int) -> Bool {
        guard container.isMatroska else { return false }
        return metadata(ofStream: index).contains { key, value in
            if key.hasPrefix("NUMBER_OF_FRAMES") { return value == "1" }
            return key.hasPrefix("DURATION") && value.hasPrefix("00:00:00.0")
        }
    }
}

extension MovieOutline {
    /// How long the fragments last in all, as the header announces it; invalid if it does not.
    fileprivate var announcedDuration: CMTime {
        guard let ticks = fragmentDuration.flatMap(Int64.init(exactly:)), let scale = Int32(exactly: timescale),
            scale > 0
        else { return .invalid }
        return CMTime(value: ticks, timescale: scale)
    }
}

extension TrackDescription {
    /// Takes over what a movie says of a track beside others.
    fileprivate mutating func takeRelations(from header: MovieTrack) {
        alternateGroup = Int(header.header.alternateGroup)
        hasAudioSampleDependencies = mediaType == .audio && header.tableBoxes.contains { $0.type == "stss" }
        references = header.references.map { reference in
            Reference(
                type: reference.type.description, trackIDs: reference.tracks.compactMap { Int32(exactly: $0) })
        }
    }

    init(
        _ stream: StreamInfo, trackID: Int32, header: MovieTrack?, movieTimescale: UInt32,
        timeline: ContainerTimeline
    ) {
        let ownTimescale = header.flatMap { Int32(exactly: $0.timescale) } ?? stream.timeBase.denominator
        let timeRange = timeline.range(of: stream)
        self.init(
            trackID: trackID,
            streamIndex: stream.index,
            mediaType: AVMediaType(stream, handler: header?.handler),
            isEnabled: header?.isEnabled ?? true,
            codec: stream.codec.rawValue,
            codecTag: stream.codecTag,
            mediaSubType: Self.subType(of: stream, entry: header?.entries.first),
            profile: stream.profile,
            timescale: ownTimescale > 0 ? ownTimescale : stream.timeBase.denominator,
            timeRange: timeRange,
            isEndAssumed: !timeline.knowsEnd(of: stream),
            language: stream.language.flatMap { $0 == "und" ? nil : $0 },
            extendedLanguageTag: header?.extendedLanguageTag,
            title: stream.title,
            estimatedDataRate: stream.bitRate ?? 0,
            sampleCount: stream.frameCount,
            editList: Self.mappings(
                header, movieTimescale: movieTimescale, origin: timeline.origin, end: timeRange.end),
            video: stream.video.map { VideoDescription($0, aperture: header?.cleanAperture, header: header?.header) },
            audio: stream.audio.map {
                AudioDescription(
                    sampleRate: $0.sampleRate, channels: $0.channels, channelLayout: $0.channelLayout,
                    bitsPerSample: $0.bitsPerSample, framesPerPacket: $0.framesPerPacket)
            }
        )
    }

    private static func subType(of stream: StreamInfo, entry: SampleEntry?) -> FourCharCode {
        let own = entry.flatMap { $0.type == .none ? nil : $0.type }
        if let own, SampleEntry.protectedTypes.contains(own) { return own.rawValue }
        let known = stream.codec.fourCharacterCode(profile: stream.profile)
        let tag = Array(stream.codecTag.utf8)
        let stored = own?.rawValue ?? (tag.count == 4 ? tag.bigEndian32(at: 0) : nil)
        let codes = stream.kind == .audio || own == nil ? [known, stored] : [stored, known]
        return codes.compactMap(\.self).first ?? stream.codec.makeshiftFourCharacterCode
    }

    /// - Parameter end: Where the track ends.
    private static func mappings(_ header: MovieTrack?, movieTimescale: UInt32, origin: CMTime, end: CMTime)
        -> [CMTimeMapping]
    {
        guard let header, let movieScale = Int32(exactly: movieTimescale), movieScale > 0,
            let mediaScale = Int32(exactly: header.timescale), mediaScale > 0
        else { return [] }
        var position = CMTime.zero - origin
        return header.edits.enumerated().compactMap { index, edit in
            guard let length = Int64(exactly: edit.duration) else { return nil }
            // Before fragments the last edit has no duration, and stands for the rest of the media.
            let isRest = length == 0 && index == header.edits.count - 1 && edit.mediaTime >= 0 && end > position
            let duration = isRest ? end - position : CMTime(value: length, timescale: movieScale)
            let target = CMTimeRange(start: position, duration: duration)
            position = position + duration
            guard edit.mediaTime >= 0 else { return CMTimeMapping(source: .invalid, target: target) }
            let start = CMTime(value: edit.mediaTime, timescale: mediaScale)
            let played = CMTimeMultiplyByRatio(duration, multiplier: edit.rate, divisor: 1 << 16)
            return CMTimeMapping(source: CMTimeRange(start: start, duration: played), target: target)
        }
    }
}

extension AVMediaType {
    init(_ stream: StreamInfo, handler: FourCC?) {
        switch (stream.kind, handler) {
        case (.video, "auxv"?): self = .auxiliaryPicture
        case (.video, _): self = .video
        case (.audio, _): self = .audio
        case (_, "text"?): self = .text
        case (_, "clcp"?): self = .closedCaption
        case (_, "sbtl"?), (_, "subt"?), (.subtitle, _): self = .subtitle
        case (_, "tmcd"?): self = .timecode
        case (_, "meta"?): self = .metadata
        case (.attachment, _): self = AVMediaType(rawValue: "atch")
        default: self = AVMediaType(rawValue: "data")
        }
    }
}

extension VideoDescription {
    init(_ video: VideoInfo, aperture: CleanAperture?, header: TrackHeader?) {
        let size = PixelSize(width: max(0, video.width), height: max(0, video.height))
        let whole = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
        let clean = aperture.flatMap { $0.rect(in: size) } ?? whole
        let ratio = AspectRatio(
            horizontal: Int(video.sampleAspectRatio.numerator), vertical: Int(video.sampleAspectRatio.denominator))
        let transform = video.displayMatrix.flatMap { CGAffineTransform(displayMatrix: $0) } ?? .identity
        self.init(
            codedSize: size,
            naturalSize: Self.naturalSize(
                header: header?.size.map { CGSize(width: $0.width, height: $0.height) },
                seen: PixelSize(width: clean.width, height: clean.height), sampleAspectRatio: ratio),
            displaySize: Self.displaySize(
                of: PixelSize(width: clean.width, height: clean.height), sampleAspectRatio: ratio, transform: transform),
            cleanAperture: clean,
            sampleAspectRatio: ratio,
            preferredTransform: transform,
            nominalFrameRate: video.averageFrameRate?.value ?? 0,
            minFrameDuration: video.realFrameRate.map {
                CMTime(value: Int64($0.denominator), timescale: $0.numerator)
            } ?? .invalid,
            pixelFormat: video.pixelFormat,
            bitsPerComponent: video.bitsPerComponent,
            hasAlpha: video.hasAlpha,
            color: ColorDescription(video.color),
            peakLuminance: video.peakLuminance,
            fieldOrder: video.fieldOrder?.rawValue,
            requiresFrameReordering: video.reorderDelay > 0,
            hasUndecodedAlpha: video.hasUndecodedAlpha,
            dolbyVision: video.dolbyVision.map {
                DolbyVision(profile: $0.profile, level: $0.level, compatibilityID: $0.compatibilityID)
            }
        )
    }
}

extension ColorDescription {
    init(_ color: ColorInfo) {
        self.init(
            primaries: color.primaries?.rawValue, transferFunction: color.transferFunction?.rawValue,
            yCbCrMatrix: color.yCbCrMatrix?.rawValue, range: color.range?.rawValue,
            chromaLocation: color.chromaLocation?.rawValue)
    }
}

extension AssetDescription {
    /// Finds out from which timecode on, and how, the frames of the video track
    /// that stills are made of are labelled.
    mutating func readTimecode(of demuxer: Demuxer) {
        let streams = demuxer.streams
        let video = videoTrack.flatMap { track in streams.first { $0.index == track.streamIndex } }
        let ofFile = demuxer.metadata.first { $0.key.lowercased() == "timecode" }?.value
        let texts = [video?.timecode] + streams.map(\.timecode) + [ofFile]
        startTimecode = texts.lazy.compactMap { $0 }.compactMap { Timecode($0) }.first
        guard let video, let start = videoTrack?.timeRange.start, let pictures = video.pictureRate else { return }
        let rate = streams.lazy.compactMap(\.labelRate).first ?? pictures
        timecodeScale = TimecodeScale(
            start: startTimecode, framesPerSecond: Int(rate.value.rounded()),
            frameDuration: CMTime(value: Int64(rate.denominator), timescale: rate.numerator), startTime: start,
            numbersPictures: video.hasConstantRate && rate.isNearly(pictures))
    }
}

extension StreamInfo {
    /// Pictures in each second: the clean number where the average is one nearly.
    fileprivate var pictureRate: Ratio? {
        guard let average = video?.averageFrameRate ?? video?.realFrameRate else { return nil }
        guard let real = video?.realFrameRate, real.isNearly(average) else { return average }
        return real
    }

    /// Whether pictures follow each other as fast as they do on average; the
    /// rate that FFmpeg finds may be that of fields.
    fileprivate var hasConstantRate: Bool {
        guard let average = video?.averageFrameRate, let real = video?.realFrameRate else { return false }
        let (halved, overflow) = average.numerator.multipliedReportingOverflow(by: 2)
        return real.isNearly(average) || (!overflow && real.isNearly(Ratio(halved, average.denominator)))
    }

    /// The rate at which a timecode track of QuickTime counts.
    ///
    /// What it says of labels in a second is left aside: cameras write 29 for
    /// 29.97 there.
    ///
    /// Source: QuickTime File Format, timecode sample description: after four
    /// reserved bytes flags, timescale and the length of a frame.
    fileprivate var labelRate: Ratio? {
        guard codecTag == "tmcd", extradata.count >= 16 else { return nil }
        func field(_ offset: Int) -> UInt32 { extradata[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        let isCounter = field(4) & 8 != 0
        guard !isCounter, let timescale = Int32(exactly: field(8)), let duration = Int32(exactly: field(12)),
            timescale > 0, duration > 0
        else { return nil }
        return Ratio(timescale, duration)
    }
}

extension Ratio {
    /// Whether two rates are one but for what averaging a few frames adds: 29.97
    /// and 30 are not.
    fileprivate func isNearly(_ other: Ratio) -> Bool { abs(value / other.value - 1) < 0.0005 }
}

extension TrackDescription {
    /// Takes over what FFmpeg tells of a stream's purpose, from the flags of Matroska and the like.
    mutating func takePurposes(_ disposition: Disposition) {
        isDefault = disposition.contains(.default)
        let isSound = mediaType == .audio
        add(disposition.contains(.forced) ? [.containsOnlyForcedSubtitles] : [])
        if disposition.contains(.hearingImpaired) {
            add(isSound ? [.enhancesSpeechIntelligibility] : AVMediaCharacteristic.captions)
        }
        add(disposition.contains(.captions) ? AVMediaCharacteristic.captions : [])
        let describes = !disposition.isDisjoint(with: [.visualImpaired, .textDescriptions])
        add(describes ? [.describesVideoForAccessibility] : [])
        add(disposition.contains(.commentary) ? [.isAuxiliaryContent] : [])
        add(disposition.contains(.original) ? [.isOriginalContent] : [])
        add(disposition.contains(.dub) ? AVMediaCharacteristic.dub : [])
    }

    fileprivate mutating func add(_ characteristics: [AVMediaCharacteristic]) {
        for tag in characteristics.map(\.rawValue) where !tags.contains(tag) && tags.count < Self.maximumTags {
            tags.append(tag)
        }
    }

    /// More tags of one track than this are damage.
    private static let maximumTags = 64
}

extension AssetDescription {
    /// Takes over what a movie's boxes say of its tracks' purposes.
    mutating func takePurposes(of movie: MovieOutline, _ reader: BoxReader) {
        for header in movie.tracks {
            guard let index = tracks.firstIndex(where: { Int64($0.trackID) == Int64(header.id) }) else { continue }
            for box in header.children.filter({ $0.type == "udta" }).flatMap({ reader.boxes(in: $0.content) }) {
                tracks[index].add(AVMediaCharacteristic.told(by: box, reader))
            }
            if header.hasOnlyForcedText { tracks[index].add([.containsOnlyForcedSubtitles]) }
        }
    }
}

extension MovieTrack {
    /// Whether the format of its text says that all samples are forced.
    ///
    /// Source: QuickTime File Format, "Subtitle sample description": the highest bit of the display flags.
    fileprivate var hasOnlyForcedText: Bool {
        !entries.isEmpty
            && entries.allSatisfy { $0.type == "tx3g" && ($0.content.bigEndian32(at: 8) ?? 0) & 0x8000_0000 != 0 }
    }
}

extension AVMediaCharacteristic {
    fileprivate static let captions: [AVMediaCharacteristic] = [
        .transcribesSpokenDialogForAccessibility, .describesMusicAndSoundForAccessibility,
    ]
    fileprivate static let dub: [AVMediaCharacteristic] = [.languageTranslation, .dubbedTranslation]

    /// The characteristics that one box of a track's user data stands for.
    ///
    /// Source: QuickTime File Format, `tagc`; ISO/IEC 14496-12, `kind`.
    fileprivate static func told(by box: Box, _ reader: BoxReader) -> [AVMediaCharacteristic] {
        func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
        switch box.type {
        case "tagc":
            let tag = text(reader.bytes(of: box, limit: maximumTagLength)[...])
            return tag.isEmpty ? [] : [AVMediaCharacteristic(rawValue: tag)]
        case "kind":
            let parts = reader.bytes(of: box, limit: maximumTagLength).dropFirst(4)
                .split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 ? kinds[text(parts[0])]?[text(parts[1])] ?? [] : []
        default: return []
        }
    }

    /// A longer tag says nothing of what a track is for.
    private static let maximumTagLength = 1 << 10

    /// What the values of `kind` boxes stand for, by their schemes.
    ///
    /// Source: ISO/IEC 23009-1, 5.8.5.5; HTML, kinds of tracks.
    private static let kinds: [String: [String: [AVMediaCharacteristic]]] = [
        "urn:mpeg:dash:role:2011": [
            "main": [.isMainProgramContent], "supplementary": [.isAuxiliaryContent],
            "commentary": [.isAuxiliaryContent], "dub": dub, "caption": captions,
            "description": [.describesVideoForAccessibility], "forced-subtitle": [.containsOnlyForcedSubtitles],
            "forced_subtitle": [.containsOnlyForcedSubtitles], "easyreader": [.easyToRead],
            "enhanced-audio-intelligibility": [.enhancesSpeechIntelligibility],
        ],
        "about:html-kind": [
            "main": [.isMainProgramContent], "commentary": [.isAuxiliaryContent], "captions": captions,
            "descriptions": [.describesVideoForAccessibility], "main-desc": [.describesVideoForAccessibility],
            "translation": [.languageTranslation],
        ],
    ]
}
