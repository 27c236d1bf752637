import Foundation
import SampleBuffers
import Testing

/// Moments by the clock and by frames.
struct AudioTimeTests {
    @Test func `An audio time has the host and sample times that it was made of`() {
        let host = AVAudioTime(hostTime: 5)
        #expect(host.isHostTimeValid && !host.isSampleTimeValid)
        #expect(host.hostTime == 5 && host.sampleTime == 0 && host.sampleRate == 0)
        let sample = AVAudioTime(sampleTime: -7, atRate: 44100)
        #expect(!sample.isHostTimeValid && sample.isSampleTimeValid)
        #expect(sample.hostTime == 0 && sample.sampleTime == -7 && sample.sampleRate == 44100)
        let both = AVAudioTime(hostTime: .max, sampleTime: .min, atRate: 1)
        #expect(both.isHostTimeValid && both.isSampleTimeValid)
        #expect(both.hostTime == .max && both.sampleTime == .min)
    }

    @Test(arguments: [0, -44100, Double.nan, .infinity])
    func `A sample time without a rate is not valid`(_ rate: Double) {
        let made = AVAudioTime(sampleTime: 100, atRate: rate)
        #expect(!made.isSampleTimeValid)
        #expect(made.sampleTime == 0 && made.sampleRate == 0)
    }

    @Test func `Host times are nanoseconds of the clock`() {
        #expect(AVAudioTime.hostTime(forSeconds: 1.5) == 1_500_000_000)
        #expect(AVAudioTime.hostTime(forSeconds: 0) == 0)
        #expect(AVAudioTime.hostTime(forSeconds: -1) == 0)
        #expect(AVAudioTime.hostTime(forSeconds: .nan) == 0)
        #expect(AVAudioTime.hostTime(forSeconds: .infinity) == .max)
        #expect(AVAudioTime.hostTime(forSeconds: 1e300) == .max)
        #expect(AVAudioTime.seconds(forHostTime: 2_500_000_000) == 2.5)
        #expect(AVAudioTime.seconds(forHostTime: 0) == 0)
    }

    private let anchor = AVAudioTime(hostTime: 10_000_000_000, sampleTime: 48000, atRate: 48000)

    @Test func `A sample time finds its host time`() throws {
        // Half a second after and a quarter before the anchor.
        let later = try #require(AVAudioTime(sampleTime: 72000, atRate: 48000).extrapolateTime(fromAnchor: anchor))
        #expect(later.hostTime == 10_500_000_000 && later.sampleTime == 72000 && later.sampleRate == 48000)
        let earlier = try #require(AVAudioTime(sampleTime: 36000, atRate: 48000).extrapolateTime(fromAnchor: anchor))
        #expect(earlier.hostTime == 9_750_000_000)
        // Two seconds at another rate, one after the anchor.
        let slower = try #require(AVAudioTime(sampleTime: 16000, atRate: 8000).extrapolateTime(fromAnchor: anchor))
        #expect(slower.hostTime == 11_000_000_000 && slower.sampleRate == 8000)
    }

    @Test func `A host time finds its sample time`() throws {
        let later = try #require(AVAudioTime(hostTime: 10_500_000_000).extrapolateTime(fromAnchor: anchor))
        #expect(later.sampleTime == 72000 && later.sampleRate == 48000 && later.hostTime == 10_500_000_000)
        let earlier = try #require(AVAudioTime(hostTime: 8_000_000_000).extrapolateTime(fromAnchor: anchor))
        #expect(earlier.sampleTime == -48000)
    }

    @Test func `An audio time with both times stays the same`() throws {
        let both = AVAudioTime(hostTime: 1, sampleTime: 2, atRate: 3)
        let found = try #require(both.extrapolateTime(fromAnchor: anchor))
        #expect(found.hostTime == 1 && found.sampleTime == 2 && found.sampleRate == 3)
    }

    @Test func `Audio times that cannot be extrapolated are nil`() {
        let sample = AVAudioTime(sampleTime: 0, atRate: 48000)
        #expect(sample.extrapolateTime(fromAnchor: sample) == nil)
        #expect(sample.extrapolateTime(fromAnchor: AVAudioTime(hostTime: 1)) == nil)
        #expect(AVAudioTime(sampleTime: 0, atRate: 0).extrapolateTime(fromAnchor: anchor) == nil)
    }

    @Test func `Audio times that overflow are nil`() {
        #expect(AVAudioTime(sampleTime: .min, atRate: 48000).extrapolateTime(fromAnchor: anchor) == nil)
        #expect(AVAudioTime(sampleTime: .max, atRate: 1e-300).extrapolateTime(fromAnchor: anchor) == nil)
        // Eleven seconds before an anchor of ten.
        #expect(AVAudioTime(sampleTime: -480_000, atRate: 48000).extrapolateTime(fromAnchor: anchor) == nil)
        let fast = AVAudioTime(hostTime: 0, sampleTime: .max, atRate: 1e9)
        #expect(AVAudioTime(hostTime: .max).extrapolateTime(fromAnchor: fast) == nil)
        let far = AVAudioTime(hostTime: 0, sampleTime: .min, atRate: 1)
        #expect(AVAudioTime(sampleTime: .max, atRate: 1).extrapolateTime(fromAnchor: far) == nil)
    }

    @Test func `Large audio times keep their small difference`() throws {
        let high = AVAudioTime(hostTime: .max - 1_000_000_000, sampleTime: .max - 96000, atRate: 48000)
        let found = try #require(AVAudioTime(sampleTime: .max - 72000, atRate: 48000).extrapolateTime(fromAnchor: high))
        #expect(found.hostTime == UInt64.max - 500_000_000)
    }
}
