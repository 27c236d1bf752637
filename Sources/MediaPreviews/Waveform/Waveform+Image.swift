public import Foundation
public import MediaCore
public import MediaImage

extension Waveform {
    /// The most pixels of a picture.
    private static let maximumPixelCount = 1 << 26

    /// The waveform as a picture.
    ///
    /// Each channel has a band of its own, from the first at the top to the last. Where there are more points than
    /// columns, a column shows all that lie in it; where there are fewer, columns repeat them. The ends of columns are
    /// smooth, and silence is a line of one pixel. A waveform without points is empty.
    ///
    /// - Parameters:
    ///   - width: Columns of pixels, from 1 to 65,535.
    ///   - height: Rows of pixels, from the number of channels to 65,535.
    ///   - color: The ink.
    ///   - background: What is behind it; transparent, with an alpha component, if `nil`.
    ///   - amplitudeScale: How high it is; as it is by default.
    /// - Returns: A picture in sRGB, 8 bits for each component.
    /// - Throws: ``WaveformSettingsError`` for sizes and scales out of range, and above 2²⁶ pixels.
    public func image(
        width: Int, height: Int, color: RGBColor = .black, background: RGBColor? = nil,
        amplitudeScale: AmplitudeScale = .factor(1)
    ) throws(WaveformSettingsError) -> CGImage {
        let shape = try WaveformShape(self, width: width, height: height, amplitudeScale: amplitudeScale)
        guard width * height <= Self.maximumPixelCount else {
            throw WaveformSettingsError(
                reason: "the drawing would be \(width)x\(height) pixels, more than \(Self.maximumPixelCount)")
        }
        let (coverage, inks) = (coverage(of: shape, width: width, height: height), Self.inks(color, over: background))
        let size = background == nil ? 4 : 3
        let pixels = [UInt8](unsafeUninitializedCapacity: coverage.count * size) { pixels, count in
            for (pixel, share) in coverage.enumerated() {
                for component in 0..<size { pixels[pixel * size + component] = inks[Int(share) * size + component] }
            }
            count = coverage.count * size
        }
        guard let image = CGImage(width: width, height: height, hasAlpha: background == nil, pixels: pixels) else {
            throw WaveformSettingsError(reason: "the drawing has no pixels")
        }
        return image
    }

    /// The waveform as a PNG file.
    ///
    /// It has `width` columns and `height` rows of pixels; see
    /// ``image(width:height:color:background:amplitudeScale:)``.
    ///
    /// - Throws: ``WaveformSettingsError`` for sizes and scales out of range; `ImageEncodingError` if memory does not
    ///   suffice.
    public func png(
        width: Int, height: Int, color: RGBColor = .black, background: RGBColor? = nil,
        amplitudeScale: AmplitudeScale = .factor(1)
    ) throws -> Data {
        try image(width: width, height: height, color: color, background: background, amplitudeScale: amplitudeScale)
            .pngData()
    }

    /// The components of pixels that are covered in part, from not at all to wholly.
    private static func inks(_ color: RGBColor, over background: RGBColor?) -> [UInt8] {
        (UInt8.min...UInt8.max).flatMap { share in
            guard let background else { return [color.red, color.green, color.blue, share] }
            let mixed = background.mixed(with: color, Double(share) / 255)
            return [mixed.red, mixed.green, mixed.blue]
        }
    }

    /// How much of each pixel is ink, from 0 to 255, in rows from the top.
    private func coverage(of shape: WaveformShape, width: Int, height: Int) -> [UInt8] {
        var coverage = [UInt8](repeating: 0, count: width * height)
        coverage.withUnsafeMutableBufferPointer { coverage in
            for channel in 0..<channels {
                let band = shape.band(of: channel)
                for (column, span) in shape.spans(of: channel).enumerated() {
                    let rows = Int(span.top.rounded(.down))..<Int(span.bottom.rounded(.up))
                    for row in rows.clamped(to: band) {
                        let share = min(span.bottom, Double(row + 1)) - max(span.top, Double(row))
                        coverage[row * width + column] = UInt8(clamping: Int((share * 255).rounded()))
                    }
                }
            }
        }
        return coverage
    }
}
