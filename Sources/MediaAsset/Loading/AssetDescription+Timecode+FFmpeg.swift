internal import FFmpegKit
internal import MediaTime

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
        let labels = streams.lazy.compactMap(\.labelRate).first
        let rate = labels?.rate ?? pictures
        let nominal = labels?.framesPerSecond ?? Int(rate.value.rounded())
        timecodeScale = TimecodeScale(
            start: startTimecode, framesPerSecond: nominal,
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

    /// The rate at which a timecode track of QuickTime counts, and its labels in a second.
    ///
    /// Source: QuickTime File Format, timecode sample description: after four
    /// reserved bytes flags, timescale, the length of a frame and their number.
    fileprivate var labelRate: (rate: Ratio, framesPerSecond: Int)? {
        guard codecTag == "tmcd", extradata.count >= 17 else { return nil }
        func field(_ offset: Int) -> UInt32 { extradata[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        let isCounter = field(4) & 8 != 0
        guard !isCounter, let timescale = Int32(exactly: field(8)), let duration = Int32(exactly: field(12)),
            timescale > 0, duration > 0, extradata[16] > 0
        else { return nil }
        return (Ratio(timescale, duration), Int(extradata[16]))
    }
}

extension Ratio {
    /// Whether two rates are one but for what averaging a few frames adds: 29.97
    /// and 30 are not.
    fileprivate func isNearly(_ other: Ratio) -> Bool { abs(value / other.value - 1) < 0.0005 }
}
