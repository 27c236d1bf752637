internal import ArgumentParser
internal import Foundation
internal import OpenAVFoundation

/// `avtool verify`: random access against a linear decode.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Compare stills at random times with a linear decode of the same file.",
        discussion: """
            Decodes each file once from start to end and hashes every frame, then asks for frames by time, in random \
            and in ascending order. "wrong" counts answers with another frame or other pixels; "refused" counts \
            pictures that cannot be had undamaged. The numbers of frames are compared too. Exits with 65 if any request was not answered rightly.
            """)

    @OptionGroup var source: SourceOptions
    @OptionGroup var tracks: TrackOptions

    @Option(help: ArgumentHelp("Requests in each order; every frame if there are no more frames.", valueName: "n"))
    var samples = 200

    @OptionGroup var part: PartOptions

    @Flag(help: "Print JSON Lines, one object for each file.")
    var json = false

    func validate() throws {
        guard (1...1_000_000).contains(samples) else { throw ValidationError("--samples takes 1 to 1000000.") }
    }

    func run() async throws {
        let command = self
        try await Interruption.cancelling { try await command.verifyAll() }
    }

    private func verifyAll() async throws {
        Console.expect(source.files)
        var failures = FailureLog()
        if !json { try Console.print(Self.row("file", "frames", "asked", "wrong", "refused", "verdict")) }
        for file in source.files {
            do {
                let asset = source.asset(file, track: tracks.track)
                let generator = AVAssetImageGenerator(asset: asset)
                let range = try await part.range(of: asset)
                let report = try await generator.verifyFrames(samples: samples, part: range) {
                    Console.progress(file, $0)
                }
                try json ? JSONLine.print(JSONVerification(file, report)) : printText(file, report)
                if !report.isPassed {
                    failures.note(Failure(.badInput, "verificationFailed", "not all frames are right"))
                }
            } catch {
                let failure = try failures.report(error, file: file)
                if json { try JSONLine.print(JSONFailedSource(source: file, error: JSONError(failure))) }
                if failure.code == .interrupted { break }
            }
        }
        try failures.exitIfNeeded()
    }

    private func printText(_ file: String, _ report: FrameVerification) throws {
        let verdict =
            report.wrong > 0 || report.wrongNumbers > 0
            ? "WRONG"
            : report.readFailure != nil
                ? "cut short" : report.refused == 0 ? "exact" : report.refusedInVain > 0 ? "refused in vain" : "damaged"
        try Console.print(
            Self.row(
                file.oneLine, "\(report.frames)", "\(report.asked)", "\(report.wrong)", "\(report.refused)", verdict))
        if let reason = report.readFailure {
            try Console.print("    the linear decode ended before the end of the file: \(reason.oneLine)")
        }
        if report.wrongNumbers > 0 {
            try Console.print("    \(report.wrongNumbers) frame numbers are wrong")
        }
        for finding in report.findings.prefix(5) {
            try Console.print(
                "    at \(finding.requestedTime.secondsText()) s: \(finding.reason.oneLine)"
                    + " (frame of \(finding.expectedTime.secondsText()) s)")
        }
        if report.findings.count > 5 { try Console.print("    … \(report.wrong + report.refused - 5) more") }
    }

    private static func row(_ file: String, _ rest: String...) -> String {
        let name = file.count < 44 ? file + String(repeating: " ", count: 44 - file.count) : file
        return name + rest.map { String(repeating: " ", count: max(1, 9 - $0.count)) + $0 }.joined()
    }
}

/// A verification as JSON has it.
private struct JSONVerification: Encodable {
    struct Finding: Encodable {
        let requested: JSONTime?
        let expected: JSONTime?
        let actual: JSONTime?
        let reason: String
    }

    let source: String
    let frames: Int
    let damagedFrames: Int
    let asked: Int
    let wrong: Int
    let refused: Int
    let refusedInVain: Int
    let wrongNumbers: Int
    let readFailure: String?
    let passed: Bool
    let findings: [Finding]

    init(_ source: String, _ report: FrameVerification) {
        self.source = source
        frames = report.frames
        damagedFrames = report.damagedFrames
        asked = report.asked
        wrong = report.wrong
        refused = report.refused
        refusedInVain = report.refusedInVain
        wrongNumbers = report.wrongNumbers
        readFailure = report.readFailure
        passed = report.isPassed
        findings = report.findings.map {
            Finding(
                requested: JSONTime($0.requestedTime), expected: JSONTime($0.expectedTime),
                actual: JSONTime($0.actualTime), reason: $0.reason)
        }
    }
}
