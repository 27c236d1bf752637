internal import Foundation
public import MediaCore

/// Copies sound into a buffer that was made without bytes; the data is there then.
///
/// - Parameters:
///   - blockBufferStructureAllocator: Any; block buffers are Swift's.
///   - blockBufferBlockAllocator: Gives out the memory: nil for `malloc` and `free`.
///   - flags: `kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment` is so in any case.
///   - bufferList: One buffer, or one for each channel if the format says so.
/// - Returns: 0, `kCMSampleBufferError_Invalidated`, `kCMSampleBufferError_InvalidMediaTypeForOperation`,
///   `kCMSampleBufferError_AlreadyHasDataBuffer`, `kCMSampleBufferError_InvalidMediaFormat` for another number of
///   buffers, `kCMSampleBufferError_RequiredParameterMissing` for buffers without bytes,
///   `kCMBlockBufferBlockAllocationFailedErr`.
@discardableResult
public func CMSampleBufferSetDataBufferFromAudioBufferList(
    _ sbuf: CMSampleBuffer, blockBufferAllocator blockBufferStructureAllocator: CFAllocator?,
    blockBufferMemoryAllocator blockBufferBlockAllocator: CFAllocator?, flags: UInt32,
    bufferList: UnsafePointer<AudioBufferList>
) -> OSStatus {
    status { () throws(CoreMediaFailure) in
        try sbuf.putSound(bufferList, allocator: blockBufferBlockAllocator)
    }
}

/// Gives the sound of a buffer as a list of buffers, and a block buffer that keeps their memory.
///
/// Bytes are copied only if they are not in one piece for each buffer, or not aligned as asked for.
///
/// - Parameters:
///   - bufferListSizeNeededOut: Is given the bytes of the list; may be nil.
///   - bufferListOut: Is given the list: one buffer, or one for each channel if the format says so; nil to ask only how
///     many bytes it takes.
///   - bufferListSize: Bytes of the memory for the list.
///   - blockBufferStructureAllocator: Any; block buffers are Swift's.
///   - blockBufferBlockAllocator: Gives out the memory of a copy: nil for `malloc` and `free`.
///   - flags: `kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment` for buffers that start at multiples of 16.
///   - blockBufferOut: Is given the block buffer, nil if it fails. The list lasts as long as that one.
/// - Returns: 0, `kCMSampleBufferError_Invalidated`, `kCMSampleBufferError_InvalidMediaTypeForOperation`,
///   `kCMSampleBufferError_ArrayTooSmall`, `kCMSampleBufferError_BufferNotReady`, `kCMSampleBufferError_DataFailed`,
///   `kCMSampleBufferError_InvalidMediaFormat` without channels, `kCMSampleBufferError_InvalidSampleData` for bytes
///   that channels cannot share, `kCMSampleBufferError_RequiredParameterMissing` for a list that nothing would keep;
///   what block buffers return.
@discardableResult
public func CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
    _ sbuf: CMSampleBuffer, bufferListSizeNeededOut: UnsafeMutablePointer<Int>?,
    bufferListOut: UnsafeMutablePointer<AudioBufferList>?, bufferListSize: Int,
    blockBufferAllocator blockBufferStructureAllocator: CFAllocator?,
    blockBufferMemoryAllocator blockBufferBlockAllocator: CFAllocator?, flags: UInt32,
    blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>?
) -> OSStatus {
    blockBufferOut?.pointee = nil
    return status { () throws(CoreMediaFailure) in
        let stream = try sbuf.soundFormat()
        let size = AudioBufferList.sizeInBytes(maximumBuffers: stream.isPlanar ? Int(stream.mChannelsPerFrame) : 1)
        bufferListSizeNeededOut?.pointee = size
        guard bufferListOut != nil || blockBufferOut != nil else { return }
        guard bufferListOut == nil || bufferListSize >= size else {
            throw CoreMediaFailure(kCMSampleBufferError_ArrayTooSmall)
        }
        guard let blockBufferOut else { throw CoreMediaFailure(kCMSampleBufferError_RequiredParameterMissing) }
        let isAligned = flags & kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment != 0
        let sound = try sbuf.soundPlanes(isAligned: isAligned, allocator: blockBufferBlockAllocator)
        blockBufferOut.pointee = sound.owner
        guard let bufferListOut else { return }
        sound.fill(UnsafeMutableAudioBufferListPointer(bufferListOut))
    }
}

/// Copies frames of linear PCM into memory of the client's.
///
/// - Parameters:
///   - frameOffset: Frames before those that count.
///   - numFrames: Frames that count.
///   - bufferList: As many buffers as the format says, of the same channels, each with room for the frames. What it
///     says of itself stays.
/// - Returns: 0, `kCMSampleBufferError_Invalidated`, `kCMSampleBufferError_InvalidMediaTypeForOperation`,
///   `kCMSampleBufferError_InvalidMediaFormat` for anything but linear PCM and other buffers,
///   `kCMSampleBufferError_SampleIndexOutOfRange`, `kCMSampleBufferError_ArrayTooSmall`,
///   `kCMSampleBufferError_RequiredParameterMissing` for buffers without an address,
///   `kCMSampleBufferError_BufferNotReady`, `kCMSampleBufferError_DataFailed`,
///   `kCMSampleBufferError_InvalidSampleData`; what block buffers return.
@discardableResult
public func CMSampleBufferCopyPCMDataIntoAudioBufferList(
    _ sbuf: CMSampleBuffer, at frameOffset: Int32, frameCount numFrames: Int32,
    into bufferList: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
    status { () throws(CoreMediaFailure) in
        guard frameOffset >= 0, numFrames >= 0 else {
            throw CoreMediaFailure(kCMSampleBufferError_SampleIndexOutOfRange)
        }
        try sbuf.copyFrames(Int(frameOffset)..<(Int(frameOffset) + Int(numFrames)), into: bufferList)
    }
}

extension CMSampleBuffer {
    /// Copies sound into a buffer that was made without bytes; the data is there then.
    ///
    /// - Parameters:
    ///   - bufferList: One buffer, or one for each channel if the format says so.
    ///   - blockBufferMemoryAllocator: Gives out the memory: nil for `malloc` and `free`.
    ///   - flags: What there is is so in any case.
    /// - Throws: As `CMSampleBufferSetDataBufferFromAudioBufferList`.
    public func setDataBuffer(
        fromAudioBufferList bufferList: UnsafePointer<AudioBufferList>,
        blockBufferMemoryAllocator: CFAllocator? = kCFAllocatorDefault, flags: CMSampleBuffer.Flags = []
    ) throws {
        try orError { () throws(CoreMediaFailure) in
            try putSound(bufferList, allocator: blockBufferMemoryAllocator)
        }
    }

    /// Lends the sound as a list of buffers: one, or one for each channel if the format says so.
    ///
    /// - Parameters:
    ///   - blockBufferMemoryAllocator: Gives out the memory of a copy: nil for `malloc` and `free`.
    ///   - flags: How the memory has to be aligned.
    ///   - body: Given the list, which lasts as long as the call, and a block buffer that keeps the memory of the
    ///     buffers.
    /// - Throws: As `CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer`;
    ///   what the body throws.
    public func withAudioBufferList<R>(
        blockBufferMemoryAllocator: CFAllocator? = kCFAllocatorDefault, flags: CMSampleBuffer.Flags = [],
        body: (UnsafeMutableAudioBufferListPointer, CMBlockBuffer) throws -> R
    ) throws -> R {
        let sound = try orError { () throws(CoreMediaFailure) in
            try soundPlanes(
                isAligned: flags.contains(.audioBufferListAssure16ByteAlignment),
                allocator: blockBufferMemoryAllocator)
        }
        let list = AudioBufferList.allocate(maximumBuffers: sound.planes.count)
        defer { free(list.unsafeMutablePointer) }
        sound.fill(list)
        return try withExtendedLifetime(sound.owner) { try body(list, sound.owner) }
    }

    /// Copies frames of linear PCM into memory of the client's.
    ///
    /// - Parameters:
    ///   - range: Which frames.
    ///   - bufferList: As many buffers as the format says, of the same channels, each with room for the frames.
    /// - Throws: As ``CMSampleBufferCopyPCMDataIntoAudioBufferList(_:at:frameCount:into:)``.
    public func copyPCMData(fromRange range: Range<Int>, into bufferList: UnsafeMutablePointer<AudioBufferList>) throws
    {
        try orError { () throws(CoreMediaFailure) in try copyFrames(range, into: bufferList) }
    }
}
