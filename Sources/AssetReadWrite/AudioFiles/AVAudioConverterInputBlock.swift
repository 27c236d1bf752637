public import SampleBuffers

/// Gives a converter sound.
///
/// - Parameters:
///   - inNumberOfPackets: How many frames are wanted; there may be fewer or more.
///   - outStatus: To be set to what there is.
/// - Returns: A buffer of the converter's input format, which stays as it is until the block is called again; `nil` if the
///   status is not `haveData`.
/// - Note: Unlike AVFoundation's it need not be `@Sendable`.
public typealias AVAudioConverterInputBlock = (
    _ inNumberOfPackets: AVAudioPacketCount, _ outStatus: UnsafeMutablePointer<AVAudioConverterInputStatus>
) -> AVAudioBuffer?
