internal import ArgumentParser

/// How scenes are written down.
package enum SceneListFormat: String, CaseIterable, Codable, ExpressibleByArgument {
    case text, csv, edl, json, chapters

    /// Whether a second list cannot follow a first one.
    package var isDocument: Bool { self == .edl || self == .chapters }

    package var filenameExtension: String {
        switch self {
        case .text: "txt"
        case .csv: "csv"
        case .edl: "edl"
        case .json: "json"
        case .chapters: "ffmetadata"
        }
    }
}
