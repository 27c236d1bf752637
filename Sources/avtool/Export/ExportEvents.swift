internal import Foundation
internal import OpenAVFoundation
internal import Synchronization

/// Says how an export goes: to people in lines, to programs in JSON.
final class ExportEvents: Sendable {
    let source: String
    private let isJSON: Bool
    private let isVerbose: Bool
    private let hasEnded = Mutex(false)

    init(source: String, isJSON: Bool, isVerbose: Bool = false) {
        (self.source, self.isJSON, self.isVerbose) = (source, isJSON, isVerbose)
    }

    func plan(_ plan: ExportPlan, file: String) throws {
        if isJSON { return try JSONLine.print(JSONExportPlan(plan, source: source, file: file)) }
        for line in plan.lines(file: file) { try Console.print(line) }
        for detail in plan.removed { try Console.print("  left out: \(detail.line)") }
        report(plan.losses)
        report(plan.warnings)
    }

    func progress(_ progress: ExportProgress) throws {
        // A report that comes late must not follow the end.
        try hasEnded.withLock { hasEnded in
            if !hasEnded { try JSONLine.print(JSONExportProgress(progress, source: source)) }
        }
    }

    func completed(_ result: ExportResult, file: String) throws {
        hasEnded.withLock { $0 = true }
        report(result.losses)
        report(result.warnings)
        if isJSON { return try JSONLine.print(JSONExportResult(result, source: source, file: file)) }
        guard file != "-" else { return }
        try Console.print(result.line(source: source, file: file))
        for hidden in result.hidden { try Console.print("  \(hidden.line)") }
        for detail in result.removed { try Console.print("  left out: \(detail.line)") }
    }

    func failed(_ failure: Failure) throws {
        hasEnded.withLock { $0 = true }
        guard isJSON else { return }
        try JSONLine.print(
            JSONExportFailure(
                event: failure.code == .interrupted ? "cancelled" : "failed", source: source, error: JSONError(failure))
        )
    }

    private func report(_ warnings: [String]) {
        for warning in warnings { Console.error("avtool: \(source.oneLine): \(warning.oneLine)") }
    }

    private func report(_ losses: [ExportLoss]) {
        for line in isVerbose ? losses.map(\.line) : LossSummary.lines(of: losses) {
            Console.error("avtool: \(source.oneLine): \(line.oneLine)")
        }
    }
}

extension ExportPlan {
    /// The plan for people.
    func lines(file: String) -> [String] {
        var lines = ["\(file.oneLine): \(fileType.name), \(method.text)"]
        let range = actualRange.isValid ? actualRange : requestedRange
        lines.append(
            "  range \(requestedRange.text)"
                + (range == requestedRange ? "" : ", really \(range.text)"))
        for track in tracks {
            let parts = [track.codec == track.sourceCodec ? track.codec : "\(track.sourceCodec) to \(track.codec)"]
            let language = track.language.map { [$0] } ?? []
            lines.append(
                "  track \(track.trackID) \(track.mediaType.name): \(track.treatment.rawValue), "
                    + (parts + language + track.details).joined(separator: ", ").oneLine)
        }
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
    fileprivate var line: String { "track \(trackID) keeps \(text), hidden by the edit list" }
}

extension ExportResult {
    func line(source: String, file: String) -> String {
        var line = "\(file.oneLine): \(actualRange.text), \(byteCount) bytes"
        if actualRange != requestedRange {
            line += "; \(requestedRange.start.secondsText()) s to \(requestedRange.end.secondsText()) s was asked for"
        }
        return line
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
    }

    let event = "plan"
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
    let passes: Int
    let hidden: [JSONHiddenMaterial]
    let removed: [JSONPrivateDetail]

    init(_ plan: ExportPlan, source: String, file: String) {
        self.source = source
        self.file = file
        preset = plan.preset
        fileType = plan.fileType.rawValue
        method = plan.method.rawValue
        requestedRange = .init(plan.requestedRange)
        actualRange = plan.actualRange.isValid ? .init(plan.actualRange) : nil
        tracks = plan.tracks.map {
            Track(
                id: $0.trackID, mediaType: $0.mediaType.name, treatment: $0.treatment.rawValue,
                sourceCodec: $0.sourceCodec, codec: $0.codec, language: $0.language, details: $0.details)
        }
        losses = plan.losses.map(JSONExportLoss.init)
        warnings = plan.warnings
        estimatedSize = plan.estimatedByteCount
        passes = plan.passes
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
    let event = "progress"
    let source: String
    let fraction: Double
    let time: JSONTime?
    let elapsed: Double
    let remaining: Double?
    let speed: Double?
    let size: UInt64

    init(_ progress: ExportProgress, source: String) {
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
    let event = "completed"
    let source: String
    let file: String
    let requestedRange: JSONTrack.Range
    let actualRange: JSONTrack.Range
    let size: UInt64
    let losses: [JSONExportLoss]
    let warnings: [String]
    let audit: String
    let hidden: [JSONHiddenMaterial]
    let removed: [JSONPrivateDetail]

    init(_ result: ExportResult, source: String, file: String) {
        self.source = source
        self.file = file
        requestedRange = .init(result.requestedRange)
        actualRange = .init(result.actualRange)
        size = result.byteCount
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
