import Foundation
import MediaCore
import SampleBuffers
import Testing

/// Formats of settings, and settings of formats.
struct FormatSettingsTests {
    private let full: [String: Any] = [
        AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44100, AVNumberOfChannelsKey: 2,
        AVLinearPCMBitDepthKey: 24, AVLinearPCMIsBigEndianKey: true, AVLinearPCMIsFloatKey: false,
        AVLinearPCMIsNonInterleaved: false,
    ]

    @Test func `Settings of PCM make their audio format`() throws {
        let made = try #require(AVAudioFormat(settings: full))
        // Big endian 2, signed 4, packed 8.
        #expect(
            made.streamDescription.pointee
                == stream(
                    rate: 44100, flags: 14, bytesPerFrame: 6, channels: 2, bits: 24))
    }

    @Test(arguments: [AVFormatIDKey, AVSampleRateKey, AVNumberOfChannelsKey])
    func `Settings that lack a required key make no audio format`(_ key: String) {
        var settings = full
        settings[key] = nil
        #expect(AVAudioFormat(settings: settings) == nil)
    }

    @Test func `Settings that are wrong or contradict each other make no audio format`() throws {
        for (key, value) in [
            (AVFormatIDKey, "lpcm" as Any), (AVSampleRateKey, -1), (AVNumberOfChannelsKey, 6),
            (AVLinearPCMBitDepthKey, 40), (AVChannelLayoutKey, layoutBytes(tag: kAudioChannelLayoutTag_MPEG_5_1_A)),
        ] {
            var settings = full
            settings[key] = value
            #expect(AVAudioFormat(settings: settings) == nil, "\(key)")
        }
        var settings = full
        settings[AVNumberOfChannelsKey] = 6
        settings[AVChannelLayoutKey] = layoutBytes(tag: kAudioChannelLayoutTag_MPEG_5_1_A)
        #expect(AVAudioFormat(settings: settings)?.channelCount == 6)
    }

    @Test func `Settings of compressed audio give the packets of its codec`() throws {
        func made(_ id: AudioFormatID) throws -> AudioStreamBasicDescription {
            let settings: [String: Any] = [AVFormatIDKey: id, AVSampleRateKey: 44100.0, AVNumberOfChannelsKey: 2]
            return try #require(AVAudioFormat(settings: settings)).streamDescription.pointee
        }
        // ISO/IEC 14496-3: 1024 frames; 11172-3: 1152; QuickTime's IMA 4:1: 34 bytes of 64 samples.
        #expect(try made(kAudioFormatMPEG4AAC).mFramesPerPacket == 1024)
        #expect(try made(kAudioFormatMPEGLayer3).mFramesPerPacket == 1152)
        #expect(try made(kAudioFormatAppleIMA4).mBytesPerPacket == 68)
        #expect(try made(kAudioFormatULaw).mBytesPerFrame == 2)
        #expect(try made(kAudioFormatFLAC).mFramesPerPacket == 0)
        let aac = try #require(
            AVAudioFormat(settings: [
                AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48000, AVNumberOfChannelsKey: 1,
                AVEncoderBitRateKey: 64000,
            ]))
        #expect(aac.commonFormat == .otherFormat)
        #expect(!aac.isInterleaved)
        #expect(aac.settings[AVLinearPCMBitDepthKey] == nil)
    }

    @Test func `Settings of an audio format make it again`() throws {
        let surround = try layout(kAudioChannelLayoutTag_WAVE_7_1)
        for made in [
            try format(), try format(.pcmFormatInt16, channels: 1, interleaved: true), try format(.pcmFormatFloat64),
            AVAudioFormat(
                commonFormat: .pcmFormatInt32, sampleRate: 96000.5, interleaved: false, channelLayout: surround),
        ] {
            let again = try #require(AVAudioFormat(settings: made.settings))
            #expect(again.streamDescription.pointee == made.streamDescription.pointee)
            #expect(again.channelLayout == made.channelLayout)
        }
    }

    @Test func `Settings of an audio format are cast to any kind of number`() throws {
        let settings = try format(.pcmFormatInt16, rate: 44100, interleaved: true).settings
        #expect(settings[AVFormatIDKey] as? UInt32 == 0x6C70_636D)
        #expect(settings[AVFormatIDKey] as? Int == 0x6C70_636D)
        #expect(settings[AVSampleRateKey] as? Double == 44100)
        #expect(settings[AVSampleRateKey] as? Int == 44100)
        #expect(settings[AVNumberOfChannelsKey] as? Int == 2)
        #expect(settings[AVLinearPCMIsFloatKey] as? Bool == false)
        #expect(settings[AVLinearPCMIsNonInterleaved] as? Bool == false)
        #expect(settings[AVChannelLayoutKey] == nil)
    }
}
