internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

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
