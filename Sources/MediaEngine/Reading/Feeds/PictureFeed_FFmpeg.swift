package import FFmpegKit
package import MediaAsset
package import MediaCore

/// A decoded picture and when it is shown.
package struct FedPicture: Sendable {
    package let frame: Frame
    /// On the asset's timeline: from its own presentation time up to that of the next one.
    package let timeRange: CMTimeRange
}

/// Gives decoded pictures, one after the other in the order in which they are shown.
package protocol PictureFeeding: AnyObject {
    /// The next picture; blocks until it is there. `nil` after the last one.
    func next() throws -> FedPicture?
}

/// Gives the decoded pictures of a file's track.
///
/// The first one is what is shown at the range's start, and may begin before that. Decodes on the thread that asks, with
/// as many others as there are processors; one thread at a time may ask.
package final class PictureFeed: PictureFeeding {
    private let input: TrackInput
    private let track: TrackDescription
    private let decoding: PictureDecoding
    private var following: PictureDecoding.Shown?
    private var hasBegun = false

    /// - Parameters:
    ///   - range: On the asset's timeline; `nil` for all.
    ///   - allowsDamage: Whether damaged pictures, and a file that ends early, are no errors.
    package init(
        _ track: TrackDescription, of source: AssetSource, range: CMTimeRange?, allowsDamage: Bool,
        threading: Decoder.Threading = .frames(ProcessorShare.count), cancellation: Cancellation
    ) throws {
        try source.checkIsDecodable(track)
        let input = try TrackInput(
            track.streamIndex, of: source, range: range, allowsDamage: allowsDamage, cancellation: cancellation)
        let decoder = try input.demuxer.makeDecoder(stream: track.streamIndex, threading: threading)
        decoding = PictureDecoding(
            decoder, info: input.info, entry: input.entry, range: input.range, startsAtZero: false,
            statedEnd: input.statedEnd, damage: input.damageWatch(delay: decoder.threadCount)
        ) { try input.next() }
        (self.input, self.track) = (input, track)
    }

    /// What is known of the pictures beforehand.
    func videoSource() throws -> VideoSource {
        guard let source = VideoSource(track, input.info, input.demuxer.traits(ofStream: input.info.index)) else {
            throw FFmpegError(kind: .unsupported, operation: .decode, reason: "the size of the pictures is unknown")
        }
        return source
    }

    /// Pictures in a second, where they come at a fixed rate; `nil` elsewhere.
    package var fixedFrameRate: Ratio? {
        let timing = FrameTiming(input.info)
        return timing.isVariable ? nil : timing.rate
    }

    package func next() throws -> FedPicture? {
        if !hasBegun {
            hasBegun = true
            following = try decoding.next()
        }
        guard let shown = following else { return nil }
        following = try decoding.next()
        if following == nil { try input.checkEnd() }
        let start = input.time(shown.ticks)
        let end = following.map { input.time($0.ticks) } ?? self.end(of: shown)
        return FedPicture(frame: shown.frame, timeRange: CMTimeRange(start: start, end: max(start, end)))
    }

    /// When the last picture ends: when it does itself, or with the range.
    private func end(of last: PictureDecoding.Shown) -> CMTime {
        switch decoding.end {
        case .ofRange: input.range.end.map { $0 - input.origin } ?? input.time(last.ticks)
        // The edit list may end within the picture.
        case .ticks(let ticks): input.time(min(ticks, max(last.ticks, input.statedEnd ?? ticks)))
        case nil: input.time(last.ticks)
        }
    }
}
