internal import FFmpegKit
internal import Foundation
internal import MediaAsset
internal import MediaCore
internal import MediaEngine
internal import SampleBuffers

/// Reads the sound of a file, frame by frame, from any place.
///
/// Frames are counted from the file's first one; where the file has a gap there is silence, so that a frame's number tells
/// its time.
final class SoundFileReader: SoundFileWork {
    let fileFormat: AVAudioFormat
    let processingFormat: AVAudioFormat
    private let source: AssetSource
    private let track: TrackDescription
    private let form: SoundForm
    private let pcm: PCMForm
    /// When the first frame is heard, in frames since the asset's zero.
    private let zero: Int64
    private var feed: FeedPlace?
    private var knownLength: Int64?
    /// What the file failed with, and before which frame.
    private var failure: (position: Int64, error: any Error)?
    var position: Int64 = 0 {
        didSet { position = max(0, position) }
    }

    /// Decoded sound that is under way.
    private struct FeedPlace {
        let feed: SoundFeed
        /// Which frame comes next.
        var position: Int64
        /// Silence that comes first.
        var silence: Int64 = 0
        /// A piece, and how much of it was taken.
        var piece: (frame: Frame, taken: Int)?
        /// Whether nothing was left out before, so that the end is the file's.
        var isWhole: Bool
        /// Whether all sound is made what the first one is.
        var hasForm = true

        /// Frames that can be taken at once.
        var ready: Int64 { silence > 0 ? silence : piece.map { Int64($0.frame.sampleCount - $0.taken) } ?? 0 }
    }

    /// Opens a file and decodes its beginning.
    ///
    /// - Throws: `AVError` as an asset's reader does, and `noSourceTrack` without sound.
    init(_ url: URL, _ common: AVAudioCommonFormat, isInterleaved: Bool) throws {
        do {
            source = AVURLAsset(url: url).source
            try source.checkFilesAreOwn()
            track = try source.soundTrack(nil)
            fileFormat = AVAudioFormat(cmAudioFormatDescription: CMFormatDescription(track: track))
            let samples = try Self.sampleFormat(common, isInterleaved: isInterleaved)
            let feed = try SoundFeed(
                track, of: source, range: nil, form: SoundForm(sampleFormat: samples), allowsDamage: false,
                cancellation: Cancellation())
            // Only a decoder knows for certain what comes out of it.
            let first = try feed.next()
            processingFormat = try Self.format(of: first?.frame, track, common, isInterleaved: isInterleaved)
            guard let pcm = try PCMForm(processingFormat.formatDescription) else {
                throw AVError(.incorrectlyConfigured, reason: "sound is not had as \(processingFormat)")
            }
            self.pcm = pcm
            form = SoundForm(
                sampleRate: pcm.sampleRate, channelLayout: first?.frame.channelLayout ?? pcm.channelLayout,
                sampleFormat: samples)
            zero = first?.start.value ?? 0
            if first == nil { knownLength = 0 }
            self.feed = FeedPlace(
                feed: feed, position: 0, piece: first.map { ($0.frame, 0) }, isWhole: true, hasForm: false)
        } catch {
            throw readerError(for: error)
        }
    }

    /// The format of what a decoder gives; without any, of what the file says.
    private static func format(
        of first: Frame?, _ track: TrackDescription, _ common: AVAudioCommonFormat, isInterleaved: Bool
    ) throws(AVError) -> AVAudioFormat {
        let rate = first?.sampleRate ?? track.audio?.sampleRate ?? 0
        let channels = first?.channels ?? track.audio?.channels ?? 0
        guard rate > 0, channels > 0 else {
            throw AVError(.operationNotSupportedForAsset, reason: "the sound's rate or number of channels is unknown")
        }
        let layout = channels > 2 ? first?.channelMask.flatMap { AVAudioChannelLayout.wave(mask: $0) } : nil
        return try .usual(common, rate: Double(rate), channels: channels, isInterleaved: isInterleaved, layout)
    }

    private static func sampleFormat(
        _ common: AVAudioCommonFormat, isInterleaved: Bool
    ) throws(AVError) -> String {
        let (isFloat, bits) =
            switch common {
            case .pcmFormatFloat32: (true, 32)
            case .pcmFormatFloat64: (true, 64)
            case .pcmFormatInt16: (false, 16)
            case .pcmFormatInt32: (false, 32)
            case .otherFormat:
                throw AVError(.incorrectlyConfigured, reason: "sound is not read in otherFormat, but in the usual ones")
            }
        return PCMPacking.sampleFormat(isFloat: isFloat, bits: bits, isInterleaved: isInterleaved)
    }

    // MARK: Reading

    func read(into buffer: AVAudioPCMBuffer, count: Int) throws {
        try check(buffer)
        buffer.frameLength = 0
        if let failure, failure.position == position { throw failure.error }
        let wanted = min(count, Int(buffer.frameCapacity))
        var done = 0
        do {
            guard wanted > 0, try seek() else { return }
            try buffer.withPlanes { planes in
                while done < wanted, try advance() {
                    done += take(wanted - done, into: planes.map { rest(of: $0, from: done) })
                }
            }
        } catch {
            feed = nil
            let shown = readerError(for: error)
            failure = (position + Int64(done), shown)
            // What was decoded before is whole; the next call tells.
            if done == 0 { throw shown }
        }
        buffer.frameLength = AVAudioFrameCount(clamping: done)
        position += Int64(done)
    }

    func write(from buffer: AVAudioPCMBuffer) throws {
        throw AVError(.operationNotAllowed, reason: "the file was opened for reading")
    }

    func finish() { feed = nil }

    private func rest(of plane: UnsafeMutableRawBufferPointer, from frame: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: plane[min(plane.count, frame * pcm.bytesPerFrame)...])
    }

    /// Sees to it that there is something to take.
    ///
    /// - Returns: Whether there is; not after the end.
    private func advance() throws -> Bool {
        while let place = feed, place.ready == 0 {
            guard let next = try place.feed.next() else {
                if place.isWhole { knownLength = place.position }
                return false
            }
            guard isOfForm(next.frame) else {
                // The sound becomes another one in the middle of the file.
                guard !place.hasForm else {
                    throw AVError(.decodeFailed, reason: "the sound changes its channels or its rate")
                }
                try open(at: place.position, isWhole: place.isWhole)
                continue
            }
            let start = next.start.value - zero
            feed?.silence = max(0, start - place.position)
            let known = Int(clamping: max(0, place.position - start))
            feed?.piece = (next.frame, min(known, next.frame.sampleCount))
        }
        return feed != nil
    }

    private func isOfForm(_ frame: Frame) -> Bool {
        frame.sampleRate == form.sampleRate && frame.channelLayout == form.channelLayout
    }

    /// Takes frames that are there.
    ///
    /// - Parameter planes: Where they are put; `nil` to pass over them.
    /// - Returns: How many.
    private func take(_ limit: Int, into planes: [UnsafeMutableRawBufferPointer]?) -> Int {
        guard var place = feed else { return 0 }
        let count = Int(min(Int64(limit), place.ready))
        if place.silence > 0 {
            for plane in planes ?? [] {
                let bytes = UnsafeMutableRawBufferPointer(rebasing: plane[..<(count * pcm.bytesPerFrame)])
                bytes.initializeMemory(as: UInt8.self, repeating: 0)
            }
            place.silence -= Int64(count)
        } else if let (frame, taken) = place.piece {
            if let planes { pcm.copy(taken..<(taken + count), of: frame, to: planes) }
            place.piece?.taken = taken + count
        }
        place.position += Int64(count)
        feed = place
        return count
    }

    // MARK: Seeking

    /// Goes to where the next frame is wanted.
    ///
    /// - Returns: Whether it is before the end, as far as that is known.
    private func seek() throws -> Bool {
        if let knownLength, position >= knownLength { return false }
        let isNear = feed.map { $0.position <= position && (position - $0.position < farthest || !canEnter) } ?? false
        if !isNear {
            // Beyond the end there is nothing that could be entered.
            guard position < roughLength || position < length else { return false }
            try open(at: canEnter ? position : 0, isWhole: position == 0 || !canEnter)
        }
        while let place = feed, place.position < position {
            guard try advance() else { return false }
            _ = take(Int(clamping: position - place.position), into: nil)
        }
        return true
    }

    /// Frames that are sooner decoded than left out.
    private var farthest: Int64 { Int64(pcm.sampleRate) }

    /// Whether the file's times are as fine as its frames.
    private var canEnter: Bool {
        guard let description = try? source.describe() else { return false }
        return !description.containerType.has(.hasCoarseTimes)
    }

    private func open(at position: Int64, isWhole: Bool) throws {
        feed = FeedPlace(feed: try makeFeed(at: position), position: position, isWhole: isWhole)
    }

    private func makeFeed(at position: Int64) throws -> SoundFeed {
        let start = CMTime(value: zero + position, timescale: CMTimeScale(clamping: pcm.sampleRate))
        return try SoundFeed(
            track, of: source,
            range: position == 0 ? nil : CMTimeRange(start: start, duration: .positiveInfinity), form: form,
            allowsDamage: false, cancellation: Cancellation())
    }

    // MARK: Length

    var length: Int64 {
        if let knownLength { return knownLength }
        let length = statedLength ?? countedLength
        knownLength = length
        return length
    }

    /// How many frames there are for certain, unless the file lies.
    private var roughLength: Int64 {
        let end = track.timeRange.end
        return end.isNumeric ? base.ticks(atOrBefore: end) - zero : 0
    }

    private var base: TimeBase { TimeBase(numerator: 1, denominator: Int32(clamping: pcm.sampleRate)) }

    /// How many frames the file says that it has, where it says that to the frame.
    private var statedLength: Int64? {
        guard let description = try? source.describe(), !description.durationIsEstimate, zero == 0,
            Self.exact[description.containerType]?(track.codecType) == true,
            track.timeRange.start == .zero, track.timeRange.duration.isNumeric
        else { return nil }
        let frames = base.ticks(nearest: track.timeRange.duration)
        return base.time(of: frames) == track.timeRange.duration ? frames : nil
    }

    private static let exact: [Container: @Sendable (Codec) -> Bool] = [
        .wave: \.isPCM, .wave64: \.isPCM, .aiff: \.isPCM, .caf: \.isPCM, .flac: { $0 == .flac },
    ]

    /// How many frames decoding all gives; of a damaged file, how many come before the damage.
    private var countedLength: Int64 {
        var end: Int64 = 0
        do {
            let feed = try makeFeed(at: 0)
            while let piece = try feed.next() { end = piece.start.value - zero + Int64(piece.frame.sampleCount) }
        } catch {}
        return end
    }
}
