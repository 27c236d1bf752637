internal import OpenAVFoundation

/// A verification as JSON has it.
struct JSONVerification: ResultDocument {
    struct Finding: Codable {
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
