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
    blockBufferOut?.initialize(to: nil)
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
        blockBufferOut.initialize(to: sound.owner)
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

/// What functions of C and forms of Swift do with buffers of sound.
extension CMSampleBuffer {
    /// The bytes of the sound, each range of them in one piece.
    ///
    /// - Parameters:
    ///   - isAligned: Whether each range has to start at a multiple of 16.
    ///   - allocator: Gives out the memory of copies.
    /// - Throws: `kCMSampleBufferError_InvalidMediaTypeForOperation`; `kCMSampleBufferError_BufferNotReady` and others
    ///   of data that is not there; as ``SoundLayout/init(_:length:)``; what block buffers throw.
    func soundPlanes(
        isAligned: Bool, allocator: CFAllocator?
    ) throws(CoreMediaFailure) -> SoundPlanes {
        let stream = try soundFormat()
        let data = try readyData()
        let layout = try SoundLayout(stream, length: data.pieces.length)
        let owner = CMBlockBuffer()
        var planes: [UnsafeMutableRawBufferPointer] = []
        for index in 0..<layout.planeCount {
            let (offset, length) = (index * layout.planeLength, layout.planeLength)
            let source = BlockSource(allocator)
            var plane = try data.contiguous(at: offset, length: length, source: source, flags: 0)
            var bytes = try plane.bytes(at: 0)
            if isAligned, Int(bitPattern: bytes.baseAddress) % 16 != 0 {
                plane = try data.contiguous(
                    at: offset, length: length, source: source, flags: kCMBlockBufferAlwaysCopyDataFlag)
                bytes = try plane.bytes(at: 0)
            }
            try owner.append(plane.pieces.pieces)
            planes.append(bytes)
        }
        return SoundPlanes(planes: planes, channelsPerPlane: layout.channelsPerPlane, owner: owner)
    }

    /// Copies sound into the buffer, as its bytes, which are there then.
    ///
    /// - Throws: `kCMSampleBufferError_Invalidated`, `kCMSampleBufferError_InvalidMediaTypeForOperation`,
    ///   `kCMSampleBufferError_AlreadyHasDataBuffer`, `kCMSampleBufferError_RequiredParameterMissing`,
    ///   `kCMSampleBufferError_InvalidMediaFormat`, `kCMBlockBufferBlockAllocationFailedErr`.
    func putSound(
        _ list: UnsafePointer<AudioBufferList>, allocator: CFAllocator?
    ) throws(CoreMediaFailure) {
        let stream = try soundFormat()
        let state = try current()
        guard state.dataBuffer == nil, state.imageBuffer == nil else {
            throw CoreMediaFailure(kCMSampleBufferError_AlreadyHasDataBuffer)
        }
        let buffers = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: list))
        guard buffers.count == (stream.isPlanar ? Int(stream.mChannelsPerFrame) : 1) else {
            throw CoreMediaFailure(kCMSampleBufferError_InvalidMediaFormat)
        }
        let data = CMBlockBuffer()
        for buffer in buffers {
            let length = Int(buffer.mDataByteSize)
            guard let bytes = buffer.mData, length > 0 else {
                throw CoreMediaFailure(kCMSampleBufferError_RequiredParameterMissing)
            }
            // Each range is a block of its own: the memory of an allocator starts at a multiple of 16.
            try data.append(
                block: nil, blockLength: length, source: BlockSource(allocator), offset: 0, length: length,
                flags: kCMBlockBufferAssureMemoryNowFlag)
            let written = data.pieces.length - length
            try data.write(at: written, length: length) { part, done in
                part.baseAddress?.copyMemory(from: bytes + done, byteCount: part.count)
            }
        }
        try put(data)
        try markReady()
    }

    /// Copies frames of linear PCM into memory of a client.
    ///
    /// - Throws: `kCMSampleBufferError_InvalidMediaTypeForOperation`, `kCMSampleBufferError_InvalidMediaFormat`,
    ///   `kCMSampleBufferError_SampleIndexOutOfRange`, `kCMSampleBufferError_ArrayTooSmall`,
    ///   `kCMSampleBufferError_RequiredParameterMissing`; `kCMSampleBufferError_BufferNotReady` and others of data that
    ///   is not there; as ``SoundLayout/init(_:length:)``; what block buffers throw.
    func copyFrames(
        _ range: Range<Int>, into list: UnsafeMutablePointer<AudioBufferList>
    ) throws(CoreMediaFailure) {
        let stream = try soundFormat()
        guard stream.isPCM, stream.mBytesPerFrame > 0 else {
            throw CoreMediaFailure(kCMSampleBufferError_InvalidMediaFormat)
        }
        guard range.lowerBound >= 0, range.upperBound <= count else {
            throw CoreMediaFailure(kCMSampleBufferError_SampleIndexOutOfRange)
        }
        let data = try readyData()
        let layout = try SoundLayout(stream, length: data.pieces.length)
        let bytesPerFrame = Int(stream.mBytesPerFrame)
        // The last frame has to lie in the bytes, whatever the number of samples says.
        guard range.upperBound <= layout.planeLength / bytesPerFrame else {
            throw CoreMediaFailure(kCMSampleBufferError_SampleIndexOutOfRange)
        }
        let buffers = UnsafeMutableAudioBufferListPointer(list)
        guard buffers.count == layout.planeCount,
            buffers.allSatisfy({ $0.mNumberChannels == layout.channelsPerPlane })
        else { throw CoreMediaFailure(kCMSampleBufferError_InvalidMediaFormat) }
        let length = range.count * bytesPerFrame
        guard length > 0 else { return }
        for (index, buffer) in buffers.enumerated() {
            guard let start = buffer.mData else {
                throw CoreMediaFailure(kCMSampleBufferError_RequiredParameterMissing)
            }
            guard Int(buffer.mDataByteSize) >= length else {
                throw CoreMediaFailure(kCMSampleBufferError_ArrayTooSmall)
            }
            try data.copyBytes(
                at: index * layout.planeLength + range.lowerBound * bytesPerFrame, length: length, to: start)
        }
    }
}

/// How sound lies in the bytes of a sample buffer: all channels by turns, or one channel after another.
struct SoundLayout {
    /// How many ranges of bytes there are: 1, or as many as channels.
    let planeCount: Int
    /// How many channels take turns in each.
    let channelsPerPlane: UInt32
    /// Bytes of each.
    let planeLength: Int

    /// The layout of bytes.
    ///
    /// - Parameter length: Bytes of all channels.
    /// - Throws: `kCMSampleBufferError_InvalidMediaFormat` without channels, `kCMSampleBufferError_InvalidSampleData`
    ///   for bytes that channels cannot share, none, and more than a buffer of sound can have.
    init(_ stream: AudioStreamBasicDescription, length: Int) throws(CoreMediaFailure) {
        guard stream.mChannelsPerFrame > 0 else { throw CoreMediaFailure(kCMSampleBufferError_InvalidMediaFormat) }
        planeCount = stream.isPlanar ? Int(stream.mChannelsPerFrame) : 1
        channelsPerPlane = stream.isPlanar ? 1 : stream.mChannelsPerFrame
        guard length > 0, length.isMultiple(of: planeCount), UInt32(exactly: length / planeCount) != nil else {
            throw CoreMediaFailure(kCMSampleBufferError_InvalidSampleData)
        }
        planeLength = length / planeCount
    }
}

/// Sound in memory: all channels in one piece, or each in one of its own.
struct SoundPlanes {
    /// The pieces; each has at most `UInt32.max` bytes.
    let planes: [UnsafeMutableRawBufferPointer]
    /// How many channels take turns in each.
    let channelsPerPlane: UInt32
    /// Keeps the memory of the pieces.
    let owner: CMBlockBuffer

    /// Fills a list that has room for as many buffers as there are pieces.
    func fill(_ list: UnsafeMutableAudioBufferListPointer) {
        list.count = planes.count
        for (index, plane) in planes.enumerated() {
            list[index] = AudioBuffer(
                mNumberChannels: channelsPerPlane, mDataByteSize: UInt32(clamping: plane.count),
                mData: plane.baseAddress)
        }
    }
}
