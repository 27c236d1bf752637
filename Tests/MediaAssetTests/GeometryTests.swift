import Foundation
import MediaAsset
import MediaCore
import MediaTestSupport
import Testing

@Suite struct `Transforms of geometry` {
    private let quarterTurn = CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 240, ty: 0)

    @Test func `A size, a point and a rectangle are mapped by a transform`() {
        let size = CGSize(width: 320, height: 240).applying(quarterTurn)
        #expect(abs(size.width) == 240 && abs(size.height) == 320)
        #expect(CGPoint(x: 10, y: 20).applying(quarterTurn) == CGPoint(x: 220, y: 10))
        let rect = CGRect(x: 0, y: 0, width: 320, height: 240).applying(quarterTurn)
        #expect(rect == CGRect(x: 0, y: 0, width: 240, height: 320))
    }

    @Test func `The inverse of a transform undoes it`() {
        let both = quarterTurn.scaledBy(x: 2, y: 3).translatedBy(x: 5, y: 7)
        let point = CGPoint(x: 3, y: 4).applying(both).applying(both.inverted())
        #expect(abs(point.x - 3) < 1e-9 && abs(point.y - 4) < 1e-9)
    }

    @Test func `Scaling before a translation is applied to the translation`() {
        let moved = CGAffineTransform(scaleX: 2, y: 2).translatedBy(x: 1, y: 0)
        #expect(CGPoint(x: 1, y: 1).applying(moved) == CGPoint(x: 4, y: 2))
    }
}

@Suite struct `Properties that block` {
    @Test func `Blocking properties give what loading gives`() async throws {
        let asset = Fixture("movie.mov").asset
        #expect(asset.duration == (try await Fixture("movie.mov").asset.load(.duration)))
        #expect(asset.tracks(withMediaType: .video).count == 1)
        #expect(asset.tracks(withMediaCharacteristic: .audible).map(\.mediaType) == [.audio])
    }

    @Test func `Blocking properties of an unreadable file are empty`() {
        #expect(Fixture("text.mp4").asset.tracks.isEmpty)
        #expect(!Fixture("missing.mp4").asset.duration.isNumeric)
    }
}

@Suite struct `Sizes that fit into a box` {
    @Test(arguments: [
        (1280, 586, 160, 0, 160, 73), (1920, 1080, 160, 160, 160, 90), (1080, 1920, 160, 160, 90, 160),
        (320, 240, 0, 60, 80, 60), (320, 240, 999, 999, 320, 240), (320, 240, 0, 0, 320, 240),
        (10000, 1, 100, 0, 100, 1),
        (1000, 1001, 10, 9, 9, 9), (524, 288, 160, 160, 160, 88),
    ])
    func `Sizes fitted into a box keep their aspect, and fit again as they are`(
        _ width: Int, _ height: Int, _ boxWidth: Int, _ boxHeight: Int, _ fittedWidth: Int, _ fittedHeight: Int
    ) {
        let fitted = PixelSize(width: width, height: height).fitting(PixelSize(width: boxWidth, height: boxHeight))
        #expect(fitted == PixelSize(width: fittedWidth, height: fittedHeight))
        #expect(PixelSize(width: width, height: height).fitting(fitted) == fitted)
    }

    @Test func `Fitted sizes do not change when the original is fitted into them`() {
        for width in stride(from: 100, through: 2000, by: 37) {
            for height in stride(from: 100, through: 1200, by: 41) {
                let size = PixelSize(width: width, height: height)
                let fitted = size.fitting(PixelSize(width: 160, height: 160))
                #expect(size.fitting(fitted) == fitted, "\(width)x\(height)")
            }
        }
    }
}
