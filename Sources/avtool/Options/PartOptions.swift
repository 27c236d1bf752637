internal import ArgumentParser
internal import OpenAVFoundation

/// A part of a film: from one time up to another.
struct PartOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only the part from this time on: 90s, 00:01:02.5, 25%, #120, end-20s.", valueName: "time"))
    var from: String?

    @Option(
        help: ArgumentHelp("Only the part up to this time, which is not in it itself.", valueName: "time"))
    var to: String?

    /// Whether there is a part at all.
    var isGiven: Bool { from != nil || to != nil }

    func validate() throws {
        do {
            let start = try from.map { try TimeExpression.parse($0) }
            let end = try to.map { try TimeExpression.parse($0) }
            if case .seconds(let start)? = start, case .seconds(let end)? = end, start >= end {
                throw ValidationError("--from must lie before --to.")
            }
        } catch let error as ValidationError {
            throw error
        } catch {
            throw ValidationError((error as? TimeExpressionError)?.description ?? "\(error)")
        }
    }

    /// - Parameter times: A list of times that was asked for as well.
    func validate(withTimes times: String?) throws {
        guard times == nil || !isGiven else {
            throw ValidationError("--at names its times itself; --from and --to go with the other ways to choose.")
        }
    }

    /// The part of a film; `nil` for all of it.
    func range(of asset: AVURLAsset) async throws -> CMTimeRange? {
        guard isGiven else { return nil }
        return try await range(of: asset, try await asset.loadDescription())
    }

    /// The part of a film that is described already; `nil` for all of it.
    ///
    /// - Throws: A failure if the part begins at or after its end or the film's.
    func range(of asset: AVURLAsset, _ description: AssetDescription) async throws -> CMTimeRange? {
        guard isGiven else { return nil }
        let start = try await time(from ?? "start", of: asset)
        var end = description.duration.isNumeric ? description.duration : .positiveInfinity
        if start >= end {
            throw Failure(
                .badInput, "invalidTime",
                "--from \(from ?? "") lies beyond the end: the duration is \(end.secondsText()) s")
        }
        if let to { end = min(end, try await time(to, of: asset)) }
        guard start < end else {
            throw Failure(.usage, "usage", "--from \(from ?? "start") does not lie before --to \(to ?? "end")")
        }
        return CMTimeRange(start: start, end: end)
    }

    private func time(_ text: String, of asset: AVURLAsset) async throws -> CMTime {
        try await asset.loadTime(of: TimeExpression.parse(text))
    }
}
