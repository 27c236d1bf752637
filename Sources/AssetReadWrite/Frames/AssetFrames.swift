public import Foundation
public import MediaAsset
public import MediaCore
public import SampleBuffers
internal import Synchronization

/// The pictures of an asset, in the order in which they are shown, as they are decoded.
///
/// Each iterator decodes anew, on a thread of its own, a few pictures ahead of who takes them. Beyond AVFoundation.
public struct AssetFrames: AsyncSequence, Sendable {
    /// A picture.
    public typealias Element = AssetFrame
    let request: FrameRequest

    /// Starts decoding.
    public func makeAsyncIterator() -> Iterator { Iterator(FeedRun(request.open)) }

    /// Hands out pictures as they are decoded; decoding stops when it is let go of.
    public struct Iterator: AsyncIteratorProtocol {
        private let run: FeedRun<AssetFrame>

        init(_ run: FeedRun<AssetFrame>) { self.run = run }

        /// The next picture, `nil` after the last one.
        ///
        /// - Throws: `AVError` for a file that is damaged, changes meanwhile or ends early, once all pictures before that
        ///   were taken; `CancellationError` when the task is cancelled.
        public mutating func next() async throws -> AssetFrame? { try await run.next() }
    }
}

/// A decoded picture of an asset.
///
/// Beyond AVFoundation.
public struct AssetFrame: Sendable {
    /// Its pixels.
    ///
    /// Nobody else has them: they may be written to.
    public let pixelBuffer: CVPixelBuffer
    /// The time that the picture was wanted for, on the asset's timeline.
    ///
    /// It is one of those at even distances that were asked for; otherwise the picture's own, for the first one the
    /// start of the range where it begins earlier.
    public let time: CMTime
    /// When it is shown first, on the asset's timeline in the track's timescale.
    ///
    /// May lie before ``time``, and for the first picture before the range that was asked for.
    public let presentationTime: CMTime
    /// How long it is shown.
    public let duration: CMTime

    /// Lends the bytes of a plane.
    ///
    /// - Parameters:
    ///   - index: From 0; formats in one plane have one.
    ///   - body: Given the bytes, from the first row's first to the last row's last, and how many lie from row to row.
    /// - Returns: What the body returns; `nil` for a plane that is not there.
    /// - Throws: What the body throws.
    public func withPlane<Result>(_ index: Int, _ body: (RawSpan, Int) throws -> Result) rethrows -> Result? {
        try pixelBuffer.withLockedPlanes(.readOnly) { planes throws in
            guard planes.indices.contains(index) else { return nil }
            let plane = planes[index]
            return try body(UnsafeRawBufferPointer(plane.bytes).bytes, plane.bytesPerRow)
        }
    }
}

extension AVAsset {
    /// The pictures of a track, in the order in which they are shown.
    ///
    /// ```swift
    /// for try await frame in asset.frames(in: range, format: kCVPixelFormatType_24RGB) {
    ///     frame.withPlane(0) { bytes, bytesPerRow in look(at: bytes, bytesPerRow) }
    /// }
    /// ```
    ///
    /// Pictures are given as they are meant to be seen: upright, without what lies outside the clean aperture, of square
    /// pixels, interlaced ones as frames, HDR as SDR where the format has eight bits. With `stored` they are given as the
    /// file has them.
    ///
    /// Beyond AVFoundation.
    ///
    /// - Parameters:
    ///   - range: Where, on the asset's timeline; `nil` for all. The first picture is what is shown at its start.
    ///   - interval: At which distance pictures are wanted, from the range's start on: what is shown at each of these times,
    ///     again where that is the same picture; `nil` for each picture once.
    ///   - size: In pixels. A side that is no size, as 0, is ignored: it is in proportion to the other one. `nil`, and
    ///     two of these, for the size in which the film is shown, stored pictures for their own.
    ///   - format: One of `kCVPixelFormatType_…`, as for ``AVAssetReaderTrackOutput``; `nil` for what is closest to the
    ///     film's own.
    ///   - trackID: The track's number; `nil` for the one that players show.
    ///   - stored: Whether pictures are given as the file has them.
    ///   - allowsDamagedMedia: Whether damaged pictures, and a file that ends early, are no errors.
    /// - Returns: A sequence that fails as `AssetFrames.Iterator.next()` tells, `AVError.incorrectlyConfigured` for
    ///   arguments that make no sense, `noSourceTrack` without such a track.
    public func frames(
        in range: CMTimeRange? = nil, every interval: CMTime? = nil, size: CGSize? = nil, format: OSType? = nil,
        trackID: CMPersistentTrackID? = nil, stored: Bool = false, allowsDamagedMedia: Bool = false
    ) -> AssetFrames {
        func side(_ length: CGFloat?) -> Int? {
            length.flatMap { $0 >= 1 && $0 <= CGFloat(PixelBufferLayout.longestSide) ? Int($0.rounded()) : nil }
        }
        return AssetFrames(
            request: FrameRequest(
                asset: self, trackID: trackID, timeRange: range, interval: interval, width: side(size?.width),
                height: side(size?.height), pixelFormat: format, isStored: stored,
                allowsDamage: allowsDamagedMedia))
    }

    /// The sound of a track, piece after piece.
    ///
    /// ```swift
    /// for try await piece in asset.sound(in: range, sampleRate: 16000, channels: 1) {
    ///     piece.withChannel(0) { samples in listen(to: samples) }
    /// }
    /// ```
    ///
    /// Pieces follow each other; where the file has a gap, the next one begins later.
    ///
    /// Beyond AVFoundation.
    ///
    /// - Parameters:
    ///   - range: Where, on the asset's timeline, to the sample; `nil` for all.
    ///   - sampleRate: Samples in a second, up to 10,000,000; `nil` for the film's.
    ///   - channels: How many, 1 to 8, as far as they are usual arrangements; `nil` for the film's.
    ///   - trackID: The track's number; `nil` for the one that players play.
    ///   - allowsDamagedMedia: Whether damaged sound, and a file that ends early, are no errors.
    /// - Returns: A sequence that fails as `AssetSound.Iterator.next()` tells, `AVError.incorrectlyConfigured` for
    ///   arguments that make no sense, `noSourceTrack` without such a track.
    public func sound(
        in range: CMTimeRange? = nil, sampleRate: Int? = nil, channels: Int? = nil,
        trackID: CMPersistentTrackID? = nil, allowsDamagedMedia: Bool = false
    ) -> AssetSound {
        AssetSound(
            request: SoundRequest(
                asset: self, trackID: trackID, timeRange: range, sampleRate: sampleRate, channels: channels,
                allowsDamage: allowsDamagedMedia))
    }
}

/// The sound of an asset's track, piece after piece, as it is decoded.
///
/// Each iterator decodes anew, on a thread of its own, a little ahead of who takes it. Beyond AVFoundation.
public struct AssetSound: AsyncSequence, Sendable {
    /// A piece of sound.
    public typealias Element = SoundPiece
    let request: SoundRequest

    /// Starts decoding.
    public func makeAsyncIterator() -> Iterator { Iterator(FeedRun(request.open)) }

    /// Hands out sound as it is decoded; decoding stops when it is let go of.
    public struct Iterator: AsyncIteratorProtocol {
        private let run: FeedRun<SoundPiece>

        init(_ run: FeedRun<SoundPiece>) { self.run = run }

        /// The next piece, `nil` after the last one.
        ///
        /// - Throws: `AVError` for a file that is damaged, changes meanwhile or ends early, once all sound before that was
        ///   taken; `CancellationError` when the task is cancelled.
        public mutating func next() async throws -> SoundPiece? { try await run.next() }
    }
}

/// A piece of an asset's decoded sound: samples of each channel, as floating-point numbers.
///
/// Beyond AVFoundation.
public struct SoundPiece: Sendable {
    /// When its first sample is heard, on the asset's timeline in ticks of one sample.
    public let time: CMTime
    /// Samples in a second.
    public let sampleRate: Int
    /// How many samples each channel has.
    public let sampleCount: Int
    /// How many channels there are.
    public let channelCount: Int
    /// All samples of the first channel, then those of the next.
    let samples: [Float]

    /// Lends the samples of a channel, from -1 to 1 where nothing is clipped.
    ///
    /// - Parameter index: From 0.
    /// - Returns: What the body returns; `nil` for a channel that is not there.
    /// - Throws: What the body throws.
    public func withChannel<Result>(_ index: Int, _ body: (Span<Float>) throws -> Result) rethrows -> Result? {
        guard (0..<channelCount).contains(index) else { return nil }
        let first = index * sampleCount
        return try body(samples.span.extracting(first..<(first + sampleCount)))
    }
}

extension SoundPiece {
    /// Lends the samples of all channels at once.
    package func withChannels<Result>(_ body: ([UnsafeBufferPointer<Float>]) throws -> Result) rethrows -> Result {
        try samples.withUnsafeBufferPointer { all in
            try body(
                (0..<channelCount).map {
                    UnsafeBufferPointer(rebasing: all[($0 * sampleCount)..<(($0 + 1) * sampleCount)])
                })
        }
    }
}

extension SoundPiece {
    /// A piece of sound that a program has made.
    ///
    /// - Parameters:
    ///   - channels: The samples of each channel, all as many; at least one.
    ///   - sampleRate: Samples in a second, above zero.
    ///   - time: Of its first sample.
    /// - Returns: `nil` for no channels, or unequal ones, or a rate that is none.
    public init?(channels: [[Float]], sampleRate: Int, time: CMTime) {
        guard let first = channels.first, !first.isEmpty, channels.allSatisfy({ $0.count == first.count }),
            (1...10_000_000).contains(sampleRate)
        else { return nil }
        self.init(
            time: time, sampleRate: sampleRate, sampleCount: first.count, channelCount: channels.count,
            samples: channels.flatMap { $0 })
    }

    /// The sound as a sample buffer, the channels after each other.
    package func sampleBuffer(at time: CMTime) throws -> CMSampleBuffer {
        let stream = AudioStreamBasicDescription(
            mSampleRate: Double(sampleRate), mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked | kAudioFormatFlagIsNonInterleaved,
            mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4,
            mChannelsPerFrame: UInt32(clamping: channelCount), mBitsPerChannel: 32, mReserved: 0)
        let format = CMFormatDescription(
            mediaType: .audio, mediaSubType: .linearPCM, dimensions: CMVideoDimensions(width: 0, height: 0),
            extensions: [:], streamDescription: stream)
        let block = try samples.withUnsafeBytes { bytes in try CMBlockBuffer(copying: bytes) }
        return try CMSampleBuffer(
            packet: block, format: format, count: sampleCount,
            timings: [
                CMSampleTimingInfo(
                    duration: CMTime(value: 1, timescale: CMTimeScale(clamping: sampleRate)),
                    presentationTimeStamp: time, decodeTimeStamp: .invalid)
            ], sizes: [4 * channelCount])
    }
}

/// Makes values on a thread of its own, a few ahead of who takes them; stops when nobody holds it.
final class FeedRun<Value: Sendable>: Sendable {
    /// Makes the next value; `nil` after the last one.
    typealias Source = () throws -> Value?

    private let channel = BoundedChannel<Value>(capacity: 2)
    private let cancellation: Cancellation
    private let failure = Mutex<(any Error)?>(nil)

    /// - Parameter open: Prepares the work on the thread that does it, and is stopped by the cancellation.
    init(_ open: @escaping @Sendable (Cancellation) throws -> Source) {
        let cancellation = Cancellation()
        self.cancellation = cancellation
        let (channel, failed) = (
            channel,
            { @Sendable [weak self] (error: any Error) in
                self?.failure.withLock { $0 = error } ?? ()
            }
        )
        WorkThread.start(name: "feed") {
            do {
                let next = try open(cancellation)
                while let value = try next(), try channel.send(value) {}
            } catch {
                failed(error)
            }
            channel.finish()
        }
    }

    deinit { stop() }

    private func stop() {
        channel.close()
        cancellation.cancel()
    }

    func next() async throws -> Value? {
        let value = await withTaskCancellationHandler {
            await channel.next()
        } onCancel: {
            stop()
        }
        if let value { return value }
        try Task.checkCancellation()
        if let error = failure.withLock({ $0 }) { throw error }
        return nil
    }
}
