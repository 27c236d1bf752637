internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// Which parts of a film an export keeps.
struct ExportCut: Codable, Sendable {
    private let written: [Written<TimeRangeExpression>]
    private let isInverted: Bool
    /// What another program says of it.
    private let list: CutListFile?
    /// Whether each part becomes a file.
    let isSplit: Bool

    /// One range, or all of the film.
    init(_ range: Written<TimeRangeExpression>? = nil) {
        (written, isInverted, isSplit, list) = (range.map { [$0] } ?? [], false, false, nil)
    }

    init(_ choice: ExportChoiceOptions) throws {
        (written, isInverted, isSplit) = (choice.range, choice.invert, choice.split)
        list = try choice.segments.map { CutListFile(name: $0, bytes: [UInt8](try InputDocument.read($0))) }
        if written.isEmpty, list == nil, isInverted || isSplit {
            throw Failure(.usage, "\(isInverted ? "--invert" : "--split") needs ranges: --range or --segments")
        }
    }

    /// Whether parts are put together, or taken apart, rather than one kept.
    var isEdit: Bool { written.count > 1 || list != nil || isInverted || isSplit }

    /// The parts that are kept, in order; empty for all of the film.
    ///
    /// - Throws: A failure for parts that overlap or reach beyond the end.
    func ranges(of asset: AVURLAsset) async throws -> [CMTimeRange] {
        guard isEdit else {
            guard let only = written.first else { return [] }
            return [try await asset.loadTimeRange(of: only.get())]
        }
        let description = try await asset.loadDescription()
        let duration = description.duration
        if let list { return try list.ranges(of: description, isInverted: isInverted) }
        var ranges: [CMTimeRange] = []
        for text in written {
            let range = try await asset.loadTimeRange(of: text.get())
            guard range.start < duration, range.end - duration <= Self.slack else {
                throw Failure(
                    .invalidTime, "\(text.text): lies beyond the end: the duration is \(duration.durationText()) s")
            }
            ranges.append(CMTimeRange(start: range.start, end: min(range.end, duration)))
        }
        if let (first, second) = ranges.firstOverlap {
            throw Failure(.usage, "--range \(written[first].text) and --range \(written[second].text) overlap")
        }
        guard isInverted else { return ranges }
        let rest = ranges.gaps(in: CMTimeRange(start: .zero, duration: duration))
        guard !rest.isEmpty else { throw Failure(.usage, "nothing is left of the film") }
        return rest
    }

    /// How far beyond the end a part may reach: a tick of a coarse timescale is no excess.
    private static let slack = CMTime(value: 1, timescale: 500)
}
