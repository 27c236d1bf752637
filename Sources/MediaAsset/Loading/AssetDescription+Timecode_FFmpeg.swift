internal import FFmpegKit
internal import MediaCore

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
