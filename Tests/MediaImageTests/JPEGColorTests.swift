import Foundation
import MediaCore
import MediaImage
import MediaTestSupport
import Testing

/// The segments of a JPEG file before its samples: marker and data.
private func segments(of file: Data) -> [(marker: UInt8, data: [UInt8])] {
    let bytes = [UInt8](file)
    var found: [(UInt8, [UInt8])] = []
    var position = 2
    while position + 4 <= bytes.count, bytes[position] == 0xff, bytes[position + 1] != 0xda {
        let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
        guard length >= 2, position + 2 + length <= bytes.count else { break }
        found.append((bytes[position + 1], Array(bytes[(position + 4)..<(position + 2 + length)])))
        position += 2 + length
    }
    return found
}

/// The profiles in APP2 segments: what follows the identifier, the number and the count.
private func profiles(of file: Data) -> [(place: [UInt8], data: [UInt8])] {
    let identifier = Array("ICC_PROFILE".utf8) + [0]
    return segments(of: file).filter { $0.marker == 0xe2 && $0.data.starts(with: identifier) }
        .map { (Array($0.data[12..<14]), Array($0.data[14...])) }
}

@Suite(.serialized) struct `The colour space of a JPEG file` {
    @Test(arguments: SpaceCase.wide, [50, 95])
    func `Wide colour spaces of JPEG files are tagged by their profile`(_ c: SpaceCase, _ quality: Int) async throws {
        let image = ImageCase(40, 30).smooth(space: c.name)
        let data = try image.jpegData(quality: quality)
        let found = profiles(of: data)
        #expect(found.map(\.place) == [[1, 1]])
        let profile = try #require(c.space?.copyICCData())
        #expect(found.first?.data == [UInt8](profile))
        let samples = try await decodedSamples(data, as: "rgb24", extension: "jpg")
        #expect(peakSignalToNoise(samples, image.samples(0..<3)) > 32)
    }

    @Test func `JPEG files in sRGB need no profile`() throws {
        let data = try ImageCase(40, 30).smooth().jpegData()
        #expect(profiles(of: data).isEmpty)
        #expect(!segments(of: data).contains { $0.marker == 0xe2 })
        // JFIF, so that readers know the matrix.
        #expect(segments(of: data).contains { $0.marker == 0xe0 && $0.data.starts(with: Array("JFIF".utf8)) })
    }

    @Test func `Colour spaces of JPEG files do not change the samples`() async throws {
        let plain = try ImageCase(40, 30).smooth().jpegData()
        let wide = try ImageCase(40, 30).smooth(space: CGColorSpace.displayP3).jpegData()
        #expect(
            try await decoded(plain, as: "rgb24", extension: "jpg")
                == decoded(wide, as: "rgb24", extension: "jpg"))
    }

    @Test(arguments: SpaceCase.hdr, [8, 16])
    func `JPEG files cannot be HDR`(_ c: SpaceCase, _ bits: Int) throws {
        #expect(throws: ImageEncodingError.self) {
            try ImageCase(8, 8).smooth(bits: bits, space: c.name).jpegData()
        }
    }
}

@Suite(.serialized) struct `JPEG files made of 16 bits` {
    @Test(arguments: [ImageCase(64, 48), ImageCase(33, 17, alpha: true)])
    func `JPEG files made of 16 bits are as those made of 8`(_ c: ImageCase) async throws {
        let deep = try c.smooth(bits: 16).jpegData(quality: 95)
        let samples = try await decodedSamples(deep, as: "rgb24", extension: "jpg")
        #expect(peakSignalToNoise(samples, c.smooth().composited(over: .black).samples(0..<3)) > 38)
    }
}
