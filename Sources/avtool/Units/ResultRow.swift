internal import Foundation

/// A line of what a command prints with `--json`, as far as it tells of results.
struct ResultRow: Decodable {
    struct Reason: Decodable { let code: String }

    let file: String?
    let files: [String]?
    let folder: String?
    let event: String?
    let error: Reason?

    init?(_ row: String) {
        guard let row = try? JSONDecoder().decode(ResultRow.self, from: Data(row.utf8)) else { return nil }
        self = row
    }

    /// What an export says before it begins is no result.
    var names: [String] {
        event == "plan" || event == "progress" ? [] : [file, folder].compactMap { $0 } + (files ?? [])
    }
}
