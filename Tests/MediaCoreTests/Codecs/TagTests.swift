import MediaCore
import Testing

@Suite struct `Field orders` {
    @Test(arguments: [
        (FieldOrder.progressive, "progressive", false, true), (.topFirst, "tt", true, true),
        (.bottomFirst, "bb", true, false), (.interleavedTopFirst, "tb", true, true),
        (.interleavedBottomFirst, "bt", true, false),
    ])
    func `Field orders state which field is shown first`(
        _ order: FieldOrder, _ name: String, _ isInterlaced: Bool, _ isTop: Bool
    ) {
        #expect(FieldOrder(rawValue: name) == order)
        #expect((order.isInterlaced, order.isTopFirst) == (isInterlaced, isTop))
    }
}

@Suite struct `Colour tags` {
    @Test func `Colour tags are HDR by their transfer function`() {
        for transfer in TransferFunction.allCases {
            let isHDR = transfer == .pq || transfer == .hlg
            #expect(ColorInfo(transferFunction: transfer).isHDR == isHDR, "\(transfer)")
        }
        #expect(!ColorInfo().isHDR)
    }

    @Test func `Colour primaries are wider than those of BT.709 by the table`() {
        #expect(Set(ColorPrimaries.allCases.filter(\.isWide)) == [.bt2020, .smpte431, .smpte432])
    }

    @Test func `Colour tags are assumed by the number of lines`() {
        #expect(ColorInfo.assumed(lines: 719).yCbCrMatrix == .smpte170M)
        #expect(ColorInfo.assumed(lines: 720).yCbCrMatrix == .bt709)
    }
}
