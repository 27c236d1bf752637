import Foundation
import Testing

@testable import MediaPreviews

@Suite("Points of waveforms") struct WaveformBuilderTests {
    private func tone(_ count: Int, period: Int, amplitude: Double) -> [Float] {
        (0..<count).map { Float(amplitude * sin(2 * .pi * Double($0 % period) / Double(period))) }
    }

    /// Sound that is different at every sample.
    private func noise(_ count: Int, step: Int) -> [Float] {
        (0..<count).map { .sample(Double($0 * step % 65536 - 32768)) }
    }

    @Test func `A sine in a waveform reaches its amplitude`() throws {
        // 1 kHz at 48 kHz: a period a point, its peaks on samples 12 and 36.
        let wave = try waveform(of: [tone(480, period: 48, amplitude: 0.5)]) { $0.resolution = .samplesPerPoint(48) }
        #expect(wave.data == Array(repeating: [-16384, 16384], count: 10).flatMap { $0 })
        #expect(wave.length == 10)
        #expect(wave.sampleRate == 48000)
        #expect(wave.samplesPerPoint == 48)
        #expect(wave.bits == 16)
        #expect(wave.channels == 1)
    }

    @Test func `A square wave has points without extent`() throws {
        let square = (0..<128).map { Float($0 / 32 % 2 == 0 ? 0.25 : -0.25) }
        let wave = try waveform(of: [square]) { $0.resolution = .samplesPerPoint(32) }
        #expect(wave.data == [8192, 8192, -8192, -8192, 8192, 8192, -8192, -8192])
    }

    @Test(arguments: [(255, 0), (256, 1), (511, 1), (512, 2), (767, 2), (768, 3), (999, 3)])
    func `An impulse in a waveform is in the point that it lies in`(_ place: Int, _ point: Int) throws {
        for (value, low, high) in [(1, 0, 32767), (-1, -32768, 0)] as [(Float, Int16, Int16)] {
            var sound = [Float](repeating: 0, count: 1000)
            sound[place] = value
            var expected = [Int16](repeating: 0, count: 8)
            (expected[2 * point], expected[2 * point + 1]) = (low, high)
            #expect(try waveform(of: [sound]).data == expected)
        }
    }

    @Test func `The last point of a waveform counts, however short`() throws {
        let wave = try waveform(of: [[0.5, 0.5, 0.5, 0.5, -0.25]]) { $0.resolution = .samplesPerPoint(4) }
        #expect(wave.data == [16384, 16384, -8192, -8192])
        #expect(try waveform(of: [[]]).data.isEmpty)
        #expect(try waveform(of: [[]]).length == 0)
    }

    @Test(
        arguments: [
            (0.0, 0), (0.4, 0), (0.5, 0), (0.6, 1), (1.5, 2), (2.5, 2), (-0.5, 0), (-1.5, -2), (-0.6, -1),
            (32766.4, 32766), (32767, 32767), (32768, 32767), (99999, 32767), (-32768, -32768), (-99999, -32768),
        ] as [(Double, Int16)])
    func `Samples of a waveform are rounded to 16 bits, halves to even, and clipped`(
        _ value: Double, _ expected: Int16
    ) throws {
        #expect(try waveform(of: [[.sample(value)]]).data == [expected, expected])
    }

    @Test(
        arguments: [
            (Float.nan, 0), (-.nan, 0), (.signalingNaN, 0), (.infinity, 32767), (-.infinity, -32768),
            (.greatestFiniteMagnitude, 32767), (-.greatestFiniteMagnitude, -32768), (.leastNonzeroMagnitude, 0),
        ] as [(Float, Int16)])
    func `Samples of a waveform that are not numbers are silence, infinite ones are clipped`(
        _ value: Float, _ expected: Int16
    ) throws {
        // As many as make vectors, and as few as do not.
        for count in [1, 3, 64] {
            let sound = [Float](repeating: value, count: count)
            #expect(try waveform(of: [sound]).data == [expected, expected])
            #expect(try waveform(of: [sound, sound, sound]).data == [expected, expected])
        }
    }

    @Test(
        arguments: [
            (32767, 127), (256, 1), (255, 0), (0, 0), (-1, 0), (-255, 0), (-256, -1), (-32513, -127), (-32768, -128),
        ] as [(Double, Int16)])
    func `Samples of 8 bits are a 256th, rounded towards zero as in audiowaveform`(
        _ value: Double, _ expected: Int16
    ) throws {
        #expect(try waveform(of: [[.sample(value)]]) { $0.bits = 8 }.data == [expected, expected])
    }

    @Test func `Channels of a waveform become their mean, sample by sample, rounded towards zero`() throws {
        let (left, right) = ([10, -3, 3, -7].map(Float.sample), [-10, 0, 0, 2].map(Float.sample))
        // 0, −1.5, 1.5 and −2.5.
        #expect(try waveform(of: [left, right]).data == [-2, 1])
        let loud = [Float](repeating: 2, count: 5)
        #expect(try waveform(of: Array(repeating: loud, count: 1024)).data == [32767, 32767])
        #expect(try waveform(of: [[0.5], [0.5], [-1]]).data == [0, 0])
        // −511 ÷ 2 = −255, and that is no 256th.
        #expect(try waveform(of: [[.sample(-511)], [0]]) { $0.bits = 8 }.data == [0, 0])
    }

    @Test func `Channels of a waveform stand beside one another where they are split`() throws {
        let (left, right) = ([10, -3, 3, -7, 1].map(Float.sample), [-10, 0, 0, 2, 6].map(Float.sample))
        let wave = try waveform(of: [left, right]) {
            $0.splitsChannels = true
            $0.resolution = .samplesPerPoint(2)
        }
        #expect(wave.data == [-3, 10, -10, 0, -7, 3, 0, 2, 1, 1, 6, 6])
        #expect(wave.channels == 2)
        #expect(wave.length == 3)
    }

    @Test(arguments: [[1], [2, 1], [255], [256], [257], [1, 0, 700, 3], [2048], [2049, 5], [10_000]])
    func `Blocks of audio of any size give the same waveform`(_ blocks: [Int]) throws {
        let channels = [noise(9001, step: 7919), noise(9001, step: 104_729)]
        for resolution in [WaveformSettings.Resolution.samplesPerPoint(3), .samplesPerPoint(256), .pointCount(1234)] {
            for splits in [false, true] {
                func change(_ settings: inout WaveformSettings) {
                    (settings.resolution, settings.splitsChannels) = (resolution, splits)
                }
                let whole = try waveform(of: channels, sampleCount: 9001, change)
                #expect(try waveform(of: channels, sampleCount: 9001, blocks: blocks, change) == whole)
            }
        }
    }

    @Test func `A long waveform is right to the sample`() throws {
        // Beyond the samples that are looked at together, whose number is a power of two.
        let sound = (0..<20000).map { Float.sample(Double($0 - 10000)) }
        let wave = try waveform(of: [sound]) { $0.resolution = .samplesPerPoint(777) }
        #expect(wave.length == 26)
        for point in 0..<26 {
            #expect(wave.data[2 * point] == Int16(point * 777 - 10000))
            #expect(wave.data[2 * point + 1] == Int16(min(19999, point * 777 + 776) - 10000))
        }
    }

    @Test func `Buffers of unequal length are refused, and nothing is taken`() throws {
        var builder = try WaveformBuilder(sampleRate: 48000, channels: 2, settings: WaveformSettings())
        let samples: [Float] = [1, 1, 1]
        samples.withUnsafeBufferPointer { all in
            let (long, short) = (all, UnsafeBufferPointer(rebasing: all[0..<2]))
            for buffers in [[long, short], [short, long], [long], [], [long, long, long]] {
                #expect(
                    reason { try builder.add(channels: buffers) }
                        == "sound of 2 channels needs as many buffers, all of one length")
            }
        }
        try builder.add([[], []])
        try builder.add([[.sample(4)], [.sample(6)]])
        #expect(builder.finish().data == [5, 5])
    }

    @Test func `Waveform builders on several threads do not disturb one another`() async throws {
        let sound = noise(30000, step: 7919)
        let expected = try waveform(of: [sound])
        try await withThrowingTaskGroup(of: Waveform.self) { group in
            for size in 1...16 { group.addTask { try waveform(of: [sound], blocks: [size * 100]) } }
            for try await wave in group { #expect(wave == expected) }
        }
    }
}
