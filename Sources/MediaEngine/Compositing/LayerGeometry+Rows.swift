internal import MediaAsset

/// Which pixels of a row of the canvas a layer is drawn on.
package struct RowSpans {
    /// All that may have anything of the layer.
    var touched: Range<Int>
    /// Those that lie within the layer altogether.
    package var covered: Range<Int>
    /// Those of `covered` whose four neighbours in the picture are all there.
    package var inner: Range<Int>
}

extension LayerGeometry {
    /// `u` and `v` at the middle of the first pixel of a row.
    package func position(ofRow y: Int) -> (u: Double, v: Double) {
        let middle = Double(y) + 0.5
        return (u.x * 0.5 + u.y * middle + u.origin, v.x * 0.5 + v.y * middle + v.origin)
    }

    /// What of a row of the canvas the layer is drawn on.
    package func spans(ofRow y: Int, width: Int) -> RowSpans {
        let start = position(ofRow: y)
        let reach = reach
        // A part in a million of a pixel is none.
        let slack = (u: reach.u * 1e-6, v: reach.v * 1e-6)
        func span(_ grown: (u: Double, v: Double)) -> Range<Int> {
            let first = Self.interval(u.x, start.u, left - grown.u, right + grown.u)
            let second = Self.interval(v.x, start.v, top - grown.v, bottom + grown.v)
            let low = Self.index(max(first.low, second.low).rounded(.up), width)
            let high = Self.index(min(first.high, second.high).rounded(.down) + 1, width)
            return low..<max(low, high)
        }
        let touched = span((reach.u - slack.u, reach.v - slack.v))
        let covered = span((slack.u - reach.u, slack.v - reach.v)).clamped(to: touched)
        // From the middle of the first pixel of the picture to that of the last, less the error of fixed point.
        let margin = 0.5 + 0x1p-16
        let (columns, rows) = (columns, rows)
        let inner = span(
            (
                min(left - Double(columns.lowerBound), Double(columns.upperBound) - right) - margin,
                min(top - Double(rows.lowerBound), Double(rows.upperBound) - bottom) - margin
            ))
        return RowSpans(touched: touched, covered: covered, inner: inner.clamped(to: covered))
    }

    /// Where a line has a value between two others.
    private static func interval(
        _ slope: Double, _ start: Double, _ low: Double, _ high: Double
    ) -> (low: Double, high: Double) {
        guard slope != 0 else {
            return low <= start && start <= high ? (-.infinity, .infinity) : (.infinity, -.infinity)
        }
        let ends = ((low - start) / slope, (high - start) / slope)
        // Between values in the wrong order there is nothing, whichever way the line goes.
        guard low <= high else { return (.infinity, -.infinity) }
        return (min(ends.0, ends.1), max(ends.0, ends.1))
    }

    /// A number as an index from 0 to a limit; 0 for what is no number.
    private static func index(_ value: Double, _ limit: Int) -> Int {
        guard value > 0 else { return 0 }
        return value < Double(limit) ? Int(value) : limit
    }

    // MARK: Edges

    /// How much of one of the canvas's pixels lies within what is left of the picture, from 0 to 1.
    ///
    /// - Parameter middle: `u` and `v` at the middle of the pixel.
    package func coverage(at middle: (u: Double, v: Double)) -> Double {
        let low = (u: left - middle.u, v: top - middle.v)
        let high = (u: right - middle.u, v: bottom - middle.v)
        guard isUpright else {
            return PixelPolygon(u: u, v: v).area(from: low, to: high) / abs(u.x * v.y - u.y * v.x)
        }
        let reach = reach
        func share(_ low: Double, _ high: Double, _ reach: Double) -> Double {
            max(0, min(high, reach) - max(low, -reach)) / (2 * reach)
        }
        return share(low.u, high.u, reach.u) * share(low.v, high.v, reach.v)
    }
}
