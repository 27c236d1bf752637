internal import Foundation
internal import MediaAsset
internal import MediaCore
internal import MediaEngine
internal import MediaMetadata

/// Compares a track of a finished file with the one that it was made of.
struct TrackAudit {
    private let pair: TrackPairs.Pair
    private let audit: ExportAudit
    private let old: TrackDescription
    private let new: TrackDescription
    private var found: [ExportLoss] = []

    init(_ pair: TrackPairs.Pair, in audit: ExportAudit) {
        (self.pair, self.audit) = (pair, audit)
        (old, new) = (pair.source.description, pair.output.description)
    }

    func findings() -> [ExportLoss] {
        var audit = self
        audit.compareNames()
        audit.compareTimes()
        if let before = old.video, let after = new.video { audit.compare(before, after) }
        if let before = old.audio, let after = new.audio { audit.compare(before, after) }
        return audit.found
    }

    private var isPassthrough: Bool { pair.planned.treatment == .passthrough }

    /// Names a difference; `after` is what the new file says instead.
    private mutating func tell(_ trait: ExportLoss.Trait, _ before: String, _ after: String? = nil) {
        found.append(
            ExportLoss(
                .media, "\(trait.words) of track \(old.trackID) (\(before))",
                reason: after.map { "the finished file says \($0)" } ?? ExportAudit.reason,
                effect: after == nil ? .lost : .changed, trackID: old.trackID, trait: trait))
    }

    // MARK: What the track says

    private mutating func compareNames() {
        if let language = old.language ?? old.extendedLanguageTag, !isSameLanguage {
            tell(.language, language, new.language)
        }
        if let title = old.title, !title.isEmpty, !audit.metadata.isForSharing, new.title != title,
            !audit.outputTexts.contains(title)
        {
            tell(.name, title, new.title)
        }
        let lost = pair.source.roles.subtracting(pair.output.roles)
        if !lost.isEmpty { tell(.dispositions, lost.texts.joined(separator: ", ")) }
    }

    private var isSameLanguage: Bool {
        let (before, after) = ([old.language, old.extendedLanguageTag], [new.language, new.extendedLanguageTag])
        let names = Set(after.compactMap { $0.map(LanguageCodes.primary) })
        return before.contains { $0.map { names.contains(LanguageCodes.primary($0)) } ?? false }
    }

    // MARK: When it is shown

    private mutating func compareTimes() {
        if let before = pair.source.shownTimes, let after = pair.output.shownTimes {
            return compareShown(before, after)
        }
        if let before = pair.source.shownCount, let after = pair.output.shownCount, before > 0, isWhole,
            keepsFrames, before != after
        {
            tell(.frames, "\(before) shown", "\(after)")
        }
    }

    private mutating func compareShown(_ before: [CMTime], _ after: [CMTime]) {
        // Of a source whose tables say that it shows nothing, nothing can be said.
        guard keepsFrames, !before.isEmpty else { return }
        let wanted = before.filter { $0 >= audit.range.start && $0 < audit.range.end }
        guard wanted.count == after.count else {
            return tell(.frames, "\(wanted.count) shown", "\(after.count)")
        }
        let tolerance = CMTime(value: 3, timescale: 2000)
        let start = (wanted.first.map { $0 - audit.range.start }) ?? .zero
        let origin = (after.first ?? .zero) - start
        let late = zip(wanted, after).count { old, new in
            CMTimeAbsoluteValue((old - audit.range.start) - (new - origin)) > tolerance
        }
        if late > 0 { tell(.times, "\(late) of \(wanted.count) frames", "other times") }
    }

    /// Whether the file shows all of the source.
    private var isWhole: Bool {
        audit.beginsAtStart
            && (!audit.source.asset.duration.isNumeric || audit.range.end >= audit.source.asset.duration)
    }

    /// Whether every frame of the source is to be a frame of the file.
    private var keepsFrames: Bool {
        isPassthrough || !pair.planned.changes.contains { [.frameRateReduced].contains($0) }
    }

    // MARK: Sound

    private mutating func compare(_ before: AudioDescription, _ after: AudioDescription) {
        guard pair.planned.soundChanges.isDisjoint(with: [.mixedDown, .channelsDropped]) else { return }
        let (old, new) = (before.channelLayout, after.channelLayout)
        if after.channels < before.channels {
            tell(.channels, old ?? "\(before.channels) channels", new ?? "\(after.channels) channels")
        } else if isPassthrough, after.channels > 2, let old, AudioLayout.isKnown(old),
            new.map(AudioLayout.isKnown) != true
        {
            // What one or two channels mean goes without saying.
            tell(.channels, old)
        }
    }

    // MARK: Pictures

    private mutating func compare(_ before: VideoDescription, _ after: VideoDescription) {
        let changes = pair.planned.changes
        if isPassthrough, !before.turn.isSame(as: after.turn) {
            tell(.orientation, "\(before.orientationWords)", after.orientationWords)
        }
        compareShape(before, after, changes)
        // Pictures of a palette are in the colours of screens, which goes without saying.
        if !changes.contains(.toneMapped), Codec(rawValue: pair.planned.codec) != .gif {
            compareColor(before.color, after.color)
            if pair.source.hasLightLevels, !pair.output.hasLightLevels { tell(.highDynamicRange, "light levels") }
            if before.dolbyVision != nil, after.dolbyVision == nil {
                tell(.dolbyVision, "profile \(before.dolbyVision?.profile ?? 0)")
            }
        }
        // The alpha of a track of its own is lost with that track.
        let hadAlpha = before.hasAlpha && before.alphaStreamIndex == nil || before.hasUndecodedAlpha
        if hadAlpha, !after.hasAlpha, !after.hasUndecodedAlpha, !changes.contains(.flattened) {
            tell(.alpha, "transparency")
        }
        if let order = before.fields, order.isInterlaced, !changes.contains(.deinterlaced),
            after.fields?.isInterlaced != true
        {
            tell(.fieldOrder, order.rawValue, after.fieldOrder)
        }
        if pair.source.hasProjection, !pair.output.hasProjection { tell(.projection, "stereo or spherical") }
    }

    private mutating func compareShape(
        _ before: VideoDescription, _ after: VideoDescription, _ changes: Set<ConvertedVideo.Change>
    ) {
        if isPassthrough {
            if before.sampleAspectRatio.value != after.sampleAspectRatio.value {
                tell(.pixelAspectRatio, before.sampleAspectRatio.words, after.sampleAspectRatio.words)
            }
            if before.cleanAperture != after.cleanAperture {
                tell(.cleanAperture, before.cleanAperture.words, after.cleanAperture.words)
            }
            return
        }
        let (old, new) = (before.displaySize, after.displaySize)
        guard old.height > 0, new.height > 0, !changes.contains(.cropped) else { return }
        var ratio = Double(old.width) / Double(old.height) / (Double(new.width) / Double(new.height))
        // Somebody may have asked for pictures that lie on their side.
        if changes.contains(.turned), (old.width > old.height) != (new.width > new.height) {
            ratio = Double(old.width) / Double(old.height) * (Double(new.width) / Double(new.height))
        }
        // Sizes are rounded to what chroma needs.
        let isKept = abs(ratio - 1) < 0.02 + 4 / Double(max(1, min(new.width, new.height)))
        if !isKept {
            tell(.pixelAspectRatio, "shown as \(old.width)x\(old.height)", "\(new.width)x\(new.height)")
        }
    }

    private mutating func compareColor(_ before: ColorDescription, _ after: ColorDescription) {
        let tags: [(String, String?, String?)] = [
            ("primaries", before.primaries, after.primaries),
            ("transfer", before.transferFunction, after.transferFunction),
            ("matrix", before.yCbCrMatrix, after.yCbCrMatrix), ("range", before.range, after.range),
        ]
        let rgb = MatrixCoefficients.identity.rawValue
        for (name, old, new) in tags {
            // Video range goes without saying.
            guard let old, old != new, old != ColorRange.video.rawValue || new != nil,
                isPassthrough || (old != rgb && new != rgb && name != "range")
            else { continue }
            tell(.color, "\(name) \(old)", new)
        }
    }
}

extension AspectRatio {
    fileprivate var value: Double { Double(horizontal) / Double(max(1, vertical)) }
    fileprivate var words: String { "\(horizontal):\(vertical)" }
}

extension PixelRect {
    fileprivate var words: String { "\(width)x\(height)+\(x)+\(y)" }
}

extension VideoDescription {
    /// A matrix that no picture could be seen by is none.
    fileprivate var turn: PictureRotation { PictureRotation(preferredTransform) ?? .upright }

    fileprivate var orientationWords: String {
        let matrix = preferredTransform
        return preferredTransform == .identity ? "upright" : "\(matrix.a) \(matrix.b) \(matrix.c) \(matrix.d)"
    }
}

/// Which track of the finished file was made of which one of the source.
struct TrackPairs {
    struct Pair {
        var source: MediaInventory.Track
        var output: MediaInventory.Track
        var planned: ExportPlan.Track
    }

    private(set) var pairs: [Pair] = []
    /// Tracks that the plan keeps and the file does not have.
    private(set) var missing: [MediaInventory.Track] = []

    /// Tracks of a kind come in the plan's order, whatever numbers the container gives them.
    init(plan: ExportPlan, source: MediaInventory, output: MediaInventory) {
        var rest = output.tracks
        for planned in plan.tracks {
            guard let old = source.track(planned.trackID) else { continue }
            let family = old.description.mediaType.family
            let candidates = rest.indices.filter { rest[$0].description.mediaType.family == family }
            let best = candidates.first { rest[$0].description.codec == planned.codec } ?? candidates.first
            guard let best else {
                missing.append(old)
                continue
            }
            pairs.append(Pair(source: old, output: rest.remove(at: best), planned: planned))
        }
    }
}

extension AVMediaType {
    /// The kinds that containers tell apart unlike each other.
    fileprivate var family: String {
        switch self {
        case .subtitle, .text, .closedCaption: "text"
        case .video, .audio, .timecode: rawValue
        default: "other"
        }
    }
}
