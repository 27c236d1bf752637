internal import ArgumentParser

/// How an index of frames is written.
package enum IndexFormat: String, CaseIterable, Codable, ExpressibleByArgument {
    /// JSON Lines: `docs/index-format.md`.
    case jsonl
    /// `custom_frame_mappings` of torchcodec: the shown frames of one video track.
    case torchcodec

    package var filenameExtension: String {
        switch self {
        case .jsonl: "jsonl"
        case .torchcodec: "json"
        }
    }
}
