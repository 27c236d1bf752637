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

/// Makes a buffer of packets of sound whose data may be there later.
///
/// - Parameters:
///   - allocator: `kCFAllocatorDefault` or nil; it has no effect.
///   - dataBuffer: The bytes, nil for none yet.
///   - dataReady: Whether the bytes are there.
///   - makeDataReadyCallback: Has to make them be there when it is called; nil for nothing.
///   - makeDataReadyRefcon: Passed to the callback.
///   - formatDescription: How the sound is coded; says how many frames a packet has, unless the descriptions do.
///   - numSamples: How many packets there are, at least 1; of linear PCM, how many frames.
///   - presentationTimeStamp: When the first one is heard; a number.
///   - packetDescriptions: One for each packet; nil where all have the size that the format says.
///   - sampleBufferOut: Is given the buffer, nil if it fails.
/// - Returns: 0, `kCMSampleBufferError_InvalidMediaTypeForOperation` for formats of anything but sound,
///   `kCMSampleBufferError_RequiredParameterMissing` without packets and for data that is ready without bytes,
///   `kCMSampleBufferError_SampleTimingInfoInvalid` for times that are no number,
///   `kCMSampleBufferError_InvalidMediaFormat` if nothing says how large packets are or how long they last,
///   `kCMSampleBufferError_InvalidSampleData` for packets that do not follow one another from the first byte on.
/// - Note: Unlike Core Media's: there may be nothing between packets.
@discardableResult
public func CMAudioSampleBufferCreateWithPacketDescriptions(
    allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, dataReady: Bool,
    makeDataReadyCallback: CMSampleBufferMakeDataReadyCallback?, refcon makeDataReadyRefcon: UnsafeMutableRawPointer?,
    formatDescription: CMFormatDescription, sampleCount numSamples: CMItemCount, presentationTimeStamp: CMTime,
    packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?,
    sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    CMAudioSampleBufferCreateWithPacketDescriptionsAndMakeDataReadyHandler(
        allocator, dataBuffer, dataReady, formatDescription, numSamples, presentationTimeStamp, packetDescriptions,
        sampleBufferOut, handler(makeDataReadyCallback, makeDataReadyRefcon))
}

/// Makes a buffer of packets of sound whose data may be there later: as
/// `CMAudioSampleBufferCreateWithPacketDescriptions`.
///
/// - Parameter makeDataReadyHandler: Has to make the data be there when it is called; nil for nothing.
/// - Note: Unlike Core Media's: there may be nothing between packets.
@discardableResult
public func CMAudioSampleBufferCreateWithPacketDescriptionsAndMakeDataReadyHandler(
    _ allocator: CFAllocator?, _ dataBuffer: CMBlockBuffer?, _ dataReady: Bool,
    _ formatDescription: CMFormatDescription, _ numSamples: CMItemCount, _ presentationTimeStamp: CMTime,
    _ packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?,
    _ sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>,
    _ makeDataReadyHandler: CMSampleBufferMakeDataReadyHandler?
) -> OSStatus {
    made(sampleBufferOut) { () throws(CoreMediaFailure) in
        let packets = packetDescriptions == nil ? [] : try entries(packetDescriptions, count: max(numSamples, 0))
        return CMSampleBuffer(
            try SampleParts(
                sound: dataBuffer, isReady: dataReady, format: formatDescription, count: numSamples,
                start: presentationTimeStamp, packets: packets, makeDataReady: makeDataReadyHandler))
    }
}

/// Makes a buffer of packets of sound whose data is there.
///
/// - Parameters:
///   - allocator: `kCFAllocatorDefault` or nil; it has no effect.
///   - dataBuffer: The bytes.
///   - formatDescription: How the sound is coded; says how many frames a packet has, unless the descriptions do.
///   - numSamples: How many packets there are, at least 1; of linear PCM, how many frames.
///   - presentationTimeStamp: When the first one is heard; a number.
///   - packetDescriptions: One for each packet; nil where all have the size that the format says.
///   - sampleBufferOut: Is given the buffer, nil if it fails.
/// - Returns: As `CMAudioSampleBufferCreateWithPacketDescriptions`.
/// - Note: Unlike Core Media's: there may be nothing between packets.
@discardableResult
public func CMAudioSampleBufferCreateReadyWithPacketDescriptions(
    allocator: CFAllocator?, dataBuffer: CMBlockBuffer, formatDescription: CMFormatDescription,
    sampleCount numSamples: CMItemCount, presentationTimeStamp: CMTime,
    packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?,
    sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    CMAudioSampleBufferCreateWithPacketDescriptionsAndMakeDataReadyHandler(
        allocator, dataBuffer, true, formatDescription, numSamples, presentationTimeStamp, packetDescriptions,
        sampleBufferOut, nil)
}

extension SampleParts {
    /// Packets of sound, or frames of linear PCM.
    ///
    /// - Parameter packets: Empty where all packets are as the format says.
    /// - Throws: `kCMSampleBufferError_InvalidMediaTypeForOperation`, `kCMSampleBufferError_RequiredParameterMissing`,
    ///   `kCMSampleBufferError_SampleTimingInfoInvalid`, `kCMSampleBufferError_InvalidMediaFormat`,
    ///   `kCMSampleBufferError_InvalidSampleData`, `kCMSampleBufferError_InvalidEntryCount`.
    init(
        sound dataBuffer: CMBlockBuffer?, isReady: Bool, format: CMFormatDescription, count: Int, start: CMTime,
        packets: [AudioStreamPacketDescription], makeDataReady: CMSampleBufferMakeDataReadyHandler? = nil
    ) throws(CoreMediaFailure) {
        guard let stream = format.audioStreamBasicDescription else {
            throw CoreMediaFailure(kCMSampleBufferError_InvalidMediaTypeForOperation)
        }
        guard count > 0 else { throw CoreMediaFailure(kCMSampleBufferError_RequiredParameterMissing) }
        guard start.isNumeric else { throw CoreMediaFailure(kCMSampleBufferError_SampleTimingInfoInvalid) }
        guard packets.isEmpty || packets.count == count else {
            throw CoreMediaFailure(kCMSampleBufferError_InvalidEntryCount)
        }
        try self.init(
            dataBuffer: dataBuffer, isReady: isReady, format: format, count: count,
            timings: try stream.timings(of: packets, start: start), sizes: try stream.sizes(of: packets),
            makeDataReady: makeDataReady)
    }
}

extension AudioStreamBasicDescription {
    /// Whether each channel has bytes of its own.
    var isPlanar: Bool { isPCM && mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0 }

    /// How long frames last, exactly where the rate is a whole number.
    ///
    /// - Throws: `kCMSampleBufferError_InvalidMediaFormat` if the rate is not known.
    private func duration(frames: UInt32) throws(CoreMediaFailure) -> CMTime {
        guard mSampleRate > 0, mSampleRate.isFinite else {
            throw CoreMediaFailure(kCMSampleBufferError_InvalidMediaFormat)
        }
        if let timescale = CMTimeScale(exactly: mSampleRate) {
            return CMTime(value: CMTimeValue(frames), timescale: timescale)
        }
        return CMTime(seconds: Double(frames) / mSampleRate, preferredTimescale: 1_000_000_000)
    }

    /// When packets are heard, which follow one another without gaps: one for all if they last equally long.
    fileprivate func timings(
        of packets: [AudioStreamPacketDescription], start: CMTime
    ) throws(CoreMediaFailure) -> [CMSampleTimingInfo] {
        let frames = packets.map { mFramesPerPacket != 0 ? mFramesPerPacket : $0.mVariableFramesInPacket }
        let first = frames.first ?? mFramesPerPacket
        guard first != 0 else { throw CoreMediaFailure(kCMSampleBufferError_InvalidMediaFormat) }
        if frames.allSatisfy({ $0 == first }) {
            let duration = try duration(frames: first)
            return [
                CMSampleTimingInfo(duration: duration, presentationTimeStamp: start, decodeTimeStamp: .invalid)
            ]
        }
        var (time, timings) = (start, [CMSampleTimingInfo]())
        for count in frames {
            let duration = try duration(frames: count)
            timings.append(
                CMSampleTimingInfo(duration: duration, presentationTimeStamp: time, decodeTimeStamp: .invalid))
            time = time + duration
        }
        return timings
    }

    /// Bytes of packets: one number where all are as the format says, none where channels are apart.
    fileprivate func sizes(of packets: [AudioStreamPacketDescription]) throws(CoreMediaFailure) -> [Int] {
        guard !isPlanar else { return [] }
        guard !packets.isEmpty else {
            guard mBytesPerPacket > 0 else { throw CoreMediaFailure(kCMSampleBufferError_InvalidMediaFormat) }
            return [Int(mBytesPerPacket)]
        }
        var end: Int64 = 0
        for packet in packets {
            guard packet.mStartOffset == end else { throw CoreMediaFailure(kCMSampleBufferError_InvalidSampleData) }
            // Each adds less than 2³² bytes: there is no memory for so many packets that it would overflow.
            end += Int64(packet.mDataByteSize)
        }
        return packets.map { Int($0.mDataByteSize) }
    }

    /// Frames of a packet that lasts so long.
    func frames(lasting duration: CMTime) -> UInt32 {
        let frames = (duration.seconds * mSampleRate).rounded()
        return UInt32(exactly: frames) ?? 0
    }
}

/// Descriptions of packets in memory that does not move.
///
/// `@unchecked Sendable`: the memory is written once, before anybody else knows of it.
final class PacketDescriptionMemory: @unchecked Sendable {
    private let memory: UnsafeMutableBufferPointer<AudioStreamPacketDescription>

    init(_ descriptions: [AudioStreamPacketDescription]) {
        memory = .allocate(capacity: descriptions.count)
        _ = memory.initialize(from: descriptions)
    }

    deinit { memory.deallocate() }

    /// The descriptions, which last as long as this object.
    var descriptions: UnsafeBufferPointer<AudioStreamPacketDescription> { UnsafeBufferPointer(memory) }
}
