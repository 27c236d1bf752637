public import Foundation
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
