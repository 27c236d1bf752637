// Code as applications on Apple's platforms have it; only the import differs.
import Foundation
import OpenAVFoundation

/// What a mixer asks of a track before it makes buffers.
struct SoundFormat: Equatable {
    var identifier: AudioFormatID
    var sampleRate: Double
    var channels: UInt32
    var framesPerPacket: UInt32
    var isCompressed: Bool
    var layoutTag: AudioChannelLayoutTag?

    init?(track: AVAssetTrack) async throws {
        let descriptions = try await track.load(.formatDescriptions)
        guard let description = descriptions.first else { return nil }
        self.init(description)
    }

    init?(_ description: CMAudioFormatDescription) {
        guard let basic = CMAudioFormatDescriptionGetStreamBasicDescription(description)?.pointee else { return nil }
        identifier = basic.mFormatID
        sampleRate = basic.mSampleRate
        channels = basic.mChannelsPerFrame
        framesPerPacket = basic.mFramesPerPacket
        isCompressed = basic.mFormatID != kAudioFormatLinearPCM
        var size = 0
        if let layout = CMAudioFormatDescriptionGetChannelLayout(description, sizeOut: &size), size > 0 {
            layoutTag = layout.pointee.mChannelLayoutTag
        }
    }
}

/// Sizes of buffers of plain samples.
struct BufferPlan {
    let format: AudioStreamBasicDescription

    /// Interleaved 16-bit samples.
    init(sampleRate: Double, channels: UInt32) {
        format = AudioStreamBasicDescription(
            mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kLinearPCMFormatFlagIsSignedInteger | kLinearPCMFormatFlagIsPacked,
            mBytesPerPacket: 2 * channels, mFramesPerPacket: 1, mBytesPerFrame: 2 * channels,
            mChannelsPerFrame: channels, mBitsPerChannel: 16, mReserved: 0)
    }

    init?(_ description: CMFormatDescription) {
        guard let format = description.audioStreamBasicDescription, format.mFormatID == kAudioFormatLinearPCM else {
            return nil
        }
        self.format = format
    }

    var isFloat: Bool { format.mFormatFlags & kAudioFormatFlagIsFloat != 0 }
    var isBigEndian: Bool { format.mFormatFlags & kAudioFormatFlagIsBigEndian != 0 }

    func bytes(seconds: Double) -> Int { Int(format.mSampleRate * seconds) * Int(format.mBytesPerFrame) }

    /// A description of such samples, as code before Swift's own makes it.
    func formatDescription() throws -> CMAudioFormatDescription {
        var basic = format
        var layout = AudioChannelLayout()
        layout.mChannelLayoutTag =
            format.mChannelsPerFrame == 1 ? kAudioChannelLayoutTag_Mono : kAudioChannelLayoutTag_Stereo
        var description: CMAudioFormatDescription?
        let status = CMAudioFormatDescriptionCreate(
            allocator: kCFAllocatorDefault, asbd: &basic, layoutSize: MemoryLayout<AudioChannelLayout>.size,
            layout: &layout, magicCookieSize: 0, magicCookie: nil, extensions: nil, formatDescriptionOut: &description)
        guard status == noErr, let description else {
            throw NSError(domain: NSOSStatusErrorDomain, code: Int(status), userInfo: nil)
        }
        return description
    }
}
