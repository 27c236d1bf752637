// Code as applications on Apple's platforms have it; only the import differs.
import Foundation
import OpenAVFoundation

/// How a film is laid out in a view.
struct VideoLayout {
    let track: AVAssetTrack

    /// The size of the upright picture, as every second application computes it.
    func orientedSize() async throws -> CGSize {
        let (size, transform) = try await track.load(.naturalSize, .preferredTransform)
        let turned = size.applying(transform)
        return CGSize(width: abs(turned.width), height: abs(turned.height))
    }

    func frame(in bounds: CGRect) async throws -> CGRect {
        AVMakeRect(aspectRatio: try await orientedSize(), insideRect: bounds)
    }

    /// How far the pixels are stretched when the track is shown.
    func stretch() async throws -> CGFloat? {
        guard let format = try await track.load(.formatDescriptions).first else { return nil }
        let coded = CMVideoFormatDescriptionGetDimensions(format)
        let natural = try await track.load(.naturalSize)
        return coded.width > 0 ? natural.width / CGFloat(coded.width) : nil
    }
}
