internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A film whose stills are to be compared with a linear decode.
struct VerifyRequest: FileRequest {
    let source: MediaSource
    /// Requests in each order.
    let sampleCount: Int
    let part: FilmPart

    static var heading: String { row("file", "frames", "asked", "wrong", "refused", "verdict") }

    func run(in work: Work<JSONVerification>) async throws -> FileReport<JSONVerification> {
        let asset = try source.asset()
        let report = try await AVAssetImageGenerator(asset: asset).verifyFrames(
            samples: sampleCount, part: try await part.range(of: asset)
        ) { work.progress($0, "") }
        return FileReport(
            document: JSONVerification(source.file, report), lines: lines(report),
            flaw: flaw(report))
    }

    private func flaw(_ report: FrameVerification) -> Failure? {
        guard !report.isPassed else { return nil }
        guard report.wrong == 0, report.wrongNumbers == 0, report.refused == 0, let reason = report.readFailure else {
            return Failure(.verificationFailed, "not all frames are right")
        }
        return Failure(.truncated, reason)
    }

    private func lines(_ report: FrameVerification) -> [String] {
        let verdict =
            report.wrong > 0 || report.wrongNumbers > 0
            ? "WRONG"
            : report.readFailure != nil
                ? "cut short" : report.refused == 0 ? "exact" : report.refusedInVain > 0 ? "refused in vain" : "damaged"
        var lines = [
            Self.row(
                source.file.oneLine, "\(report.frames)", "\(report.asked)", "\(report.wrong)", "\(report.refused)",
                verdict)
        ]
        if let reason = report.readFailure {
            lines.append("    \(reason.oneLine)")
            lines.append("    \(Self.extent(report))")
        }
        if report.wrongNumbers > 0 { lines.append("    \(report.wrongNumbers) frame numbers are wrong") }
        lines += report.findings.prefix(5).map { finding in
            "    at \(finding.requestedTime.secondsText()) s: \(finding.reason.oneLine)"
                + " (frame of \(finding.expectedTime.secondsText()) s)"
        }
        if report.findings.count > 5 { lines.append("    … \(report.wrong + report.refused - 5) more") }
        return lines
    }

    /// How much of a file that is cut short could be read, of how much.
    private static func extent(_ report: FrameVerification) -> String {
        let frames =
            report.listedFrames.map { "\(report.frames) of the \($0) frames that its index lists" }
            ?? "\(report.frames) frames"
        guard report.readEnd.isNumeric else { return "\(frames) could be read" }
        let end = "\(frames) could be read, up to \(report.readEnd.secondsText()) s"
        guard report.statedDuration.isNumeric, report.statedDuration > report.readEnd else { return end }
        return "\(end) of the \(report.statedDuration.secondsText()) s that it says to last"
    }

    private static func row(_ file: String, _ rest: String...) -> String {
        let name = file.count < 44 ? file + String(repeating: " ", count: 44 - file.count) : file
        return name + rest.map { String(repeating: " ", count: max(1, 9 - $0.count)) + $0 }.joined()
    }
}

extension VerifyCommand: FileWorking {
    func prepared() throws -> FileWork<JSONVerification> {
        { file, work in
            if !json, work.index == 0 { try WorkerConsole.print(VerifyRequest.heading) }
            return try await VerifyRequest(
                source: source.source(file, track: tracks.track, indexes: indexes, open: WorkerFiles.open),
                sampleCount: samples,
                part: part.part
            ).run(in: work)
        }
    }
}

/// A verification as JSON has it.
struct JSONVerification: ResultDocument {
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
    let listedFrames: Int?
    let readEnd: JSONTime?
    let statedDuration: JSONTime?
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
        listedFrames = report.listedFrames
        readEnd = JSONTime(length: report.readEnd)
        statedDuration = JSONTime(length: report.statedDuration)
        passed = report.isPassed
        findings = report.findings.map {
            Finding(
                requested: JSONTime($0.requestedTime), expected: JSONTime($0.expectedTime),
                actual: JSONTime($0.actualTime), reason: $0.reason)
        }
    }
}
