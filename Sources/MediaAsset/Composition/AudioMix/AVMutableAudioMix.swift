internal import Synchronization

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
