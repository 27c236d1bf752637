public import MediaCore

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
