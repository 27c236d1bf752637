import Foundation
// Code as applications on Apple's platforms have it; only the import differs.
import MediaCore
import SampleBuffers
import Testing

/// A tone in a buffer.
func toneBuffer(frequency: Float, seconds: Double) -> AVAudioPCMBuffer? {
    guard let format = AVAudioFormat(standardFormatWithSampleRate: 44100.0, channels: 1) else { return nil }
    let frameCount = AVAudioFrameCount(seconds * format.sampleRate)
    guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frameCount) else { return nil }
    buffer.frameLength = frameCount
    let channels = UnsafeBufferPointer(start: buffer.floatChannelData, count: Int(format.channelCount))
    for frame in 0..<Int(frameCount) {
        let value = sinf(2 * .pi * frequency * Float(frame) / Float(format.sampleRate))
        for channel in channels { channel[frame] = value }
    }
    return buffer
}

/// How loud a channel is.
func rootMeanSquare(_ buffer: AVAudioPCMBuffer) -> Float {
    guard let channelData = buffer.floatChannelData else { return 0 }
    let samples = stride(from: 0, to: Int(buffer.frameLength), by: buffer.stride).map { channelData.pointee[$0] }
    let sum = samples.map { $0 * $0 }.reduce(0, +)
    return sqrt(sum / Float(buffer.frameLength))
}

/// The bytes of a buffer.
func data(of buffer: AVAudioPCMBuffer) -> Data {
    let audioBuffer = buffer.audioBufferList.pointee.mBuffers
    return Data(bytes: audioBuffer.mData!, count: Int(audioBuffer.mDataByteSize))
}

/// A buffer of bytes.
func buffer(of data: Data, format: AVAudioFormat) -> AVAudioPCMBuffer? {
    let streamDesc = format.streamDescription.pointee
    let frameCapacity = UInt32(data.count) / streamDesc.mBytesPerFrame
    guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frameCapacity) else { return nil }
    buffer.frameLength = buffer.frameCapacity
    let audioBuffer = buffer.audioBufferList.pointee.mBuffers
    data.withUnsafeBytes { addr in
        audioBuffer.mData?.copyMemory(from: addr.baseAddress!, byteCount: Int(audioBuffer.mDataByteSize))
    }
    return buffer
}

/// A client's own kind of buffer.
final class NamedBuffer: AVAudioPCMBuffer {
    let name: String

    init?(name: String, format: AVAudioFormat) {
        self.name = name
        super.init(pcmFormat: format, frameCapacity: 16)
    }
}

/// A client's own kind of format.
final class StudioFormat: AVAudioFormat, @unchecked Sendable {
    init() {
        super.init(
            standardFormatWithSampleRate: 96000,
            channelLayout: AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo)!)
    }
    override var description: String { "studio" }
}

struct AudioBufferClientCodeTests {
    @Test func `Client code makes and measures a tone`() throws {
        let tone = try #require(toneBuffer(frequency: 441, seconds: 1))
        #expect(tone.frameLength == 44100)
        // A sine over whole periods has the root of one half.
        #expect(abs(rootMeanSquare(tone) - 0.70710678) < 1e-4)
        #expect(data(of: tone).count == 176_400)
    }

    @Test func `Client code turns bytes into an audio buffer and back`() throws {
        let bytes = Data((0..<64).map { UInt8($0) })
        let int16 = try #require(
            AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 16000, channels: 1, interleaved: true))
        let made = try #require(buffer(of: bytes, format: int16))
        #expect(made.frameLength == 32)
        #expect(made.int16ChannelData?[0][1] == 0x0302)
        #expect(data(of: made) == bytes)
    }

    @Test func `Client code may subclass audio classes`() throws {
        let studio = StudioFormat()
        #expect("\(studio)" == "studio")
        let named = try #require(NamedBuffer(name: "left", format: studio))
        #expect(named.name == "left" && named.frameCapacity == 16)
        #expect(named.format.sampleRate == 96000)
    }

    @Test func `Client code reads formats and switches on settings`() throws {
        let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
        let format = AVAudioFormat(
            commonFormat: .pcmFormatFloat32, sampleRate: 48000, interleaved: false, channelLayout: layout)
        switch format.commonFormat {
        case .pcmFormatFloat32, .pcmFormatFloat64: break
        case .pcmFormatInt16, .pcmFormatInt32, .otherFormat: Issue.record("float")
        @unknown default: Issue.record("unknown")
        }
        let asbd: UnsafePointer<AudioStreamBasicDescription> = format.streamDescription
        #expect(asbd.pointee.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0)
        #expect(AVAudioCommonFormat(rawValue: 3) == .pcmFormatInt16)
    }

    @Test func `Client code counts times from a host time`() {
        let start = AVAudioTime(hostTime: DispatchTime.now().uptimeNanoseconds + AVAudioTime.hostTime(forSeconds: 0.5))
        let frames: AVAudioFramePosition = 4800
        let time = AVAudioTime(hostTime: start.hostTime, sampleTime: frames, atRate: 48000)
        #expect(AVAudioTime.seconds(forHostTime: time.hostTime) > 0.5)
    }

    @Test func `Audio formats, layouts and times cross threads`() async throws {
        let (format, layout, time) = (try format(), try layout(kAudioChannelLayoutTag_Stereo), AVAudioTime(hostTime: 1))
        let said = await Task.detached { "\(format.channelCount) \(layout.channelCount) \(time.hostTime)" }.value
        #expect(said == "2 2 1")
    }
}
