internal import Foundation
package import MediaCore

extension AVVideoComposition.Configuration {
    /// Width and height in whole pixels, at least 1; both 0 for a size that nothing can be drawn in.
    package var pixelSize: (width: Int, height: Int) {
        let sides = 0.0..<Self.largestSide.nextUp
        guard sides.contains(renderSize.width), sides.contains(renderSize.height) else { return (0, 0) }
        return (max(1, Int(renderSize.width.rounded())), max(1, Int(renderSize.height.rounded())))
    }

    /// The tracks that are drawn during a range.
    ///
    /// - Parameter all: Those that there are.
    package func trackIDs(over range: CMTimeRange, among all: Set<CMPersistentTrackID>) -> Set<CMPersistentTrackID> {
        instructions.filter { $0.timeRange.start < range.end && range.start < $0.timeRange.end }
            .reduce(into: []) { $0.formUnion($1.neededTrackIDs ?? all) }
    }
}

extension AVVideoCompositionInstructionProtocol {
    /// The tracks whose pictures are needed; `nil` for all.
    package var neededTrackIDs: Set<CMPersistentTrackID>? {
        let needed: [NSValue]? = requiredSourceTrackIDs
        guard let needed else { return nil }
        let passed = passthroughTrackID == kCMPersistentTrackID_Invalid ? [] : [passthroughTrackID]
        return Set(needed.compactMap { ($0 as? NSNumber)?.int32Value } + passed)
    }
}
