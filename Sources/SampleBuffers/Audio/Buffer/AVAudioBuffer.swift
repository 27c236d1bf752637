public import Foundation

/// Sound in memory: samples in an ``AVAudioPCMBuffer``, packets in an ``AVAudioCompressedBuffer``.
///
/// As in AVFoundation it is not `Sendable`: whoever writes has to see to it that nobody else uses the buffer meanwhile.
open class AVAudioBuffer: NSObject, NSCopying, NSMutableCopying {
    /// How the sound is coded.
    public let format: AVAudioFormat
    let storage: SoundStorage

    init(format: AVAudioFormat, storage: SoundStorage) {
        (self.format, self.storage) = (format, storage)
        super.init()
    }

    /// The memory with what is in it, as a list that lasts as long as the buffer.
    ///
    /// The sizes are those of what the buffer holds. The list is not to be changed, the memory may be.
    open var audioBufferList: UnsafePointer<AudioBufferList> { storage.filled }

    /// The memory with the room that there is, as a list that lasts as long as the buffer.
    ///
    /// The sizes are those of the capacity, anew whenever somebody asks. They are for functions that fill the memory
    /// and change them to what they wrote; what the buffer holds has to be set afterwards.
    open var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> { storage.whole }

    /// A copy in memory of its own, as far as the buffer is filled; the rest is zero.
    ///
    /// - Note: One without room if there is no memory left.
    open func copy(with zone: NSZone? = nil) -> Any { AVAudioBuffer(format: format, storage: storage.copy()) }

    /// The same as ``copy(with:)``: all buffers can be changed.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { copy(with: zone) }
}
