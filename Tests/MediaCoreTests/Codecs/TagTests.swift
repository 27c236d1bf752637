import MediaTypes
import Testing

@Suite struct `Field orders` {
    @Test(arguments: [
        (FieldOrder.progressive, "progressive", false, true), (.topFirst, "tt", true, true),
        (.bottomFirst, "bb", true, false), (.interleavedTopFirst, "tb", true, true),
        (.interleavedBottomFirst, "bt", true, false),
    ])
    func `say which field is shown first`(_ order: FieldOrder, _ name: String, _ isInterlaced: Bool, _ isTop: Bool) {
        #expect(FieldOrder(rawValue: name) == order)
        #expect((order.isInterlaced, order.isTopFirst) == (isInterlaced, isTop))
    }
}

@Suite struct `Colour tags` {
    @Test func `are HDR by their curve`() {
        for transfer in TransferFunction.allCases {
            let isHDR = transfer == .pq || transfer == .hlg
            #expect(ColorInfo(transferFunction: transfer).isHDR == isHDR, "\(transfer)")
        }
        #expect(!ColorInfo().isHDR)
    }

    @Test func `are wider than those of BT.709 by their primaries`() {
        #expect(Set(ColorPrimaries.allCases.filter(\.isWide)) == [.bt2020, .smpte431, .smpte432])
    }

    @Test func `are assumed by the number of lines`() {
        #expect(ColorInfo.assumed(lines: 719).yCbCrMatrix == .smpte170M)
        #expect(ColorInfo.assumed(lines: 720).yCbCrMatrix == .bt709)
    }
}
