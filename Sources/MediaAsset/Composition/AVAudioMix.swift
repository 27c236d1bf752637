public import Foundation
public import MediaCore
internal import Synchronization

/// How loud each of an asset's tracks is, over time.
///
/// Immutable unless it is an ``AVMutableAudioMix``, and safe to share then too. Tracks without parameters are as loud as
/// they are.
open class AVAudioMix: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    // @unchecked Sendable: all state is behind the lock in `parameters`.

    let parameters: Mutex<[AVAudioMixInputParameters]>

    init(inputParameters: [AVAudioMixInputParameters]) {
        parameters = Mutex(inputParameters)
        super.init()
    }

    /// A mix that changes nothing.
    public override init() {
        parameters = Mutex([])
        super.init()
    }

    /// The parameters of the tracks, in any order; of several of one track the first count.
    open var inputParameters: [AVAudioMixInputParameters] { parameters.withLock { $0 } }

    /// The parameters of a track, `nil` if nothing is said of it.
    package func parameters(ofTrack trackID: CMPersistentTrackID) -> AVAudioMixInputParameters? {
        inputParameters.first { $0.trackID == trackID }
    }

    // MARK: Copies

    /// An immutable copy of the mix and its parameters as they are now.
    ///
    /// Parameters of a client's own classes are kept themselves.
    open func copy(with zone: NSZone? = nil) -> Any {
        AVAudioMix(
            inputParameters: inputParameters.map {
                $0.isChangeable ? AVAudioMixInputParameters(state: $0.values) : $0
            })
    }

    /// A copy that can be changed, whose parameters do not follow changes of this one's.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        AVMutableAudioMix(
            inputParameters: inputParameters.map {
                $0.isChangeable ? AVMutableAudioMixInputParameters(state: $0.values) : $0
            })
    }
}

extension AVAudioMixInputParameters {
    // Of a client's own class the object itself is taken, since a copy of ours would lose what it adds.
    fileprivate var isChangeable: Bool { type(of: self) == AVMutableAudioMixInputParameters.self }
}

/// How loud each of an asset's tracks is, which can be changed.
///
/// Copies do not follow later changes, neither of the mix nor of its parameters.
open class AVMutableAudioMix: AVAudioMix, @unchecked Sendable {
    /// The parameters of the tracks, in any order; of several of one track the first count.
    open override var inputParameters: [AVAudioMixInputParameters] {
        get { super.inputParameters }
        set { parameters.withLock { $0 = newValue } }
    }
}

/// How loud one track is in a mix, over time.
///
/// Immutable unless it is an ``AVMutableAudioMixInputParameters``, and safe to share then too. Before the first time for
/// which a volume is set it is 1, and after the last one the last.
open class AVAudioMixInputParameters: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    // @unchecked Sendable: all state is behind the lock in `state`.

    /// What the parameters say, as a value.
    package struct State: Sendable {
        package var trackID = kCMPersistentTrackID_Invalid
        package var volumes = RampTimeline(initial: Float(1))
        package var timePitchAlgorithm: AVAudioTimePitchAlgorithm?
    }

    let state: Mutex<State>

    package init(state: State) {
        self.state = Mutex(state)
        super.init()
    }

    /// Parameters of no track, which change nothing.
    public override init() {
        state = Mutex(State())
        super.init()
    }

    /// What the parameters say, as it is now.
    package var values: State { state.withLock { $0 } }

    /// The number of the track that they are of.
    open var trackID: CMPersistentTrackID { state.withLock { $0.trackID } }

    /// How the track becomes faster or slower; `nil` for the way of whoever plays or exports it.
    open var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm? { state.withLock { $0.timePitchAlgorithm } }

    /// Finds the ramp of the volume in whose range a time lies, else the first one after it.
    ///
    /// Times are on the asset's timeline.
    ///
    /// A volume that was set at a time is a ramp up to the next one, the last of them without end.
    ///
    /// - Parameters:
    ///   - startVolume: Gets the volume at the ramp's start.
    ///   - endVolume: Gets the volume at the ramp's end.
    ///   - timeRange: Gets the ramp's range.
    /// - Returns: False, with nothing written, after the last ramp, and if there is none.
    open func getVolumeRamp(
        for time: CMTime, startVolume: UnsafeMutablePointer<Float>?, endVolume: UnsafeMutablePointer<Float>?,
        timeRange: UnsafeMutablePointer<CMTimeRange>?
    ) -> Bool {
        values.volumes.ramp(at: time).write(startVolume, endVolume, timeRange)
    }

    // MARK: Copies

    /// An immutable copy of the parameters as they are now.
    open func copy(with zone: NSZone? = nil) -> Any { AVAudioMixInputParameters(state: values) }

    /// A copy that can be changed.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { AVMutableAudioMixInputParameters(state: values) }

    /// The track's number, for debugging.
    open override var description: String { "\(Self.self)(trackID: \(trackID))" }
}

/// How loud one track is in a mix, which can be changed.
///
/// A volume that is set at a time holds until the next time for which one is set, and what a ramp has reached holds
/// then too; before the first of them it is 1. Copies do not follow later changes.
///
/// Where a ramp overlaps what was set before, it replaces it, and what is left of that on either side stays. Of a ramp
/// that is under way when another volume is set, nothing remains. Times that are not numeric change nothing; an empty
/// range sets the second volume at its start, an endless one the first.
///
/// - Note: AVFoundation raises an exception for ramps that overlap.
open class AVMutableAudioMixInputParameters: AVAudioMixInputParameters, @unchecked Sendable {
    /// Parameters of a track, of none for `nil`, which change nothing.
    public convenience init(track: AVAssetTrack?) {
        self.init()
        trackID = track?.trackID ?? kCMPersistentTrackID_Invalid
    }

    /// The number of the track that they are of; ``kCMPersistentTrackID_Invalid`` until set.
    open override var trackID: CMPersistentTrackID {
        get { super.trackID }
        set { state.withLock { $0.trackID = newValue } }
    }

    /// How the track becomes faster or slower; `nil`, the default, for the way of whoever plays or exports it.
    open override var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm? {
        get { super.audioTimePitchAlgorithm }
        set { state.withLock { $0.timePitchAlgorithm = newValue } }
    }

    /// Makes the track as loud as said from a time on, until the next volume that is set.
    ///
    /// - Parameters:
    ///   - volume: What samples are multiplied by, from 0 to 1; above 1 for more than the track's own.
    ///   - time: A numeric time on the asset's timeline.
    open func setVolume(_ volume: Float, at time: CMTime) { state.withLock { $0.volumes.set(volume, at: time) } }

    /// Has the volume go evenly from one value to another during a range; the second one holds afterwards.
    ///
    /// Ranges are on the asset's timeline.
    open func setVolumeRamp(fromStartVolume startVolume: Float, toEndVolume endVolume: Float, timeRange: CMTimeRange) {
        state.withLock { $0.volumes.setRamp(from: startVolume, to: endVolume, during: timeRange) }
    }
}

/// How sound becomes faster or slower.
public struct AVAudioTimePitchAlgorithm: BridgedToNSString, Hashable, Sendable {
    /// The name, such as `Spectral`.
    public let rawValue: String
    /// Makes an algorithm of its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Of the highest quality, for music.
    public static let spectral = AVAudioTimePitchAlgorithm(rawValue: "Spectral")
    /// For speech, at little cost.
    public static let timeDomain = AVAudioTimePitchAlgorithm(rawValue: "TimeDomain")
    /// The pitch changes with the speed.
    public static let varispeed = AVAudioTimePitchAlgorithm(rawValue: "Varispeed")
    /// For seeking and the like.
    public static let lowQualityZeroLatency = AVAudioTimePitchAlgorithm(rawValue: "LowQualityZeroLatency")
}

/// Not offered.
@available(*, unavailable, message: "Sound cannot be worked on by callbacks; read it, and write it anew.")
public final class MTAudioProcessingTap {}

// What of audio mixes is not offered, so that code which uses it is told.

extension AVAudioMixInputParameters {
    /// Not offered.
    @available(*, unavailable, message: "Sound cannot be worked on by callbacks; read it, and write it anew.")
    public var audioTapProcessor: MTAudioProcessingTap? {
        get { nil }
        set {}
    }
}
