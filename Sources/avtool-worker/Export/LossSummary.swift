internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// Losses for people: a line for each kind, and of each kind no more names than fit on it.
enum LossSummary {
    private static let namesShown = 4

    static func lines(of losses: [ExportLoss]) -> [String] {
        ExportLoss.Effect.inOrder.flatMap { effect in
            ExportLoss.Kind.allCases.compactMap { kind in
                line(losses.filter { $0.effect == effect && $0.kind == kind }, effect, kind)
            }
        }
    }

    private static func line(_ losses: [ExportLoss], _ effect: ExportLoss.Effect, _ kind: ExportLoss.Kind) -> String? {
        guard let first = losses.first else { return nil }
        guard losses.count > 1 else { return first.line }
        var seen: Set<String> = []
        let names = losses.map(\.item).filter { seen.insert($0).inserted }
        let shown = names.prefix(namesShown).joined(separator: ", ")
        let reasons = Set(losses.map(\.reason))
        let rest = names.count > namesShown ? " and \(names.count - namesShown) more" : ""
        let why = reasons.count == 1 ? first.reason : "-v tells why"
        return "\(effect.rawValue): \(names.count) \(kind.plural): \(shown)\(rest) (\(why))"
    }
}

extension ExportLoss.Effect {
    fileprivate static let inOrder: [ExportLoss.Effect] = [.lost, .changed]
}

extension ExportLoss.Kind {
    fileprivate var plural: String {
        switch self {
        case .track: "tracks"
        case .media: "properties of tracks"
        case .metadata: "items of metadata"
        case .chapters: "parts of chapters"
        case .attachment: "attachments"
        }
    }
}
