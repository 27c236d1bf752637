import Testing

@testable import MediaEngine

/// A picture, what bounds it, and what becomes of it.
struct SizeCase: Sendable, CustomTestStringConvertible {
    var source: (Int, Int)
    var aspect = (1, 1)
    var box: (Int, Int)?
    var multiple = (2, 2)
    var square = false
    var result: (Int, Int)
    var resultAspect = (1, 1)
    var isScaled: Bool

    var testDescription: String { "\(source) \(aspect) in \(String(describing: box)): \(result)" }

    static let all = [
        SizeCase(source: (1920, 1080), result: (1920, 1080), isScaled: false),
        SizeCase(source: (1920, 1080), box: (1920, 1080), result: (1920, 1080), isScaled: false),
        SizeCase(source: (1920, 1080), box: (1280, 720), result: (1280, 720), isScaled: true),
        SizeCase(source: (1920, 1080), box: (480, 360), result: (480, 270), isScaled: true),
        SizeCase(source: (640, 480), box: (480, 360), result: (480, 360), isScaled: true),
        // Upright pictures in a box that lies.
        SizeCase(source: (1080, 1920), box: (960, 540), result: (304, 540), isScaled: true),
        // Nothing grows, and a row or a column too many is cut off.
        SizeCase(source: (161, 121), box: (640, 480), result: (160, 120), isScaled: false),
        SizeCase(source: (161, 121), multiple: (2, 1), result: (160, 121), isScaled: false),
        SizeCase(source: (161, 121), multiple: (1, 1), result: (161, 121), isScaled: false),
        // There is no smaller even number than two.
        SizeCase(source: (1, 1), result: (2, 2), isScaled: true),
        // Pixels that are not square stay so, unless the picture is scaled anyway: then no side grows.
        SizeCase(source: (720, 576), aspect: (16, 11), result: (720, 576), resultAspect: (16, 11), isScaled: false),
        SizeCase(source: (720, 576), aspect: (16, 15), box: (640, 480), result: (640, 480), isScaled: true),
        SizeCase(source: (720, 576), aspect: (64, 45), box: (960, 540), result: (720, 406), isScaled: true),
        SizeCase(source: (720, 480), aspect: (8, 9), box: (640, 480), result: (640, 480), isScaled: true),
        SizeCase(source: (720, 576), aspect: (64, 45), square: true, result: (720, 406), isScaled: true),
        SizeCase(source: (360, 288), aspect: (1, 2), square: true, result: (180, 288), isScaled: true),
        // Headers hold any ratio.
        SizeCase(source: (640, 480), aspect: (1000, 1), square: true, result: (640, 480), isScaled: false),
        SizeCase(source: (640, 480), aspect: (0, 0), square: true, result: (640, 480), isScaled: false),
        SizeCase(source: (16000, 2), box: (640, 480), result: (640, 2), isScaled: true),
    ]
}

@Suite struct `The size of pictures` {
    @Test(arguments: SizeCase.all)
    func `The size of encoded frames fits the box and keeps the shape`(_ c: SizeCase) {
        let size = FrameSizing.fitting(
            width: c.source.0, height: c.source.1, sampleAspect: c.aspect,
            within: .init(box: c.box, multiple: c.multiple, needsSquarePixels: c.square))
        #expect((size.width, size.height) == c.result)
        #expect(size.sampleAspect == c.resultAspect)
        #expect(size.isScaled == c.isScaled)
    }

    /// Against all even sizes near the largest one that fits, one by one.
    @Test func `The size of encoded frames is the even one with the least error of its shape`() {
        for source in [(1920, 1080), (1998, 1080), (854, 480), (1137, 733), (608, 1080), (4096, 1716)] {
            for box in [(640, 480), (960, 540), (480, 360), (333, 777)] where source.0 > box.0 || source.1 > box.1 {
                let size = FrameSizing.fitting(
                    width: source.0, height: source.1, sampleAspect: (1, 1),
                    within: .init(box: box, multiple: (2, 2)))
                let shape = Double(source.1) / Double(source.0)
                func error(_ width: Int, _ height: Int) -> Double {
                    let ratio = Double(width) / Double(height) * shape
                    return max(ratio, 1 / ratio)
                }
                let scale = min(Double(box.0) / Double(source.0), Double(box.1) / Double(source.1))
                let (wide, high) = (Double(source.0) * scale, Double(source.1) * scale)
                let near = stride(from: 2, through: min(box.0, source.0), by: 2).flatMap { width in
                    stride(from: 2, through: min(box.1, source.1), by: 2).map { (width, $0) }
                }.filter { (width: Int, height: Int) -> Bool in
                    abs(Double(width) - wide) < 2 && abs(Double(height) - high) < 2
                }
                let best: Double = near.map { error($0.0, $0.1) }.min() ?? 0
                #expect(error(size.width, size.height) <= best, "\(source) in \(box): \(size)")
                #expect(size.width <= box.0 && size.height <= box.1)
                #expect(size.width % 2 == 0 && size.height % 2 == 0)
                #expect(Double(size.width) > wide - 3 && Double(size.height) > high - 3, "\(source) in \(box): \(size)")
            }
        }
    }
}

@Suite struct `A display matrix` {
    private static let one: Int32 = 65536

    /// Matrices as ISO/IEC 14496-12 has them, for 1920x1080 and for 960x540.
    @Test(arguments: [
        (turn: [0, 1, -1, 0] as [Int32], old: (1080, 0) as (Int32, Int32), new: (540, 0) as (Int32, Int32)),
        (turn: [-1, 0, 0, -1], old: (1920, 1080), new: (960, 540)),
        (turn: [0, -1, 1, 0], old: (0, 1920), new: (0, 960)),
        (turn: [-1, 0, 0, 1], old: (0, 0), new: (960, 0)),
        (turn: [1, 0, 0, 1], old: (100, 50), new: (50, 25)),
    ])
    func `A display matrix moves smaller frames into the corner again`(
        _ c: (turn: [Int32], old: (Int32, Int32), new: (Int32, Int32))
    ) {
        func matrix(_ x: Int32, _ y: Int32) -> [Int32] {
            let one = Self.one
            return [
                c.turn[0] * one, c.turn[1] * one, 0, c.turn[2] * one, c.turn[3] * one, 0, x * one, y * one, 1 << 30,
            ]
        }
        let result = PictureTurn.matrix(matrix(c.old.0, c.old.1), size: (960, 540), scale: (0.5, 0.5))
        #expect(result == matrix(c.new.0, c.new.1))
    }
}
