public import MediaCore

/// The number of the type of sample buffers.
@discardableResult
public func CMSampleBufferGetTypeID() -> CFTypeID { 4 }

/// Makes a buffer of samples whose data may be there later.
///
/// - Parameters:
///   - allocator: `kCFAllocatorDefault` or nil; it has no effect.
///   - dataBuffer: The bytes, nil for none yet.
///   - dataReady: Whether the bytes are there.
///   - makeDataReadyCallback: Has to make them be there when it is called; nil for nothing.
///   - makeDataReadyRefcon: Passed to the callback.
///   - formatDescription: How samples are coded, nil if it is not known.
///   - numSamples: How many samples there are; may be 0.
///   - numSampleTimingEntries: 0, 1 for all samples or one for each.
///   - sampleTimingArray: Times of the samples.
///   - numSampleSizeEntries: 0, 1 for all samples or one for each.
///   - sampleSizeArray: Bytes of the samples, which lie one after another.
///   - sampleBufferOut: Is given the buffer, nil if it fails.
/// - Returns: 0, `kCMSampleBufferError_InvalidEntryCount`; `kCMSampleBufferError_RequiredParameterMissing` for entries
///   without an address and for samples that are ready without bytes; `kCMSampleBufferError_InvalidSampleData` for
///   sizes below 0 and more bytes than can be counted.
@discardableResult
public func CMSampleBufferCreate(
    allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, dataReady: Bool,
    makeDataReadyCallback: CMSampleBufferMakeDataReadyCallback?, refcon makeDataReadyRefcon: UnsafeMutableRawPointer?,
    formatDescription: CMFormatDescription?, sampleCount numSamples: CMItemCount,
    sampleTimingEntryCount numSampleTimingEntries: CMItemCount, sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?,
    sampleSizeEntryCount numSampleSizeEntries: CMItemCount, sampleSizeArray: UnsafePointer<Int>?,
    sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    CMSampleBufferCreateWithMakeDataReadyHandler(
        allocator, dataBuffer, dataReady, formatDescription, numSamples, numSampleTimingEntries, sampleTimingArray,
        numSampleSizeEntries, sampleSizeArray, sampleBufferOut, handler(makeDataReadyCallback, makeDataReadyRefcon))
}

/// Makes a buffer of samples whose data may be there later: as `CMSampleBufferCreate`.
///
/// - Parameter makeDataReadyHandler: Has to make the data be there when it is called; nil for nothing.
@discardableResult
public func CMSampleBufferCreateWithMakeDataReadyHandler(
    _ allocator: CFAllocator?, _ dataBuffer: CMBlockBuffer?, _ dataReady: Bool,
    _ formatDescription: CMFormatDescription?, _ numSamples: CMItemCount, _ numSampleTimingEntries: CMItemCount,
    _ sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?, _ numSampleSizeEntries: CMItemCount,
    _ sampleSizeArray: UnsafePointer<Int>?, _ sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>,
    _ makeDataReadyHandler: CMSampleBufferMakeDataReadyHandler?
) -> OSStatus {
    made(sampleBufferOut) { () throws(CoreMediaFailure) in
        CMSampleBuffer(
            try SampleParts(
                dataBuffer: dataBuffer, isReady: dataReady, format: formatDescription, count: numSamples,
                timings: try entries(sampleTimingArray, count: numSampleTimingEntries),
                sizes: try entries(sampleSizeArray, count: numSampleSizeEntries),
                makeDataReady: makeDataReadyHandler))
    }
}

/// Makes a buffer of samples whose data is there.
///
/// - Parameters:
///   - allocator: `kCFAllocatorDefault` or nil; it has no effect.
///   - dataBuffer: The bytes; nil only without samples.
///   - formatDescription: How samples are coded, nil if it is not known.
///   - numSamples: How many samples there are; may be 0.
///   - numSampleTimingEntries: 0, 1 for all samples or one for each.
///   - sampleTimingArray: Times of the samples.
///   - numSampleSizeEntries: 0, 1 for all samples or one for each.
///   - sampleSizeArray: Bytes of the samples, which lie one after another.
///   - sampleBufferOut: Is given the buffer, nil if it fails.
/// - Returns: 0, `kCMSampleBufferError_InvalidEntryCount`; `kCMSampleBufferError_RequiredParameterMissing` for entries
///   without an address and for samples without bytes; `kCMSampleBufferError_InvalidSampleData` for sizes below 0 and
///   more bytes than can be counted.
@discardableResult
public func CMSampleBufferCreateReady(
    allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, formatDescription: CMFormatDescription?,
    sampleCount numSamples: CMItemCount, sampleTimingEntryCount numSampleTimingEntries: CMItemCount,
    sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?, sampleSizeEntryCount numSampleSizeEntries: CMItemCount,
    sampleSizeArray: UnsafePointer<Int>?, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    CMSampleBufferCreateWithMakeDataReadyHandler(
        allocator, dataBuffer, true, formatDescription, numSamples, numSampleTimingEntries, sampleTimingArray,
        numSampleSizeEntries, sampleSizeArray, sampleBufferOut, nil)
}

/// Makes a buffer of a picture that may be there later.
///
/// - Parameters:
///   - allocator: `kCFAllocatorDefault` or nil; it has no effect.
///   - imageBuffer: The picture.
///   - dataReady: Whether its pixels are there.
///   - makeDataReadyCallback: Has to make them be there when it is called; nil for nothing.
///   - makeDataReadyRefcon: Passed to the callback.
///   - formatDescription: Has to say what ``CMVideoFormatDescriptionMatchesImageBuffer(_:imageBuffer:)`` looks at.
///   - sampleTiming: When the picture is shown.
///   - sampleBufferOut: Is given the buffer, nil if it fails.
/// - Returns: 0, `kCMSampleBufferError_InvalidMediaFormat`.
@discardableResult
public func CMSampleBufferCreateForImageBuffer(
    allocator: CFAllocator?, imageBuffer: CVImageBuffer, dataReady: Bool,
    makeDataReadyCallback: CMSampleBufferMakeDataReadyCallback?, refcon makeDataReadyRefcon: UnsafeMutableRawPointer?,
    formatDescription: CMVideoFormatDescription, sampleTiming: UnsafePointer<CMSampleTimingInfo>,
    sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    CMSampleBufferCreateForImageBufferWithMakeDataReadyHandler(
        allocator, imageBuffer, dataReady, formatDescription, sampleTiming, sampleBufferOut,
        handler(makeDataReadyCallback, makeDataReadyRefcon))
}

/// Makes a buffer of a picture that may be there later: as `CMSampleBufferCreateForImageBuffer`.
///
/// - Parameter makeDataReadyHandler: Has to make the pixels be there when it is called; nil for nothing.
@discardableResult
public func CMSampleBufferCreateForImageBufferWithMakeDataReadyHandler(
    _ allocator: CFAllocator?, _ imageBuffer: CVImageBuffer, _ dataReady: Bool,
    _ formatDescription: CMVideoFormatDescription, _ sampleTiming: UnsafePointer<CMSampleTimingInfo>,
    _ sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>,
    _ makeDataReadyHandler: CMSampleBufferMakeDataReadyHandler?
) -> OSStatus {
    made(sampleBufferOut) { () throws(CoreMediaFailure) in
        CMSampleBuffer(
            try SampleParts(
                matching: imageBuffer, isReady: dataReady, format: formatDescription, timing: sampleTiming.pointee,
                makeDataReady: makeDataReadyHandler))
    }
}

/// Makes a buffer of a picture that is there.
///
/// - Parameters:
///   - allocator: `kCFAllocatorDefault` or nil; it has no effect.
///   - imageBuffer: The picture.
///   - formatDescription: Has to say what ``CMVideoFormatDescriptionMatchesImageBuffer(_:imageBuffer:)`` looks at.
///   - sampleTiming: When the picture is shown.
///   - sampleBufferOut: Is given the buffer, nil if it fails.
/// - Returns: 0, `kCMSampleBufferError_InvalidMediaFormat`.
@discardableResult
public func CMSampleBufferCreateReadyWithImageBuffer(
    allocator: CFAllocator?, imageBuffer: CVImageBuffer, formatDescription: CMVideoFormatDescription,
    sampleTiming: UnsafePointer<CMSampleTimingInfo>, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    CMSampleBufferCreateForImageBufferWithMakeDataReadyHandler(
        allocator, imageBuffer, true, formatDescription, sampleTiming, sampleBufferOut, nil)
}

/// The handler that a callback and its reference stand for.
func handler(
    _ callback: CMSampleBufferMakeDataReadyCallback?, _ reference: UnsafeMutableRawPointer?
) -> CMSampleBufferMakeDataReadyHandler? {
    callback.map { callback in { callback($0, reference) } }
}

extension CMSampleBuffer {
    /// Makes a buffer of samples whose data is there.
    ///
    /// - Parameters:
    ///   - dataBuffer: The bytes; nil only without samples.
    ///   - formatDescription: How samples are coded, nil if it is not known.
    ///   - numSamples: How many samples there are; may be 0.
    ///   - sampleTimings: None, one for all samples or one for each.
    ///   - sampleSizes: None, one for all samples or one for each.
    /// - Throws: ``Error/invalidEntryCount``, ``Error/requiredParameterMissing``, ``Error/invalidSampleData``.
    public convenience init(
        dataBuffer: CMBlockBuffer?, formatDescription: CMFormatDescription?, numSamples: CMItemCount,
        sampleTimings: [CMSampleTimingInfo], sampleSizes: [Int]
    ) throws {
        self.init(
            try orError { () throws(CoreMediaFailure) in
                try SampleParts(
                    dataBuffer: dataBuffer, isReady: true, format: formatDescription, count: numSamples,
                    timings: sampleTimings, sizes: sampleSizes)
            })
    }

    /// Makes a buffer of samples whose data may be there later.
    ///
    /// - Parameters:
    ///   - dataBuffer: The bytes, nil for none yet.
    ///   - dataReady: Whether the bytes are there.
    ///   - formatDescription: How samples are coded, nil if it is not known.
    ///   - numSamples: How many samples there are; may be 0.
    ///   - sampleTimings: None, one for all samples or one for each.
    ///   - sampleSizes: None, one for all samples or one for each.
    ///   - makeDataReadyHandler: Has to make the bytes be there when it is called.
    /// - Throws: ``Error/invalidEntryCount``, ``Error/requiredParameterMissing``, ``Error/invalidSampleData``.
    public convenience init(
        dataBuffer: CMBlockBuffer?, dataReady: Bool = false, formatDescription: CMFormatDescription?,
        numSamples: CMItemCount, sampleTimings: [CMSampleTimingInfo], sampleSizes: [Int],
        makeDataReadyHandler: @escaping CMSampleBufferMakeDataReadyHandler
    ) throws {
        self.init(
            try orError { () throws(CoreMediaFailure) in
                try SampleParts(
                    dataBuffer: dataBuffer, isReady: dataReady, format: formatDescription, count: numSamples,
                    timings: sampleTimings, sizes: sampleSizes, makeDataReady: makeDataReadyHandler)
            })
    }

    /// Makes a buffer of packets of sound whose data is there.
    ///
    /// - Parameters:
    ///   - dataBuffer: The bytes.
    ///   - formatDescription: How the sound is coded.
    ///   - numSamples: How many packets there are, at least 1; of linear PCM, how many frames.
    ///   - presentationTimeStamp: When the first one is heard.
    ///   - packetDescriptions: One for each packet; empty where all have the size that the format says.
    /// - Throws: As `CMAudioSampleBufferCreateReadyWithPacketDescriptions`;
    ///   ``Error/invalidEntryCount`` for descriptions that are neither none nor one for each packet.
    public convenience init(
        dataBuffer: CMBlockBuffer?, formatDescription: CMFormatDescription, numSamples: CMItemCount,
        presentationTimeStamp: CMTime, packetDescriptions: [AudioStreamPacketDescription]
    ) throws {
        self.init(
            try orError { () throws(CoreMediaFailure) in
                try SampleParts(
                    sound: dataBuffer, isReady: true, format: formatDescription, count: numSamples,
                    start: presentationTimeStamp, packets: packetDescriptions)
            })
    }

    /// Makes a buffer of packets of sound whose data may be there later.
    ///
    /// - Parameters:
    ///   - dataBuffer: The bytes, nil for none yet.
    ///   - dataReady: Whether the bytes are there.
    ///   - formatDescription: How the sound is coded.
    ///   - numSamples: How many packets there are, at least 1; of linear PCM, how many frames.
    ///   - presentationTimeStamp: When the first one is heard.
    ///   - packetDescriptions: One for each packet; empty where all have the size that the format says.
    ///   - makeDataReadyHandler: Has to make the bytes be there when it is called.
    /// - Throws: As `CMAudioSampleBufferCreateReadyWithPacketDescriptions`;
    ///   ``Error/invalidEntryCount`` for descriptions that are neither none nor one for each packet.
    public convenience init(
        dataBuffer: CMBlockBuffer?, dataReady: Bool = false, formatDescription: CMFormatDescription,
        numSamples: CMItemCount, presentationTimeStamp: CMTime, packetDescriptions: [AudioStreamPacketDescription],
        makeDataReadyHandler: @escaping CMSampleBufferMakeDataReadyHandler
    ) throws {
        self.init(
            try orError { () throws(CoreMediaFailure) in
                try SampleParts(
                    sound: dataBuffer, isReady: dataReady, format: formatDescription, count: numSamples,
                    start: presentationTimeStamp, packets: packetDescriptions, makeDataReady: makeDataReadyHandler)
            })
    }

    /// Makes a buffer of a picture that is there.
    ///
    /// - Parameters:
    ///   - imageBuffer: The picture.
    ///   - formatDescription: Has to say what ``CMVideoFormatDescriptionMatchesImageBuffer(_:imageBuffer:)`` looks at.
    ///   - sampleTiming: When the picture is shown.
    /// - Throws: ``Error/invalidMediaFormat``.
    public convenience init(
        imageBuffer: CVImageBuffer, formatDescription: CMVideoFormatDescription, sampleTiming: CMSampleTimingInfo
    ) throws {
        self.init(
            try orError { () throws(CoreMediaFailure) in
                try SampleParts(matching: imageBuffer, format: formatDescription, timing: sampleTiming)
            })
    }

    /// Makes a buffer of a picture that may be there later.
    ///
    /// - Parameters:
    ///   - imageBuffer: The picture.
    ///   - dataReady: Whether its pixels are there.
    ///   - formatDescription: Has to say what ``CMVideoFormatDescriptionMatchesImageBuffer(_:imageBuffer:)`` looks at.
    ///   - sampleTiming: When the picture is shown.
    ///   - makeDataReadyHandler: Has to make the pixels be there when it is called.
    /// - Throws: ``Error/invalidMediaFormat``.
    public convenience init(
        imageBuffer: CVImageBuffer, dataReady: Bool = false, formatDescription: CMVideoFormatDescription,
        sampleTiming: CMSampleTimingInfo, makeDataReadyHandler: @escaping CMSampleBufferMakeDataReadyHandler
    ) throws {
        self.init(
            try orError { () throws(CoreMediaFailure) in
                try SampleParts(
                    matching: imageBuffer, isReady: dataReady, format: formatDescription, timing: sampleTiming,
                    makeDataReady: makeDataReadyHandler)
            })
    }

    /// Makes a copy of a buffer: the same data, format, times and sizes, and what goes along of the attachments.
    ///
    /// - Throws: ``Error/invalidated``.
    public convenience init(copying sampleBuffer: CMSampleBuffer) throws {
        self.init(try orError { () throws(CoreMediaFailure) in try SampleParts(copying: sampleBuffer) })
    }

    /// Makes a copy of a buffer with other times.
    ///
    /// - Parameter sampleTimings: None, one for all samples or one for each.
    /// - Throws: ``Error/invalidated``, ``Error/invalidEntryCount``.
    public convenience init(
        copying sampleBuffer: CMSampleBuffer, withNewTiming sampleTimings: [CMSampleTimingInfo]
    ) throws {
        self.init(
            try orError { () throws(CoreMediaFailure) in
                try SampleParts(copying: sampleBuffer, timings: sampleTimings)
            })
    }

    /// Makes a copy of some of a buffer's samples, without a copy of their bytes.
    ///
    /// - Parameter range: At least one sample.
    /// - Throws: ``Error/invalidated``, ``Error/sampleIndexOutOfRange``; ``Error/cannotSubdivide`` where sizes are not
    ///   known; what block buffers throw for bytes that there are not.
    public convenience init(copying sampleBuffer: CMSampleBuffer, forRange range: Range<Int>) throws {
        self.init(
            try orError { () throws(CoreMediaFailure) in try SampleParts(copying: sampleBuffer, range: range) })
    }
}
