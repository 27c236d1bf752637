internal import AVToolCommands
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// The differences of two files as JSON has them.
struct JSONDiff: ResultDocument {
    struct Difference: Encodable {
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

/// What is to be said of a file, each fact by its name.
struct FileFacts {
    enum Area: String, Encodable, CaseIterable {
        case file, tracks, metadata, chapters
    }

    struct Fact: Hashable {
        let area: Area
        let name: String
    }

    private(set) var order: [Fact] = []
    private(set) var values: [Fact: [String]] = [:]

    init(source: String, limits: MediaLimits) async throws {
        let asset = try MediaSource(file: source, limits: limits).asset()
        let description = try await asset.loadDescription()
        let metadata = try await AssetMetadata(of: asset)
        add(.file, "container", description.container)
        add(.file, "duration", description.duration.isNumeric ? description.duration.durationText() : nil)
        add(.file, "encrypted", description.hasProtectedContent ? "yes" : nil)
        for (index, track) in (description.tracks + description.attachedPictures).enumerated() {
            // Its items are told by their meaning.
            try addTrack(JSONTrack(track, []), index + 1)
            let items = metadata.entries(ofTrack: track.trackID).filter {
                !$0.isOfContainer(staysSame: false) && !$0.isTrackName && !$0.isTrackRole
            }
            for item in PlainMetadata(items).items {
                for value in item.values { add(.tracks, "track \(index + 1) \(item.name)", value) }
            }
        }
        let entries = metadata.file.entries.filter { !$0.isOfContainer(staysSame: false) }
        for item in PlainMetadata(entries).items {
            let name = [item.name, item.languageTag.map { "(\($0))" }].compactMap(\.self).joined(separator: " ")
            for value in item.values { add(.metadata, name, value) }
        }
        for (index, chapter) in metadata.chapters.enumerated() {
            add(.chapters, "chapter \(index + 1)", "\(chapter.start.secondsText()) s  \(chapter.title)")
        }
    }

    private mutating func add(_ area: Area, _ name: String, _ value: String?) {
        guard let value else { return }
        let fact = Fact(area: area, name: name)
        if values[fact] == nil { order.append(fact) }
        values[fact, default: []].append(value)
    }

    /// Adds all that `info --json` tells of a track.
    private mutating func addTrack(_ track: JSONTrack, _ number: Int) throws {
        add(try JSONDecoder().decode(JSONFact.self, from: JSONEncoder().encode(track)), "track \(number)")
    }

    /// Numbers of tracks stand for nothing else.
    private static let passedOver: Set = ["id", "metadata"]

    private mutating func add(_ value: JSONFact, _ name: String) {
        switch value {
        case .object(let object):
            // A time in another timescale is the same time.
            if case .number(let seconds) = object["seconds"], object["timescale"] != nil {
                return add(.tracks, name, "\(JSONFact.text(seconds)) s")
            }
            for (key, value) in object.sorted(by: { $0.key < $1.key }) where !Self.passedOver.contains(key) {
                add(value, "\(name) \(key)")
            }
        case .list(let list):
            for (index, value) in list.enumerated() { add(value, list.count == 1 ? name : "\(name) \(index + 1)") }
        case .text(let text): add(.tracks, name, text)
        case .number(let number): add(.tracks, name, JSONFact.text(number))
        case .flag(let flag): add(.tracks, name, flag ? "yes" : "no")
        case .nothing: break
        }
    }
}

/// A value of JSON.
private enum JSONFact: Decodable {
    case object([String: JSONFact])
    case list([JSONFact])
    case text(String)
    case number(Double)
    case flag(Bool)
    case nothing

    init(from decoder: any Decoder) throws {
        if let object = try? [String: JSONFact](from: decoder) {
            self = .object(object)
        } else if let list = try? [JSONFact](from: decoder) {
            self = .list(list)
        } else {
            let container = try decoder.singleValueContainer()
            if let flag = try? container.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else {
                self = (try? container.decode(String.self)).map { .text($0) } ?? .nothing
            }
        }
    }

    /// A number without what is beyond a millionth.
    static func text(_ number: Double) -> String {
        let rounded = (number * 1_000_000).rounded() / 1_000_000
        return Int64(exactly: rounded).map(String.init) ?? "\(rounded)"
    }
}
