internal import FFmpegKit
internal import Foundation
internal import MediaAsset
internal import MediaContainers
internal import MediaCore
internal import MediaEngine

/// Checks a finished file where pieces of a join meet.
///
/// Whether frames refer to what their piece does not have is told by their headers; where frames are decoded as well,
/// the half seconds around each seam are compared with those of the source.
struct SeamAudit {
    /// Where two pieces meet.
    struct Seam {
        /// When the earlier piece ends and the later one begins, on the finished file's timeline.
        var end: CMTime
        var start: CMTime
        /// When the frame is shown that the later piece was to begin with.
        var shown: CMTime
        var before: CompositionStretches.Stretch
        var after: CompositionStretches.Stretch
    }

    let output: AssetSource
    let decodesFrames: Bool
    let cancellation: Cancellation

    /// The seams of a composition's track, but for those where the later piece goes on with what the earlier one ended
    /// with.
    ///
    /// - Parameter places: Where the pieces have come to lie, if elsewhere than in the composition.
    static func seams(
        of part: CompositionContent.Track, in range: CMTimeRange, places: [JoinedPlace]
    ) throws -> [Seam] {
        let pieces = try CompositionStretches([part], in: range).list.filter { $0.source != nil }.map(filled)
        return zip(pieces, pieces.dropFirst()).compactMap { before, after in
            let goesOn =
                before.source === after.source && before.trackIDs == after.trackIDs
                && before.range.end == after.range.start && before.target.end == after.target.start
            guard !goesOn else { return nil }
            let place = places.last { $0.wanted <= after.target.start }
            let shown = places.actualTime(of: after.target.start)
            let lead = place.map { $0.wanted == after.target.start ? $0.lead : .zero } ?? .zero
            return Seam(
                end: places.actualTime(of: before.target.start) + before.range.duration, start: shown - lead,
                shown: shown, before: before, after: after)
        }
    }

    /// The piece without what lies beyond the track's end.
    private static func filled(_ piece: CompositionStretches.Stretch) throws -> CompositionStretches.Stretch {
        guard let track = try piece.track() else { return piece }
        var piece = piece
        piece.range = CMTimeRange(start: piece.range.start, end: min(piece.range.end, track.timeRange.end))
        return piece
    }

    /// What is wrong at the seams of a track of the finished file.
    ///
    /// - Parameter number: The number of the track that it was made of.
    func findings(
        _ seams: [Seam], of track: TrackDescription, madeOf number: CMPersistentTrackID
    ) throws -> [ExportLoss] {
        guard !seams.isEmpty else { return [] }
        let origin = try output.describe().origin
        let faults = try faults(at: seams.map { $0.start + origin }, stream: track.streamIndex)
        return try zip(seams, faults).compactMap { seam, fault in
            try reason(for: fault, at: seam, track).map {
                ExportLoss(
                    .media, "frames of track \(number) where pieces meet at \(seam.start.durationText()) s", reason: $0,
                    effect: .changed, trackID: number, trait: .frames)
            }
        }
    }

    private func reason(for fault: SeamReferences.Fault?, at seam: Seam, _ track: TrackDescription) throws -> String? {
        try cancellation.check()
        do {
            // What the source lacks is no fault of the join.
            if let fault, try fault != .missingPictures || !isIncomplete(around: seam) { return Self.words(of: fault) }
            return decodesFrames ? try difference(at: seam, track) : nil
        } catch {
            try cancellation.check()
            return "it cannot be checked: \(error.localizedDescription)"
        }
    }

    /// Whether the sources lack pictures that others refer to where the pieces were cut.
    private func isIncomplete(around seam: Seam) throws -> Bool {
        try [(seam.before, seam.before.range.end), (seam.after, seam.after.range.start)].contains { piece, time in
            guard let source = piece.source, let track = try piece.track() else { return false }
            let origin = try source.describe().origin
            return try reading(source, stream: track.streamIndex) { info, demuxer in
                let place = info.timeBase.ticks(nearest: time + origin)
                return try references(around: place...place, info, demuxer)?.found.lacksPictures ?? false
            }
        }
    }

    private static func words(of fault: SeamReferences.Fault) -> String {
        switch fault {
        case .continues: "the later piece is decoded with the frames of the earlier one"
        case .leadingPictures: "frames are shown that refer to what came before their piece"
        case .missingPictures: "frames that others refer to are missing"
        }
    }

    // MARK: By headers

    /// - Parameter times: On the container's timeline.
    private func faults(at times: [CMTime], stream: Int) throws -> [SeamReferences.Fault?] {
        try reading(output, stream: stream) { info, demuxer in
            let seams = times.map { info.timeBase.ticks(nearest: $0) }
            var longest = info.timeBase.ticks(microseconds: Self.longestStretch)
            var faults: [SeamReferences.Fault?] = []
            while faults.count < seams.count {
                // Seams that lie near each other are read at once.
                let first = seams[faults.count]
                let near = seams[faults.count...].prefix { $0 >= first && $0 - first <= longest }
                let last = near.max() ?? first
                let read = try references(around: first...last, info, demuxer)
                if read == nil, near.count > 1, longest > 0 {
                    // More is hidden between them than is read at once.
                    longest /= 2
                    continue
                }
                faults += near.map { seam in read.flatMap { $0.found.fault(at: seam, tolerance: $0.tolerance) } }
            }
            return faults
        }
    }

    /// Microseconds of a finished file that are read at once.
    private static let longestStretch: Int64 = 4_000_000

    private func reading<Result>(
        _ source: AssetSource, stream: Int, _ body: (StreamInfo, Demuxer) throws -> Result
    ) throws -> Result {
        let demuxer = try source.checkOut()
        defer { source.checkIn(demuxer) }
        cancellation.onCancel(of: demuxer.interrupt) { [interrupt = demuxer.interrupt] in interrupt.cancel() }
        defer { cancellation.forget(demuxer.interrupt) }
        demuxer.select(streams: [stream])
        return try body(demuxer.streams[stream], demuxer)
    }

    /// What is shown around some time, and how far from a seam a piece may begin; `nil` for codecs whose pictures are not
    /// looked into, and where there is too much to read.
    private func references(
        around times: ClosedRange<Int64>, _ info: StreamInfo, _ demuxer: Demuxer
    ) throws -> (found: SeamReferences, tolerance: Int64)? {
        try cancellation.check()
        guard var references = SeamReferences(codec: info.codec, extradata: info.extradata) else { return nil }
        let second = info.timeBase.ticks(microseconds: 1_000_000)
        var tolerance = max(1, second / 10)
        // The frame before the seam has to be among those that are read.
        let aim = max(info.startTicks ?? 0, times.lowerBound - max(1, second / 2))
        guard try demuxer.seek(stream: info.index, toTicks: aim) else { return nil }
        var (read, byteCount) = (0, 0)
        while let packet = try demuxer.readPacket() {
            guard packet.streamIndex == info.index, let ticks = packet.presentationTicks ?? packet.decodeTicks else {
                continue
            }
            (read, byteCount) = (read + 1, byteCount + packet.byteCount)
            guard read <= Self.maximumPackets, byteCount <= demuxer.policy.maximumPendingBytes else { return nil }
            let length = min(packet.durationTicks ?? 0, second / 4)
            tolerance = max(tolerance, 2 * length)
            packet.withBytes {
                references.add($0, isKey: packet.isKey, ticks: ticks, isShown: !packet.isDiscarded)
            }
            // What an edit list hides may be more than that.
            if !packet.isDiscarded, ticks > times.upperBound + second { break }
        }
        return (references, tolerance)
    }

    /// More packets around a seam are not looked into.
    private static let maximumPackets = 4000

    // MARK: By decoding

    /// How many frames are shown around a seam that the source does not have there, or the other way around.
    private func difference(at seam: Seam, _ track: TrackDescription) throws -> String? {
        let window = Self.window
        let (old, new) = (seam.before.range, seam.after.range)
        let (before, after) = (min(window, old.duration), min(window, new.duration))
        let beyond = max(.zero, seam.start - seam.end)
        // More may be shown than was asked for, as where a range ends among frames that refer to later ones.
        let last = try frames(
            of: seam.before, CMTimeRange(start: old.end - before - window, end: old.end + beyond + window))
        let lead = min(window, seam.shown - seam.start)
        let first = try frames(
            of: seam.after, CMTimeRange(start: new.start - lead - window, end: new.start + after + window))
        let wanted =
            last.filter { $0.range.start >= old.end - before && $0.range.start < old.end }
            + first.filter { $0.range.end > new.start && $0.range.start < new.start + after }
        let made = try frames(
            of: output, track, CMTimeRange(start: seam.end - before - window, end: seam.shown + after + window))
        var rest = made[...]
        let missing = wanted.count { frame in
            guard let place = rest.firstIndex(where: { $0.digest == frame.digest }) else { return true }
            rest = rest[(place + 1)...]
            return false
        }
        let allowed = Set((last + first).map(\.digest))
        // Containers count in milliseconds at the coarsest, and of what comes along only the last half second is known.
        let other = made.count { frame in
            let start = frame.range.start
            let isNear =
                start > seam.end - before + Self.tick && start < seam.end
                || start > seam.shown - lead + Self.tick && start < seam.shown + after - Self.tick
            return isNear && !allowed.contains(frame.digest)
        }
        guard missing + other > 0 else { return nil }
        return "of \(wanted.count) frames around it, \(missing) are missing, and \(other) others are shown"
    }

    /// How much is decoded on each side.
    private static let window = CMTime(value: 1, timescale: 2)
    private static let tick = CMTime(value: 2, timescale: 1000)

    private struct Frame {
        var digest: UInt64
        var range: CMTimeRange
    }

    private func frames(of piece: CompositionStretches.Stretch, _ range: CMTimeRange) throws -> [Frame] {
        guard let source = piece.source, let track = try piece.track() else { return [] }
        return try frames(of: source, track, range)
    }

    private func frames(of source: AssetSource, _ track: TrackDescription, _ range: CMTimeRange) throws -> [Frame] {
        let range = CMTimeRange(start: max(.zero, range.start), end: max(.zero, range.end))
        // It forgets what would stop the reading of this seam.
        let own = Cancellation()
        cancellation.onCancel(of: own) { own.cancel() }
        defer { cancellation.forget(own) }
        let feed = try PictureFeed(track, of: source, range: range, allowsDamage: true, cancellation: own)
        var frames: [Frame] = []
        while let picture = try feed.next() {
            try cancellation.check()
            frames.append(Frame(digest: picture.frame.contentDigest, range: picture.timeRange))
        }
        return frames
    }
}

extension CompositionStretches.Stretch {
    /// The file's track of a piece of one track.
    fileprivate func track() throws -> TrackDescription? {
        guard let source, let number = trackIDs.first ?? nil else { return nil }
        return try source.describe().tracks.first { $0.trackID == number }
    }
}
