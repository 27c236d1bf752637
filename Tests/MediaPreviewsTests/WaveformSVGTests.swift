import Foundation
import FoundationXML
import MediaCore
import Testing

@testable import MediaPreviews

@Suite("Waveforms as SVG") struct WaveformSVGTests {
    /// The elements of a drawing, as an XML parser reads it.
    private final class Elements: NSObject, XMLParserDelegate {
        private(set) var names: [String] = []
        private(set) var attributes: [[String: String]] = []

        init(_ svg: String) throws {
            super.init()
            let parser = XMLParser(data: Data(svg.utf8))
            parser.delegate = self
            try #require(parser.parse())
        }

        func parser(
            _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
            qualifiedName: String?, attributes attributeDict: [String: String]
        ) {
            names.append(elementName)
            attributes.append(attributeDict)
        }
    }

    /// The paths of a drawing.
    private func paths(_ svg: String) throws -> [String] {
        let elements = try Elements(svg)
        return elements.attributes.indices.filter { elements.names[$0] == "path" }.compactMap {
            elements.attributes[$0]["d"]
        }
    }

    @Test func `The SVG of a waveform has the expected text`() throws {
        let wave = drawing([-16384, 16384, 0, 0])
        #expect(
            try wave.svg(
                width: 2, height: 4, color: RGBColor(red: 255, green: 10, blue: 0), background: .white)
                    == """
                    <svg xmlns="http://www.w3.org/2000/svg" width="2" height="4" viewBox="0 0 2 4" preserveAspectRatio="none">
                    <rect width="2" height="4" fill="#ffffff"/>
                    <path fill="#ff0a00" d="M0 1H1V2H2V3H0Z"/>
                    </svg>

                    """)
        #expect(try !wave.svg(width: 2, height: 4).contains("rect"))
    }

    @Test func `The SVG of a waveform is XML with a path for each channel and nothing else`() throws {
        let wave = drawing([-1, 1, -2, 2, -3, 3, 4, 5, 0, 0, -9, -8], channels: 3)
        let svg = try wave.svg(width: 100, height: 90, background: .black)
        let elements = try Elements(svg)
        #expect(elements.names == ["svg", "rect", "path", "path", "path"])
        #expect(elements.attributes[0]["viewBox"] == "0 0 100 90")
        #expect(elements.attributes[2].keys.sorted() == ["d", "fill"])
        #expect(try wave.svg(width: 100, height: 90, background: .black) == svg)
    }

    @Test func `Channels in the SVG of a waveform are drawn one below the other`() throws {
        // Bands of 10 units, each filled by its half.
        let wave = drawing([-32768, 0, 0, 16384], channels: 2)
        #expect(
            try paths(wave.svg(width: 1, height: 20)) == ["M0 5H1V10H0Z", "M0 12.5H1V16H0Z"])
    }

    @Test func `Numbers in the SVG of a waveform have two decimals at most`() throws {
        // 5 − 5 × 10923 ÷ 32768 = 3.33328…, and as much below.
        #expect(try paths(drawing([-10923, 10923]).svg(width: 1, height: 10)) == ["M0 3.33H1V6.67H0Z"])
        let sound = (0..<4000).map { Int16(truncatingIfNeeded: $0 * 7919) }
        let data = sound.flatMap { [min($0, 0), max($0, 0)] }
        for path in try paths(drawing(data).svg(width: 700, height: 97)) {
            #expect(path.wholeMatch(of: /M0 \d+(\.\d\d?)?(H\d+V\d+(\.\d\d?)?)+H0Z/) != nil)
        }
    }

    @Test func `Points in the SVG of a waveform are merged by exact borders, and repeated where few`() throws {
        // Amplitudes of 1, 2, 3, 4 and 5 eighths, in 16 units of height.
        let data = (1...5).flatMap { [Int16(-4096 * $0), Int16(4096 * $0)] }
        // Points 0 and 1; 2, 3 and 4.
        #expect(try paths(drawing(data).svg(width: 2, height: 16)) == ["M0 6H1V3H2V13H1V10H0Z"])
        // Columns 0 to 2 show point 0, 3 and 4 point 1.
        #expect(
            try paths(drawing(Array(data.prefix(4))).svg(width: 5, height: 16)) == ["M0 7H3V6H5V10H3V9H0Z"])
    }

    @Test func `Silence in the SVG of a waveform is a unit high, and no points are no paths`() throws {
        #expect(try paths(drawing([0, 0, 0, 0]).svg(width: 9, height: 10)) == ["M0 5H9V6H0Z"])
        #expect(try paths(drawing([]).svg(width: 9, height: 10)).isEmpty)
    }

    @Test func `Sizes and scales out of range are refused for a drawn waveform`() {
        let wave = drawing([0, 0, 0, 0], channels: 2)
        for width in [0, -1, 65536, .max] {
            #expect(
                reason { _ = try wave.svg(width: width, height: 10) }
                    == "the drawing's width must be from 1 to 65535, not \(width)")
        }
        for height in [1, 0, .min, 65536] {
            #expect(
                reason { _ = try wave.svg(width: 10, height: height) }
                    == "the drawing's height must be from 2 to 65535, not \(height)")
        }
        for factor in [0, -1, .nan, .infinity] {
            #expect(
                reason { _ = try wave.svg(width: 10, height: 10, amplitudeScale: .factor(factor)) }
                    == "the amplitude's scale must be a number above zero")
        }
    }
}
