public import MediaCore

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
