import Testing

@testable import MediaPreviews

@Suite("Waveforms of a number of points") struct WaveformPointCountTests {
    @Test func `A number of points divides a waveform exactly`() throws {
        for count in [2, 3, 5, 10, 11, 97, 128, 200] {
            // Each sample is its own number, so that points tell where they begin and end.
            let sound = (0..<count).map { Float.sample(Double($0)) }
            for points in 1...(count / 2) {
                let wave = try waveform(of: [sound], sampleCount: count, blocks: [7]) {
                    $0.resolution = .pointCount(points)
                }
                let expected = (0..<points).flatMap { point -> [Int16] in
                    let (start, end) = (point * count / points, (point + 1) * count / points)
                    return [Int16(start), Int16(end - 1)]
                }
                #expect(wave.data == expected)
            }
        }
    }

    @Test(arguments: [(10, 3, 3), (11, 4, 3), (5, 2, 3), (100, 50, 2), (107, 50, 2), (124, 50, 2), (125, 50, 3)])
    func `The samples of a waveform's point are rounded`(_ samples: Int, _ points: Int, _ expected: Int) throws {
        let wave = try waveform(of: [[]], sampleCount: samples) { $0.resolution = .pointCount(points) }
        #expect(wave.samplesPerPoint == expected)
        #expect(wave.length == points)
    }

    @Test func `Points of a waveform do not drift in a day`() throws {
        let (count, points) = (86400 * 48000 + 1, 1000)
        for point in [1, 500, 999] {
            var builder = try WaveformBuilder(
                sampleRate: 48000, channels: 1, settings: WaveformSettings(.pointCount(points)), sampleCount: count)
            // The last sample of the point before, and the first of this one.
            try builder.addSilence(samples: point * count / points - 1)
            try builder.add([[1, -1]])
            let data = builder.finish().data
            #expect(data.count == 2000)
            #expect(data[2 * point - 2] == 0 && data[2 * point - 1] == 32767)
            #expect(data[2 * point] == -32768 && data[2 * point + 1] == 0)
        }
    }

    @Test func `Audio that ends early is followed by silence in a waveform`() throws {
        let wave = try waveform(of: [[0.5, 0.5, 0.5]], sampleCount: 8) { $0.resolution = .pointCount(4) }
        // The second point lacks a sample, the others all.
        #expect(wave.data == [16384, 16384, 0, 16384, 0, 0, 0, 0])
        let none = try waveform(of: [[], []], sampleCount: 8) {
            $0.resolution = .pointCount(2)
            $0.splitsChannels = true
        }
        #expect(none.data == Array(repeating: 0, count: 8))
    }

    @Test func `Samples beyond the known end of a waveform are left out`() throws {
        let sound: [Float] = [0.5, 0.5, 0.5, 0.5, 1, 1, 1]
        for blocks in [[], [1], [3], [4], [5]] {
            let wave = try waveform(of: [sound], sampleCount: 4, blocks: blocks) { $0.resolution = .pointCount(2) }
            #expect(wave.data == [16384, 16384, 16384, 16384])
        }
        var builder = try WaveformBuilder(
            sampleRate: 48000, channels: 1, settings: WaveformSettings(.pointCount(2)), sampleCount: 4)
        try builder.addSilence(samples: .max)
        try builder.addSilence(samples: .max)
        try builder.add([[1]])
        #expect(builder.finish().data == [0, 0, 0, 0])
    }
}
