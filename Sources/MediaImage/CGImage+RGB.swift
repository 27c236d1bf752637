public import Foundation
public import MediaCore

extension CGImage {
    /// The pixels as three bytes each, red, green and blue, in rows from the top, without anything between.
    ///
    /// Of components of 16 bits, the upper half. Beyond Core Graphics.
    ///
    /// - Parameter background: What shows through clear parts.
    /// - Complexity: One pass over the pixels at most.
    public func rgbData(background: RGBColor = .black) -> Data {
        Data(composited(over: background).bytes(withAlpha: false))
    }
}
