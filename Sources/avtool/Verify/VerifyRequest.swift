internal import OpenAVFoundation

/// A film whose stills are to be compared with a linear decode.
struct VerifyRequest: FileRequest {
    let source: MediaSource
    /// Requests in each order.
    let sampleCount: Int
    let part: FilmPart

    static var heading: String { row("file", "frames", "asked", "wrong", "refused", "verdict") }

    func run(in work: Work<JSONVerification>) async throws -> FileReport<JSONVerification> {
        let asset = source.asset()
        let report = try await AVAssetImageGenerator(asset: asset).verifyFrames(
            samples: sampleCount, part: try await part.range(of: asset)
        ) { work.progress($0, "") }
        return FileReport(
            document: JSONVerification(source.file, report), lines: lines(report),
            flaw: report.isPassed ? nil : Failure(.verificationFailed, "not all frames are right"))
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
            lines.append("    the linear decode ended before the end of the file: \(reason.oneLine)")
        }
        if report.wrongNumbers > 0 { lines.append("    \(report.wrongNumbers) frame numbers are wrong") }
        lines += report.findings.prefix(5).map { finding in
            "    at \(finding.requestedTime.secondsText()) s: \(finding.reason.oneLine)"
                + " (frame of \(finding.expectedTime.secondsText()) s)"
        }
        if report.findings.count > 5 { lines.append("    … \(report.wrong + report.refused - 5) more") }
        return lines
    }

    private static func row(_ file: String, _ rest: String...) -> String {
        let name = file.count < 44 ? file + String(repeating: " ", count: 44 - file.count) : file
        return name + rest.map { String(repeating: " ", count: max(1, 9 - $0.count)) + $0 }.joined()
    }
}
