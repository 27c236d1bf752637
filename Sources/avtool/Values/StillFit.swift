internal import ArgumentParser
internal import OpenAVFoundation

/// How pictures are brought into a box.
enum StillFit: String, CaseIterable, Codable, ExpressibleByArgument {
    case contain, cover, pad

    var fit: AVAssetImageGenerator.Fit {
        switch self {
        case .contain: .contain
        case .cover: .cover
        case .pad: .pad
        }
    }
}
