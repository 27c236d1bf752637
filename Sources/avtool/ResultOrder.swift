internal import AVToolCommands
internal import Foundation
internal import MediaCore
internal import MediaIO

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Which pieces of work wait for which, because both may give a result the same name, or change the same file.
///
/// Of two results of one name, that of the file that comes first is made and the other is refused; so it must not be left
/// to chance which is tried first.
struct ResultOrder {
    /// For each piece of work, earlier ones that have to have ended.
    private(set) var before: [[Int]]

    private struct Name {
        let key: [UInt8]
        let job: Int
    }

    /// - Parameters:
    ///   - jobs: Which files each piece of work is on.
    ///   - grants: What each file's work may do.
    init(of jobs: [Range<Int>], _ grants: [FileGrants]) {
        before = Array(repeating: [], count: jobs.count)
        guard jobs.count > 1 else { return }
        var rules: [[(rule: ResultRule, job: Int)]] = []
        var changed: [FileIdentity: [Int]] = [:]
        for (job, files) in jobs.enumerated() {
            for grant in grants[files] {
                for (position, rule) in grant.results.enumerated() {
                    if position == rules.count { rules.append([]) }
                    rules[position].append((rule, job))
                }
                for identity in Set(grant.changeable.compactMap { FileIdentity(path: $0) }) {
                    changed[identity, default: []].append(job)
                }
            }
        }
        for related in changed.values { link(related) }
        for same in rules { link(namedBy: same) }
    }

    /// Has each piece of work wait for that before it.
    private mutating func link(_ related: [Int]) {
        let sorted = Set(related).sorted()
        for (earlier, later) in zip(sorted, sorted.dropFirst()) where before[later].last != earlier {
            before[later].append(earlier)
        }
    }

    /// Relates names of which one may be the other: those whose beginnings, or where these are all alike, whose ends allow
    /// for it.
    ///
    /// - Parameter rules: What one pattern makes of all files.
    private mutating func link(namedBy rules: [(rule: ResultRule, job: Int)]) {
        guard let first = rules.first?.rule else { return }
        // A folder that holds all results, and has their names in another rule.
        if first.literals.count == 1, rules.allSatisfy({ $0.rule == first }), isFolder(first.literals[0]) { return }
        let beginsAlike = rules.allSatisfy { $0.rule.literals.first == first.literals.first }
        let names = rules.map { rule, job in
            let literal = beginsAlike ? rule.literals.last : rule.literals.first
            let bytes = Array((literal ?? "").utf8)
            return Name(key: beginsAlike ? bytes.reversed() : bytes, job: job)
        }
        var related: [Int] = []
        var shortest: [UInt8]?
        // What begins with a name comes right after it.
        for name in names.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            if let beginning = shortest, name.key.starts(with: beginning) {
                related.append(name.job)
            } else {
                link(related)
                (related, shortest) = ([name.job], name.key)
            }
        }
        link(related)
    }

    private func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

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

/// Results that an earlier run has made of the same file in the same way, so that there is nothing to be done.
enum KeptResults {
    /// What is said of the files of a plan whose results are all there.
    static func lines(of plan: WorkPlan, _ made: MadeResults) throws -> [Int: String] {
        var lines: [Int: String] = [:]
        for (index, file) in plan.files.enumerated() {
            guard let key = plan.resultKey(of: index),
                let names = made.all(of: key, namedBy: plan.grants[index].results)
            else { continue }
            lines[index] =
                plan.json
                ? try JSONLine.text(JSONKeptResults(source: file, files: names)) + "\n"
                : names.map { "\($0.oneLine): up to date\n" }.joined()
        }
        return lines
    }
}

/// What `--json` prints for such a file.
private struct JSONKeptResults: Encodable {
    let source: String
    let files: [String]
    let state = "upToDate"
    let upToDate = true
}
