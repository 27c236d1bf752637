internal import MediaAsset
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
    func losses() -> [ExportLoss] {
        let found = differences()
        let happened = known.filter { loss in !loss.isFeared || found.contains { loss.covers($0) } }
        return happened + unforeseen(found)
    }

    /// The losses beyond those that are known.
    package func findings() -> [ExportLoss] { unforeseen(differences()) }

    private func unforeseen(_ found: [ExportLoss]) -> [ExportLoss] {
        found.filter { finding in !known.contains { $0.covers(finding) } }.map(Self.unforeseen)
    }

    /// A loss as one that the plan did not foresee.
    static func unforeseen(_ finding: ExportLoss) -> ExportLoss {
        var finding = finding
        finding.isForeseen = false
        return finding
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

extension ExportAudit {
    /// Items of the source, and of its tracks, that the finished file says nowhere.
    func metadataFindings(_ pairs: TrackPairs) -> [ExportLoss] {
        let isSame = plan.fileType.metadataContainer == source.metadata.container
        let expected = metadata.expected(of: source.metadata.entries, staysSame: isSame)
        let all = output.metadata.entries + output.metadata.tracks.flatMap(\.entries)
        var found = MetadataComparison.missing(expected, in: all).map { Self.loss($0, "") }
        guard metadata.replacement == nil else { return found }
        for pair in pairs.pairs {
            let (old, new) = (pair.source.description, pair.output.description)
            // What headers say of a track is compared with the track.
            let label = TrackLabel(
                trackID: Int64(old.trackID), languageTag: old.extendedLanguageTag ?? old.language, name: old.title)
            let expected = metadata.expected(of: source.entries(ofTrack: old.trackID), staysSame: isSame)
                .filter { !$0.isOfLabel(label) }
            let names = [new.title, new.language, new.extendedLanguageTag].compactMap { $0 }
            found += MetadataComparison.missing(expected, in: output.entries(ofTrack: new.trackID) + all, saying: names)
                .map { Self.loss($0, " of track \(old.trackID)") }
        }
        return found
    }

    private static func loss(_ entry: MetadataEntry, _ place: String) -> ExportLoss {
        ExportLoss(.metadata, entry.identifier.rawValue + place, reason: reason)
    }

    /// Chapters of the source whose titles the finished file has not at their times.
    func chapterFindings() -> [ExportLoss] {
        guard keepsChapters else { return [] }
        let made = output.chapterLists.flatMap(\.everyChapter).sorted { $0.start < $1.start }
        // The file may begin later than its zero, where the first of the source's tracks was left out.
        let shifts: Set<CMTime> = [.zero, output.asset.origin]
        var missing: [String] = []
        for chapter in source.chapterLists.filter({ !$0.isHidden }).flatMap(\.everyChapter) {
            // What begins after the end was not cut off by a range that reaches there.
            let isBefore = chapter.start < range.end || range.end >= source.asset.duration
            guard isBefore, chapter.end > range.start || chapter.start >= range.start else { continue }
            let start = CMTimeMaximum(chapter.start - range.start, .zero)
            let near = shifts.map { made[Self.places(of: start - $0, in: made)].prefix(Self.maximumCompared) }
            let lost = chapter.titles.filter { title in !near.contains { $0.contains { $0.says(title.text) } } }
            if near.allSatisfy(\.isEmpty) { missing.append(chapter.title) } else { missing += lost.map(\.text) }
        }
        var seen: Set<String> = []
        let names = missing.filter { seen.insert($0).inserted }
        guard !names.isEmpty else { return [] }
        let shown = names.prefix(3).map { "“\($0)”" }.joined(separator: ", ")
        return [
            ExportLoss(
                .chapters, "chapters: \(names.count) (\(shown)\(names.count > 3 ? ", …" : ""))", reason: Self.reason)
        ]
    }

    /// The chapters, of some in the order of their times, that begin at a time.
    private static func places(of time: CMTime, in chapters: [Chapter]) -> Range<Int> {
        let first = chapters.partitioningIndex { $0.start >= time - chapterTolerance }
        return first..<chapters[first...].partitioningIndex { $0.start > time + chapterTolerance }
    }

    /// Chapters of one moment that are compared with one another; no file but a hostile one has more.
    private static let maximumCompared = 256
    /// Containers count chapters in milliseconds at the coarsest.
    private static let chapterTolerance = CMTime(value: 2, timescale: 1000)
}

extension ChapterList {
    fileprivate var everyChapter: [Chapter] { chapters.flatMap(\.withChildren) }
}

extension Chapter {
    /// Titles are cut where a container has room for so many bytes only.
    fileprivate func says(_ text: String) -> Bool {
        titles.contains { $0.text == text || (!$0.text.isEmpty && text.hasPrefix($0.text)) }
    }
}

/// What a file holds of all that an export promises to keep, read from the file itself.
package struct MediaInventory: Sendable {
    /// One track that plays, or a file within the file.
    package struct Track: Sendable {
        var description: TrackDescription
        /// What the track is for, by its header or as FFmpeg tells it.
        var roles: TrackLabel.Roles
        /// Whether the pictures are one half of a stereo pair, or on a sphere.
        var hasProjection: Bool
        /// Whether the track says how bright its HDR pictures are.
        var hasLightLevels: Bool
        /// How many pictures are shown, `nil` where only reading the whole file would tell.
        var shownCount: Int?
        /// When pictures are shown, on the asset's timeline, ascending; `nil` unless the whole file was read.
        var shownTimes: [CMTime]?
    }

    var asset: AssetDescription
    var tracks: [Track]
    var metadata: FileMetadata
    /// On the asset's timeline.
    var chapterLists: [ChapterList]

    /// The track of a number.
    func track(_ id: CMPersistentTrackID) -> Track? { tracks.first { $0.description.trackID == id } }

    /// The entries of a track of a number.
    func entries(ofTrack id: CMPersistentTrackID) -> [MetadataEntry] {
        metadata.tracks.first { $0.trackID == Int64(id) }?.entries ?? []
    }
}

extension MediaInventory {
    /// What a composition is where its pieces have come to lie.
    mutating func move(by places: [JoinedPlace]) {
        chapterLists = chapterLists.map { $0.moved(by: places) }
        let longer = places.reduce(CMTime.zero) { $0 + $1.lead }
        guard longer > .zero else { return }
        for index in tracks.indices {
            let range = tracks[index].description.timeRange
            tracks[index].description.timeRange.duration = range.duration + longer
        }
        asset.duration = asset.duration + longer
    }
}
