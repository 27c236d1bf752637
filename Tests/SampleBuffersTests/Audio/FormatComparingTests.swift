import Foundation
import SampleBuffers
import Testing

/// Which formats are the same, as `AVAudioFormat.h` says.
struct FormatComparingTests {
    private func pcm(_ flags: UInt32, bytes: UInt32 = 4, channels: UInt32 = 1, bits: UInt32 = 32) throws
        -> AVAudioFormat
    {
        var description = stream(flags: flags, bytesPerFrame: bytes, channels: channels, bits: bits)
        return try #require(AVAudioFormat(streamDescription: &description))
    }

    private func same(_ one: AVAudioFormat, _ other: AVAudioFormat) -> Bool {
        if one == other { #expect(one.hash == other.hash) }
        #expect(one.isEqual(other) == other.isEqual(one))
        return one.isEqual(other)
    }

    @Test func `Audio formats of one channel are equal whether interleaved or not`() throws {
        #expect(try same(pcm(9), pcm(41)))
        #expect(try !same(pcm(9, bytes: 8, channels: 2), pcm(41, channels: 2)))
    }

    @Test func `Audio formats are equal whatever the alignment and packing of full bytes`() throws {
        #expect(try same(pcm(4, bytes: 2, bits: 16), pcm(12, bytes: 2, bits: 16)))
        #expect(try same(pcm(4 | 16, bytes: 2, bits: 16), pcm(12, bytes: 2, bits: 16)))
        #expect(try !same(pcm(4 | 16, bytes: 4, bits: 24), pcm(4, bytes: 4, bits: 24)))
    }

    @Test func `Audio formats differ by rate, samples, byte order and channels`() throws {
        #expect(try !same(format(), format(rate: 44100)))
        #expect(try !same(format(), format(.pcmFormatInt32)))
        #expect(try !same(format(), format(channels: 1)))
        #expect(try !same(pcm(12, bytes: 2, bits: 16), pcm(14, bytes: 2, bits: 16)))
    }

    @Test func `Layouts of mono and stereo equal none, and others do not`() throws {
        let (stereo, headphones) = (
            try layout(kAudioChannelLayoutTag_Stereo), try layout(kAudioChannelLayoutTag_StereoHeadphones)
        )
        let plain = try #require(AVAudioFormat(standardFormatWithSampleRate: 48000, channels: 2))
        #expect(same(plain, AVAudioFormat(standardFormatWithSampleRate: 48000, channelLayout: stereo)))
        #expect(!same(plain, AVAudioFormat(standardFormatWithSampleRate: 48000, channelLayout: headphones)))
    }

    @Test func `Audio formats differ by their cookie`() throws {
        let (one, other) = (try format(), try format())
        #expect(same(one, other))
        other.magicCookie = Data([1])
        #expect(!same(one, other))
    }

    @Test func `Audio formats do not equal other objects`() throws {
        #expect(try !format().isEqual("format"))
        #expect(try !format().isEqual(nil))
    }
}
