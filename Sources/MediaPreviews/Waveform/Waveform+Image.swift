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

extension Waveform {
    /// The waveform as an SVG drawing that can be stretched to any size.
    ///
    /// It has one path for each channel, from the first at the top to the last, with a box of ink for each column.
    /// Where there are more points than columns, a column shows all that lie in it; where there are fewer, columns
    /// repeat them. The same waveform always gives the same text. A waveform without points has no paths.
    ///
    /// - Parameters:
    ///   - width: Units from left to right, which are columns, from 1 to 65,535.
    ///   - height: Units from top to bottom, from the number of channels to 65,535.
    ///   - color: The ink.
    ///   - background: What is behind it; nothing if `nil`.
    ///   - amplitudeScale: How high it is; as it is by default.
    /// - Returns: An `svg` element with a line break at its end, for a file or for a page.
    /// - Throws: ``WaveformSettingsError`` for sizes and scales out of range.
    public func svg(
        width: Int, height: Int, color: RGBColor = .black, background: RGBColor? = nil,
        amplitudeScale: AmplitudeScale = .factor(1)
    ) throws(WaveformSettingsError) -> String {
        let shape = try WaveformShape(self, width: width, height: height, amplitudeScale: amplitudeScale)
        var lines = [
            #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(width)" height="\#(height)" "#
                + #"viewBox="0 0 \#(width) \#(height)" preserveAspectRatio="none">"#
        ]
        if let background {
            lines.append(#"<rect width="\#(width)" height="\#(height)" fill="\#(background.hexText)"/>"#)
        }
        for channel in 0..<channels where length > 0 {
            lines.append(#"<path fill="\#(color.hexText)" d="\#(Self.outline(of: shape.spans(of: channel)))"/>"#)
        }
        lines.append("</svg>\n")
        return lines.joined(separator: "\n")
    }

    /// The path around spans: along their upper ends to the right, and back along the lower ones.
    private static func outline(of spans: [WaveformShape.Span]) -> String {
        let edges = spans.map { (top: hundredths($0.top), bottom: hundredths($0.bottom)) }
        guard let first = edges.first, let last = edges.last else { return "" }
        var path = "M0 \(first.top.decimalText(decimals: 2))"
        for index in edges.indices.dropFirst() where edges[index].top != edges[index - 1].top {
            path += "H\(index)V\(edges[index].top.decimalText(decimals: 2))"
        }
        path += "H\(edges.count)V\(last.bottom.decimalText(decimals: 2))"
        for index in edges.indices.dropFirst().reversed() where edges[index - 1].bottom != edges[index].bottom {
            path += "H\(index)V\(edges[index - 1].bottom.decimalText(decimals: 2))"
        }
        return path + "H0Z"
    }

    private static func hundredths(_ place: Double) -> Int { Int((place * 100).rounded()) }
}

extension RGBColor {
    /// The colour as `#rrggbb`.
    fileprivate var hexText: String {
        "#" + [red, green, blue].map { $0.zeroPadded(to: 2, radix: 16) }.joined()
    }
}

/// Where a drawn waveform has ink: a vertical span in each column of each channel, in pixels from the top.
///
/// Each channel has a band of its own, one below the other, with its zero in the middle.
struct WaveformShape {
    /// What is covered in a column.
    struct Span: Equatable {
        var top: Double
        var bottom: Double
    }

    /// The most pixels in a row or a column.
    static let maximumSide = 65535

    private let waveform: Waveform
    private let width: Int
    private let height: Int
    /// What a value is multiplied by to come from −1 to 1.
    private let factor: Double

    /// - Throws: ``WaveformSettingsError`` for sizes out of range, and for a scale that is not above zero.
    init(
        _ waveform: Waveform, width: Int, height: Int, amplitudeScale: Waveform.AmplitudeScale
    ) throws(WaveformSettingsError) {
        try WaveformSettingsError.check("the drawing's width", width, 1...Self.maximumSide)
        try WaveformSettingsError.check("the drawing's height", height, waveform.channels...Self.maximumSide)
        let fullScale = waveform.bits == 8 ? 128.0 : 32768.0
        switch amplitudeScale {
        case .factor(let factor):
            guard factor > 0, factor.isFinite else {
                throw WaveformSettingsError(reason: "the amplitude's scale must be a number above zero")
            }
            self.factor = factor / fullScale
        case .auto:
            self.factor = 1 / Double(waveform.data.lazy.map(\.magnitude).max().flatMap { $0 > 0 ? $0 : nil } ?? 1)
        }
        (self.waveform, self.width, self.height) = (waveform, width, height)
    }

    /// The rows of a channel's band; bands differ by one row at most.
    func band(of channel: Int) -> Range<Int> {
        channel * height / waveform.channels..<(channel + 1) * height / waveform.channels
    }

    /// The spans of a channel, one for each column; none for a waveform without points.
    func spans(of channel: Int) -> [Span] {
        let (length, stride) = (waveform.length, waveform.channels * 2)
        guard length > 0 else { return [] }
        let band = band(of: channel)
        return waveform.data.withUnsafeBufferPointer { data in
            (0..<width).map { column in
                let first = column * length / width
                let end = max(first + 1, (column + 1) * length / width)
                var (low, high) = (Int16.max, Int16.min)
                for point in first..<end {
                    low = min(low, data[point * stride + channel * 2])
                    high = max(high, data[point * stride + channel * 2 + 1])
                }
                return span(low: low, high: high, in: band)
            }
        }
    }

    /// What two values cover, a pixel at least.
    private func span(low: Int16, high: Int16, in band: Range<Int>) -> Span {
        let half = Double(band.count) / 2
        let middle = Double(band.lowerBound) + half
        func place(_ value: Int16) -> Double { middle - half * max(-1, min(1, Double(value) * factor)) }
        var span = Span(top: place(high), bottom: place(low))
        if low <= 0, high >= 0 {
            // A whole row in the middle, so that silence is a sharp line which sound grows out of.
            let row = middle.rounded(.down)
            span = Span(top: min(span.top, row), bottom: max(span.bottom, row + 1))
        } else if span.bottom - span.top < 1 {
            let top = (span.top + span.bottom - 1) / 2
            span.top = max(Double(band.lowerBound), min(Double(band.upperBound - 1), top))
            span.bottom = span.top + 1
        }
        return span
    }
}
