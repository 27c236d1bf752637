package import Foundation
package import MediaCore

/// A value that a ramp can lead from and to.
package protocol Interpolatable: Equatable, Sendable {
    /// The value a share of the way from one to another.
    ///
    /// - Parameter fraction: From 0, which gives `start` itself, to 1, which gives `end` itself.
    static func interpolated(from start: Self, to end: Self, fraction: Double) -> Self
}

/// A number a share of the way from one to another; both ends come out exactly.
private func mixed(_ start: Double, _ end: Double, _ fraction: Double) -> Double {
    fraction >= 1 ? end : start + (end - start) * fraction
}

extension Float: Interpolatable {
    package static func interpolated(from start: Float, to end: Float, fraction: Double) -> Float {
        Float(mixed(Double(start), Double(end), fraction))
    }
}

extension CGAffineTransform: Interpolatable {
    /// Each of the six numbers for itself: a turn by a ramp shrinks on its way, as in AVFoundation.
    package static func interpolated(
        from start: CGAffineTransform, to end: CGAffineTransform, fraction: Double
    ) -> CGAffineTransform {
        CGAffineTransform(
            a: mixed(start.a, end.a, fraction), b: mixed(start.b, end.b, fraction),
            c: mixed(start.c, end.c, fraction), d: mixed(start.d, end.d, fraction),
            tx: mixed(start.tx, end.tx, fraction), ty: mixed(start.ty, end.ty, fraction))
    }
}

extension CGRect: Interpolatable {
    /// Origin and size for themselves, those of empty rectangles too.
    package static func interpolated(from start: CGRect, to end: CGRect, fraction: Double) -> CGRect {
        CGRect(
            x: mixed(start.origin.x, end.origin.x, fraction), y: mixed(start.origin.y, end.origin.y, fraction),
            width: mixed(start.size.width, end.size.width, fraction),
            height: mixed(start.size.height, end.size.height, fraction))
    }
}
