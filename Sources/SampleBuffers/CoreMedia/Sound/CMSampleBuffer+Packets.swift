public import MediaCore

extension CMSampleBuffer {
    /// Descriptions of the packets, in memory that lasts as long as the buffer; empty where all are as the format says.
    ///
    /// - Throws: `kCMSampleBufferError_Invalidated`, `kCMSampleBufferError_InvalidMediaTypeForOperation`,
    ///   `kCMSampleBufferError_BufferHasNoSampleSizes`; `kCMSampleBufferError_InvalidSampleData` for packets of more
    ///   bytes than a description can say.
    func packetDescriptions() throws(CoreMediaFailure) -> UnsafeBufferPointer<AudioStreamPacketDescription> {
        if let there = try current().packetDescriptions { return there.descriptions }
        let memory = PacketDescriptionMemory(try describePackets())
        try change { state throws(CoreMediaFailure) in
            if state.packetDescriptions == nil { state.packetDescriptions = memory }
        }
        return try current().packetDescriptions?.descriptions ?? UnsafeBufferPointer(start: nil, count: 0)
    }

    private func describePackets() throws(CoreMediaFailure) -> [AudioStreamPacketDescription] {
        let stream = try soundFormat()
        guard stream.mBytesPerPacket == 0 || stream.mFramesPerPacket == 0, !stream.isPCM else { return [] }
        guard sizes.areKnown else { throw CoreMediaFailure(kCMSampleBufferError_BufferHasNoSampleSizes) }
        var (start, descriptions): (Int64, [AudioStreamPacketDescription]) = (0, [])
        for index in 0..<count {
            guard let size = UInt32(exactly: sizes.size(at: index)) else {
                throw CoreMediaFailure(kCMSampleBufferError_InvalidSampleData)
            }
            let frames = stream.mFramesPerPacket == 0 ? (try? timings.timing(at: index))?.duration : nil
            descriptions.append(
                AudioStreamPacketDescription(
                    mStartOffset: start, mVariableFramesInPacket: frames.map { stream.frames(lasting: $0) } ?? 0,
                    mDataByteSize: size))
            // All sizes together can be counted.
            start += Int64(size)
        }
        return descriptions
    }

    /// How the sound is coded.
    ///
    /// - Throws: `kCMSampleBufferError_Invalidated`, `kCMSampleBufferError_InvalidMediaTypeForOperation`.
    func soundFormat() throws(CoreMediaFailure) -> AudioStreamBasicDescription {
        _ = try current()
        guard let stream = format?.audioStreamBasicDescription else {
            throw CoreMediaFailure(kCMSampleBufferError_InvalidMediaTypeForOperation)
        }
        return stream
    }
}

/// Gives descriptions of the packets of sound.
///
/// - Parameters:
///   - packetDescriptionsSize: Bytes of the memory.
///   - packetDescriptionsOut: Is given the descriptions; nil to ask only how many bytes they take.
///   - packetDescriptionsSizeNeededOut: Is given how many bytes they take: 0 where all packets are as the format says;
///     may be nil.
/// - Returns: 0, `kCMSampleBufferError_Invalidated`; `kCMSampleBufferError_InvalidMediaTypeForOperation` for anything
///   but sound; `kCMSampleBufferError_BufferHasNoSampleSizes`; `kCMSampleBufferError_ArrayTooSmall` if there is not
///   room enough.
@discardableResult
public func CMSampleBufferGetAudioStreamPacketDescriptions(
    _ sbuf: CMSampleBuffer, allocatedSize packetDescriptionsSize: Int,
    packetDescriptionsOut: UnsafeMutablePointer<AudioStreamPacketDescription>?,
    packetDescriptionsSizeNeededOut: UnsafeMutablePointer<Int>?
) -> OSStatus {
    status { () throws(CoreMediaFailure) in
        packetDescriptionsSizeNeededOut?.pointee = 0
        let descriptions = try sbuf.packetDescriptions()
        let size = descriptions.count * MemoryLayout<AudioStreamPacketDescription>.stride
        packetDescriptionsSizeNeededOut?.pointee = size
        guard let packetDescriptionsOut, let start = descriptions.baseAddress, size > 0 else { return }
        guard packetDescriptionsSize >= size else { throw CoreMediaFailure(kCMSampleBufferError_ArrayTooSmall) }
        packetDescriptionsOut.initialize(from: start, count: descriptions.count)
    }
}

/// Lends descriptions of the packets of sound.
///
/// - Parameters:
///   - packetDescriptionsPointerOut: Is given memory that lasts as long as the buffer, nil where all packets are as the
///     format says; may be nil.
///   - packetDescriptionsSizeOut: Is given its bytes; may be nil.
/// - Returns: 0, `kCMSampleBufferError_Invalidated`; `kCMSampleBufferError_InvalidMediaTypeForOperation` for anything
///   but sound; `kCMSampleBufferError_BufferHasNoSampleSizes`.
@discardableResult
public func CMSampleBufferGetAudioStreamPacketDescriptionsPtr(
    _ sbuf: CMSampleBuffer,
    packetDescriptionsPointerOut: UnsafeMutablePointer<UnsafePointer<AudioStreamPacketDescription>?>?,
    sizeOut packetDescriptionsSizeOut: UnsafeMutablePointer<Int>?
) -> OSStatus {
    status { () throws(CoreMediaFailure) in
        packetDescriptionsPointerOut?.pointee = nil
        packetDescriptionsSizeOut?.pointee = 0
        let descriptions = try sbuf.packetDescriptions()
        guard !descriptions.isEmpty else { return }
        packetDescriptionsPointerOut?.pointee = descriptions.baseAddress
        packetDescriptionsSizeOut?.pointee =
            descriptions.count * MemoryLayout<AudioStreamPacketDescription>.stride
    }
}

extension CMSampleBuffer {
    /// Descriptions of the packets of sound; empty where all are as the format says.
    ///
    /// - Throws: ``Error/invalidated``; ``Error/invalidMediaTypeForOperation`` for anything but sound;
    ///   ``Error/bufferHasNoSampleSizes``.
    public func audioStreamPacketDescriptions() throws -> [AudioStreamPacketDescription] {
        try withUnsafeAudioStreamPacketDescriptions { Array($0) }
    }

    /// Lends descriptions of the packets of sound; none where all are as the format says.
    ///
    /// - Throws: ``Error/invalidated``; ``Error/invalidMediaTypeForOperation`` for anything but sound;
    ///   ``Error/bufferHasNoSampleSizes``; what the body throws.
    public func withUnsafeAudioStreamPacketDescriptions<R>(
        _ body: (UnsafeBufferPointer<AudioStreamPacketDescription>) throws -> R
    ) throws -> R {
        let descriptions = try orError { () throws(CoreMediaFailure) in try packetDescriptions() }
        return try withExtendedLifetime(self) { try body(descriptions) }
    }
}
