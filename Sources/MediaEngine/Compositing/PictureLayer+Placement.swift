package import Foundation
package import MediaAsset

extension PictureLayer {
    /// A layer that is placed as an instruction says.
    ///
    /// - Parameter size: That the picture is shown in before the transform.
    package init(_ pixels: PicturePixels, size: CGSize, _ placement: LayerPlacement) {
        self.init(
            pixels, size: size, transform: placement.transform, cropRectangle: placement.cropRectangle,
            opacity: Double(placement.opacity))
    }
}

extension CanvasColor {
    /// The colour as it is without alpha.
    package var opaque: CanvasColor {
        guard components.w > 0 else { return .black }
        func share(_ value: UInt16) -> Double { Double(value) / Double(components.w) }
        return CanvasColor(red: share(components.x), green: share(components.y), blue: share(components.z), alpha: 1)
    }
}

extension [UInt16] {
    /// Makes components of pixels that are multiplied by their alpha, the fourth, such that are not.
    package mutating func divideByAlpha() {
        withUnsafeMutableBufferPointer { components in
            var index = 0
            while index + 3 < components.count {
                let alpha = UInt32(components[index + 3])
                if alpha > 0, alpha < 65535 {
                    for part in index..<(index + 3) {
                        // Below 2³²: a component is no larger than its alpha.
                        components[part] = UInt16(
                            Swift.min(65535, (UInt32(components[part]) * 65535 + alpha / 2) / alpha))
                    }
                }
                index += 4
            }
        }
    }
}
