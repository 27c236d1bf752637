import AssetReadWrite
import Foundation
import MediaCore
import MediaEngine
import MediaTestSupport
import SampleBuffers
import Testing

/// Sound made other sound.
struct AudioConverterTests {
    // MARK: Samples

    @Test func `Integer and floating-point samples are converted to each other`() throws {
        let numbers: [Int16] = [0, 1, -1, 255, -256, 12_345, 32_767, -32_768]
        let from = try format(44_100, 1, .pcmFormatInt16)
        let to = try format(44_100, 1, .pcmFormatFloat32)
        let input = try buffer(from, 8)
        input.frameLength = 8
        for (index, number) in numbers.enumerated() { input.int16ChannelData?[0][index] = number }
        let output = try buffer(to, 8)
        try #require(AVAudioConverter(from: from, to: to)).convert(to: output, from: input)
        #expect(output.floats(0) == numbers.map { Float($0) / 32_768 })
        let back = try buffer(from, 9)
        try #require(AVAudioConverter(from: to, to: from)).convert(to: back, from: output)
        #expect(back.frameLength == 8)
        #expect((0..<8).map { back.int16ChannelData?[0][$0] } == numbers)
    }

    @Test func `Samples beyond full scale are clipped when converted`() throws {
        let input = try AVAudioPCMBuffer.of([[1.5, -1.5, 1]], rate: 8000)
        let to = try format(8000, 1, .pcmFormatInt16)
        let output = try buffer(to, 3)
        try #require(AVAudioConverter(from: input.format, to: to)).convert(to: output, from: input)
        #expect((0..<3).map { output.int16ChannelData?[0][$0] } == [32_767, -32_768, 32_767])
    }

    @Test func `Samples of 24 and 8 bits and of other byte orders are converted`() throws {
        let sound: [[Float]] = [[0, 0.5, -0.5, -1], [0.25, -0.25, 0.125, 0]]
        let input = try AVAudioPCMBuffer.of(sound, rate: 48_000)
        let expected: [(bits: Int, isBigEndian: Bool, isFloat: Bool, bytes: [UInt8])] = [
            (24, true, false, [0, 0, 0, 0x20, 0, 0, 0x40, 0, 0, 0xE0, 0, 0]),
            (24, false, false, [0, 0, 0, 0, 0, 0x20, 0, 0, 0x40, 0, 0, 0xE0]),
            (16, true, false, [0, 0, 0x20, 0, 0x40, 0, 0xE0, 0]), (8, false, false, [0, 0x20, 0x40, 0xE0]),
            (32, true, true, [0, 0, 0, 0, 0x3E, 0x80, 0, 0, 0x3F, 0, 0, 0, 0xBE, 0x80, 0, 0]),
        ]
        for kind in expected {
            let to = try #require(
                AVAudioFormat(settings: [
                    AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
                    AVLinearPCMBitDepthKey: kind.bits, AVLinearPCMIsBigEndianKey: kind.isBigEndian,
                    AVLinearPCMIsFloatKey: kind.isFloat,
                ]))
            let output = try buffer(to, 4)
            try #require(AVAudioConverter(from: input.format, to: to)).convert(to: output, from: input)
            #expect(output.bytes.prefix(kind.bytes.count) == kind.bytes[...])
            let back = try buffer(input.format, 4)
            try #require(AVAudioConverter(from: to, to: input.format)).convert(to: back, from: output)
            #expect([back.floats(0), back.floats(1)] == sound)
        }
    }

    @Test func `An audio converter can be used again and again`() throws {
        let from = try format(44_100, 2)
        let to = try format(44_100, 2, .pcmFormatInt16, interleaved: true)
        let converter = try #require(AVAudioConverter(from: from, to: to))
        for count in [1, 40_000, 7, 0, 20_000] {
            let sound = sweep(count)
            let output = try buffer(to, 40_000)
            try converter.convert(to: output, from: .of(sound, rate: 44_100))
            #expect(isSame(output.bytes, interleaved16(sound)))
        }
    }

    // MARK: Channels

    @Test func `Channels keep their places when converted, and a single one becomes two`() throws {
        let stereo: [[Float]] = [[0.1, 0.2], [0.3, 0.4]]
        let input = try AVAudioPCMBuffer.of(stereo, rate: 8000)
        let mono = try format(8000, 1)
        let one = try buffer(mono, 2)
        try #require(AVAudioConverter(from: input.format, to: mono)).convert(to: one, from: input)
        #expect(one.floats(0) == stereo[0])
        let two = try buffer(input.format, 2)
        try #require(AVAudioConverter(from: mono, to: input.format)).convert(to: two, from: one)
        #expect([two.floats(0), two.floats(1)] == [stereo[0], stereo[0]])
        let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
        let six = AVAudioFormat(standardFormatWithSampleRate: 8000, channelLayout: layout)
        let around = try buffer(six, 2)
        try #require(AVAudioConverter(from: input.format, to: six)).convert(to: around, from: input)
        #expect((0..<6).map { around.floats($0) } == stereo + [[Float]](repeating: [0, 0], count: 4))
    }

    @Test func `A channel map says which channel goes where`() throws {
        let stereo: [[Float]] = [[0.1, 0.2], [0.3, 0.4]]
        let input = try AVAudioPCMBuffer.of(stereo, rate: 8000)
        let converter = try #require(AVAudioConverter(from: input.format, to: input.format))
        #expect(converter.channelMap.isEmpty)
        for (map, expected) in [
            ([1, 0], [stereo[1], stereo[0]]), ([1, 1], [stereo[1], stereo[1]]), ([-1, 0], [[0, 0], stereo[0]]),
            ([-1, -1], [[0, 0], [0, 0]]),
        ] {
            converter.channelMap = map.map { NSNumber(value: $0) }
            converter.reset()
            let output = try buffer(input.format, 2)
            try converter.convert(to: output, from: input)
            #expect([output.floats(0), output.floats(1)] == expected)
            #expect(converter.channelMap == map.map { NSNumber(value: $0) })
        }
        for map in [[0], [0, 2], [0, -2], [0, 1, 0]] {
            converter.channelMap = map.map { NSNumber(value: $0) }
            converter.reset()
            #expect(throws: AVError.self) { try converter.convert(to: buffer(input.format, 2), from: input) }
        }
    }

    @Test func `Channels are mixed where downmixing is asked for`() throws {
        let input = try AVAudioPCMBuffer.of([[0.1, 0.2], [0.3, -0.2]], rate: 8000)
        let mono = try format(8000, 1)
        let converter = try #require(AVAudioConverter(from: input.format, to: mono))
        converter.downmix = true
        let output = try buffer(mono, 2)
        try converter.convert(to: output, from: input)
        // Both come from the middle with half of the power each.
        #expect(abs(output.floats(0)[0] - 0.4 * Float(0.5).squareRoot()) < 1e-6)
        #expect(abs(output.floats(0)[1]) < 1e-6)
    }

    // MARK: Statuses

    @Test func `An audio converter reports when input runs dry, and goes on`() throws {
        let converter = try #require(AVAudioConverter(from: format(44_100, 1), to: format(44_100, 1)))
        var given: [[Float]] = [[0.1, 0.2, 0.3], [0.4, 0.5]]
        let output = try buffer(converter.outputFormat, 4)
        var (ends, error) = (false, NSError?.none)
        func step() -> AVAudioConverterOutputStatus {
            var isAsked = false
            return converter.convert(to: output, error: &error) { _, status in
                if isAsked || given.isEmpty {
                    status.pointee = ends ? .endOfStream : .noDataNow
                    return nil
                }
                isAsked = true
                status.pointee = .haveData
                return try? AVAudioPCMBuffer.of([given.removeFirst()], rate: 44_100)
            }
        }
        #expect(step() == .inputRanDry)
        #expect(output.floats(0) == [0.1, 0.2, 0.3])
        #expect(step() == .inputRanDry)
        #expect(output.floats(0) == [0.4, 0.5])
        #expect(step() == .inputRanDry)
        #expect(output.frameLength == 0)
        given = [[1, 2, 3, 4, 5, 6]]
        #expect(step() == .haveData)
        #expect(output.floats(0) == [1, 2, 3, 4])
        ends = true
        #expect(step() == .haveData)
        #expect(output.floats(0) == [5, 6])
        for _ in 0..<2 {
            given = [[7]]
            #expect(step() == .endOfStream)
            #expect(output.frameLength == 0)
        }
        converter.reset()
        #expect(step() == .haveData)
        #expect(output.floats(0) == [7])
        #expect(error == nil)
    }

    @Test func `Buffers that do not fit an audio converter are errors`() throws {
        let converter = try #require(AVAudioConverter(from: format(44_100, 1), to: format(48_000, 1)))
        let (input, output) = (try buffer(converter.inputFormat, 10), try buffer(converter.outputFormat, 10))
        input.frameLength = 10
        #expect(throws: AVError.self) { try converter.convert(to: output, from: input) }
        let same = try #require(AVAudioConverter(from: format(44_100, 1), to: format(44_100, 1, .pcmFormatInt16)))
        #expect(throws: AVError.self) { try same.convert(to: input, from: input) }
        #expect(throws: AVError.self) { try same.convert(to: buffer(same.outputFormat, 9), from: input) }
        for (target, given) in [(input, input), (output, output)] {
            var error: NSError?
            let status = converter.convert(to: target, error: &error) { _, status in
                status.pointee = .haveData
                given.frameLength = 10
                return given
            }
            #expect(status == .error)
            #expect(error?.domain == AVFoundationErrorDomain)
            #expect(error?.code == AVError.Code.incorrectlyConfigured.rawValue)
            #expect(converter.convert(to: target, error: nil) { _, _ in nil } != .haveData)
        }
    }

    @Test func `Audio converters exist only for PCM`() throws {
        let pcm = try format(44_100, 2)
        let aac = try #require(
            AVAudioFormat(settings: [
                AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2,
            ]))
        #expect(AVAudioConverter(from: pcm, to: aac) == nil)
        #expect(AVAudioConverter(from: aac, to: pcm) == nil)
        #expect(try AVAudioConverter(from: format(0, 2), to: pcm) == nil)
        #expect(AVAudioConverter(from: pcm, to: pcm) != nil)
    }

    @Test func `Settings of an audio converter are kept`() throws {
        let converter = try #require(AVAudioConverter(from: format(44_100, 1), to: format(48_000, 1)))
        #expect(!converter.downmix && !converter.dither)
        #expect(converter.primeMethod == .normal)
        #expect(converter.primeInfo.leadingFrames == 0 && converter.primeInfo.trailingFrames == 0)
        converter.dither = true
        converter.primeInfo = AVAudioConverterPrimeInfo(leadingFrames: 3, trailingFrames: 4)
        #expect(converter.dither)
        #expect(converter.primeInfo.trailingFrames == 4)
    }
}
