package import MediaAsset
package import MediaCore
package import MediaEngine
internal import MediaMetadata

/// Compares a finished file with its source, and names what is missing in it though the plan does not say so.
///
/// What it reads are two files and nothing else: a loss that no part of the plan thinks of shows here.
package struct ExportAudit {
    let source: MediaInventory
    let output: MediaInventory
    let plan: ExportPlan
    let metadata: ExportMetadata
    let keepsChapters: Bool
    /// Whether somebody chose tracks, so that what comes with others is not missed.
    let isSelective: Bool
    let range: CMTimeRange
    let known: [ExportLoss]

    /// - Parameters:
    ///   - metadata: What was asked for of the metadata.
    ///   - range: What the file shows of the source.
    ///   - known: What is known to be lost.
    package init(
        source: MediaInventory, output: MediaInventory, plan: ExportPlan, metadata: ExportMetadata = ExportMetadata(),
        keepsChapters: Bool = true, isSelective: Bool = false, range: CMTimeRange, known: [ExportLoss]
    ) {
        (self.source, self.output, self.plan, self.metadata) = (source, output, plan, metadata)
        (self.keepsChapters, self.isSelective, self.range, self.known) = (keepsChapters, isSelective, range, known)
    }

    /// What is lost: what is known but for what the container was only feared not to hold, and what was found.
    package func losses() -> [ExportLoss] {
        let found = differences()
        let happened = known.filter { loss in !loss.isFeared || found.contains { loss.covers($0) } }
        return happened + unforeseen(found)
    }

    /// The losses beyond those that are known.
    package func findings() -> [ExportLoss] { unforeseen(differences()) }

    private func unforeseen(_ found: [ExportLoss]) -> [ExportLoss] {
        found.filter { finding in !known.contains { $0.covers(finding) } }.map { finding in
            var finding = finding
            finding.isForeseen = false
            return finding
        }
    }

    /// All that the finished file lacks.
    private func differences() -> [ExportLoss] {
        let pairs = TrackPairs(plan: plan, source: source, output: output)
        return pairs.missing.map { Self.loss(ofWhole: $0.description) }
            + pairs.pairs.flatMap { TrackAudit($0, in: self).findings() }
            + durationFindings(pairs) + timecodeFindings() + chapterFindings() + metadataFindings(pairs)
            + attachmentFindings()
    }

    private static func loss(ofWhole track: TrackDescription) -> ExportLoss {
        ExportLoss(.track, track.nameForPeople, reason: Self.reason, trackID: track.trackID)
    }

    /// Why something counts as lost.
    static let reason = "the finished file does not have it"

    /// All that the finished file says in words.
    var outputTexts: Set<String> {
        Set((output.metadata.entries + output.metadata.tracks.flatMap(\.entries)).compactMap(\.text))
    }

    /// Whether the new file begins where the source does.
    var beginsAtStart: Bool { range.start <= .zero }

    // MARK: The whole file

    private func durationFindings(_ pairs: TrackPairs) -> [ExportLoss] {
        // What is left out may have lasted longer, and where the container does not say which track ends when, nothing
        // is known of the rest.
        let kept = pairs.pairs.map(\.source.description)
        guard kept.count == source.asset.tracks.count || !kept.contains(where: \.isEndAssumed) else { return [] }
        let ends = kept.map(\.timeRange.end).filter(\.isNumeric)
        let end = CMTimeMinimum(range.end, ends.max() ?? range.end)
        let (made, wanted) = (output.asset.duration, end - range.start)
        guard made.isNumeric, wanted.isNumeric, !output.asset.durationIsEstimate, !source.asset.durationIsEstimate,
            CMTimeAbsoluteValue(made - wanted) > Self.durationTolerance
        else { return [] }
        return [
            ExportLoss(
                .media, "duration",
                reason: "the finished file lasts \(made.durationText()) s instead of "
                    + "\(wanted.durationText()) s", effect: .changed, trait: .times)
        ]
    }

    /// Frames and packets do not end where a range does; headers of some containers guess.
    private static let durationTolerance = CMTime(value: 1, timescale: 4)

    private func timecodeFindings() -> [ExportLoss] {
        guard let old = source.asset.startTimecode, beginsAtStart, !isSelective, output.asset.startTimecode != old
        else { return [] }
        return [
            ExportLoss(
                .media, "timecode \(old)",
                reason: output.asset.startTimecode.map { "the finished file says \($0)" }
                    ?? Self.reason, effect: output.asset.startTimecode == nil ? .lost : .changed, trait: .timecode)
        ]
    }

    private func attachmentFindings() -> [ExportLoss] {
        guard !isSelective, !metadata.isForSharing, metadata.replacement == nil else { return [] }
        let kept = Set(output.metadata.attachments.map(\.name))
        // Covers are items, wherever a file has them.
        return source.metadata.attachments.filter { !kept.contains($0.name) && !$0.isCover }.map {
            ExportLoss(.attachment, $0.name, reason: Self.reason)
        }
    }
}

extension ExportLoss {
    /// Whether this loss, which is known, is the one that was found.
    fileprivate func covers(_ finding: ExportLoss) -> Bool {
        if kind == .track, trackID != nil, trackID == finding.trackID { return true }
        guard kind == finding.kind else { return false }
        switch kind {
        case .track: return trackID == finding.trackID
        case .media:
            // Pictures more or less, and later ones, make the file longer or shorter as well.
            if finding.trait == .times, finding.trackID == nil, trait == .frames || trait == .times { return true }
            return trait == finding.trait && (trackID == nil || trackID == finding.trackID)
        case .metadata: return item == finding.item
        case .chapters: return true
        case .attachment: return item == finding.item
        }
    }
}
