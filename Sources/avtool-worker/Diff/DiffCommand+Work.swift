internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// The differences of two files as JSON has them.
struct JSONDiff: ResultDocument {
    struct Difference: Codable {
        let area: FileFacts.Area
        let name: String
        /// What the first file says; none if it says nothing.
        let first: [String]?
        let second: [String]?
    }

    let source: String
    let other: String
    let same: Bool
    let differences: [Difference]
}

extension DiffCommand: FileWorking {
    func prepared() -> FileWork<JSONDiff> {
        { file, _ in
            let other = compared.last ?? ""
            let first = try await FileFacts(source: file, limits: bounds.limits)
            let second: FileFacts
            do {
                second = try await FileFacts(source: other, limits: bounds.limits)
            } catch {
                let failure = Failure(error)
                throw Failure(failure.name, "\(other): \(failure.message)")
            }
            let differences = Self.differences(first, second, areas)
            let document = JSONDiff(source: file, other: other, same: differences.isEmpty, differences: differences)
            var report = FileReport(document: document, text: Self.text(differences))
            if !differences.isEmpty { report.flaw = Failure(.filesDiffer, "the files differ") }
            return report
        }
    }

    private var areas: Set<FileFacts.Area> {
        let chosen: [(Bool, [FileFacts.Area])] = [
            (metadata, [.metadata]), (tracks, [.file, .tracks]), (chapters, [.chapters]),
        ]
        let areas = chosen.filter(\.0).flatMap(\.1)
        return Set(areas.isEmpty ? FileFacts.Area.allCases : areas)
    }

    private static func differences(
        _ first: FileFacts, _ second: FileFacts, _ areas: Set<FileFacts.Area>
    ) -> [JSONDiff.Difference] {
        let all = first.order + second.order.filter { first.values[$0] == nil }
        let chosen = all.filter { areas.contains($0.area) && first.values[$0] != second.values[$0] }
        return FileFacts.Area.allCases.flatMap { area in
            chosen.filter { $0.area == area }.map { fact in
                JSONDiff.Difference(
                    area: area, name: fact.name, first: first.values[fact], second: second.values[fact])
            }
        }
    }

    private static func text(_ differences: [JSONDiff.Difference]) -> String {
        var text = ""
        for area in FileFacts.Area.allCases {
            let own = differences.filter { $0.area == area }
            if !own.isEmpty { text += "\(area.rawValue)\n" }
            for difference in own {
                for (sign, values) in [("-", difference.first), ("+", difference.second)] {
                    for value in values ?? [] { text += "\(sign) \(difference.name.oneLine)  \(value.oneLine)\n" }
                }
            }
        }
        return text
    }
}
