internal import AVToolCommands
internal import Foundation
internal import MediaIO

/// How the work on the files of a run ended.
struct RunTally {
    /// How many files there are.
    var files = 0
    /// How many were worked on without a failure.
    var done = 0
    /// How many of these had results already, which stay.
    var kept = 0
    /// How many failed.
    var failed = WorkEnd.FailureCounts()
    /// The exit code: that of the first failure.
    var code: Int32 = 0
    /// The versions of the media libraries.
    var libraries: [String] = []
    /// Whether the rest of the files would fail as well.
    var isOver = false

    /// Takes in what came after.
    mutating func add(_ other: RunTally) {
        done += other.done
        kept += other.kept
        failed.never += other.failed.never
        failed.later += other.failed.later
        failed.elsewhere += other.failed.elsewhere
        if code == 0 || other.code == 130 { code = other.code }
        isOver = isOver || other.isOver
    }

    /// Whether there is nothing that could come out otherwise another time or elsewhere.
    var isSettled: Bool { left == 0 && failed.later + failed.elsewhere == 0 && !isOver && ![64, 130].contains(code) }

    /// How many files nobody came to.
    private var left: Int { max(0, files - done - failed.total) }

    /// A line for people.
    var line: String {
        var parts = ["\(done) done" + (kept > 0 ? " (\(kept) before)" : "")]
        if failed.total > 0 {
            let useful = [(failed.later, "to be tried later"), (failed.elsewhere, "to be tried with more memory")]
                .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
            parts.append("\(failed.total) failed" + (useful.isEmpty ? "" : " (\(useful.joined(separator: ", ")))"))
        }
        if left > 0 { parts.append("\(left) left") }
        return "avtool: \(files) file\(files == 1 ? "" : "s"): \(parts.joined(separator: ", "))"
    }

    /// The object for programs.
    func json(seconds: Double) -> any Encodable { JSONSummary(self, left: left, seconds: seconds) }
}

/// What `--summary` prints.
private struct JSONSummary: Encodable {
    let event = "summary"
    let files: Int
    let done: Int
    /// How many of these had results of an earlier run, which stay.
    let kept: Int
    let failed: Int
    /// How many files nobody came to.
    let left: Int
    /// How many of those that failed are of which kind.
    let retry: [String: Int]
    let exitCode: Int32
    let seconds: Double

    init(_ tally: RunTally, left: Int, seconds: Double) {
        (files, done, kept) = (tally.files, tally.done, tally.kept)
        (failed, self.left) = (tally.failed.total, left)
        retry = [
            Retry.never.rawValue: tally.failed.never, Retry.later.rawValue: tally.failed.later,
            Retry.elsewhere.rawValue: tally.failed.elsewhere,
        ]
        (exitCode, self.seconds) = (tally.code, (seconds * 1000).rounded() / 1000)
    }
}
