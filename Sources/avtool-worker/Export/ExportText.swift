internal import AVToolCommands
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras
internal import Synchronization

extension ExportPlan {
    /// The plan for people.
    func lines(file: String) -> [String] {
        var lines = ["\(file.oneLine): \(fileType.name), \(method.text)"]
        let range = actualRange.isValid ? actualRange : requestedRange
        lines.append(
            "  range \(requestedRange.text)"
                + (range == requestedRange ? "" : ", really \(range.text)"))
        lines += tracks.map { "  " + $0.line }
        lines += hidden.map { "  " + $0.line }
        if passes > 1 { lines.append("  the source is read \(passes) times") }
        if let estimatedByteCount {
            lines.append("  \(method == .cut ? "" : "about ")\(estimatedByteCount) bytes")
        }
        return lines
    }
}

extension ExportPlan.Method {
    var text: String {
        switch self {
        case .cut: "the movie's tables are edited"
        case .remux: "coded samples are copied"
        case .transcode: "encoded anew"
        }
    }
}

extension CMTimeRange {
    /// Start, end and length in seconds.
    fileprivate var text: String {
        "\(start.secondsText()) s to \(end.secondsText()) s (\(duration.durationText()) s)"
    }
}

extension HiddenMaterial {
    /// What stays in the file and is not shown, in one line.
    var line: String { "track \(trackID) keeps \(text), hidden by the edit list" }
}

extension ExportPlan.Track {
    /// What becomes of it, in one line.
    var line: String {
        let parts = [codec == sourceCodec ? codec : "\(sourceCodec) to \(codec)"]
        let language = language.map { [$0] } ?? []
        return "track \(trackID) \(mediaType.name): \(treatment.rawValue), "
            + (parts + language + details).joined(separator: ", ").oneLine
    }
}

extension ExportResult {
    /// What the preset has made of tracks that it encodes anew.
    var changedTracks: [ExportPlan.Track] { tracks.filter { $0.treatment != .passthrough } }

    func line(file: String) -> String {
        var line = "\(file.oneLine): \(actualRange.text), \(byteCount) bytes"
        if actualRange != requestedRange {
            line += "; \(requestedRange.start.secondsText()) s to \(requestedRange.end.secondsText()) s was asked for"
        }
        return line
    }
}

extension ExportProgress {
    /// How fast an export is and how long it will take.
    var details: String {
        var details = ""
        if let speed { details += String(format: ", %.1fx", speed) }
        if let remaining, remaining.isFinite {
            let seconds = Int(remaining.rounded(.up))
            details += String(format: ", %d:%02d left", seconds / 60, seconds % 60)
        }
        return details
    }
}

/// The plan as JSON has it.
struct JSONExportPlan: Encodable {
    struct Track: Encodable {
        let id: Int32
        let mediaType: String
        let treatment: String
        let sourceCodec: String
        let codec: String
        let language: String?
        let details: [String]

        init(_ track: ExportPlan.Track) {
            (id, mediaType, treatment) = (track.trackID, track.mediaType.name, track.treatment.rawValue)
            (sourceCodec, codec) = (track.sourceCodec, track.codec)
            (language, details) = (track.language, track.details)
        }
    }

    struct Segments: Encodable {
        let count: Int
        let starts: [JSONTime?]

        init?(_ times: [CMTime]) {
            guard !times.isEmpty else { return nil }
            (count, starts) = (times.count, times.map { JSONTime($0) })
        }
    }

    let event: String
    let source: String
    let file: String
    let preset: String
    let fileType: String
    let method: String
    let requestedRange: JSONTrack.Range
    let actualRange: JSONTrack.Range?
    let tracks: [Track]
    let losses: [JSONExportLoss]
    let warnings: [String]
    let estimatedSize: Int64?
    let estimatedCoreSeconds: Double?
    let passes: Int
    let segments: Segments?
    let hidden: [JSONHiddenMaterial]
    let removed: [JSONPrivateDetail]

    init(_ plan: ExportPlan, source: String, file: String) {
        event = "plan"
        self.source = source
        self.file = file
        preset = plan.preset
        fileType = plan.fileType.rawValue
        method = plan.method.rawValue
        requestedRange = .init(plan.requestedRange)
        actualRange = plan.actualRange.isValid ? .init(plan.actualRange) : nil
        tracks = plan.tracks.map(Track.init)
        losses = plan.losses.map(JSONExportLoss.init)
        warnings = plan.warnings
        estimatedSize = plan.estimatedByteCount
        estimatedCoreSeconds = plan.estimatedCoreSeconds.map { ($0 * 1000).rounded() / 1000 }
        passes = plan.passes
        segments = Segments(plan.segmentStartTimes)
        hidden = plan.hidden.map(JSONHiddenMaterial.init)
        removed = plan.removed.map(JSONPrivateDetail.init)
    }
}

/// A loss as JSON has it.
struct JSONExportLoss: Encodable {
    let kind: String
    let effect: String
    let item: String
    let reason: String
    let track: Int32?
    let trait: String?
    let foreseen: Bool

    init(_ loss: ExportLoss) {
        (kind, effect, item, reason) = (loss.kind.rawValue, loss.effect.rawValue, loss.item, loss.reason)
        (track, trait, foreseen) = (loss.trackID, loss.trait?.rawValue, loss.isForeseen)
    }
}

/// How far an export has come, as JSON has it.
struct JSONExportProgress: Encodable {
    let event: String
    let source: String
    let fraction: Double
    let time: JSONTime?
    let elapsed: Double
    let remaining: Double?
    let speed: Double?
    let size: UInt64

    init(_ progress: ExportProgress, source: String) {
        event = "progress"
        self.source = source
        fraction = progress.fraction
        time = JSONTime(progress.time)
        elapsed = progress.elapsed
        remaining = progress.remaining
        speed = progress.speed
        size = progress.byteCount
    }
}

/// What was made, as JSON has it.
struct JSONExportResult: Encodable {
    let event: String
    let source: String
    let file: String
    let requestedRange: JSONTrack.Range
    let actualRange: JSONTrack.Range
    let size: UInt64
    let changes: [JSONExportPlan.Track]
    let losses: [JSONExportLoss]
    let warnings: [String]
    let audit: String
    let hidden: [JSONHiddenMaterial]
    let removed: [JSONPrivateDetail]

    init(_ result: ExportResult, source: String, file: String) {
        event = "completed"
        self.source = source
        self.file = file
        requestedRange = .init(result.requestedRange)
        actualRange = .init(result.actualRange)
        size = result.byteCount
        changes = result.changedTracks.map(JSONExportPlan.Track.init)
        losses = result.losses.map(JSONExportLoss.init)
        warnings = result.warnings
        audit = result.auditDepth.rawValue
        hidden = result.hidden.map(JSONHiddenMaterial.init)
        removed = result.removed.map(JSONPrivateDetail.init)
    }
}

/// An export that made nothing, as JSON has it.
struct JSONExportFailure: Encodable {
    let event: String
    let source: String
    let error: JSONError
}

/// What `export --json` prints.
enum JSONExportDocument: ResultDocument {
    case plan(JSONExportPlan)
    case progress(JSONExportProgress)
    case completed(JSONExportResult)
    case piece(JSONPiece)

    var json: any Encodable {
        switch self {
        case .plan(let plan): plan
        case .progress(let progress): progress
        case .completed(let result): result
        case .piece(let piece): piece
        }
    }
}

/// Losses for people: a line for each kind, of what tracks lose one for each track, and no more names than fit on it.
enum LossSummary {
    private static let namesShown = 4

    static func lines(of losses: [ExportLoss]) -> [String] {
        ExportLoss.Effect.inOrder.flatMap { effect in
            ExportLoss.Kind.allCases.flatMap { kind in
                let found = losses.filter { $0.effect == effect && $0.kind == kind }
                guard kind == .media else { return [line(found, effect, kind.plural)].compactMap(\.self) }
                var tracks: [CMPersistentTrackID?] = []
                for loss in found where !tracks.contains(loss.trackID) { tracks.append(loss.trackID) }
                return tracks.compactMap { track in
                    line(
                        found.filter { $0.trackID == track }, effect,
                        track.map { "properties of track \($0)" } ?? kind.plural)
                }
            }
        }
    }

    private static func line(_ losses: [ExportLoss], _ effect: ExportLoss.Effect, _ plural: String) -> String? {
        guard let first = losses.first else { return nil }
        guard losses.count > 1 else { return first.line }
        var seen: Set<String> = []
        let names = losses.map(\.item).filter { seen.insert($0).inserted }
        let shown = names.prefix(namesShown).joined(separator: ", ")
        let reasons = Set(losses.map(\.reason))
        let rest = names.count > namesShown ? " and \(names.count - namesShown) more" : ""
        let why = reasons.count == 1 ? first.reason : "-v tells why"
        return "\(effect.rawValue): \(names.count) \(plural): \(shown)\(rest) (\(why))"
    }
}

extension ExportLoss.Effect {
    fileprivate static let inOrder: [ExportLoss.Effect] = [.lost, .changed]
}

extension ExportLoss.Kind {
    fileprivate var plural: String {
        switch self {
        case .track: "tracks"
        case .media: "properties of tracks"
        case .metadata: "items of metadata"
        case .chapters: "parts of chapters"
        case .attachment: "attachments"
        }
    }
}

/// Lets reports of progress through until the end is told, which none may follow.
final class ProgressGate: Sendable {
    private let isClosed = Mutex(false)

    func pass(_ report: () throws -> Void) throws {
        try isClosed.withLock { isClosed in
            if !isClosed { try report() }
        }
    }

    func close() { isClosed.withLock { $0 = true } }
}
