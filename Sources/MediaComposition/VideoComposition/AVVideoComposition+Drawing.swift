internal import Foundation
package import MediaAsset
package import MediaTime

extension AVVideoComposition.Configuration {
    /// Width and height in whole pixels, at least 1; both 0 for a size that nothing can be drawn in.
    package var pixelSize: (width: Int, height: Int) {
        let sides = 0.0..<Self.largestSide.nextUp
        guard sides.contains(renderSize.width), sides.contains(renderSize.height) else { return (0, 0) }
        return (max(1, Int(renderSize.width.rounded())), max(1, Int(renderSize.height.rounded())))
    }

    /// The tracks that are drawn during a range.
    package func trackIDs(over range: CMTimeRange) -> Set<CMPersistentTrackID> {
        var trackIDs: Set<CMPersistentTrackID> = []
        for case let instruction as AVVideoCompositionInstruction in instructions {
            let held = instruction.timeRange
            guard held.start < range.end, range.start < held.end else { continue }
            trackIDs.formUnion(instruction.layerInstructions.map(\.trackID))
        }
        return trackIDs
    }

    /// Whether something is seen through where no layer is.
    package var hasClearBackground: Bool {
        instructions.contains { instruction in
            let color = (instruction as? AVVideoCompositionInstruction)?.backgroundColor
            return color.map { !CanvasColor($0).isOpaque } ?? false
        }
    }
}

extension CanvasColor {
    /// Whether nothing is seen through it.
    var isOpaque: Bool { components.w == 65535 }
}
