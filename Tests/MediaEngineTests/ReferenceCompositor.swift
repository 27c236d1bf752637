import Foundation
import MediaAsset
import MediaCore

@testable import MediaEngine

/// What the compositor is to give, reckoned pixel by pixel in doubles, with its own geometry: edges are cut on the
/// canvas rather than in the picture.
struct ReferenceCompositor {
    var width: Int
    var height: Int
    /// Red, green, blue, alpha from 0 to 65535, multiplied by alpha.
    var background = SIMD4<Double>(0, 0, 0, 65535)

    func compose(_ layers: [PictureLayer]) -> [SIMD4<Double>] {
        var canvas = [SIMD4<Double>](repeating: background, count: width * height)
        for layer in layers.reversed() { draw(layer, on: &canvas) }
        return canvas
    }

    private func draw(_ layer: PictureLayer, on canvas: inout [SIMD4<Double>]) {
        guard layer.opacity > 0 else { return }
        guard var picture = ReferencePicture(layer) else { return }
        picture.reduce()
        for y in 0..<height {
            for x in 0..<width {
                let coverage = picture.coverage(x, y)
                guard coverage > 0 else { continue }
                let color = picture.sample(x, y) * (coverage * min(layer.opacity, 1))
                canvas[y * width + x] = color + canvas[y * width + x] * (1 - color.w / 65535)
            }
        }
    }
}

private struct ReferencePicture {
    var rows: [[SIMD4<Double>]]
    /// The corners of what is left, clockwise in the picture.
    var left: Double
    var top: Double
    var right: Double
    var bottom: Double
    /// From pixels to the canvas.
    var transform: CGAffineTransform

    init?(_ layer: PictureLayer) {
        let pixels = layer.pixels
        let scale = (x: layer.size.width / Double(pixels.width), y: layer.size.height / Double(pixels.height))
        transform = CGAffineTransform(scaleX: scale.x, y: scale.y).concatenating(layer.transform)
        let whole = CGRect(x: 0, y: 0, width: pixels.width, height: pixels.height)
        let crop = CGRect(
            x: layer.cropRectangle.minX / scale.x, y: layer.cropRectangle.minY / scale.y,
            width: layer.cropRectangle.width / scale.x, height: layer.cropRectangle.height / scale.y
        ).intersection(whole)
        guard !crop.isEmpty, transform.a * transform.d != transform.b * transform.c else { return nil }
        (left, top, right, bottom) = (crop.minX, crop.minY, crop.maxX, crop.maxY)
        rows = (0..<pixels.height).map { y in
            (0..<pixels.width).map { x in
                let first = y * pixels.rowStride + 4 * x
                func value(_ index: Int) -> Double { Double(pixels.components[first + index]) }
                let alpha = pixels.hasAlpha ? value(3) : 65535
                return SIMD4(value(0), value(1), value(2), 65535) * (alpha / 65535)
            }
        }
    }

    private var inverse: CGAffineTransform { transform.inverted() }

    /// Means of blocks, where neighbours are two of the canvas's pixels apart or more.
    mutating func reduce() {
        while true {
            let inverse = inverse
            let density = (
                (inverse.a * inverse.a + inverse.c * inverse.c).squareRoot(),
                (inverse.b * inverse.b + inverse.d * inverse.d).squareRoot()
            )
            let (columns, lines) = (Int(left)..<Int(right.rounded(.up)), Int(top)..<Int(bottom.rounded(.up)))
            func factor(_ density: Double, _ count: Int) -> Int {
                density + 1e-9 < 2 ? 1 : min(Int(min(density + 1e-9, 256)), count)
            }
            let (across, down) = (factor(density.0, columns.count), factor(density.1, lines.count))
            if across == 1, down == 1 { return }
            rows = Swift.stride(from: lines.lowerBound, to: lines.upperBound, by: down).map { y in
                Swift.stride(from: columns.lowerBound, to: columns.upperBound, by: across).map { x in
                    let block = rows[y..<min(y + down, lines.upperBound)].flatMap {
                        $0[x..<min(x + across, columns.upperBound)]
                    }
                    return block.reduce(.zero, +) / Double(block.count)
                }
            }
            (left, right) = (
                (left - Double(columns.lowerBound)) / Double(across),
                (right - Double(columns.lowerBound)) / Double(across)
            )
            (top, bottom) = (
                (top - Double(lines.lowerBound)) / Double(down), (bottom - Double(lines.lowerBound)) / Double(down)
            )
            transform = CGAffineTransform(scaleX: Double(across), y: Double(down))
                .concatenating(.init(translationX: Double(columns.lowerBound), y: Double(lines.lowerBound)))
                .concatenating(transform)
        }
    }

    /// The area of a pixel of the canvas within the picture's outline.
    func coverage(_ x: Int, _ y: Int) -> Double {
        let corners = [
            CGPoint(x: left, y: top), CGPoint(x: right, y: top), CGPoint(x: right, y: bottom),
            CGPoint(x: left, y: bottom),
        ].map { point in
            let moved = point.applying(transform)
            return SIMD2(moved.x - Double(x), moved.y - Double(y))
        }
        var polygon = corners
        for (axis, isLower) in [(0, true), (0, false), (1, true), (1, false)] {
            func distance(_ point: SIMD2<Double>) -> Double { isLower ? point[axis] : 1 - point[axis] }
            var kept: [SIMD2<Double>] = []
            for (from, to) in zip(polygon, polygon.dropFirst() + polygon.prefix(1)) {
                let (first, second) = (distance(from), distance(to))
                if first >= 0 { kept.append(from) }
                if (first < 0) != (second < 0) { kept.append(from + (to - from) * (first / (first - second))) }
            }
            polygon = kept
        }
        let twice = zip(polygon, polygon.dropFirst() + polygon.prefix(1)).reduce(0.0) {
            $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y
        }
        return abs(twice) / 2
    }

    func sample(_ x: Int, _ y: Int) -> SIMD4<Double> {
        let position = CGPoint(x: Double(x) + 0.5, y: Double(y) + 0.5).applying(inverse)
        func neighbors(_ position: Double, _ low: Double, _ high: Double) -> (Int, Int, Double) {
            let last = Int(high.rounded(.up)) - 1
            let clamped = min(max(position - 0.5, Double(Int(low))), Double(last))
            let first = Int(clamped)
            return (first, min(first + 1, last), clamped - Double(first))
        }
        let (x0, x1, across) = neighbors(position.x, left, right)
        let (y0, y1, down) = neighbors(position.y, top, bottom)
        let upper = rows[y0][x0] * (1 - across) + rows[y0][x1] * across
        let lower = rows[y1][x0] * (1 - across) + rows[y1][x1] * across
        return upper * (1 - down) + lower * down
    }
}
