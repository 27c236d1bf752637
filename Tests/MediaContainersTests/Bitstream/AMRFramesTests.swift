import Testing

@testable import MediaContainers

/// The sizes of frames are those of RFC 4867 and 3GPP TS 26.101.
@Suite struct `Frames of adaptive multi-rate speech` {
    private func lengths(_ bytes: [UInt8], isWide: Bool) -> [Int]? {
        bytes.withUnsafeBytes { AMRFrames.ranges(in: $0, isWide: isWide) }?.map(\.count)
    }

    @Test(arguments: [
        (false, [13, 14, 16, 18, 20, 21, 27, 32, 6]), (true, [18, 24, 33, 37, 41, 47, 51, 59, 61, 6]),
    ])
    func `AMR frames of any mode follow one another in a sample`(_ isWide: Bool, _ sizes: [Int]) {
        let sample = sizes.enumerated().flatMap { mode, size in
            [UInt8(mode << 3 | 4)] + [UInt8](repeating: 0xff, count: size - 1)
        }
        #expect(lengths(sample, isWide: isWide) == sizes)
        #expect(lengths(Array(sample.dropLast()), isWide: isWide) == nil)
        // One without data, 20 ms for which nothing was sent.
        #expect(lengths(sample + [0x7c], isWide: isWide) == sizes + [1])
    }

    @Test func `AMR samples that make no sense are not split into frames`() {
        #expect(lengths([], isWide: false) == [])
        #expect(lengths([0x64], isWide: false) == nil)
        #expect(lengths([UInt8](repeating: 0x7c, count: 255), isWide: false)?.count == 255)
        #expect(lengths([UInt8](repeating: 0x7c, count: 256), isWide: false) == nil)
    }
}
