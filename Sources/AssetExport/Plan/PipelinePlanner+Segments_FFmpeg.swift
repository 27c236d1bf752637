internal import FFmpegKit
package import MediaAsset
internal import MediaCore
package import MediaEngine

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
        let hasEntries = demuxer.container.seekPolicy(for: demuxer.streams[track.stream].codec) != .linear
        guard asked != nil || segments.count > 1 && hasEntries else { return }
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
