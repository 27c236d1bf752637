import Testing

@testable import MediaPreviews

@Suite("Gaps in waveforms") struct WaveformSilenceTests {
    @Test(arguments: [
        [1], [2, 3], [256], [255, 257], [1, 0, 1000, 1, 512], [300, 300, 300], [5000],
    ])
    func `Silence added to a waveform is the same as samples of zero`(_ parts: [Int]) throws {
        for resolution in [WaveformSettings.Resolution.samplesPerPoint(2), .samplesPerPoint(256), .pointCount(1111)] {
            var settings = WaveformSettings(resolution)
            settings.splitsChannels = true
            func builder() throws -> WaveformBuilder {
                try WaveformBuilder(sampleRate: 48000, channels: 2, settings: settings, sampleCount: 4000)
            }
            var (silent, sampled) = (try builder(), try builder())
            for (index, part) in parts.enumerated() {
                let sound = [[Float](repeating: 0.5, count: index + 1), [Float](repeating: -0.25, count: index + 1)]
                try silent.addSilence(samples: part)
                try silent.add(sound)
                try sampled.add(Array(repeating: [Float](repeating: 0, count: part), count: 2))
                try sampled.add(sound)
            }
            #expect(silent.finish() == sampled.finish())
        }
    }

    @Test func `Silence added to a waveform joins the point that has begun`() throws {
        var builder = try WaveformBuilder(
            sampleRate: 48000, channels: 1, settings: WaveformSettings(.samplesPerPoint(4)))
        try builder.add([[0.5, 0.5]])
        try builder.addSilence(samples: 7)
        try builder.add([[-0.5]])
        #expect(builder.finish().data == [0, 16384, 0, 0, -16384, 0])
    }

    @Test func `Silence of no samples adds nothing to a waveform`() throws {
        var builder = try WaveformBuilder(sampleRate: 48000, channels: 1, settings: WaveformSettings())
        for count in [0, -1, .min] { try builder.addSilence(samples: count) }
        #expect(builder.finish().length == 0)
    }

    @Test func `A day of silence can be added to a waveform`() throws {
        var builder = try WaveformBuilder(sampleRate: 48000, channels: 1, settings: WaveformSettings())
        try builder.addSilence(samples: 86400 * 48000)
        try builder.add([[1]])
        let wave = builder.finish()
        #expect(wave.length == 16_200_001)
        #expect(wave.data.suffix(4) == [0, 0, 32767, 32767])
    }

    @Test func `Silence beyond the limit of points is refused, and nothing is taken`() throws {
        var builder = try WaveformBuilder(sampleRate: 48000, channels: 1, settings: WaveformSettings())
        try builder.add([[.sample(7)]])
        for count in [Int.max, Int.max - 1, 1 << 40] {
            #expect(
                reason { try builder.addSilence(samples: count) }
                    == "the waveform would have more than 134217727 points; take more samples for each")
        }
        try builder.add([[.sample(9)]])
        #expect(builder.finish().data == [7, 9])
    }
}
