internal import ArgumentParser
internal import OpenAVFoundation

/// Whether frames that stand for what is around them are taken, and from how far.
struct RepresentativeOptions: ParsableArguments {
    @Flag(
        help: "Take the frame that stands best for what is around each time: not black, flat, blurred or a transition.")
    var representative = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How far a representative frame may lie from its time; 2s if not given, less where times lie closer.",
            valueName: "duration"))
    var window: String?

    func validate() throws {
        do {
            if let window, try DurationExpression.parse(window) <= .zero {
                throw ValidationError("--window takes a duration above zero.")
            }
        } catch let error as TimeExpressionError {
            throw ValidationError(error.description)
        }
        guard window == nil || representative else { throw ValidationError("--window goes with --representative.") }
    }

    /// The window asked for; zero where the very frame is wanted.
    func wantedWindow() throws -> CMTime {
        guard representative else { return .zero }
        return try window.map { try DurationExpression.parse($0) } ?? CMTime(value: 2, timescale: 1)
    }
}
