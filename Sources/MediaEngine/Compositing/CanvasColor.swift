internal import Foundation
package import MediaAsset
package import MediaImage

/// What a canvas is filled with before anything is drawn on it.
package struct CanvasColor: Hashable, Sendable {
    /// Red, green, blue and alpha from 0 to 65535, multiplied by alpha.
    package let components: SIMD4<UInt16>

    /// Opaque black.
    package static let black = CanvasColor(red: 0, green: 0, blue: 0, alpha: 1)
    /// Nothing.
    package static let clear = CanvasColor(red: 0, green: 0, blue: 0, alpha: 0)

    /// A colour in the canvas's own components, not multiplied by alpha, each from 0 to 1.
    ///
    /// What lies outside counts as the nearer end, what is no number as 0.
    package init(red: Double, green: Double, blue: Double, alpha: Double) {
        func share(_ value: Double) -> Double { value > 0 ? min(value, 1) : 0 }
        func scaled(_ value: Double) -> UInt16 { UInt16((share(value) * share(alpha) * 65535).rounded()) }
        components = SIMD4(scaled(red), scaled(green), scaled(blue), scaled(1))
    }

    /// The background of an instruction, opaque black if it has none; components count as the canvas's own.
    package init(_ color: CGColor?) {
        let components = color?.components ?? []
        switch components.count {
        case 2:
            self.init(red: components[0], green: components[0], blue: components[0], alpha: components[1])
        case 4:
            self.init(red: components[0], green: components[1], blue: components[2], alpha: components[3])
        default: self = .black
        }
    }
}

extension AVVideoComposition.Configuration {
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
