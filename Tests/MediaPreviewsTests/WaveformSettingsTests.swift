import Testing

@testable import MediaPreviews

@Suite("Settings of waveforms") struct WaveformSettingsTests {
    @Test func `Default settings of waveforms are 256 samples a point, 16 bits, one channel`() throws {
        let settings = WaveformSettings()
        #expect(settings.resolution == .samplesPerPoint(256))
        #expect(settings.bits == 16)
        #expect(!settings.splitsChannels)
        try settings.check()
    }

    @Test(arguments: [
        (WaveformSettings.Resolution.samplesPerPoint(1), "samples per point must be from 2 to 2147483647, not 1"),
        (.samplesPerPoint(.max), "samples per point must be from 2 to 2147483647, not 9223372036854775807"),
        (.samplesPerPoint(.min), "samples per point must be from 2 to 2147483647, not -9223372036854775808"),
        (.pointsPerSecond(0), "points per second must be from 1 to 2147483647, not 0"),
        (.pointCount(0), "the number of points must be from 1 to 67108864, not 0"),
        (.pointCount(67_108_865), "the number of points must be from 1 to 67108864, not 67108865"),
    ])
    func `A resolution of a waveform out of range is refused in one line`(
        _ resolution: WaveformSettings.Resolution, _ text: String
    ) {
        #expect(reason { try WaveformSettings(resolution).check() } == text)
    }

    @Test(arguments: [WaveformSettings.Resolution.samplesPerPoint(2), .pointsPerSecond(1), .pointCount(67_108_864)])
    func `Resolutions at the limits are accepted for waveforms`(_ resolution: WaveformSettings.Resolution) throws {
        try WaveformSettings(resolution).check()
    }

    @Test(arguments: [0, 1, 7, 15, 24, -8]) func `Waveforms of other than 8 or 16 bits are refused`(_ bits: Int) {
        var settings = WaveformSettings()
        settings.bits = bits
        #expect(reason { try settings.check() } == "a waveform has 8 or 16 bits, not \(bits)")
    }

    @Test func `Points per second are rounded to whole samples, two at least`() throws {
        func samples(_ points: Int, _ sampleRate: Int) throws -> Int {
            try WaveformGrid(WaveformSettings(.pointsPerSecond(points)), sampleRate: sampleRate, sampleCount: nil)
                .samplesPerPoint
        }
        #expect(try samples(100, 48000) == 480)
        #expect(try samples(1000, 44100) == 44)
        #expect(try samples(24000, 48000) == 2)
        #expect(
            reason { _ = try samples(24001, 48000) }
                == "24001 points per second are too many for 48000 samples per second; take 24000 at most")
    }

    @Test func `A number of points needs two samples for each point`() {
        func make(_ points: Int, _ samples: Int?) throws {
            _ = try WaveformBuilder(
                sampleRate: 48000, channels: 1, settings: WaveformSettings(.pointCount(points)), sampleCount: samples)
        }
        #expect(reason { try make(50, 100) } == nil)
        #expect(reason { try make(51, 100) } == "51 points are too many for 100 samples; take 50 at most")
        #expect(reason { try make(1, 0) } == "1 points are too many for 0 samples; take 0 at most")
        #expect(reason { try make(1, .min) } == "1 points are too many for \(Int.min) samples; take 0 at most")
        #expect(reason { try make(1000, .max) } == "1000 points are too few for \(Int.max) samples")
        #expect(reason { try make(10, nil) } == "for a number of points the length of the sound must be known")
    }

    @Test func `Waveforms need a sample rate and channels within their limits`() {
        func make(_ sampleRate: Int, _ channels: Int) throws {
            _ = try WaveformBuilder(sampleRate: sampleRate, channels: channels, settings: WaveformSettings())
        }
        #expect(reason { try make(48000, 1024) } == nil)
        #expect(reason { try make(48000, 0) } == "the number of channels must be from 1 to 1024, not 0")
        #expect(reason { try make(48000, 1025) } == "the number of channels must be from 1 to 1024, not 1025")
        #expect(reason { try make(0, 1) } == "the sample rate must be from 1 to 2147483647, not 0")
        #expect(reason { try make(.max, 1) } == "the sample rate must be from 1 to 2147483647, not \(Int.max)")
    }

    @Test func `A waveform that memory could not hold is refused at once`() {
        var settings = WaveformSettings(.pointCount(1 << 26))
        settings.splitsChannels = true
        #expect(
            reason {
                _ = try WaveformBuilder(sampleRate: 48000, channels: 4, settings: settings, sampleCount: 1 << 40)
            } == "the waveform would have more than 33554431 points; take more samples for each")
    }
}
