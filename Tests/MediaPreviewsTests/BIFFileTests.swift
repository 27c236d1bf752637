import Foundation
import MediaCore
import MediaPreviews
import Testing

@Suite("BIF files") struct BIFFileTests {
    private func words(_ data: Data, from start: Int) -> [UInt32] {
        stride(from: start, to: data.count, by: 4).map { position in
            data[position..<position + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
    }

    private func header(interval: CMTime, sizes: [Int]) throws -> Data {
        var file = try BIFFile(imageCount: sizes.count, interval: interval)
        for size in sizes { try file.add(byteCount: size) }
        return try file.header()
    }

    @Test func `The header of a BIF file is Roku's`() throws {
        let data = try header(interval: CMTime(value: 10, timescale: 1), sizes: [100, 7, 3000])
        #expect(Array(data.prefix(8)) == [0x89, 0x42, 0x49, 0x46, 0x0d, 0x0a, 0x1a, 0x0a])
        #expect(words(data, from: 8).prefix(3) == [0, 3, 10000])
        #expect(words(data, from: 20).prefix(11).allSatisfy { $0 == 0 })
        #expect(words(data, from: 64) == [0, 96, 1, 196, 2, 203, 0xffff_ffff, 3203])
        #expect(data.count == 96)
    }

    @Test func `An interval of a BIF file that is not whole milliseconds is written as the times themselves`() throws {
        // 8.341666…, 16.683333… and 25.025 s.
        let data = try header(interval: CMTime(value: 250_250, timescale: 30000), sizes: [1, 1, 1, 1])
        #expect(words(data, from: 16).first == 1)
        let index = words(data, from: 64)
        #expect(stride(from: 0, to: 8, by: 2).map { index[$0] } == [0, 8342, 16683, 25025])
    }

    @Test func `The first image of a BIF file begins where the header ends`() throws {
        for count in [1, 2, 1000] {
            var file = try BIFFile(imageCount: count, interval: CMTime(value: 1, timescale: 1))
            for _ in 0..<count { try file.add(byteCount: 5) }
            let data = try file.header()
            #expect(data.count == Int(file.imagesOffset))
            #expect(words(data, from: 64)[1] == file.imagesOffset)
        }
    }

    @Test func `A BIF file beyond 4 GiB is refused by the image that does not fit`() throws {
        var file = try BIFFile(imageCount: 3, interval: CMTime(value: 1, timescale: 1))
        try file.add(byteCount: 1 << 31)
        #expect(throws: BIFFile.Failure.tooLarge) { try file.add(byteCount: 1 << 31) }
        #expect(throws: BIFFile.Failure.tooLarge) { try file.add(byteCount: .max) }
        // The end mark is one position more than the last byte, and the greatest that fits.
        try file.add(byteCount: (1 << 32) - 1 - (1 << 31) - Int(file.imagesOffset) - 1)
        try file.add(byteCount: 1)
        #expect(words(try file.header(), from: 64).suffix(2) == [0xffff_ffff, 0xffff_ffff])
    }

    @Test func `Counts and intervals that a BIF file cannot hold are refused`() {
        let second = CMTime(value: 1, timescale: 1)
        for count in [0, -1, 1 << 29, .max] {
            #expect(throws: BIFFile.Failure.unsupportedImageCount(count)) {
                try BIFFile(imageCount: count, interval: second)
            }
        }
        for interval in [
            CMTime.zero, .invalid, .indefinite, .positiveInfinity, CMTime(value: -1, timescale: 1),
            CMTime(value: 1, timescale: 1001), CMTime(value: .max, timescale: 7),
        ] {
            #expect(throws: BIFFile.Failure.unsupportedInterval) { try BIFFile(imageCount: 2, interval: interval) }
        }
    }

    @Test func `Images of a BIF file have to be as many as announced`() throws {
        var file = try BIFFile(imageCount: 1, interval: CMTime(value: 1, timescale: 1))
        #expect(throws: BIFFile.Failure.imageCountDiffers(announced: 1, added: 0)) { try file.header() }
        #expect(throws: BIFFile.Failure.emptyImage) { try file.add(byteCount: 0) }
        try file.add(byteCount: 1)
        #expect(throws: BIFFile.Failure.imageCountDiffers(announced: 1, added: 2)) { try file.add(byteCount: 1) }
    }
}
