internal import Dispatch
package import Foundation
package import MediaAsset
internal import MediaCore
package import MediaImage

/// Draws layers of pictures on a canvas: red, green, blue and alpha, 16 bits each, multiplied by alpha.
///
/// Values are mixed as they are: whoever wants another space than that of the pictures converts them first. Positions
/// count in pixels from the top left corner, whose middle is at (0.5, 0.5). What lies between the middles of a
/// picture's pixels is interpolated from the nearest four; where a picture is drawn at less than half its size, from
/// means of them. A pixel that a layer lies in to a part only gets that part of it, by area. Pictures that are moved by
/// whole pixels, mirrored, or turned by quarters come out as they are.
package struct PictureCompositor: Sendable {
    /// Pixels in a row of the canvas.
    let width: Int
    /// Rows of the canvas.
    let height: Int
    /// What lies behind all layers.
    let background: CanvasColor
    /// How many threads draw at a time, each some rows.
    let threads: Int

    /// The longest side that a canvas may have.
    static let largestSide = 16384

    /// A compositor for a canvas; `nil` if it is larger than 16384 pixels in a direction, or has none.
    package init?(width: Int, height: Int, background: CanvasColor = .black, threads: Int = 1) {
        let sides = 1...Self.largestSide
        guard sides.contains(width), sides.contains(height) else { return nil }
        (self.width, self.height, self.background) = (width, height, background)
        self.threads = max(1, threads)
    }

    /// How many components the canvas has.
    var componentCount: Int { 4 * width * height }

    /// Draws layers on a new canvas.
    ///
    /// - Parameter layers: The topmost first, as in an instruction. Those that cannot be seen cost nothing.
    /// - Returns: The components, row by row without gaps.
    package func compose(_ layers: [PictureLayer]) -> [UInt16] {
        [UInt16](unsafeUninitializedCapacity: componentCount) { buffer, count in
            if let base = buffer.baseAddress { draw(layers, on: base) }
            count = componentCount
        }
    }

    /// Draws layers on a canvas of an earlier picture, whose memory is used again.
    ///
    /// Spares the kernel clearing new memory for each picture, which takes as long as filling it.
    ///
    /// - Parameters:
    ///   - layers: The topmost first, as in an instruction.
    ///   - canvas: Becomes the picture, whatever it was.
    func compose(_ layers: [PictureLayer], into canvas: inout [UInt16]) {
        guard canvas.count == componentCount else {
            canvas = compose(layers)
            return
        }
        canvas.withUnsafeMutableBufferPointer { buffer in
            if let base = buffer.baseAddress { draw(layers, on: base) }
        }
    }

    /// - Parameter canvas: Memory for as many components as `componentCount` says, all of which are written.
    private func draw(_ layers: [PictureLayer], on canvas: UnsafeMutablePointer<UInt16>) {
        let (painters, isCovered) = painters(of: layers)
        // Each band is rows that no other one has.
        nonisolated(unsafe) let canvas = canvas
        let bands = min(threads, height)
        @Sendable func drawBand(_ band: Int) {
            for y in (height * band / bands)..<(height * (band + 1) / bands) {
                let row = canvas + 4 * width * y
                if !isCovered { fill(row) }
                for painter in painters { painter.paint(row: y, of: width, at: row) }
            }
        }
        if bands == 1 { drawBand(0) } else { DispatchQueue.concurrentPerform(iterations: bands, execute: drawBand) }
    }

    /// What draws the layers that can be seen, the lowest first, and whether that one hides the background.
    private func painters(of layers: [PictureLayer]) -> (painters: [LayerPainter], isCovered: Bool) {
        var painters: [LayerPainter] = []
        for layer in layers {
            guard layer.opacity > 0, let geometry = LayerGeometry(layer), isOnCanvas(geometry) else { continue }
            painters.append(LayerPainter(layer, geometry))
            if layer.opacity >= 1, !layer.pixels.hasAlpha, geometry.covers(width: width, height: height) {
                return (painters.reversed(), true)
            }
        }
        return (painters.reversed(), false)
    }

    /// Whether a layer may lie on the canvas: it does not if all of that is to one side of it.
    private func isOnCanvas(_ geometry: LayerGeometry) -> Bool {
        func range(_ line: (x: Double, y: Double, origin: Double)) -> (low: Double, high: Double) {
            let (across, down) = (line.x * Double(width), line.y * Double(height))
            return (line.origin + min(0, across) + min(0, down), line.origin + max(0, across) + max(0, down))
        }
        let (u, v) = (range(geometry.u), range(geometry.v))
        return u.high > geometry.left && u.low < geometry.right && v.high > geometry.top && v.low < geometry.bottom
    }

    private func fill(_ row: UnsafeMutablePointer<UInt16>) {
        for x in 0..<width { PixelVector.store(background.components, at: row + 4 * x) }
    }
}

/// A picture and how it is placed on a canvas.
package struct PictureLayer: Sendable {
    /// What is drawn.
    var pixels: PicturePixels
    /// The size that the picture is shown in before the transform, in whose units that and the crop rectangle are.
    ///
    /// Another one than that of the pixels for those that are not square, and for pictures decoded smaller than they
    /// are.
    var size: CGSize
    /// From the picture to the canvas, both with the origin at the top left, y downwards.
    var transform: CGAffineTransform
    /// What is left of the picture; part of a pixel counts as such a part.
    var cropRectangle: CGRect
    /// From 0 to 1; what is no number counts as 0.
    var opacity: Double

    /// A layer that shows a picture as it is, unless more is said.
    ///
    /// - Parameter size: That of the pixels by default.
    init(
        _ pixels: PicturePixels, size: CGSize? = nil, transform: CGAffineTransform = .identity,
        cropRectangle: CGRect = .infinite, opacity: Double = 1
    ) {
        self.pixels = pixels
        self.size = size ?? CGSize(width: pixels.width, height: pixels.height)
        (self.transform, self.cropRectangle, self.opacity) = (transform, cropRectangle, opacity)
    }
}

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
    var opaque: CanvasColor {
        guard components.w > 0 else { return .black }
        func share(_ value: UInt16) -> Double { Double(value) / Double(components.w) }
        return CanvasColor(red: share(components.x), green: share(components.y), blue: share(components.z), alpha: 1)
    }
}

extension [UInt16] {
    /// Makes components of pixels that are multiplied by their alpha, the fourth, such that are not.
    mutating func divideByAlpha() {
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

/// What a canvas is filled with before anything is drawn on it.
package struct CanvasColor: Hashable, Sendable {
    /// Red, green, blue and alpha from 0 to 65535, multiplied by alpha.
    let components: SIMD4<UInt16>

    /// Opaque black.
    package static let black = CanvasColor(red: 0, green: 0, blue: 0, alpha: 1)
    /// Nothing.
    static let clear = CanvasColor(red: 0, green: 0, blue: 0, alpha: 0)

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
    var hasClearBackground: Bool {
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
