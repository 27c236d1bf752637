internal import ArgumentParser
internal import OpenAVFoundation

/// How much of a finished file is read.
enum AuditDepth: String, CaseIterable, Codable, ExpressibleByArgument {
    case none, index, full

    var depth: ExportAuditDepth {
        switch self {
        case .none: .none
        case .index: .index
        case .full: .full
        }
    }
}
