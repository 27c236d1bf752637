internal import MediaCore

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
