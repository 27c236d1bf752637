internal import Foundation

/// A kind of folder that a result of the same kind may replace, if nothing else is in it.
package enum ReplaceableFolder: String, Sendable {
    case storyboard
    case stream

    /// The file that every folder of the kind has.
    package var marker: String {
        switch self {
        case .storyboard: "storyboard.json"
        case .stream: "index.m3u8"
        }
    }

    /// What the files of such a folder are called, by their paths inside.
    private var patterns: [String] {
        switch self {
        case .storyboard:
            [
                "^storyboard\\.(json|vtt|bif|mpd)$", "^index\\.html$", "^images\\.m3u8$", "^hls-image-stream\\.txt$",
                "^dash-adaptation-set\\.xml$",
                "^storyboard-[0-9]+\\.(jpg|png|webp|avif)$",
                "^[^/]+\\.trickplay/[0-9]+ - [0-9]+x[0-9]+/[0-9]+\\.jpg$",
            ]
        case .stream: ["^index\\.m3u8$", "^init\\.mp4$", "^segment-[0-9]{5,}\\.m4s$"]
        }
    }

    /// Whether a file belongs into such a folder.
    package func isOwn(_ name: String) -> Bool {
        patterns.contains { name.range(of: $0, options: .regularExpression) != nil }
    }

    /// What speaks against replacing a folder with these files; `nil` if it is one of the kind.
    package func objection(to names: [String]) -> String? {
        if let foreign = names.first(where: { !isOwn($0) }) {
            let what = self == .storyboard ? "that is not the storyboard's" : "that is no part of a stream"
            return "the folder holds a file \(what) and would be lost: \(foreign)"
        }
        guard names.isEmpty || names.contains(marker) else {
            return "the folder holds no \(marker), so it is no \(rawValue) that could be replaced"
        }
        return nil
    }
}
