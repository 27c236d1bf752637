import Foundation
import SampleBuffers
import Testing

/// Layouts of channels.
struct ChannelLayoutTests {
    @Test func `A layout tag says how many channels there are`() throws {
        let made = try layout(kAudioChannelLayoutTag_MPEG_5_1_D)
        #expect(made.layoutTag == 124 << 16 | 6)
        #expect(made.channelCount == 6)
        #expect(made.layout.pointee.mChannelLayoutTag == 124 << 16 | 6)
        #expect(made.layout.pointee.mNumberChannelDescriptions == 0)
        #expect(try layout(kAudioChannelLayoutTag_DiscreteInOrder | 65535).channelCount == 65535)
    }

    @Test func `A layout tag without channels is refused`() {
        #expect(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_UseChannelBitmap) == nil)
        #expect(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_UseChannelDescriptions) == nil)
        #expect(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Unknown) == nil)
    }

    @Test func `A channel bitmap has a channel for each bit`() {
        var plain = AudioChannelLayout()
        plain.mChannelLayoutTag = kAudioChannelLayoutTag_UseChannelBitmap
        plain.mChannelBitmap = [.bit_Left, .bit_Right, .bit_LFEScreen]
        let made = AVAudioChannelLayout(layout: &plain)
        #expect(made.channelCount == 3)
        #expect(made.layout.pointee.mChannelBitmap.rawValue == 0b1011)
    }

    @Test func `Channel descriptions are copied, all of them`() {
        let labels: [UInt32] = [3, 1, 2, 5, 6, 4, 33]
        let made = layout(bytes: layoutBytes(tag: 0, labels: labels))
        #expect(made.channelCount == 7)
        let words = UnsafeRawPointer(made.layout)
        #expect((0..<7).map { words.load(fromByteOffset: 12 + 20 * $0, as: UInt32.self) } == labels)
    }

    @Test func `A layout without descriptions may be as short as its header`() {
        let header = layoutBytes(tag: kAudioChannelLayoutTag_Stereo)
        #expect(header.count == 12)
        #expect(layout(bytes: header).channelCount == 2)
    }

    @Test func `Channel layouts are equal if their used fields are`() throws {
        let stereo = try layout(kAudioChannelLayoutTag_Stereo)
        #expect(try stereo == layout(kAudioChannelLayoutTag_Stereo))
        #expect(try stereo.hash == layout(kAudioChannelLayoutTag_Stereo).hash)
        #expect(try stereo != layout(kAudioChannelLayoutTag_StereoHeadphones))
        // What a tag does not ask for is no part of it.
        #expect(stereo == layout(bytes: layoutBytes(tag: kAudioChannelLayoutTag_Stereo, bitmap: 7)))
        #expect(stereo != layout(bytes: layoutBytes(tag: 1 << 16, bitmap: 3)))
        let (one, other) = (layoutBytes(tag: 0, labels: [1, 2, 3]), layoutBytes(tag: 0, labels: [1, 2, 4]))
        #expect(layout(bytes: one) == layout(bytes: one))
        #expect(layout(bytes: one) != layout(bytes: other))
        #expect(!stereo.isEqual(nil))
    }

    @Test func `Format descriptions have a tag or a bitmap where these suffice`() {
        func described(_ labels: [UInt32]) -> ManagedAudioChannelLayout? {
            let made = AVAudioFormat(
                standardFormatWithSampleRate: 48000, channelLayout: layout(bytes: layoutBytes(tag: 0, labels: labels)))
            return made.formatDescription.audioChannelLayout
        }
        #expect(described([1, 2, 3, 4, 5, 6]) == ManagedAudioChannelLayout(bitmap: AudioChannelBitmap(rawValue: 0x3F)))
        #expect(described([1, 2, 18]) == ManagedAudioChannelLayout(bitmap: AudioChannelBitmap(rawValue: 0x20003)))
        #expect(described([42]) == ManagedAudioChannelLayout(tag: kAudioChannelLayoutTag_Mono))
        #expect(described([3, 1, 2]) == nil)
        #expect(described([1, 1]) == nil)
        #expect(described([1, 2, 0xFFFF_FFFF]) == nil)
        #expect(described([]) == nil)
    }
}
