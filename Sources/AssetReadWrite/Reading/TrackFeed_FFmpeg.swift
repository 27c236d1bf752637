internal import FFmpegKit
internal import MediaAsset
internal import MediaCore
internal import MediaEngine
internal import SampleBuffers

/// What the samples of a track come from.
struct TrackFeed {
    let feed: any SampleFeeding

    init(_ output: AVAssetReaderTrackOutput, _ request: SampleRequest) throws {
        let (source, track) = (output.track.source, output.track.track)
        guard source.composition == nil else {
            feed = try Self.composed(output, request)
            return
        }
        let (range, allowsDamage) = (request.timeRange, request.allowsDamage)
        let cancellation = request.run.cancellation
        guard let settings = output.outputSettings else {
            feed = try CodedSamples(
                CodedFeed(
                    track, of: source, range: range, allowsDamage: allowsDamage, cancellation: cancellation), track)
            return
        }
        if track.mediaType == .video {
            let asked = try PictureOutputSettings(settings)
            let pictures = try PictureFeed(
                track, of: source, range: range, allowsDamage: allowsDamage, cancellation: cancellation)
            feed = PictureSamples(
                pictures,
                form: PictureBuffers.Form(
                    samples: asked.samples, width: asked.width, height: asked.height,
                    copies: output.alwaysCopiesSampleData),
                attachments: PictureAttachments(CMFormatDescription(track: track)), start: range?.start)
        } else {
            let asked = try SoundOutputSettings(settings)
            let sound = try SoundFeed(
                track, of: source, range: range, form: asked.form(channels: track.audio?.channels),
                allowsDamage: allowsDamage, cancellation: cancellation)
            feed = SoundSamples(sound, asked)
        }
    }
}

extension TrackFeed {
    /// What gives the samples of a composition's track.
    private static func composed(
        _ output: AVAssetReaderTrackOutput, _ request: SampleRequest
    ) throws -> any SampleFeeding {
        guard let settings = output.outputSettings else {
            return try ComposedCodedSamples(ofTrack: output.track.trackID, request)
        }
        var composed = ComposedRequest(request, trackIDs: [output.track.trackID])
        composed.rendering.timePitch = output.audioTimePitchAlgorithm
        if output.mediaType == .video {
            return try PictureSamples(
                composed, PictureOutputSettings(settings), CMFormatDescription(track: output.track.track),
                copies: output.alwaysCopiesSampleData)
        }
        return try SoundSamples(composed, SoundOutputSettings(settings), channels: output.track.track.audio?.channels)
    }
}

/// Gives decoded pictures as sample buffers.
final class PictureSamples: SampleFeeding {
    private let pictures: any PictureFeeding
    private let buffers: PictureBuffers
    private let attachments: PictureAttachments
    /// The range's start, before which the first picture may begin.
    private let start: CMTime?
    private var format: CMFormatDescription?

    init(_ pictures: any PictureFeeding, form: PictureBuffers.Form, attachments: PictureAttachments, start: CMTime?) {
        (self.pictures, self.attachments, self.start) = (pictures, attachments, start)
        buffers = PictureBuffers(form)
    }

    func next() throws -> CMSampleBuffer? {
        guard let picture = try pictures.next() else { return nil }
        let buffer = try buffers.buffer(of: picture.frame)
        attachments.attach(to: buffer, of: picture.frame)
        let format = try format(of: buffer)
        let timing = CMSampleTimingInfo(
            duration: picture.timeRange.duration, presentationTimeStamp: picture.timeRange.start,
            decodeTimeStamp: .invalid)
        let sample = CMSampleBuffer(image: buffer, format: format, timing: timing)
        if let start, start > picture.timeRange.start {
            sample.trimStart(by: start - picture.timeRange.start)
        }
        return sample
    }

    private func format(of buffer: CVPixelBuffer) throws -> CMFormatDescription {
        if let format, CMVideoFormatDescriptionMatchesImageBuffer(format, imageBuffer: buffer) { return format }
        let new = try CMFormatDescription(imageBuffer: buffer)
        format = new
        return new
    }
}

/// Gives coded samples of a composition's track as sample buffers: those of its segments, one after the other.
///
/// A segment that begins between sync samples begins with those that its first picture needs, which are not shown and
/// whose times lie before the segment's.
final class ComposedCodedSamples: SampleFeeding {
    private typealias Segment = TrackTimeline<CompositionMedia>.Segment

    private let request: SampleRequest
    private var segments: ArraySlice<Segment>
    private var current: CodedSamples?

    /// - Throws: What opening the first file fails with.
    init(ofTrack trackID: CMPersistentTrackID, _ request: SampleRequest) throws {
        self.request = request
        let track = request.asset.source.composition?.content.track(trackID)
        segments = (track?.timeline.segments ?? []).compactMap { $0.part(in: request.timeRange) }[...]
        try openNext()
    }

    private func openNext() throws {
        current = nil
        guard let segment = segments.popFirst(), let media = segment.media else { return }
        guard let track = try media.source.describe().tracks.first(where: { $0.trackID == media.trackID }) else {
            throw AVError(.noSourceTrack, reason: "track \(media.trackID) is gone from its file")
        }
        let feed = try CodedFeed(
            track, of: media.source, range: segment.source, allowsDamage: request.allowsDamage,
            cancellation: request.run.cancellation)
        current = try CodedSamples(feed, track) { segment.targetTime(ofSource: $0) }
    }

    func next() throws -> CMSampleBuffer? {
        while let samples = current {
            if let sample = try samples.next() { return sample }
            try openNext()
        }
        return nil
    }
}

extension TrackTimeline.Segment {
    /// What of the segment lies in a range of the composition; `nil` for nothing, and for emptiness.
    fileprivate func part(in range: CMTimeRange?) -> Self? {
        guard !isEmpty else { return nil }
        guard let range else { return self }
        let shown = target.intersection(range)
        guard shown.isValid, shown.duration > .zero else { return nil }
        var part = self
        part.source = CMTimeRange(start: sourceTime(at: shown.start), end: sourceTime(at: shown.end))
        part.target = shown
        return part
    }
}

/// Gives coded samples as sample buffers.
final class CodedSamples: SampleFeeding {
    private let samples: CodedFeed
    private let format: CMFormatDescription
    private let isPicture: Bool
    /// A time of the file on the timeline that is read.
    private let place: (CMTime) -> CMTime

    init(_ samples: CodedFeed, _ track: TrackDescription, place: @escaping (CMTime) -> CMTime = { $0 }) throws {
        (self.samples, self.place) = (samples, place)
        isPicture = track.mediaType == .video
        format = CMFormatDescription(
            track: track, details: CodedStreamDetails(track: track, stream: try samples.makeStream()))
    }

    func next() throws -> CMSampleBuffer? {
        guard let sample = try samples.next() else { return nil }
        let packet = sample.packet
        let block = CMBlockBuffer(adopting: packet.lastingBytes) { withExtendedLifetime(packet) {} }
        let start = sample.presentationTime ?? sample.decodeTime
        let duration = sample.duration.map { length in start.map { place($0 + length) - place($0) } ?? length }
        let timing = CMSampleTimingInfo(
            duration: duration ?? .invalid, presentationTimeStamp: sample.presentationTime.map(place) ?? .invalid,
            decodeTimeStamp: sample.decodeTime.map(place) ?? .invalid)
        return CMSampleBuffer(
            packet: block, byteCount: packet.byteCount, format: format, timing: timing,
            dependency: dependency(of: sample))
    }

    /// What others may not know of the sample; `nil` where it is as most.
    private func dependency(of sample: FedSample) -> SampleDependency? {
        let packet = sample.packet
        guard sample.isHidden || isPicture && (!packet.isKey || packet.isDisposable) else { return nil }
        return SampleDependency(
            isSync: !isPicture || packet.isKey, dependsOnOthers: isPicture ? !packet.isKey : nil,
            isDependedOnByOthers: isPicture && packet.isDisposable ? false : nil, isHidden: sample.isHidden)
    }
}

/// What coded samples are, for a writer that keeps them as they are.
struct CodedStreamDetails: CodedTrackDetails {
    let track: TrackDescription
    let stream: CodedStream
}

extension CMSampleBuffer {
    /// Says that the sample is shown so much later than it begins.
    func trimStart(by time: CMTime) {
        guard let value = CMTimeCopyAsDictionary(time, allocator: nil) else { return }
        CMSetAttachment(
            self, key: kCMSampleBufferAttachmentKey_TrimDurationAtStart, value: value as CFDictionary,
            attachmentMode: kCMAttachmentMode_ShouldNotPropagate)
    }
}

/// Samples of several tracks together, or of one track of a composition.
extension ComposedRequest {
    init(_ request: SampleRequest, trackIDs: Set<CMPersistentTrackID>) {
        self.init(
            request.asset, trackIDs: trackIDs, range: request.timeRange, allowsDamage: request.allowsDamage,
            cancellation: request.run.cancellation)
    }
}

extension ComposedPictureFeed {
    /// - Parameter samples: The formats that are wanted, the best one first; empty for any.
    convenience init(_ request: ComposedRequest, samples: [PixelSamples]) throws {
        let wanted = samples.first
        let isRGB = wanted?.isRGB == true
        let isDeep = wanted.map { PixelFormatFacts(named: $0.name)?.depth ?? 8 > 8 } ?? true
        let layouts = isRGB ? ["yuva444p10le"] : wanted.map { [$0.filterName] }
        try self.init(
            request, layouts: layouts ?? Self.usualLayouts, drawn: isRGB ? (isDeep ? "rgba64le" : "bgra") : nil,
            keepsHDR: isDeep)
    }

    private static var usualLayouts: [String] {
        ["yuv420p", "yuv422p", "yuv444p", "yuv420p10le", "yuv422p10le", "yuv444p10le"]
    }
}

extension PictureSamples {
    /// - Parameters:
    ///   - description: What is true of all pictures; `nil` for what each says of itself.
    ///   - copies: Whether buffers have memory of their own.
    convenience init(
        _ request: ComposedRequest, _ settings: PictureOutputSettings, _ description: CMFormatDescription?, copies: Bool
    ) throws {
        self.init(
            try ComposedPictureFeed(request, samples: settings.samples),
            form: PictureBuffers.Form(
                samples: settings.samples, width: settings.width, height: settings.height, copies: copies),
            attachments: PictureAttachments(description), start: request.range?.start)
    }
}

extension SoundSamples {
    /// - Parameter channels: How many the richest track has.
    convenience init(_ request: ComposedRequest, _ settings: SoundOutputSettings, channels: Int?) throws {
        self.init(try ComposedSoundFeed(request, form: settings.form(channels: channels)), settings)
    }
}

/// The error of reading samples in the shape that callers know.
func readerError(for error: any Error) -> any Error {
    switch error {
    case let error as FFmpegError: publicError(for: error)
    case is WorkStopped: CancellationError()
    default: error
    }
}
