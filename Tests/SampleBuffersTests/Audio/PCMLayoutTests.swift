import Foundation
import MediaCore
import SampleBuffers
import Testing

/// What samples settings ask for.
struct PCMLayoutTests {
    @Test func `Empty PCM settings mean 16 bits, interleaved, as the source has it`() throws {
        let made = try PCMLayout(settings: [:])
        #expect(made.sampleRate == nil && made.channels == nil && made.channelLayout == nil)
        #expect(made.bits == 16 && !made.isFloat && !made.isBigEndian && made.isInterleaved)
        // Signed 4, packed 8.
        #expect(
            made.streamDescription(sampleRate: 32000, channels: 3)
                == stream(
                    rate: 32000, flags: 12, bytesPerFrame: 6, channels: 3, bits: 16))
    }

    @Test(arguments: [
        (false, 8), (false, 16), (false, 24), (false, 32), (true, 32), (true, 64),
    ])
    func `PCM settings of every size are described`(_ isFloat: Bool, _ bits: Int) throws {
        let made = try PCMLayout(settings: [
            AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMIsFloatKey: isFloat, AVLinearPCMBitDepthKey: bits,
            AVLinearPCMIsNonInterleaved: true, AVLinearPCMIsBigEndianKey: true, AVSampleRateKey: 22050,
            AVNumberOfChannelsKey: 2,
        ])
        // Big endian 2, packed 8, not interleaved 32, and float 1 or signed 4.
        #expect(
            made.streamDescription(sampleRate: 1, channels: 1)
                == stream(
                    rate: 22050, flags: 42 | (isFloat ? 1 : 4), bytesPerFrame: UInt32(bits / 8), channels: 2,
                    bits: UInt32(bits)))
    }

    @Test func `PCM settings of floats have 32 bits by default`() throws {
        #expect(try PCMLayout(settings: [AVLinearPCMIsFloatKey: true]).bits == 32)
    }

    @Test(arguments: [
        8 as any Sendable, Int32(8), UInt32(8), UInt64(8), UInt8(8), 8.0, Float(8), CGFloat(8),
    ])
    func `Numbers in PCM settings may be of any type`(_ value: any Sendable) throws {
        let made = try PCMLayout(settings: [
            AVLinearPCMBitDepthKey: value, AVSampleRateKey: value, AVNumberOfChannelsKey: value,
        ])
        #expect(made.bits == 8 && made.sampleRate == 8 && made.channels == 8)
    }

    @Test func `Numbers and flags in PCM settings may be objects`() throws {
        let made = try PCMLayout(settings: [
            AVFormatIDKey: NSNumber(value: kAudioFormatLinearPCM), AVLinearPCMBitDepthKey: NSNumber(value: 24),
            AVLinearPCMIsBigEndianKey: NSNumber(value: true), AVLinearPCMIsFloatKey: NSNumber(value: 0),
            AVLinearPCMIsNonInterleaved: 1, AVSampleRateKey: NSNumber(value: 44100.5),
        ])
        #expect(made.bits == 24 && made.isBigEndian && !made.isFloat && !made.isInterleaved)
        #expect(made.sampleRate == 44100.5)
    }

    @Test func `A layout in PCM settings says which channels, and how many`() throws {
        let surround = try PCMLayout(settings: [
            AVChannelLayoutKey: layoutBytes(tag: kAudioChannelLayoutTag_MPEG_5_1_A)
        ])
        #expect(surround.channels == 6)
        #expect(surround.channelLayout?.layoutTag == kAudioChannelLayoutTag_MPEG_5_1_A)
        let bitmap = try PCMLayout(settings: [
            AVChannelLayoutKey: NSData(data: layoutBytes(tag: 1 << 16, bitmap: 0b111)), AVNumberOfChannelsKey: 3,
        ])
        #expect(bitmap.channels == 3)
        let single = try PCMLayout(settings: [AVChannelLayoutKey: layoutBytes(tag: 0, labels: [1, 2, 3, 4, 33])])
        #expect(single.channels == 5)
    }

    @Test(arguments: [
        (AVFormatIDKey, kAudioFormatMPEG4AAC as any Sendable, "'aac '"), (AVFormatIDKey, "lpcm", "lpcm"),
        (AVFormatIDKey, Int.max, "9223372036854775807"), (AVLinearPCMBitDepthKey, 12, "12"),
        (AVLinearPCMBitDepthKey, 64, "64"), (AVLinearPCMBitDepthKey, 0, "0"), (AVLinearPCMBitDepthKey, -16, "-16"),
        (AVLinearPCMBitDepthKey, 16.5, "16.5"), (AVLinearPCMBitDepthKey, "16", "16"),
        (AVLinearPCMBitDepthKey, true, "true"), (AVLinearPCMBitDepthKey, UInt64.max, "18446744073709551615"),
        (AVSampleRateKey, -1, "-1"), (AVSampleRateKey, 0, "0"), (AVSampleRateKey, Double.nan, "nan"),
        (AVSampleRateKey, Double.infinity, "inf"), (AVSampleRateKey, 1e10, "10000000000.0"),
        (AVSampleRateKey, "fast", "fast"), (AVNumberOfChannelsKey, 0, "0"), (AVNumberOfChannelsKey, -2, "-2"),
        (AVNumberOfChannelsKey, 65536, "65536"), (AVNumberOfChannelsKey, 1.5, "1.5"),
        (AVLinearPCMIsFloatKey, "yes", "yes"), (AVLinearPCMIsFloatKey, 2, "2"),
        (AVLinearPCMIsBigEndianKey, [1], "[1]"), (AVLinearPCMIsNonInterleaved, Double.nan, "nan"),
    ])
    func `Wrong values in PCM settings are named`(_ key: String, _ value: any Sendable, _ words: String) {
        let error = #expect(throws: PCMSettingsError.self) { try PCMLayout(settings: [key: value]) }
        #expect(error?.key == key)
        #expect(error?.value == words)
        #expect(error.map { "\($0)" }?.hasPrefix("\(key) cannot be \(words): it has to be ") == true)
    }

    @Test(arguments: [8, 16, 24])
    func `Floats of other sizes are refused in PCM settings`(_ bits: Int) {
        let error = #expect(throws: PCMSettingsError.self) {
            try PCMLayout(settings: [AVLinearPCMIsFloatKey: true, AVLinearPCMBitDepthKey: bits])
        }
        #expect(error?.key == AVLinearPCMBitDepthKey)
    }

    @Test func `Channels that contradict the layout are refused in PCM settings`() {
        let error = #expect(throws: PCMSettingsError.self) {
            try PCMLayout(settings: [
                AVNumberOfChannelsKey: 2, AVChannelLayoutKey: layoutBytes(tag: kAudioChannelLayoutTag_MPEG_5_1_A),
            ])
        }
        #expect(error?.key == AVNumberOfChannelsKey)
        #expect(error?.value == "2")
    }

    @Test(arguments: [
        Data(), Data([1, 2, 3]), layoutBytes(tag: kAudioChannelLayoutTag_Stereo).prefix(11),
        layoutBytes(tag: 0, labels: [1, 2]).dropLast(), layoutBytes(tag: 1 << 16), layoutBytes(tag: 0),
        layoutBytes(tag: kAudioChannelLayoutTag_Unknown),
        Data([0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]) + Data(count: 40),
    ])
    func `Bytes that are no layout of channels are refused in PCM settings`(_ bytes: Data) {
        let error = #expect(throws: PCMSettingsError.self) { try PCMLayout(settings: [AVChannelLayoutKey: bytes]) }
        #expect(error?.key == AVChannelLayoutKey)
    }

    @Test func `A slice of bytes is accepted as a layout in PCM settings`() throws {
        let bytes = (Data([9, 9, 9]) + layoutBytes(tag: 0, labels: [1, 2, 3])).dropFirst(3)
        #expect(try PCMLayout(settings: [AVChannelLayoutKey: bytes]).channels == 3)
    }

    @Test func `Other keys in PCM settings are ignored`() throws {
        #expect(try PCMLayout(settings: [AVEncoderBitRateKey: "fast", "other": Double.nan]).bits == 16)
    }

    @Test func `An impossible source does not trap in PCM settings`() throws {
        let made = try PCMLayout(settings: [:])
        #expect(made.streamDescription(sampleRate: 1, channels: -1).mChannelsPerFrame == 0)
        #expect(made.streamDescription(sampleRate: 1, channels: .max).mBytesPerFrame == 0)
    }
}
