import Testing

@testable import MediaContainers

@Suite struct `Alpha layers of HEVC` {
    /// `hvcC` with one array of units of a kind.
    private func configuration(_ kind: UInt8, _ units: [[UInt8]]) -> [UInt8] {
        [1] + [UInt8](repeating: 0, count: 21) + [1, 0x80 | kind, 0, UInt8(units.count)]
            + units.flatMap { [0, UInt8($0.count)] + $0 }
    }

    /// A prefix SEI unit: header, then type, size and content of each message.
    private let alpha: [UInt8] = [0x4e, 1, 165, 4, 0x00, 0x7f, 0x90, 0x40, 0x80]

    @Test func `Alpha layers of HEVC are found where the configuration announces them`() {
        #expect(HEVCAlpha.isAnnounced(in: configuration(39, [alpha])))
        // Behind another message of 3 bytes, and in the second unit.
        let other: [UInt8] = [0x4e, 1, 137, 3, 1, 2, 3, 0x80]
        #expect(HEVCAlpha.isAnnounced(in: configuration(39, [other, alpha])))
        #expect(HEVCAlpha.isAnnounced(in: configuration(39, [[0x4e, 1, 137, 3, 1, 2, 3, 165, 1, 0x00, 0x80]])))
    }

    @Test func `Alpha layers of HEVC are not found where there are none`() {
        #expect(!HEVCAlpha.isAnnounced(in: []))
        #expect(!HEVCAlpha.isAnnounced(in: configuration(32, [alpha])))
        #expect(!HEVCAlpha.isAnnounced(in: configuration(39, [[0x4e, 1, 165, 1, 0x80, 0x80]])))
        #expect(!HEVCAlpha.isAnnounced(in: configuration(39, [[0x4e, 1, 137, 255, 165, 0]])))
        let whole = configuration(39, [alpha])
        for length in 0..<(whole.count - 5) { #expect(!HEVCAlpha.isAnnounced(in: Array(whole[..<length]))) }
    }
}
