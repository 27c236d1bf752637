internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// The plan as JSON has it.
struct JSONExportPlan: Codable {
    struct Track: Codable {
        let id: Int32
        let mediaType: String
        let treatment: String
        let sourceCodec: String
        let codec: String
        let language: String?
        let details: [String]
    }

    struct Segments: Codable {
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
        tracks = plan.tracks.map {
            Track(
                id: $0.trackID, mediaType: $0.mediaType.name, treatment: $0.treatment.rawValue,
                sourceCodec: $0.sourceCodec, codec: $0.codec, language: $0.language, details: $0.details)
        }
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
struct JSONExportLoss: Codable {
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
struct JSONExportProgress: Codable {
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
struct JSONExportResult: Codable {
    let event: String
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
        event = "completed"
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
struct JSONExportFailure: Codable {
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
