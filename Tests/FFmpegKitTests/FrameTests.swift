import TestSupport
import Testing

@testable import FFmpegKit

@Suite(.serialized) struct `Decoded frames` {
    @Test(arguments: [
        "movie.mp4", "vp9.webm", "10bit.mp4", "animated.gif", "alpha-png.mov", "odd-33x17.mp4", "mjpeg.avi",
    ])
    func `Decoded frames have one digest for each content`(_ name: String) throws {
        let (first, second) = (try Fixture(name).frames(8), try Fixture(name).frames(8))
        #expect(first.count == 8)
        #expect(first.map(\.contentDigest) == second.map(\.contentDigest))
        #expect(Set(first.map(\.contentDigest)).count == 8)
    }

    @Test func `Decoded frames of the same content have equal digests in any container`() throws {
        let movie = try Fixture("movie.mov").frames(5).map(\.contentDigest)
        #expect(try Fixture("movie.mp4").frames(5).map(\.contentDigest) == movie)
        #expect(try Fixture("no-cues.mkv").frames(5).map(\.contentDigest) == movie)
    }

    @Test func `Decoded frames of other sizes and formats have other digests`() throws {
        let names = ["1x1.mp4", "movie.mp4", "h264-444.mp4", "full-range.mp4", "odd-33x17.mp4", "10bit.mp4"]
        let digests = try names.map { try #require(Fixture($0).frames(1).first).contentDigest }
        #expect(Set(digests).count == names.count)
    }

    @Test func `A change of one pixel changes the digest`() throws {
        let frame = try #require(Fixture("mjpeg.avi").frames(1).first)
        let before = frame.contentDigest
        for (plane, row, column) in [(0, 0, 0), (0, 239, 319), (1, 119, 159), (2, 60, 7)] {
            let data = try #require(frame.pointer.pointee.dataPlane(plane))
            let index = row * frame.pointer.pointee.stride(ofPlane: plane) + column
            data[index] ^= 1
            #expect(frame.contentDigest != before, "plane \(plane) at \(column), \(row)")
            data[index] ^= 1
            #expect(frame.contentDigest == before)
        }
    }

    @Test func `Decoded frames have their size, time and packet number`() throws {
        let frames = try Fixture("movie.mp4").frames(250)
        #expect(frames.count == 250)
        #expect(frames.map(\.presentationTicks) == (0..<250).map { Int64($0) * 512 })
        #expect(frames.allSatisfy { $0.width == 320 && $0.height == 240 && $0.damage == nil && !$0.isInterlaced })
        #expect(Set(frames.map(\.packetNumber)) == Set(1...250))
        #expect(frames.indices.filter { frames[$0].isKey } == Array(stride(from: 0, to: 250, by: 25)))
    }

    @Test func `Decoded frames report alpha and interlacing`() throws {
        #expect(try #require(Fixture("alpha-png.mov").frames(1).first).hasAlpha)
        #expect(try #require(Fixture("interlaced-tff.mp4").frames(1).first).isInterlaced)
        #expect(try !#require(Fixture("movie.mp4").frames(1).first).hasAlpha)
    }

    @Test func `Pixels are converted from within the frame only`() throws {
        let frame = try #require(Fixture("movie.mp4").frames(1).first)
        let converter = PixelConverter()
        let whole = PixelConverter.Crop(left: 0, top: 0, right: 0, bottom: 0)
        #expect(whole.isEmpty)
        let pixels = try converter.rgb(of: frame, crop: whole, width: 320, height: 240, keepsAlpha: false)
        #expect(pixels.count == 320 * 240 * 3)
        let small = try converter.rgb(of: frame, crop: whole, width: 7, height: 3, keepsAlpha: true)
        #expect(small.count == 7 * 3 * 4)
        #expect(throws: FFmpegError.self) {
            let crop = PixelConverter.Crop(left: 200, top: 0, right: 200, bottom: 0)
            _ = try converter.rgb(of: frame, crop: crop, width: 10, height: 10, keepsAlpha: false)
        }
    }
}
