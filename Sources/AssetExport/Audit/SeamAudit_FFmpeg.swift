internal import FFmpegKit
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
        /// When the later piece begins, on the finished file's timeline.
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
            let goesOn = before.source === after.source && before.trackIDs == after.trackIDs
            guard !goesOn || before.range.end != after.range.start else { return nil }
            let place = places.last { $0.wanted <= after.target.start }
            let shown = places.actualTime(of: after.target.start)
            let lead = place.map { $0.wanted == after.target.start ? $0.lead : .zero } ?? .zero
            return Seam(start: shown - lead, shown: shown, before: before, after: after)
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
            try cancellation.check()
            let reason = try fault.map(Self.words) ?? (decodesFrames ? difference(at: seam, track) : nil)
            return reason.map {
                ExportLoss(
                    .media, "frames of track \(number) where pieces meet at \(seam.start.durationText()) s", reason: $0,
                    effect: .changed, trackID: number, trait: .frames)
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
        let demuxer = try output.checkOut()
        defer { output.checkIn(demuxer) }
        cancellation.onCancel { [interrupt = demuxer.interrupt] in interrupt.cancel() }
        guard demuxer.streams.indices.contains(stream) else { return times.map { _ in nil } }
        demuxer.select(streams: [stream])
        let info = demuxer.streams[stream]
        return try times.map { time in
            try cancellation.check()
            guard let references = SeamReferences(codec: info.codec, extradata: info.extradata) else { return nil }
            return try fault(at: info.timeBase.ticks(nearest: time), references, info, demuxer)
        }
    }

    private func fault(
        at seam: Int64, _ references: SeamReferences, _ info: StreamInfo, _ demuxer: Demuxer
    ) throws -> SeamReferences.Fault? {
        var references = references
        let second = info.timeBase.ticks(nearest: CMTime(value: 1, timescale: 1))
        var tolerance = second / 10
        // The frame before the seam has to be among those that are read.
        guard try demuxer.seek(stream: info.index, toTicks: seam - second / 2) else { return nil }
        var (read, byteCount) = (0, 0)
        while read < Self.maximumPackets, byteCount < demuxer.policy.maximumPendingBytes,
            let packet = try demuxer.readPacket()
        {
            guard packet.streamIndex == info.index, let ticks = packet.presentationTicks ?? packet.decodeTicks else {
                continue
            }
            (read, byteCount) = (read + 1, byteCount + packet.byteCount)
            tolerance = max(tolerance, (packet.durationTicks ?? 0).multipliedReportingOverflow(by: 2).partialValue)
            packet.withBytes {
                references.add($0, isKey: packet.isKey, ticks: ticks, isShown: !packet.isDiscarded)
            }
            // What an edit list hides may be more than that.
            if !packet.isDiscarded, ticks > seam + second { break }
        }
        return references.fault(at: seam, tolerance: tolerance)
    }

    /// More packets around a seam are not looked into.
    private static let maximumPackets = 4000

    // MARK: By decoding

    /// How many frames are shown around a seam that the source does not have there, or the other way around.
    private func difference(at seam: Seam, _ track: TrackDescription) throws -> String? {
        let window = Self.window
        let (old, new, lead) = (seam.before.range, seam.after.range, seam.shown - seam.start)
        let after = min(window, new.duration)
        let last = try digests(
            of: seam.before, CMTimeRange(start: old.end - min(window, old.duration), end: old.end))
        // Where the pictures of a piece end before it does, nothing comes of its end.
        let before = last.isEmpty ? .zero : min(window, old.duration)
        let wanted = try last + digests(of: seam.after, CMTimeRange(start: new.start, duration: after))
        // More may be shown besides, as where a range ends among frames that refer to later ones.
        let near =
            try digests(
                of: seam.before, CMTimeRange(start: old.end - before - window, end: old.end + window)
            )
            + digests(
                of: seam.after, CMTimeRange(start: new.start - lead - window, end: new.start + after + window))
        var rest = try digests(
            of: output, track, CMTimeRange(start: seam.start - before - window, end: seam.shown + after + window))[...]
        let missing = wanted.count { digest in
            guard let place = rest.firstIndex(of: digest) else { return true }
            rest = rest[(place + 1)...]
            return false
        }
        let shown = try digests(of: output, track, CMTimeRange(start: seam.start - before, end: seam.shown + after))
        let allowed = Set(near)
        // The first one may be on screen from before.
        let other = shown.dropFirst(before > .zero ? 0 : 1).count { !allowed.contains($0) }
        guard missing + other > 0 else { return nil }
        return "of \(wanted.count) frames around it, \(missing) are missing, and \(other) others are shown"
    }

    /// How much is decoded on each side.
    private static let window = CMTime(value: 1, timescale: 2)

    private func digests(of stretch: CompositionStretches.Stretch, _ range: CMTimeRange) throws -> [UInt64] {
        guard let source = stretch.source, let track = try stretch.track() else { return [] }
        return try digests(of: source, track, range)
    }

    private func digests(of source: AssetSource, _ track: TrackDescription, _ range: CMTimeRange) throws -> [UInt64] {
        let range = CMTimeRange(start: max(.zero, range.start), end: max(.zero, range.end))
        let feed = try PictureFeed(track, of: source, range: range, allowsDamage: true, cancellation: cancellation)
        var digests: [UInt64] = []
        while let picture = try feed.next() {
            try cancellation.check()
            digests.append(picture.frame.contentDigest)
        }
        return digests
    }
}

extension CompositionStretches.Stretch {
    /// The file's track of a piece of one track.
    fileprivate func track() throws -> TrackDescription? {
        guard let source, let number = trackIDs.first ?? nil else { return nil }
        return try source.describe().tracks.first { $0.trackID == number }
    }
}
