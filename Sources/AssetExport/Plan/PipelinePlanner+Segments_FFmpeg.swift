internal import FFmpegKit
internal import MediaAsset
internal import MediaCore
internal import MediaEngine
internal import MediaIO

/// Whether pictures are encoded in segments, and in which.
extension PipelinePlanner {
    /// Divides the pictures into segments that are encoded apart, where that was asked for or is of use.
    mutating func divideIntoSegments(_ duration: CMTime, of demuxer: Demuxer) throws {
        try divide(duration, of: demuxer)
        guard segments == nil, request.makesPiece || request.pieces != nil else { return }
        throw Self.refusalOfSegments(
            reasonAgainstSegments(duration, isSeekable: demuxer.isSeekable) ?? "no length of segments was asked for")
    }

    private mutating func divide(_ duration: CMTime, of demuxer: Demuxer) throws {
        let asked = request.segmentLength
        if let reason = reasonAgainstSegments(duration, isSeekable: demuxer.isSeekable) {
            guard asked == nil else { throw Self.refusalOfSegments(reason) }
            return
        }
        guard let index = encodedPictures.first, let encoding = preset.videoEncoding,
            let length = asked.map(encoding.segmentLength) ?? encoding.usualSegmentLength,
            let segments = PictureSegments(length: length, duration: duration)
        else { return }
        let track = tracks[conversions[index].track]
        // Where each segment would be decoded from the beginning, one encoder is faster.
        let canSeek = SeekPoint.canBeFound(forStream: track.stream, in: demuxer)
        guard asked != nil || segments.count > 1 && canSeek else { return }
        guard try conversions[index].conversion.encoding.encoder.givesOneHeader() else {
            guard asked == nil else { throw Self.refusalOfSegments("the encoder begins each with another header") }
            return
        }
        conversions[index].conversion.encoding.segments = segments
        conversions[index].conversion.encoding.pieces = request.pieces
        tracks[conversions[index].track].treatment = .encoding(conversions[index].conversion.encoding)
        self.segments = segments
    }

    static func refusalOfSegments(_ reason: String) -> AVError {
        AVError(.operationNotSupportedForAsset, reason: "pictures cannot be encoded in segments: \(reason)")
    }

    /// The conversions that make pictures.
    private var encodedPictures: [Int] {
        conversions.indices.filter {
            if case .video = conversions[$0].conversion.encoding.encoder.media { true } else { false }
        }
    }

    private func reasonAgainstSegments(_ duration: CMTime, isSeekable: Bool) -> String? {
        guard let encoding = preset.videoEncoding, !encodedPictures.isEmpty else { return "none are encoded" }
        if encodedPictures.count > 1 { return "there are \(encodedPictures.count) tracks of them" }
        switch encoding.rateControl {
        case .bitRate, .constantQuality(_, .some): return "they share a bit rate; only constant quality can be divided"
        case .constantQuality(_, nil), .encoder: break
        }
        if request.effectiveFileLengthLimit != nil { return "they share the file's length limit" }
        if request.fileType == .hls { return "a stream has segments of its own" }
        if conversions[encodedPictures[0]].conversion.encoding.paletteFilters != nil { return "they share a palette" }
        if request.allowsDamagedMedia { return "damage shows in another way from each entry point" }
        if !isSeekable { return "the source can be read once only" }
        if PictureSegments(length: CMTime(value: 1, timescale: 1), duration: duration) == nil {
            return "the film's length is not known"
        }
        return nil
    }
}

extension ExportPreset.VideoEncoding {
    /// The shortest segments of whole distances between keyframes that are as long as was asked for.
    fileprivate func segmentLength(atLeast length: CMTime) -> CMTime {
        guard let keyframeSeconds else { return length }
        let interval = CMTime(value: Int64((keyframeSeconds * 1000).rounded()), timescale: 1000)
        let (asked, distance) = (
            Int128(length.value) * Int128(interval.timescale), Int128(interval.value) * Int128(length.timescale)
        )
        let count = (asked + distance - 1) / max(1, distance)
        return CMTime(value: interval.value * Int64(clamping: max(1, count)), timescale: interval.timescale)
    }

    /// How long segments are where nobody asks for a length; `nil` where the encoder keeps all cores busy by itself.
    fileprivate var usualSegmentLength: CMTime? {
        EncoderTraits.known[encoder]?.leavesCoresIdle == true
            ? segmentLength(atLeast: CMTime(value: 5, timescale: 1)) : nil
    }
}

/// What exports take of a processor core, by what was measured with FFmpeg 5.1.
struct ExportCost {
    private static let opening = 0.06
    private static let secondsPerByte = 2e-9
    private static let secondsPerDecodedPixel = 2.5e-9
    /// Of sound, for each second of it.
    private static let secondsPerSecond = 0.02

    private(set) var seconds = Self.opening

    /// Adds what is copied.
    mutating func add(byteCount: Int64?) { seconds += Double(byteCount ?? 0) * Self.secondsPerByte }

    /// Adds a track that is encoded anew.
    ///
    /// - Parameter duration: Seconds of it.
    mutating func add(_ encoding: TrackEncoding, of track: TrackDescription?, passes: Int, duration: Double) {
        guard case .video(let video) = encoding.encoder.media else {
            seconds += duration * Self.secondsPerSecond
            return
        }
        let rate = track?.video?.nominalFrameRate ?? 0
        let frames = duration * (rate > 0 && rate < 1000 ? rate : 25)
        let source = track?.video?.codedSize ?? PixelSize(width: video.width, height: video.height)
        let made = Double(video.width) * Double(video.height)
        let encoder = EncoderTraits.known[encoding.encoder.name]?.nanosecondsPerPixel ?? 20
        let pixels = Double(source.width) * Double(source.height)
        seconds += frames * Double(passes) * (pixels * Self.secondsPerDecodedPixel + made * encoder * 1e-9)
    }
}

extension PipelinePlanner {
    /// What the export takes of a core; `nil` if the film does not tell how long it is.
    func estimatedCoreSeconds(_ duration: CMTime) -> Double? {
        guard duration.isNumeric else { return nil }
        var cost = ExportCost()
        if conversions.count < tracks.count { cost.add(byteCount: asset.byteCount) }
        for (index, conversion) in conversions {
            let stream = tracks[index].stream
            cost.add(
                conversion.encoding, of: asset.tracks.first { $0.streamIndex == stream }, passes: conversion.passes,
                duration: duration.seconds)
        }
        return cost.seconds
    }
}

/// What encoding tracks side by side is estimated to take of memory, told before anything is opened for it.
///
/// One track takes what it takes, however large its pictures are; many small ones in a file of a megabyte would take
/// gigabytes together.
struct EncodingMemory {
    /// Pictures that a decoder holds: references, and those of its threads.
    private static let decodedPictures = 10
    /// Pictures that an encoder looks ahead at, and its references.
    private static let encodedPictures = 50
    /// What either takes besides.
    private static let base: Int64 = 6 << 20
    /// Bytes of a pixel with its share of colour.
    private static let bytesPerPixel = (eightBits: 1.5, more: 3.0)

    /// Bytes of each track.
    private(set) var tracks: [Int64] = []

    /// Adds a track.
    ///
    /// - Parameter source: The size of the pictures that are decoded; `nil` for sound, and what is not known.
    mutating func add(source: PixelSize?, _ settings: EncoderSettings) {
        var bytes = Self.base
        if case .video(let video) = settings.media {
            let isDeep = video.pixelFormat.contains("10") || video.pixelFormat.contains("12")
            let size = isDeep ? Self.bytesPerPixel.more : Self.bytesPerPixel.eightBits
            let decoded = Double(source?.width ?? 0) * Double(source?.height ?? 0) * Double(Self.decodedPictures)
            let encoded = Double(video.width) * Double(video.height) * Double(Self.encodedPictures)
            bytes += Int64(min((decoded + encoded) * size, 1e15))
        }
        tracks.append(bytes)
    }

    /// Fails if the tracks beside the one that takes most take more than they may.
    func check(_ limits: MediaLimits) throws {
        let others = tracks.sorted().dropLast().reduce(Int64(0)) { $0.addingReportingOverflow($1).partialValue }
        guard others > limits[.encodingMemory] else { return }
        throw MediaLimitError(
            reason:
                "\(tracks.count) tracks would be encoded side by side, which takes about \(others >> 20) MiB for those "
                + "beside the largest, over the limit of \(limits[.encodingMemory] >> 20) MiB",
            limit: .encodingMemory)
    }
}
