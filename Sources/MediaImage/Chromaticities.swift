/// The points of a set of primaries in CIE xy, white at D65.
package struct Chromaticities: Sendable {
    let red: (x: Double, y: Double), green: (x: Double, y: Double), blue: (x: Double, y: Double)

    static let d50 = [0.9642, 1.0, 0.8249]
    private static let d65 = (x: 0.3127, y: 0.3290)
    /// The Bradford adaptation from D65 to D50, in rows.
    static let d65ToD50 = [
        [1.047886, 0.022919, -0.050216], [0.029582, 0.990484, -0.017079], [-0.009252, 0.015073, 0.751678],
    ]

    package static let bt709 = Chromaticities(red: (0.64, 0.33), green: (0.30, 0.60), blue: (0.15, 0.06))
    package static let displayP3 = Chromaticities(red: (0.680, 0.320), green: (0.265, 0.690), blue: (0.150, 0.060))
    package static let bt2020 = Chromaticities(red: (0.708, 0.292), green: (0.170, 0.797), blue: (0.131, 0.046))

    static func of(code: UInt8) -> Chromaticities? {
        switch code {
        case 1: bt709
        case 9: bt2020
        case 12: displayP3
        default: nil
        }
    }

    /// The matrix from linear RGB to XYZ, in rows, white at Y = 1.
    package var toXYZ: [[Double]] {
        func xyz(_ point: (x: Double, y: Double)) -> [Double] {
            [point.x / point.y, 1, (1 - point.x - point.y) / point.y]
        }
        let columns = [xyz(red), xyz(green), xyz(blue)]
        let rows = (0..<3).map { row in columns.map { $0[row] } }
        let scale = Matrix3.multiply(Matrix3.inverse(rows), xyz(Self.d65))
        return rows.map { row in zip(row, scale).map { $0 * $1 } }
    }

    /// The colours of the primaries in D50's XYZ, one array each.
    func toD50() -> [[Double]] {
        let matrix = Matrix3.multiply(Self.d65ToD50, toXYZ)
        return (0..<3).map { column in matrix.map { $0[column] } }
    }
}

/// What little of linear algebra colours need; matrices are arrays of rows.
package enum Matrix3 {
    package static func multiply(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
        matrix.map { zip($0, vector).reduce(0) { $0 + $1.0 * $1.1 } }
    }

    package static func multiply(_ left: [[Double]], _ right: [[Double]]) -> [[Double]] {
        left.map { row in (0..<3).map { column in (0..<3).reduce(0) { $0 + row[$1] * right[$1][column] } } }
    }

    package static func inverse(_ m: [[Double]]) -> [[Double]] {
        func minor(_ row: Int, _ column: Int) -> Double {
            let (r, c) = ((row + 1) % 3, (column + 1) % 3)
            let (r2, c2) = ((row + 2) % 3, (column + 2) % 3)
            return m[r][c] * m[r2][c2] - m[r][c2] * m[r2][c]
        }
        let determinant = (0..<3).reduce(0) { $0 + m[0][$1] * minor(0, $1) }
        return (0..<3).map { row in (0..<3).map { column in minor(column, row) / determinant } }
    }
}
