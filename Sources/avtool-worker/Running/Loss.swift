internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// Something that a result does not hold, or holds otherwise than its source.
protocol Loss {
    /// The loss with its reason.
    var line: String { get }
}

extension ExportLoss: Loss {
    var line: String { "\(effect.rawValue): \(item): \(reason)" }
}

extension MetadataLoss: Loss {
    var line: String { "\(isChange ? "changed" : "lost"): \(item): \(reason)" }
}
