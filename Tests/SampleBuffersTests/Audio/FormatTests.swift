import Foundation
import SampleBuffers
import Testing

/// What formats say that are made in one way or another.
struct FormatTests {
    @Test func `The standard audio format has deinterleaved floats`() throws {
        let made = try #require(AVAudioFormat(standardFormatWithSampleRate: 44100, channels: 2))
        #expect(made.isStandard)
        #expect(made.commonFormat == .pcmFormatFloat32)
        #expect(made.sampleRate == 44100)
        #expect(made.channelCount == 2)
        #expect(!made.isInterleaved)
        #expect(made.channelLayout == nil)
        #expect(made.magicCookie == nil)
        // Float 1, packed 8, not interleaved 32.
        #expect(
            made.streamDescription.pointee
                == stream(
                    rate: 44100, flags: 41, bytesPerFrame: 4, channels: 2, bits: 32))
    }

    @Test(arguments: [
        (AVAudioCommonFormat.pcmFormatFloat32, true, UInt32(9), UInt32(8), UInt32(32)),
        (.pcmFormatFloat64, true, 9, 16, 64), (.pcmFormatInt16, true, 12, 4, 16), (.pcmFormatInt32, true, 12, 8, 32),
        (.pcmFormatFloat64, false, 41, 8, 64), (.pcmFormatInt16, false, 44, 2, 16),
    ])
    func `Common audio formats are as Core Audio describes them`(
        _ kind: AVAudioCommonFormat, _ interleaved: Bool, _ flags: UInt32, _ bytes: UInt32, _ bits: UInt32
    ) throws {
        let made = try format(kind, channels: 2, interleaved: interleaved)
        #expect(made.streamDescription.pointee == stream(flags: flags, bytesPerFrame: bytes, channels: 2, bits: bits))
        #expect(made.commonFormat == kind)
        #expect(made.isInterleaved == interleaved)
        #expect(!made.isStandard || kind == .pcmFormatFloat32)
    }

    @Test func `Audio formats of more than two channels need a layout`() throws {
        #expect(AVAudioFormat(standardFormatWithSampleRate: 48000, channels: 3) == nil)
        #expect(AVAudioFormat(standardFormatWithSampleRate: 48000, channels: .max) == nil)
        #expect(
            AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 48000, channels: 6, interleaved: true) == nil)
        var six = stream(flags: 12, bytesPerFrame: 12, channels: 6, bits: 16)
        #expect(AVAudioFormat(streamDescription: &six) == nil)
        #expect(AVAudioFormat(streamDescription: &six, channelLayout: nil) == nil)
        let surround = try layout(kAudioChannelLayoutTag_MPEG_5_1_A)
        let made = try #require(AVAudioFormat(streamDescription: &six, channelLayout: surround))
        #expect(made.channelCount == 6)
        #expect(made.channelLayout == surround)
        #expect(AVAudioFormat(standardFormatWithSampleRate: 48000, channelLayout: surround).isStandard)
    }

    @Test func `A layout of another number of channels is refused`() throws {
        var two = stream(flags: 12, bytesPerFrame: 4, channels: 2, bits: 16)
        let surround = try layout(kAudioChannelLayoutTag_MPEG_5_1_A)
        #expect(AVAudioFormat(streamDescription: &two, channelLayout: surround) == nil)
    }

    @Test func `Impossible audio formats are refused`() {
        #expect(AVAudioFormat(standardFormatWithSampleRate: 48000, channels: 0) == nil)
        for rate in [-1, Double.nan, .infinity, -.infinity] {
            #expect(AVAudioFormat(standardFormatWithSampleRate: rate, channels: 1) == nil)
        }
        #expect(AVAudioFormat(commonFormat: .otherFormat, sampleRate: 8000, channels: 1, interleaved: true) == nil)
        var none = stream(flags: 12, bytesPerFrame: 0, channels: 0, bits: 16)
        #expect(AVAudioFormat(streamDescription: &none) == nil)
    }

    @Test func `Audio formats that cannot fail are equal to themselves and make no buffers`() throws {
        let (stereo, nobody) = (
            try layout(kAudioChannelLayoutTag_Stereo), layout(bytes: layoutBytes(tag: 1 << 16, bitmap: 0))
        )
        let odd = AVAudioFormat(standardFormatWithSampleRate: .nan, channelLayout: stereo)
        #expect(odd.sampleRate == 0)
        #expect(odd == odd)
        let empty = AVAudioFormat(standardFormatWithSampleRate: 48000, channelLayout: nobody)
        #expect(empty.channelCount == 0)
        #expect(AVAudioPCMBuffer(pcmFormat: empty, frameCapacity: 1) == nil)
        let other = AVAudioFormat(
            commonFormat: .otherFormat, sampleRate: 48000, interleaved: true, channelLayout: stereo)
        #expect(other.commonFormat == .otherFormat)
        #expect(AVAudioPCMBuffer(pcmFormat: other, frameCapacity: 1) == nil)
    }

    @Test func `Other byte orders, sizes and fixed points are no common audio formats`() throws {
        for (flags, bytes, bits) in [
            (UInt32(14), UInt32(2), UInt32(16)), (12, 3, 24), (12, 1, 8), (8, 2, 16), (12 | 24 << 7, 4, 32),
            (4, 4, 24), (12, 4, 16), (9, 2, 16),
        ] {
            var description = stream(flags: flags, bytesPerFrame: bytes, channels: 1, bits: bits)
            let made = try #require(AVAudioFormat(streamDescription: &description))
            #expect(made.commonFormat == .otherFormat, "\(flags) \(bytes) \(bits)")
        }
    }

    @Test func `A stream description is copied into its audio format`() throws {
        var description = stream(flags: 12, bytesPerFrame: 4, channels: 2, bits: 16)
        let made = try #require(AVAudioFormat(streamDescription: &description))
        description.mChannelsPerFrame = 7
        #expect(made.streamDescription.pointee.mChannelsPerFrame == 2)
        #expect(made.streamDescription == made.streamDescription)
    }

    @Test func `Memory lent by an audio format outlives it`() throws {
        func rate(_ rate: Double) throws -> Double {
            try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: 2)).streamDescription.pointee
                .mSampleRate
        }
        for index in 1...100 { #expect(try rate(Double(index)) == Double(index)) }
        #expect(try layout(kAudioChannelLayoutTag_AAC_5_1).layout.pointee.mChannelLayoutTag == 124 << 16 | 6)
    }

    @Test func `Audio formats beyond those that are cached are right`() throws {
        let made = try (0..<10_000).map { try format(rate: Double($0) + 0.25) }
        #expect(made.indices.allSatisfy { made[$0].streamDescription.pointee.mSampleRate == Double($0) + 0.25 })
    }

    @Test func `Audio formats and format descriptions are converted to each other`() throws {
        let surround = try layout(kAudioChannelLayoutTag_MPEG_5_1_D)
        let made = AVAudioFormat(
            commonFormat: .pcmFormatInt32, sampleRate: 96000, interleaved: true, channelLayout: surround)
        let description = made.formatDescription
        #expect(description.mediaType == .audio)
        #expect(
            description.audioStreamBasicDescription
                == stream(
                    rate: 96000, flags: 12, bytesPerFrame: 24, channels: 6, bits: 32))
        #expect(description.audioChannelLayout == ManagedAudioChannelLayout(tag: kAudioChannelLayoutTag_MPEG_5_1_D))
        #expect(made.formatDescription === description)
        #expect(AVAudioFormat(cmAudioFormatDescription: description) == made)
    }

    @Test func `A description of video gives an audio format without channels`() {
        let video = CMFormatDescription(
            mediaType: .video, mediaSubType: .h264, dimensions: CMVideoDimensions(width: 2, height: 2),
            extensions: [:])
        let made = AVAudioFormat(cmAudioFormatDescription: video)
        #expect(made.channelCount == 0)
        #expect(AVAudioPCMBuffer(pcmFormat: made, frameCapacity: 1) == nil)
    }

    @Test func `The text of an audio format states channels, rate and samples`() throws {
        #expect(try "\(format(rate: 44100))" == "<AVAudioFormat: 2 ch, 44100 Hz, Float32, deinterleaved>")
        #expect(try "\(format(.pcmFormatInt16, channels: 1))" == "<AVAudioFormat: 1 ch, 48000 Hz, Int16>")
        var (aac, packed) = (AudioStreamBasicDescription(), stream(flags: 12, bytesPerFrame: 6, channels: 2, bits: 24))
        (aac.mFormatID, aac.mSampleRate, aac.mChannelsPerFrame) = (kAudioFormatMPEG4AAC, 22050.5, 2)
        let (coded, deep) = (AVAudioFormat(streamDescription: &aac), AVAudioFormat(streamDescription: &packed))
        #expect(try "\(#require(coded))" == "<AVAudioFormat: 2 ch, 22050.5 Hz, 'aac '>")
        #expect(try "\(#require(deep))" == "<AVAudioFormat: 2 ch, 48000 Hz, 24 bits, interleaved>")
    }

    @Test func `The cookie of an audio format can be set from any thread`() async throws {
        let made = try format()
        await withTaskGroup(of: Void.self) { group in
            for byte in UInt8(0)..<50 {
                group.addTask {
                    made.magicCookie = Data([byte, byte])
                    let kept = made.magicCookie ?? Data()
                    #expect(kept.count == 2 && kept.first == kept.last)
                }
            }
        }
        made.magicCookie = nil
        #expect(made.magicCookie == nil)
    }
}
