import Foundation
import MediaAsset
import MediaCore
import Testing

@Suite struct `Audio mixes` {
    @Test func `Audio mixes have the volumes that were set`() {
        let parameters = AVMutableAudioMixInputParameters(track: sound(4))
        #expect(parameters.trackID == 4 && parameters.audioTimePitchAlgorithm == nil)
        #expect(AVMutableAudioMixInputParameters(track: nil).trackID == kCMPersistentTrackID_Invalid)
        #expect(!parameters.getVolumeRamp(for: .zero, startVolume: nil, endVolume: nil, timeRange: nil))
        parameters.setVolume(0.5, at: t(1))
        parameters.setVolumeRamp(fromStartVolume: 0.5, toEndVolume: 0, timeRange: range(8, 10))
        parameters.audioTimePitchAlgorithm = .varispeed
        var (start, end, found) = (Float(9), Float(9), CMTimeRange.invalid)
        #expect(parameters.getVolumeRamp(for: t(9), startVolume: &start, endVolume: &end, timeRange: &found))
        #expect(start == 0.5 && end == 0 && found == range(8, 10))
        #expect(parameters.getVolumeRamp(for: .zero, startVolume: &start, endVolume: &end, timeRange: &found))
        #expect(found == range(1, 8))
        let volumes = parameters.values.volumes
        #expect(volumes.value(at: .zero) == 1 && volumes.value(at: t(9)) == 0.25 && volumes.value(at: t(11)) == 0)
        #expect(
            volumes.segments(over: range(0, 12)).map(\.timeRange) == [
                range(0, 1), range(1, 8), range(8, 10), range(10, 12),
            ])
        #expect(AVAudioTimePitchAlgorithm(rawValue: "Spectral") == .spectral)
    }

    @Test func `Audio mixes are copied with their parameters`() throws {
        let parameters = AVMutableAudioMixInputParameters()
        parameters.trackID = 2
        let mix = AVMutableAudioMix()
        #expect(mix.inputParameters.isEmpty)
        mix.inputParameters = [parameters]
        let copy = try #require(mix.copy() as? AVAudioMix)
        let mutable = try #require(mix.mutableCopy() as? AVMutableAudioMix)
        parameters.trackID = 3
        mix.inputParameters = []
        #expect(!(copy is AVMutableAudioMix) && !(copy.inputParameters.first is AVMutableAudioMixInputParameters))
        #expect(copy.inputParameters.map(\.trackID) == [2])
        #expect(mutable.inputParameters.map(\.trackID) == [2])
        #expect(mutable.inputParameters.first is AVMutableAudioMixInputParameters)
        #expect(copy.parameters(ofTrack: 2) != nil && copy.parameters(ofTrack: 3) == nil)
    }
}
