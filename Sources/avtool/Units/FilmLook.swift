internal import AVToolCommands
internal import Foundation
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
    func facts(_ begun: BegunWorker?) throws -> (facts: [FilmFacts?], libraries: [String]) {
        let source = (planned.command as? any SourceReading)?.source
        let allowed = (source?.allowFormat ?? []).flatMap { ["--allow-format", $0] }
        var (facts, libraries, begun): ([FilmFacts?], [String], BegunWorker?) = ([], [], begun)
        for part in batches {
            let (films, tally) = try rows(of: JSONFilm.self, by: ["info", "--json"] + allowed + ["--"] + part, begun)
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
    private func addExports(to facts: inout [FilmFacts?]) throws {
        for part in batches {
            var plans: [String: [JSONExportPlan]] = [:]
            let arguments = planned.arguments + ["--dry-run", "--json", "--"] + part
            for plan in try rows(of: JSONExportPlan.self, by: arguments, nil).0 {
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
private struct JSONFilm: Decodable {
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
    var facts: FilmFacts? {
        guard let tracks else { return nil }
        var facts = FilmFacts()
        facts.seconds = duration?.seconds ?? 0
        facts.byteCount = Double(size ?? 0)
        guard let video = tracks.first(where: { $0.mediaType == "video" }) else { return facts }
        facts.pixels = video.codedSize.map { Double($0.width) * Double($0.height) } ?? 0
        if let rate = video.nominalFrameRate, rate > 0, rate < 1000 { facts.framesPerSecond = rate }
        return facts
    }
}

/// What `export --dry-run --json` prints.
private struct JSONExportPlan: Decodable {
    struct Segments: Decodable { let count: Int }
    let source: String
    let estimatedCoreSeconds: Double?
    let segments: Segments?
}
