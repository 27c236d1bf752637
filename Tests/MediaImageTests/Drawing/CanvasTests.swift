import MediaCore
import MediaImage
import MediaTestSupport
import Testing

@Suite struct `Canvases` {
    private let red = RGBColor(red: 255, green: 0, blue: 0)

    @Test func `Canvases cut off what lies outside`() throws {
        var canvas = try #require(ImageCanvas(width: 4, height: 3, color: .white))
        let image = try #require(
            CGImage(width: 3, height: 3, hasAlpha: false, pixels: (0..<27).map { UInt8($0) }))
        canvas.draw(image, x: -2, y: -1)
        canvas.draw(image, x: 3, y: 2)
        canvas.draw(image, x: 9, y: 9)
        canvas.draw(image, x: Int.max, y: Int.min)
        canvas.fill(x: 1, y: -5, width: Int.max, height: 6, color: red)
        let result = try #require(canvas.image())
        // Column 2 of rows 1 and 2 of the first; the corner of the second; the rectangle.
        #expect(result.color(x: 0, y: 0) == [15, 16, 17])
        #expect(result.color(x: 0, y: 1) == [24, 25, 26])
        #expect(result.color(x: 3, y: 2) == [0, 1, 2])
        #expect((1..<4).allSatisfy { result.color(x: $0, y: 0) == [255, 0, 0] })
        #expect(result.color(x: 1, y: 1) == [255, 255, 255])
    }

    @Test func `Canvases lay transparent images over what is there`() throws {
        var canvas = try #require(ImageCanvas(width: 3, height: 1, color: RGBColor(red: 100, green: 200, blue: 0)))
        let image = try #require(
            CGImage(
                width: 3, height: 1, hasAlpha: true,
                pixels: [200, 0, 50, 0, 200, 0, 50, 255, 200, 0, 50, 51]))
        canvas.draw(image, x: 0, y: 0)
        // A fifth of one and four fifths of the other.
        #expect(try #require(canvas.image()).pixels == [100, 200, 0, 200, 0, 50, 120, 160, 10])
    }

    @Test func `Canvases fill with a translucent colour`() throws {
        var canvas = try #require(ImageCanvas(width: 1, height: 1, color: .white))
        canvas.fill(x: 0, y: 0, width: 1, height: 1, color: .black, opacity: 102)
        #expect(try #require(canvas.image()).pixels == [153, 153, 153])
    }

    @Test func `Canvases without a size, or with too large a one, are refused`() {
        #expect(ImageCanvas(width: 0, height: 1, color: .white) == nil)
        #expect(ImageCanvas(width: Int.max, height: 2, color: .white) == nil)
    }

    @Test(arguments: [
        ("#ff8000", [255, 128, 0]), ("#FFF", [255, 255, 255]), ("#08f", [0, 136, 255]), ("white", [255, 255, 255]),
        ("Black", [0, 0, 0]),
    ])
    func `Colours are parsed from hexadecimal codes and names`(_ text: String, _ components: [UInt8]) throws {
        let color = try #require(RGBColor(text))
        #expect([color.red, color.green, color.blue] == components)
    }

    @Test(arguments: ["", "#", "ff8000", "#ff80", "#gg0000", "#ff80000", "#+1+2+3", "#١٢٣", "red "])
    func `Malformed colours are refused`(_ text: String) { #expect(RGBColor(text) == nil) }
}
