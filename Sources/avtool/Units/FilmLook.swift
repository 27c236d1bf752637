internal import AVToolCommands
internal import Foundation
internal import MediaIsolation
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
        let films = planned.films
        var (facts, libraries, begun): ([FilmFacts?], [String], BegunWorker?) = ([], [], begun)
        for start in stride(from: 0, to: films.count, by: Self.batchCount) {
            let part = films[start..<min(films.count, start + Self.batchCount)]
            let (rows, tally) = try rows(of: ["info", "--json"] + allowed + ["--"] + part, begun)
            begun = nil
            libraries = tally.libraries
            facts += rows.compactMap { try? JSONDecoder().decode(JSONFilm.self, from: $0) }.map(\.facts)
            guard facts.count == start + part.count else {
                throw Failure(signals.isRequested ? .cancelled : .internalError, "the films could not be looked at")
            }
        }
        return (facts, libraries)
    }

    /// What an export's own plan says of a film: how much of it is kept, and in how many segments.
    func exportFacts(_ film: String, _ facts: FilmFacts) throws -> FilmFacts {
        var facts = facts
        let (rows, _) = try rows(of: planned.arguments + ["--dry-run", "--json", "--", film], nil)
        for plan in rows.compactMap({ try? JSONDecoder().decode(JSONExportPlan.self, from: $0) }) {
            if let seconds = plan.actualRange?.duration?.seconds { facts.seconds = seconds }
            facts.segments = max(1, plan.segments?.count ?? 1)
        }
        return facts
    }

    private func rows(of arguments: [String], _ begun: BegunWorker?) throws -> ([Data], RunTally) {
        let output = Mutex<[UInt8]>([])
        // What cannot be read is told by the unit that is to read it.
        let listener = RunListener(output: { bytes in output.withLock { $0 += bytes } }, diagnostics: { _ in })
        let tally = try InnerRun(options, signals, listener).run(arguments, begun)
        guard !signals.isRequested else { throw Failure(.cancelled, "interrupted") }
        return (output.withLock { Data($0) }.split(separator: UInt8(ascii: "\n")), tally)
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
    struct Range: Decodable { let duration: JSONFilm.Time? }
    struct Segments: Decodable { let count: Int }
    let actualRange: Range?
    let segments: Segments?
}
