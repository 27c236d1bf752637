internal import ArgumentParser

/// How scenes are written down.
enum SceneListFormat: String, CaseIterable, Codable, ExpressibleByArgument {
    case text, csv, edl, json, chapters

    /// Whether a second list cannot follow a first one.
    var isDocument: Bool { self == .edl || self == .chapters }

    var filenameExtension: String {
        switch self {
        case .text: "txt"
        case .csv: "csv"
        case .edl: "edl"
        case .json: "json"
        case .chapters: "ffmetadata"
        }
    }
}
