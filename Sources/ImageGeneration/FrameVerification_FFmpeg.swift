internal import FFmpegKit
internal import MediaAsset
internal import MediaContainers
public import MediaCore
internal import MediaEngine

extension AVAssetImageGenerator {
    /// Compares random access with a linear decode of the asset's video.
    ///
    /// Beyond AVFoundation.
    ///
    /// Decodes the file once from start to end and hashes every frame, then asks
    /// for frames by time, in random order and in ascending order, and compares
    /// time and pixels.
    ///
    /// - Parameters:
    ///   - samples: Requests in each of the two orders, at least one. If there are no more
    ///     frames than that, each frame's first and last instant is asked for.
    ///   - part: What to compare, on the asset's timeline: frames that are shown in it; all of them if `nil`.
    ///     Decoding starts at the file's start all the same, and ends behind the part.
    ///   - seed: Chooses the times; the same seed, the same times.
    ///   - progress: Called with the fraction done, from 0 to 1, from another thread.
    /// - Throws: `AVError.noSourceTrack` without video; `AVError.undecodableMediaData` if no frame of the part
    ///   can be decoded; `CancellationError` if the task is cancelled; else what opening the file fails with, as
    ///   `AVAsset` tells. Wrong and damaged frames are no errors, but in the result.
    /// - Complexity: One pass over the film, every frame of it decoded, and two requests for each sample. Memory
    ///   grows by some dozen bytes for each frame.
    public func verifyFrames(
        samples: Int = 200, part: CMTimeRange? = nil, seed: UInt64 = 1,
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws -> FrameVerification {
        let source = asset.source
        let interrupt = Interrupt()
        let cancellation = Cancellation()
        return try await BlockingWork.run(cancel: {
            interrupt.cancel()
            cancellation.cancel()
        }) {
            do {
                return try FrameVerifier(
                    source: source, interrupt: interrupt, cancellation: cancellation, progress: progress
                )
                .verify(samples: max(1, samples), part: part, seed: seed)
            } catch let error as FFmpegError {
                throw publicError(for: error)
            }
        }
    }
}

private struct FrameVerifier {
    let source: AssetSource
    let interrupt: Interrupt
    let cancellation: Cancellation
    let progress: @Sendable (Double) -> Void

    func verify(samples: Int, part: CMTimeRange?, seed: UInt64) throws -> FrameVerification {
        let description = try source.describe()
        guard let track = description.videoTrack else {
            throw AVError(.noSourceTrack, reason: "the file has no video track")
        }
        try source.checkIsDecodable(track)
        let end = [part?.end ?? .indefinite, description.duration].filter(\.isNumeric).min()
        let total = max(1e-9, end?.seconds ?? 1)
        let base = try source.timeBase(ofStream: track.streamIndex)
        let until = part.flatMap { $0.end.isNumeric ? base.ticks(atOrAfter: $0.end + description.origin) : nil }
        let linear = try LinearDecode(
            source: source, streamIndex: track.streamIndex, until: until, interrupt: interrupt
        ) { ticks in
            let seconds = (base.time(of: ticks) - description.origin).seconds
            progress(min(1, max(0, seconds / total)) / 2)
        }
        var report = FrameVerification()
        let start = part.map { base.ticks(atOrBefore: $0.start + description.origin) }
        let shown = Self.shown(linear.pictures, from: start ?? .min, until: until ?? .max)
        report.frames = shown.count
        report.damagedFrames = linear.pictures[shown].count { $0.damage != nil }
        report.noteFailure(of: linear, description, base, isPart: part != nil)
        guard !shown.isEmpty else {
            throw AVError(.undecodableMediaData, reason: "no frame can be decoded")
        }
        report.wrongNumbers = Self.wrongNumbers(
            try source.scan(stream: track.streamIndex).ticks, linear, through: shown.upperBound, isPart: part != nil,
            time: { base.time(of: $0).distance(from: description.origin, .later) },
            findings: &report.findings)
        var random = SeededGenerator(seed: seed)
        let times = Self.requestTicks(linear.pictures, shown, samples: samples, using: &random)
        let orders = [times.shuffled(using: &random), times.sorted()]
        for (round, order) in orders.enumerated() {
            let (reader, _) = try FrameReader.make(
                of: source, streamIndex: track.streamIndex, cancellation: cancellation, always: true
            ) { _ in order }
            // In random order as for single stills, in ascending order as for batches.
            for (position, ticks) in order.enumerated() {
                try interrupt.check(.verify)
                let time = { base.time(of: $0).distance(from: description.origin, .later) }
                Self.compare(
                    try reader.frame(at: ticks, goesOn: round > 0), at: ticks, with: linear, time: time, into: &report)
                progress(0.5 + (Double(round) + Double(position) / Double(order.count)) / 4)
            }
        }
        return report
    }

    /// Compares the times by which frames are numbered with the linear decode.
    ///
    /// A picture that cannot be decoded has a number all the same, and none in the linear decode.
    private static func wrongNumbers(
        _ numbered: [Int64], _ linear: LinearDecode, through end: Int, isPart: Bool, time: (Int64) -> CMTime,
        findings: inout [FrameVerification.Finding]
    ) -> Int {
        let isWhole = linear.readFailure == nil && linear.pictures.allSatisfy { $0.damage == nil } && !linear.hasDamage
        var wrong = 0
        var index = 0
        for (position, picture) in linear.pictures[..<end].enumerated() {
            // What a decoder makes of broken pictures may have any time.
            if picture.damage != nil { continue }
            while !isWhole, index < numbered.count, numbered[index] < picture.ticks { index += 1 }
            if index < numbered.count, numbered[index] == picture.ticks {
                index += 1
                continue
            }
            wrong += 1
            if wrong <= 3 {
                findings.append(
                    FrameVerification.Finding(
                        requestedTime: time(picture.ticks), expectedTime: time(picture.ticks),
                        actualTime: index < numbered.count ? time(numbered[index]) : .invalid,
                        reason: "frame #\(position) is numbered wrongly"))
            }
            if isWhole { index += 1 }
        }
        return wrong + (isWhole && !isPart ? max(0, numbered.count - linear.pictures.count) : 0)
    }

    /// The pictures that are on screen at some moment from one time up to another.
    private static func shown(_ pictures: [LinearDecode.Picture], from start: Int64, until end: Int64) -> Range<Int> {
        let first = max(0, pictures.partitioningIndex { $0.ticks > start } - 1)
        return first..<max(first, pictures.partitioningIndex { $0.ticks >= end })
    }

    private static func requestTicks(
        _ pictures: [LinearDecode.Picture], _ shown: Range<Int>, samples: Int, using random: inout SeededGenerator
    ) -> [Int64] {
        func end(_ index: Int) -> Int64 {
            index + 1 < pictures.count
                ? max(pictures[index].ticks, pictures[index + 1].ticks - 1) : pictures[index].ticks
        }
        if shown.count <= samples { return shown.flatMap { [pictures[$0].ticks, end($0)] } }
        return (0..<samples).map { _ in
            let index = Int.random(in: shown, using: &random)
            return Int64.random(in: pictures[index].ticks...end(index), using: &random)
        }
    }

    private static func compare(
        _ lookup: FrameLookup, at ticks: Int64, with linear: LinearDecode, time: (Int64) -> CMTime,
        into report: inout FrameVerification
    ) {
        let pictures = linear.pictures
        let position = max(0, pictures.partitioningIndex { $0.ticks > ticks } - 1)
        let expected = pictures[position]
        report.asked += 1
        var reason: String
        var actual = CMTime.invalid
        switch lookup {
        case .unavailable(let why):
            report.refused += 1
            reason = "refused: \(why)"
            if expected.damage == nil, linear.missing(after: expected.ticks, through: ticks) == nil {
                report.refusedInVain += 1
                reason += " (the linear decode has it)"
            }
        case .shown(let shown):
            let candidates = pictures.filter { $0.ticks == expected.ticks }
            if shown.ticks == expected.ticks, candidates.contains(where: { $0.digest == shown.frame.contentDigest }) {
                return
            }
            report.wrong += 1
            actual = time(shown.ticks)
            reason = shown.ticks == expected.ticks ? "other pixels" : "another frame"
            if let damage = expected.damage { reason += " (damaged in the linear decode: \(damage))" }
        }
        guard report.findings.count < 100 else { return }
        report.findings.append(
            FrameVerification.Finding(
                requestedTime: time(ticks), expectedTime: time(expected.ticks), actualTime: actual, reason: reason))
    }
}

extension FrameVerification {
    /// Takes in where the linear decode ended, if that was before the end of the film.
    fileprivate mutating func noteFailure(
        of linear: LinearDecode, _ description: AssetDescription, _ base: TimeBase, isPart: Bool
    ) {
        guard let reason = linear.readFailure else { return }
        readFailure = reason
        // An index that was made while the file was read lists what is there.
        if !isPart, let count = linear.listedCount, count > frames { listedFrames = count }
        if let ticks = linear.endTicks { readEnd = base.time(of: ticks) - description.origin }
        if !description.durationIsEstimate { statedDuration = description.duration }
    }
}

/// Decodes a video stream once from its first packet to its last: the simple
/// path that random access is measured against.
///
/// Shares no seeking with it.
struct LinearDecode {
    struct Picture {
        let ticks: Int64
        let digest: UInt64
        /// Why the picture is not to be trusted, `nil` if it is.
        let damage: String?
    }

    /// In ascending order of presentation time.
    let pictures: [Picture]
    /// Why reading ended before the end of the film or of the part, `nil` if it did not.
    let readFailure: String?
    /// Where the last picture ends, `nil` without pictures.
    let endTicks: Int64?
    /// How many pictures the container's index lists, `nil` if it does not list each one.
    let listedCount: Int?
    private var damage = DamageRecord()

    /// Whether anything could not be decoded, or only with errors.
    var hasDamage: Bool { damage.lastReason != nil }

    /// Why a picture between two times is missing, `nil` if none is known to be.
    func missing(after shown: Int64, through ticks: Int64) -> String? { damage.missing(after: shown, through: ticks) }

    /// More pictures than any decoder holds back to bring them into order.
    private static let reorderLimit = 32

    /// - Parameter end: Decoding ends when pictures from there on come out; `nil` for all of the file.
    init(
        source: AssetSource, streamIndex: Int, until end: Int64? = nil, interrupt: Interrupt,
        progress: (Int64) -> Void
    ) throws {
        let demuxer = try source.open(interrupt: interrupt)
        demuxer.select(streams: [streamIndex])
        let stream = demuxer.streams[streamIndex]
        let classifier = EntryClassifier(
            codec: stream.codec, extradata: stream.extradata, isIntraOnly: stream.video?.isIntraOnly ?? false)
        let decoder = try demuxer.makeDecoder(stream: streamIndex)
        var damage = DamageRecord()
        var pictures: [Picture] = []
        var number: Int64 = 0
        // Some decoders hand out what an edit list hides.
        var hidden: Set<Int64> = []
        var beyond = 0
        var reached: Int64?
        func receiveAll() throws {
            while true {
                let (output, complaint) = try decoder.receive()
                if let complaint { damage.add(packet: number, ticks: nil, reason: complaint.reason) }
                guard case .frame(let frame) = output else { return }
                guard hidden.remove(frame.packetNumber) == nil else { continue }
                // Raw streams have no times: their frames follow one another.
                let ticks =
                    frame.presentationTicks
                    ?? pictures.last.map { $0.ticks + (frame.durationTicks ?? stream.frameTicks) } ?? 0
                if let reason = frame.damage { damage.add(packet: frame.packetNumber, ticks: ticks, reason: reason) }
                let reason = frame.damage ?? damage.damage(ofPacket: frame.packetNumber, ticks: ticks)
                pictures.append(Picture(ticks: ticks, digest: frame.contentDigest, damage: reason))
                if let end, ticks >= end { beyond += 1 }
                let following = ticks.addingReportingOverflow(frame.durationTicks ?? stream.frameTicks).partialValue
                reached = max(reached ?? following, following)
                progress(ticks)
            }
        }
        var readFailure: String?
        while beyond < Self.reorderLimit, let packet = try Self.read(demuxer, &readFailure) {
            try interrupt.check(.verify)
            guard packet.streamIndex == streamIndex else { continue }
            number += 1
            let ticks = packet.presentationTicks ?? packet.decodeTicks
            if packet.isCorrupt { damage.add(packet: number, ticks: ticks, reason: "a packet is incomplete") }
            if packet.isDiscarded { hidden.insert(number) }
            if [.clean, .recovery].contains(classifier.classify(packet)), let ticks {
                damage.addEntry(packet: number, ticks: ticks)
            }
            if let complaint = try decoder.send(packet, number: number), complaint.matter != .firstPicture {
                damage.add(packet: number, ticks: ticks, reason: complaint.reason)
            }
            try receiveAll()
        }
        try interrupt.check(.verify)
        _ = try decoder.send(nil, number: number)
        try receiveAll()
        if readFailure == nil, beyond == 0, end.map({ reached ?? .min < $0 }) ?? true {
            readFailure = source.truncation(ofStream: streamIndex, readBy: demuxer)
        }
        endTicks = reached
        listedCount = demuxer.listedSampleCount(ofStream: streamIndex)
        self.pictures = pictures.enumerated().sorted { ($0.element.ticks, $0.offset) < ($1.element.ticks, $1.offset) }
            .map(\.element)
        self.damage = damage
        self.readFailure = readFailure
    }

    /// The next packet; `nil` at the end, or where the file cannot be read on, with the reason.
    private static func read(_ demuxer: Demuxer, _ failure: inout String?) throws(FFmpegError) -> Packet? {
        do {
            return try demuxer.readPacket()
        } catch {
            guard [.damaged, .inputOutput].contains(error.kind) else { throw error }
            failure = error.reason
            return nil
        }
    }
}
