internal import AVToolCommands
internal import Foundation
internal import MediaCore
internal import MediaIO
internal import Synchronization

/// Looks at films to tell what work on them costs.
struct FilmLook {
    private let options: CommandLineOptions
    private let signals: SignalWatch
    private let planned: PlannedCommand
    /// How many films are looked at by one worker.
    private static let batchCount = 4096

    init(_ options: CommandLineOptions, _ planned: PlannedCommand, _ signals: SignalWatch) {
        (self.options, self.planned, self.signals) = (options, planned, signals)
    }

    /// What there is to know of each film, as far as it can be read, and the versions of the media libraries.
    func facts(_ begun: BegunWorker?) throws -> (facts: [CostFactors?], libraries: [String]) {
        let source = (planned.command as? any SourceReading)?.source
        let allowed = (source?.allowFormat ?? []).flatMap { ["--allow-format", $0] }
        var (facts, libraries, begun): ([CostFactors?], [String], BegunWorker?) = ([], [], begun)
        for part in batches {
            let (films, tally) = try rows(of: InfoRow.self, by: ["info", "--json"] + allowed + ["--"] + part, begun)
            (begun, libraries) = (nil, tally.libraries)
            facts += films.map(\.facts)
            guard facts.count == part.endIndex else {
                throw Failure(.internalError, "the films could not be looked at")
            }
        }
        if planned.command is ExportCommand { try addExports(to: &facts) }
        return (facts, libraries)
    }

    private var batches: [ArraySlice<String>] {
        let films = planned.films
        return stride(from: 0, to: films.count, by: Self.batchCount).map { start in
            films[start..<min(films.count, start + Self.batchCount)]
        }
    }

    /// Adds what an export's own plan says of each film.
    private func addExports(to facts: inout [CostFactors?]) throws {
        for part in batches {
            var plans: [String: [ExportPlanRow]] = [:]
            let arguments = planned.arguments + ["--dry-run", "--json", "--"] + part
            for plan in try rows(of: ExportPlanRow.self, by: arguments, nil).0 {
                plans[plan.source, default: []].append(plan)
            }
            for index in part.indices {
                // A name with bytes that are no text stands otherwise in JSON.
                let plan = plans[part[index].withVisiblePathBytes(mark: "\\x")]?.first
                facts[index]?.exportCoreSeconds = plan?.estimatedCoreSeconds
                facts[index]?.segments = max(1, plan?.segments?.count ?? 1)
            }
        }
    }

    /// - Returns: The lines that a command prints, as far as they are of a kind.
    private func rows<Row: Decodable>(
        of kind: Row.Type, by arguments: [String], _ begun: BegunWorker?
    ) throws -> ([Row], RunTally) {
        let output = Mutex<[UInt8]>([])
        // What cannot be read is told by the unit that is to read it.
        let listener = RunListener(output: { bytes in output.withLock { $0 += bytes } }, diagnostics: { _ in })
        let tally = try InnerRun(options, signals, listener).run(arguments, begun)
        guard !signals.isRequested else { throw Failure(.cancelled, "interrupted") }
        let lines = output.withLock { Data($0) }.split(separator: UInt8(ascii: "\n"))
        return (lines.compactMap { try? JSONDecoder().decode(kind, from: $0) }, tally)
    }
}

/// What `info --json` prints, as far as costs depend on it.
private struct InfoRow: Decodable {
    struct Time: Decodable { let seconds: Double? }
    struct Size: Decodable {
        let width: Int
        let height: Int
    }
    struct Track: Decodable {
        let mediaType: String
        let codedSize: Size?
        let nominalFrameRate: Double?
    }

    let duration: Time?
    let size: Int64?
    let tracks: [Track]?

    /// `nil` for a film that could not be read.
    var facts: CostFactors? {
        guard let tracks else { return nil }
        var facts = CostFactors()
        facts.seconds = duration?.seconds ?? 0
        facts.byteCount = Double(size ?? 0)
        guard let video = tracks.first(where: { $0.mediaType == "video" }) else { return facts }
        facts.pixels = video.codedSize.map { Double($0.width) * Double($0.height) } ?? 0
        if let rate = video.nominalFrameRate, rate > 0, rate < 1000 { facts.framesPerSecond = rate }
        return facts
    }
}

/// What `export --dry-run --json` prints.
private struct ExportPlanRow: Decodable {
    struct Segments: Decodable { let count: Int }
    let source: String
    let estimatedCoreSeconds: Double?
    let segments: Segments?
}

/// What a unit is held to cost, within a factor of about two; docs/scale.md has what it was measured by.
struct UnitCost: Codable, Hashable {
    /// Seconds of one processor core.
    var coreSeconds: Double
    /// Bytes of the largest process.
    var memory: Int64

    init(coreSeconds: Double, memory: Int64) { (self.coreSeconds, self.memory) = (coreSeconds, memory) }

    /// Work that is done in a row.
    static func + (first: UnitCost, second: UnitCost) -> UnitCost {
        UnitCost(coreSeconds: first.coreSeconds + second.coreSeconds, memory: max(first.memory, second.memory))
    }

    /// One of several shares.
    func share(of count: Int) -> UnitCost { UnitCost(coreSeconds: coreSeconds / Double(count), memory: memory) }

    var rounded: UnitCost { UnitCost(coreSeconds: (coreSeconds * 1000).rounded() / 1000, memory: memory) }
}

/// What has to be known of a film for the cost of work on it.
struct CostFactors {
    var seconds = 0.0
    var pixels = 0.0
    var framesPerSecond = 25.0
    var byteCount = 0.0
    /// Of an export, by its own plan: what it takes of a core, and into how many segments its pictures are divided.
    var exportCoreSeconds: Double?
    var segments = 1

    private var frames: Double { seconds * framesPerSecond }

    /// Seconds of one core for each pixel, measured with FFmpeg 5.1.
    private enum PerPixel {
        static let decoding = 2.5e-9
        static let comparing = 1.1e-9
        static let seeking = 8e-9
        static let png = 30e-9
    }

    private static let opening = 0.06
    private static let stillsOfSheet = 20.0
    private static let drawing = 0.2
    private static let secondsPerByte = 1e-9
    private static let processMemory: Int64 = 60 << 20
    /// What is held at a time, in pictures of three bytes for each pixel: by decoders, and by an encoder that looks ahead as well.
    private static let (picturesDecoded, picturesEncoded) = (20.0, 84.0)

    /// What the work of a command on the film costs.
    func cost(of command: any SeveralFilesCommand) -> UnitCost {
        let seconds: Double =
            switch command {
            case let command as ThumbsCommand: stills(command) * (PerPixel.seeking + PerPixel.png) * pixels
            case let command as StoryboardCommand: tiles(command) * (0.01 + PerPixel.seeking * pixels)
            case is SheetCommand: Self.drawing + Self.stillsOfSheet * (0.01 + PerPixel.seeking * pixels)
            case is VerifyCommand: frames * pixels * (PerPixel.decoding + PerPixel.comparing)
            case is ScenesCommand: frames * pixels * PerPixel.decoding
            case is ExportCommand: exportCoreSeconds ?? 0
            default: byteCount * Self.secondsPerByte
            }
        let pictures = command is ExportCommand ? Self.picturesEncoded : Self.picturesDecoded
        let memory = Self.processMemory + Int64(min(1e12, pixels * 3 * pictures))
        return UnitCost(coreSeconds: Self.opening + min(seconds, 1e12), memory: memory)
    }

    /// How many shares a film's work can have at most; 1 where it cannot be shared.
    func mostPieces(of command: any SeveralFilesCommand) -> Int {
        switch command {
        case let command as ThumbsCommand:
            command.scenes.scenes || command.covers.cover || command.streams ? 1 : pieces(stills(command))
        case let command as StoryboardCommand: pieces(tiles(command))
        case let command as SheetCommand: command.times.scenes.scenes ? 1 : Int(Self.stillsOfSheet)
        case is ExportCommand: segments
        default: 1
        }
    }

    private func pieces(_ count: Double) -> Int { max(1, Int(min(Double(WorkPiece.maximumCount), count))) }

    private func stills(_ command: ThumbsCommand) -> Double {
        if let times = try? command.at?.get() { return Double(times.entries.count) }
        if let step = try? command.every?.time() { return max(1, seconds / max(step.seconds, 1e-6)) }
        if let count = command.count { return Double(count) }
        return max(1, seconds / 2)
    }

    private func tiles(_ command: StoryboardCommand) -> Double {
        let step = (try? command.every?.time())?.seconds ?? min(10, max(0.5, seconds / 100))
        return max(1, seconds / max(step, 1e-6))
    }
}
