internal import Dispatch
internal import MediaAsset

/// Draws layers of pictures on a canvas: red, green, blue and alpha, 16 bits each, multiplied by alpha.
///
/// Values are mixed as they are: whoever wants another space than that of the pictures converts them first. Positions
/// count in pixels from the top left corner, whose middle is at (0.5, 0.5). What lies between the middles of a
/// picture's pixels is interpolated from the nearest four; where a picture is drawn at less than half its size, from
/// means of them. A pixel that a layer lies in to a part only gets that part of it, by area. Pictures that are moved by
/// whole pixels, mirrored, or turned by quarters come out as they are.
package struct PictureCompositor: Sendable {
    /// Pixels in a row of the canvas.
    package let width: Int
    /// Rows of the canvas.
    package let height: Int
    /// What lies behind all layers.
    package let background: CanvasColor
    /// How many threads draw at a time, each some rows.
    package let threads: Int

    /// The longest side that a canvas may have.
    package static let largestSide = 16384

    /// A compositor for a canvas; `nil` if it is larger than 16384 pixels in a direction, or has none.
    package init?(width: Int, height: Int, background: CanvasColor = .black, threads: Int = 1) {
        let sides = 1...Self.largestSide
        guard sides.contains(width), sides.contains(height) else { return nil }
        (self.width, self.height, self.background) = (width, height, background)
        self.threads = max(1, threads)
    }

    /// How many components the canvas has.
    package var componentCount: Int { 4 * width * height }

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
    package func compose(_ layers: [PictureLayer], into canvas: inout [UInt16]) {
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
