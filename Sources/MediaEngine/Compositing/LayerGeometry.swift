internal import Foundation
internal import MediaAsset
internal import MediaCore

/// Where in a layer's picture the points of the canvas lie.
///
/// `u` and `v` are counted in pixels of the picture from its top left corner; pixel 3 reaches from 3 to 4.
package struct LayerGeometry {
    /// What `u` grows by for a pixel to the right, and for one downwards.
    var u: (x: Double, y: Double, origin: Double)
    /// What `v` grows by for a pixel to the right, and for one downwards.
    var v: (x: Double, y: Double, origin: Double)
    /// The part of the picture that is left, in `u` and `v`.
    package var left: Double
    package var right: Double
    package var top: Double
    package var bottom: Double

    /// `nil` if nothing is to be seen: nothing is left of the picture, or the transform makes it a line or a point, or
    /// has numbers that cannot be reckoned with.
    package init?(_ layer: PictureLayer) {
        let (width, height) = (Double(layer.pixels.width), Double(layer.pixels.height))
        let (scaleX, scaleY) = (layer.size.width / width, layer.size.height / height)
        guard scaleX > 0, scaleY > 0, let inverse = Self.inverse(of: layer.transform, scaleX, scaleY) else {
            return nil
        }
        (u, v) = inverse
        let crop = layer.cropRectangle
        func span(_ origin: Double, _ length: Double, _ scale: Double, _ limit: Double) -> (Double, Double) {
            let ends = (origin / scale, (origin + length) / scale)
            return (max(0, min(ends.0, ends.1)), min(limit, max(ends.0, ends.1)))
        }
        (left, right) = span(crop.origin.x, crop.size.width, scaleX, width)
        (top, bottom) = span(crop.origin.y, crop.size.height, scaleY, height)
        let isKnown = ![crop.origin.x, crop.origin.y, crop.size.width, crop.size.height].contains(where: \.isNaN)
        guard isKnown, left < right, top < bottom, left >= 0, top >= 0, right <= width, bottom <= height else {
            return nil
        }
    }

    private typealias Row = (x: Double, y: Double, origin: Double)

    private static func inverse(of transform: CGAffineTransform, _ scaleX: Double, _ scaleY: Double) -> (Row, Row)? {
        var (a, b) = (transform.a * scaleX, transform.b * scaleX)
        var (c, d) = (transform.c * scaleY, transform.d * scaleY)
        // A quarter turn by sines and cosines is one: what is 13 digits below the largest number is noise.
        let noise = max(abs(a), abs(b), abs(c), abs(d)) * 1e-13
        func clean(_ value: Double) -> Double { abs(value) <= noise ? 0 : value }
        (a, b, c, d) = (clean(a), clean(b), clean(c), clean(d))
        let determinant = a * d - b * c
        let (x, y) = (transform.tx, transform.ty)
        let u = (x: d / determinant, y: -c / determinant, origin: (c * y - d * x) / determinant)
        let v = (x: -b / determinant, y: a / determinant, origin: (b * x - a * y) / determinant)
        guard determinant != 0, [u.x, u.y, u.origin, v.x, v.y, v.origin].allSatisfy(\.isFinite) else { return nil }
        return (u, v)
    }

    /// The pixels of the picture of which something is left.
    package var columns: Range<Int> { Int(left)..<max(Int(left) + 1, Int(right.rounded(.up))) }
    /// The rows of the picture of which something is left.
    package var rows: Range<Int> { Int(top)..<max(Int(top) + 1, Int(bottom.rounded(.up))) }

    /// How many pixels of the picture lie side by side in one of the canvas: along `u` and along `v`.
    private var density: (Double, Double) {
        ((u.x * u.x + u.y * u.y).squareRoot(), (v.x * v.x + v.y * v.y).squareRoot())
    }

    /// The blocks of pixels whose means the picture must be made of, so that two neighbours of it are not further
    /// apart than two of the canvas's pixels.
    ///
    /// Interpolation looks at two neighbours each way; it would leave out what lies between, where a picture is drawn at
    /// less than half its size. Means of whole blocks cost one pass over the picture, whatever the transform; what is
    /// left to interpolate lies between full and half size.
    package var block: (columns: Int, rows: Int) {
        func factor(_ density: Double, _ count: Int) -> Int {
            density + 1e-9 >= 2 ? min(Int(min(density + 1e-9, 256)), count) : 1
        }
        return (factor(density.0, columns.count), factor(density.1, rows.count))
    }

    /// The geometry of the part of the picture that begins at a pixel, in blocks.
    package func reduced(from column: Int, _ row: Int, by block: (columns: Int, rows: Int)) -> LayerGeometry {
        let (width, height) = (Double(block.columns), Double(block.rows))
        var result = self
        result.u = (u.x / width, u.y / width, (u.origin - Double(column)) / width)
        result.v = (v.x / height, v.y / height, (v.origin - Double(row)) / height)
        result.left = (left - Double(column)) / width
        result.right = (right - Double(column)) / width
        result.top = (top - Double(row)) / height
        result.bottom = (bottom - Double(row)) / height
        return result
    }

    // MARK: The canvas

    /// How far `u` and `v` reach from the middle of one of the canvas's pixels.
    package var reach: (u: Double, v: Double) { ((abs(u.x) + abs(u.y)) / 2, (abs(v.x) + abs(v.y)) / 2) }

    /// Whether the edges of what is left run along rows and columns of the canvas.
    package var isUpright: Bool { (u.y == 0 && v.x == 0) || (u.x == 0 && v.y == 0) }

    /// How far right and down the picture is moved, if nothing else is done to it, by whole pixels.
    var shift: (x: Int, y: Int)? {
        guard u.x == 1, u.y == 0, v.x == 0, v.y == 1, abs(u.origin) < 1e9, abs(v.origin) < 1e9 else { return nil }
        let (x, y) = (u.origin.rounded(), v.origin.rounded())
        guard abs(x - u.origin) < 1e-9, abs(y - v.origin) < 1e-9 else { return nil }
        return (-Int(x), -Int(y))
    }

    /// Whether every pixel of a canvas lies within what is left of the picture.
    package func covers(width: Int, height: Int) -> Bool {
        [(0, 0), (width, 0), (0, height), (width, height)].allSatisfy { corner in
            let (x, y) = (Double(corner.0), Double(corner.1))
            let (u, v) = (u.x * x + u.y * y + u.origin, v.x * x + v.y * y + v.origin)
            let slack = (u: reach.u * 1e-6, v: reach.v * 1e-6)
            return u >= left - slack.u && u <= right + slack.u && v >= top - slack.v && v <= bottom + slack.v
        }
    }
}
