internal import FFmpegKit
public import MediaAsset
internal import MediaContainers
public import MediaCore
internal import MediaEngine

extension AVAsset {
    /// Finds the shots of the asset's video.
    ///
    /// Decodes the film once from start to end with all cores, and compares each
    /// frame that is shown with the one before it, both made small, by hue,
    /// saturation and brightness. Frames that an edit list hides do not count.
    /// Frames that cannot be decoded cleanly count, but are compared with nothing:
    /// no cut comes of damage. Memory does not grow with the film, but for the
    /// list itself. Beyond AVFoundation.
    ///
    /// - Parameter progress: Called with the fraction done, from 0 to 1, from another thread, at each frame.
    /// - Returns: At least one scene. A file that cannot be read to its end gives the scenes up to there, and
    ///   `SceneList.truncation`.
    /// - Throws: `AVError.noSourceTrack` without video, `AVError.undecodableMediaData`
    ///   without a single frame; `CancellationError` if the task is cancelled; else what opening the file
    ///   fails with, as `AVAsset` tells.
    /// - Complexity: One pass over the film; every frame is decoded. A pipe is read where it stands.
    public func detectScenes(
        _ settings: SceneDetectionSettings = SceneDetectionSettings(),
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws -> SceneList {
        let source = source
        let cancellation = Cancellation()
        return try await BlockingWork.run(cancel: {
            cancellation.cancel()
            source.cancelReading()
        }) {
            do {
                return try SceneDetection(source: source, settings: settings, progress: progress).run(cancellation)
            } catch let error as FFmpegError {
                throw publicError(for: error)
            }
        }
    }
}

/// One search for the scenes of a film.
private struct SceneDetection {
    let source: AssetSource
    let settings: SceneDetectionSettings
    let progress: @Sendable (Double) -> Void

    func run(_ cancellation: Cancellation) throws -> SceneList {
        let description = try source.describe()
        guard let track = description.videoTrack else {
            throw AVError(.noSourceTrack, reason: "the file has no video track")
        }
        try source.checkIsDecodable(track)
        let demuxer = try demuxerAtBeginning()
        demuxer.interrupt.follow(cancellation)
        defer { cancellation.forget(demuxer.interrupt) }
        let base = demuxer.streams[track.streamIndex].timeBase
        let total = max(1e-9, description.duration.isNumeric ? description.duration.seconds : 1)
        var search = SceneSearch(settings: settings, timeBase: base)
        let decode = try SceneDecode(source: source, demuxer: demuxer, streamIndex: track.streamIndex)
        try decode.run { shown in
            search.add(shown)
            let seconds = (base.time(of: shown.ticks) - description.origin).seconds
            progress(min(1, max(0, seconds / total)))
        }
        return try search.finish(truncation: decode.truncation) {
            base.time(of: $0).distance(from: description.origin, .later)
        }
    }

    /// What was opened to describe a pipe cannot be opened again.
    private func demuxerAtBeginning() throws -> Demuxer {
        let known = try source.checkOut()
        guard known.isSeekable else { return known }
        source.checkIn(known)
        return try source.open()
    }
}

/// What is known of a film's scenes while its frames come in.
private struct SceneSearch {
    private var scorer: SceneScorer
    private var cutter: SceneCutter
    private var before: ScenePicture?
    private var frameCount = 0
    private var damagedCount = 0
    private var isDamaged = false
    private var start: (number: Int, ticks: Int64)?
    private var endTicks: Int64 = 0

    init(settings: SceneDetectionSettings, timeBase: TimeBase) {
        scorer = SceneScorer(method: settings.method, threshold: settings.threshold)
        let length = settings.minimumLength
        cutter = SceneCutter(minimumTicks: length.isNumeric ? max(0, timeBase.ticks(atOrAfter: length)) : 0)
    }

    mutating func add(_ shown: SceneShown) {
        let number = frameCount
        frameCount += 1
        endTicks = shown.ticks.addingReportingOverflow(shown.durationTicks).partialValue
        if start == nil { start = (number, shown.ticks) }
        guard let picture = shown.picture else {
            damagedCount += 1
            isDamaged = true
            return
        }
        let frame = SceneFrame(
            number: number, ticks: shown.ticks, picture: picture, before: before,
            score: before.map { picture.difference(from: $0) } ?? 0, followsDamage: isDamaged)
        isDamaged = false
        before = picture
        if let decided = scorer.add(frame) { cutter.add(decided.frame, isCut: decided.isCut) }
    }

    mutating func finish(truncation: String?, time: (Int64) -> CMTime) throws -> SceneList {
        guard let start else {
            throw AVError(.undecodableMediaData, reason: truncation ?? "no frame can be decoded")
        }
        while let decided = scorer.finish() { cutter.add(decided.frame, isCut: decided.isCut) }
        cutter.finish(endTicks: endTicks)
        // The first scene begins with the first frame, even if that one is damaged.
        let cuts =
            [SceneCutter.Cut(number: start.number, ticks: start.ticks, score: 0, opening: .start)]
            + cutter.cuts.dropFirst()
        let scenes = cuts.indices.map { index in
            let cut = cuts[index]
            let next = index + 1 < cuts.count ? cuts[index + 1] : nil
            return Scene(
                timeRange: CMTimeRange(start: time(cut.ticks), end: time(next?.ticks ?? endTicks)),
                firstFrame: cut.number, lastFrame: (next?.number ?? frameCount) - 1, opening: cut.opening,
                score: cut.score)
        }
        return SceneList(
            scenes: scenes, frameCount: frameCount, damagedFrameCount: damagedCount, truncation: truncation)
    }
}

/// A frame that is shown, made small.
struct SceneShown {
    let ticks: Int64
    /// How long it is shown, as far as that is known before the next one.
    let durationTicks: Int64
    /// `nil` for a frame that could not be decoded cleanly.
    let picture: ScenePicture?
}

/// Decodes a video stream once from its first packet to its last and gives a
/// small picture of each frame that is shown, in order of presentation time.
final class SceneDecode {
    /// Columns of the small pictures.
    private static let columns = 128

    private let source: AssetSource
    private let demuxer: Demuxer
    private let stream: StreamInfo
    private let session: DecodeSession
    /// How many packets the decoder's threads may be ahead.
    private let delay: Int64
    private let classifier: EntryClassifier
    private var sampler: FrameSampler?
    private var damage = DamageRecord()
    private var last: SceneShown?
    /// Why the stream was not read to its end, `nil` if it was.
    private(set) var truncation: String?

    init(source: AssetSource, demuxer: Demuxer, streamIndex: Int) throws {
        self.source = source
        self.demuxer = demuxer
        demuxer.select(streams: [streamIndex])
        stream = demuxer.streams[streamIndex]
        classifier = EntryClassifier(
            codec: stream.codec, extradata: stream.extradata, isIntraOnly: stream.video?.isIntraOnly ?? false)
        let decoder = try demuxer.makeDecoder(stream: streamIndex, threading: .frames(0))
        // What this leaves in small pictures is far below any threshold.
        decoder.leaveUnfiltered(.all)
        (session, delay) = (DecodeSession(decoder, of: stream), Int64(decoder.threadCount))
    }

    /// Reads to the end and calls `body` with each frame.
    func run(_ body: (SceneShown) throws -> Void) throws {
        while let packet = nextPacket() {
            try demuxer.interrupt.check(.detectScenes)
            guard packet.streamIndex == stream.index else { continue }
            try send(packet)
            try receiveAll(body)
        }
        try demuxer.interrupt.check(.detectScenes)
        for fault in try session.send(nil) { note(fault) }
        try receiveAll(body)
        if truncation == nil, session.lastSent.number > 0 {
            truncation = source.truncation(ofStream: stream.index, readBy: demuxer)
        }
    }

    /// The next packet; `nil` at the end, and where reading fails.
    private func nextPacket() -> Packet? {
        do {
            return try demuxer.readPacket()
        } catch {
            truncation = "the file cannot be read to its end: \(error.reason)"
            return nil
        }
    }

    private func send(_ packet: Packet) throws {
        for fault in try session.send(packet) { note(fault) }
        if [.clean, .recovery].contains(classifier.classify(packet)), let ticks = session.lastSent.ticks {
            damage.addEntry(packet: session.lastSent.number, ticks: ticks)
        }
    }

    private func receiveAll(_ body: (SceneShown) throws -> Void) throws {
        while true {
            let (output, fault) = try session.receive()
            if let fault { note(fault) }
            guard case .frame(let frame, let ticks) = output else { return }
            let shown = try shown(frame, ticks)
            last = shown
            try body(shown)
        }
    }

    /// Notes what is wrong; what the decoder said may be about any of the packets that its threads hold.
    private func note(_ fault: DecodeSession.Fault) {
        guard !fault.isOfStart else { return }
        if !fault.isCertain {
            damage.add(packet: max(1, fault.packet - delay), ticks: nil, reason: fault.reason)
        }
        damage.add(packet: fault.packet, ticks: nil, reason: fault.reason)
    }

    private func shown(_ frame: Frame, _ ticks: Int64) throws -> SceneShown {
        // Time does not go back.
        let ticks = max(ticks, last.map { $0.ticks.addingReportingOverflow(1).partialValue } ?? ticks)
        if let reason = frame.damage { damage.add(packet: frame.packetNumber, ticks: ticks, reason: reason) }
        let isDamaged = frame.damage != nil || damage.damage(ofPacket: frame.packetNumber, ticks: ticks) != nil
        return SceneShown(
            ticks: ticks, durationTicks: max(1, frame.durationTicks ?? stream.frameTicks),
            picture: isDamaged ? nil : try picture(of: frame))
    }

    private func picture(of frame: Frame) throws -> ScenePicture {
        let sampler =
            self.sampler ?? FrameSampler(width: frame.width, height: frame.height, maximumColumns: Self.columns)
        self.sampler = sampler
        return ScenePicture(try sampler.samples(of: frame))
    }
}

/// A small picture in hue, saturation and brightness, by which frames are compared.
struct ScenePicture: Sendable {
    /// Hue in steps of two degrees, saturation and brightness to 255, one plane
    /// after the other.
    private let bytes: [UInt8]
    private let area: Int
    /// Whether there is nothing to be seen.
    let isBlack: Bool

    init(_ samples: FrameSampler.Samples) {
        area = samples.area
        let area = area
        let rows = Self.factors(samples)
        let bytes = [UInt8](unsafeUninitializedCapacity: 3 * area) { output, count in
            samples.bytes.withUnsafeBufferPointer { input in
                guard let output = output.baseAddress, let input = input.baseAddress else { return }
                Self.convert(input, rows, area: area, into: output)
                count = 3 * area
            }
        }
        self.bytes = bytes
        isBlack = Self.isBlack(bytes[(2 * area)...])
    }

    /// The mean difference of hue, saturation and brightness from another picture, 0 to 255.
    func difference(from other: ScenePicture) -> Double {
        guard area == other.area, area > 0 else { return 255 }
        let sum = bytes.withUnsafeBufferPointer { one in
            other.bytes.withUnsafeBufferPointer { two in
                var (sum, index): (UInt32, Int) = (0, 0)
                let end = min(one.count, two.count)
                while index < end {
                    let (a, b) = (one[index], two[index])
                    sum &+= UInt32(a > b ? a &- b : b &- a)
                    index &+= 1
                }
                return sum
            }
        }
        return Double(sum) / Double(3 * area)
    }

    /// Rows for R, G and B to 255, each with the factors of three samples of eight bits and the offset.
    private static func factors(_ samples: FrameSampler.Samples) -> [SIMD4<Float>] {
        guard samples.matrix != .identity else { return [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]] }
        let matrix =
            ComponentMatrix(matrix: samples.matrix, isFullRange: samples.isFullRange)
            ?? ComponentMatrix(matrix: .bt2020, isFullRange: samples.isFullRange)
        let scale: SIMD4<Float> = [256 * 255, 256 * 255, 256 * 255, 255]
        return matrix?.rows.map { $0 * scale } ?? []
    }

    /// Greys have no hue, and what is nearly black has little saturation: there both
    /// are noise of the coding, which changes at each keyframe.
    ///
    /// Without a branch for each pixel, so that the compiler does several at a time.
    private static func convert(
        _ input: UnsafePointer<UInt8>, _ rows: [SIMD4<Float>], area: Int, into output: UnsafeMutablePointer<UInt8>
    ) {
        guard rows.count == 3 else { return }
        let (red, green, blue) = (rows[0], rows[1], rows[2])
        var index = 0
        while index < area {
            let (x, y, z) = (Float(input[index]), Float(input[area &+ index]), Float(input[2 &* area &+ index]))
            let r = code(red.x * x + red.y * y + red.z * z + red.w)
            let g = code(green.x * x + green.y * y + green.z * z + green.w)
            let b = code(blue.x * x + blue.y * y + blue.z * z + blue.w)
            let high = larger(larger(r, g), b)
            let span = high - smaller(smaller(r, g), b)
            let step: Float = span > 2 ? 30 / span : 0
            let second = g == high ? 60 + (b - r) * step : 120 + (r - g) * step
            let hue = r == high ? (g - b) * step : second
            let whole = hue < 0 ? hue + 180 : hue
            output[index] = byte(span > 2 ? whole : 0)
            output[area &+ index] = byte(255 * span / larger(high, 32))
            output[2 &* area &+ index] = byte(high)
            index &+= 1
        }
    }

    @inline(__always) private static func larger(_ a: Float, _ b: Float) -> Float { a > b ? a : b }
    @inline(__always) private static func smaller(_ a: Float, _ b: Float) -> Float { a < b ? a : b }

    /// A whole number from 0 to 255.
    ///
    /// Sums with 1.5 × 2²³ are whole numbers, which stand in their lowest bits.
    @inline(__always) private static func code(_ value: Float) -> Float {
        (larger(0, smaller(255, value)) + 12_582_912) - 12_582_912
    }

    @inline(__always) private static func byte(_ value: Float) -> UInt8 {
        UInt8(truncatingIfNeeded: (value + 12_582_912).bitPattern)
    }

    /// Dark as a whole, and without any lettering.
    private static func isBlack(_ brightness: ArraySlice<UInt8>) -> Bool {
        var (sum, bright): (UInt32, UInt32) = (0, 0)
        brightness.withUnsafeBufferPointer { values in
            for value in values {
                sum &+= UInt32(value)
                bright &+= value > 40 ? 1 : 0
            }
        }
        let count = UInt32(max(1, brightness.count))
        return sum < 10 &* count && bright &* 1000 <= count
    }
}
