import Testing

@testable import MediaContainers

/// Configurations are put together by ISO/IEC 14496-3, 1.6.2.1.
@Suite struct `Frames of ADTS` {
    @Test(
        arguments: [
            [], [0x12, 0x10], [0x15, 0x90, 0x56, 0xe5, 0],
            // HE-AAC, told first and told last.
            [0x2b, 0x92, 0x08, 0x00], [0x13, 0x88, 0x56, 0xe5, 0xa5, 0x48, 0],
            // Channels told by a program configuration element.
            [0x12, 0x00, 0x05, 0x88],
        ] as [[UInt8]])
    func `ADTS frames can describe the usual configurations of AAC`(_ configuration: [UInt8]) {
        #expect(ADTSFrames.refusal(of: configuration) == nil)
    }

    @Test(
        arguments: [
            ([0x12, 0x14], "960"), ([0x12, 0x11], "layers"), ([0x12, 0x60], "channels"),
            // 44100 Hz as a number of 24 bits.
            ([0x17, 0x80, 0x56, 0x22, 0x10], "sample rate"),
            // xHE-AAC, 42, and enhanced low delay, 39.
            ([0xf9, 0x46, 0x43, 0x22, 0x2c], "type 42"), ([0xf8, 0xe6, 0x40, 0x00], "type 39"), ([0x12], "cut short"),
        ] as [([UInt8], String)])
    func `ADTS frames refuse configurations that they cannot describe`(
        _ configuration: [UInt8], reason: String
    ) throws {
        let refusal = try #require(ADTSFrames.refusal(of: configuration))
        #expect(refusal.contains(reason))
    }
}
