internal import AVToolCommands
internal import MediaCore
internal import MediaIO

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
