public import MediaCore

/// The bytes of the samples, nil without any and if the buffer is invalid.
@discardableResult
public func CMSampleBufferGetDataBuffer(_ sbuf: CMSampleBuffer) -> CMBlockBuffer? { sbuf.look { $0.dataBuffer } }

/// The picture, nil without one and if the buffer is invalid.
@discardableResult
public func CMSampleBufferGetImageBuffer(_ sbuf: CMSampleBuffer) -> CVImageBuffer? { sbuf.look { $0.imageBuffer } }

/// How the samples are coded, nil if it is not known and if the buffer is invalid.
@discardableResult
public func CMSampleBufferGetFormatDescription(_ sbuf: CMSampleBuffer) -> CMFormatDescription? {
    sbuf.isUsable ? sbuf.format : nil
}

/// How many samples there are, 0 if the buffer is invalid.
@discardableResult
public func CMSampleBufferGetNumSamples(_ sbuf: CMSampleBuffer) -> CMItemCount { sbuf.isUsable ? sbuf.count : 0 }

/// How long all samples last: the sum of their durations, whatever gaps there are.
///
/// - Returns: Invalid if a duration is, if times are not known and if the buffer is invalid.
@discardableResult
public func CMSampleBufferGetDuration(_ sbuf: CMSampleBuffer) -> CMTime {
    sbuf.isUsable ? sbuf.timings.duration : .invalid
}

/// The earliest time at which a sample is shown.
///
/// - Returns: Invalid if times are not known and if the buffer is invalid.
@discardableResult
public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
    sbuf.isUsable ? sbuf.timings.presentationTimeStamp : .invalid
}

/// When the first sample is decoded: samples are in the order of decoding.
///
/// - Returns: Invalid if that is when it is shown, if times are not known and if the buffer is invalid.
@discardableResult
public func CMSampleBufferGetDecodeTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
    sbuf.isUsable ? sbuf.timings.decodeTimeStamp : .invalid
}

/// How long the samples take once they are trimmed and played at their speed.
///
/// - Returns: Invalid if it is not known and if the buffer is invalid.
@discardableResult
public func CMSampleBufferGetOutputDuration(_ sbuf: CMSampleBuffer) -> CMTime {
    sbuf.outputTiming?.duration ?? .invalid
}

/// When the first of what is left once the samples are trimmed is shown, or the last if they are played backwards.
///
/// - Returns: The time that was set, if one was. Invalid if it is not known and if the buffer is invalid.
@discardableResult
public func CMSampleBufferGetOutputPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
    sbuf.outputTiming?.presentationTimeStamp ?? .invalid
}

/// Sets when the first of the samples is shown.
///
/// - Parameter outputPresentationTimeStamp: Invalid to have it calculated again.
/// - Returns: 0, `kCMSampleBufferError_Invalidated`.
@discardableResult
public func CMSampleBufferSetOutputPresentationTimeStamp(
    _ sbuf: CMSampleBuffer, newValue outputPresentationTimeStamp: CMTime
) -> OSStatus {
    status { () throws(CoreMediaFailure) in
        try sbuf.change { state throws(CoreMediaFailure) in
            state.outputPresentationTimeStamp = outputPresentationTimeStamp
        }
    }
}

/// When the first sample is decoded, if it is shown when the output says.
///
/// - Returns: Invalid if there is no time of decoding and if the buffer is invalid.
@discardableResult
public func CMSampleBufferGetOutputDecodeTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime {
    sbuf.outputTiming?.decodeTimeStamp ?? .invalid
}

extension CMSampleBuffer {
    /// When the samples are shown, `nil` if the buffer is invalid.
    var outputTiming: OutputTiming? {
        let state = now
        guard state.isValid else { return nil }
        return OutputTiming(
            timings, count: count, attachments: attachmentStore.all, stated: state.outputPresentationTimeStamp)
    }

    /// When samples are shown: one for all or one for each.
    ///
    /// - Throws: `kCMSampleBufferError_Invalidated`, `kCMSampleBufferError_BufferHasNoSampleTimingInfo`.
    func knownTimings(ofOutput: Bool) throws(CoreMediaFailure) -> [CMSampleTimingInfo] {
        _ = try current()
        let entries = ofOutput ? outputTiming?.timingInfos ?? [] : timings.entries
        guard !entries.isEmpty else { throw CoreMediaFailure(kCMSampleBufferError_BufferHasNoSampleTimingInfo) }
        return entries
    }

    /// When a sample is shown.
    ///
    /// - Throws: `kCMSampleBufferError_Invalidated`, `kCMSampleBufferError_BufferHasNoSampleTimingInfo`,
    ///   `kCMSampleBufferError_SampleIndexOutOfRange`.
    func timing(at index: Int) throws(CoreMediaFailure) -> CMSampleTimingInfo {
        _ = try current()
        return try timings.timing(at: index)
    }

    /// Bytes of samples: one number for all or one for each.
    ///
    /// - Throws: `kCMSampleBufferError_Invalidated`, `kCMSampleBufferError_BufferHasNoSampleSizes`.
    func knownSizes() throws(CoreMediaFailure) -> [Int] {
        _ = try current()
        guard sizes.areKnown else { throw CoreMediaFailure(kCMSampleBufferError_BufferHasNoSampleSizes) }
        return sizes.entries
    }
}

/// Gives the times of a buffer's samples.
///
/// - Parameters:
///   - numSampleTimingEntries: How many times the memory has room for.
///   - timingArrayOut: Is given the times: one for all samples if it stands for all, otherwise one for each; nil to ask
///     only how many there are.
///   - timingArrayEntriesNeededOut: Is given how many there are; may be nil.
/// - Returns: 0, `kCMSampleBufferError_Invalidated`, `kCMSampleBufferError_BufferHasNoSampleTimingInfo`;
///   `kCMSampleBufferError_ArrayTooSmall` if there is not room enough.
@discardableResult
public func CMSampleBufferGetSampleTimingInfoArray(
    _ sbuf: CMSampleBuffer, entryCount numSampleTimingEntries: CMItemCount,
    arrayToFill timingArrayOut: UnsafeMutablePointer<CMSampleTimingInfo>?,
    entriesNeededOut timingArrayEntriesNeededOut: UnsafeMutablePointer<CMItemCount>?
) -> OSStatus {
    fill(timingArrayOut, numSampleTimingEntries, timingArrayEntriesNeededOut) { () throws(CoreMediaFailure) in
        try sbuf.knownTimings(ofOutput: false)
    }
}

/// Gives the times of a buffer's samples once they are trimmed and played at their speed.
///
/// - Parameters:
///   - timingArrayEntries: How many times the memory has room for.
///   - timingArrayOut: Is given the times: one for all samples if it stands for all, otherwise one for each; nil to ask
///     only how many there are.
///   - timingArrayEntriesNeededOut: Is given how many there are; may be nil.
/// - Returns: 0, `kCMSampleBufferError_Invalidated`, `kCMSampleBufferError_BufferHasNoSampleTimingInfo`;
///   `kCMSampleBufferError_ArrayTooSmall` if there is not room enough.
/// - Note: Core Media does not say how trims are divided among samples: here each sample is told of with what is left
///   of it, with no duration if that is nothing.
@discardableResult
public func CMSampleBufferGetOutputSampleTimingInfoArray(
    _ sbuf: CMSampleBuffer, entryCount timingArrayEntries: CMItemCount,
    arrayToFill timingArrayOut: UnsafeMutablePointer<CMSampleTimingInfo>?,
    entriesNeededOut timingArrayEntriesNeededOut: UnsafeMutablePointer<CMItemCount>?
) -> OSStatus {
    fill(timingArrayOut, timingArrayEntries, timingArrayEntriesNeededOut) { () throws(CoreMediaFailure) in
        try sbuf.knownTimings(ofOutput: true)
    }
}

/// Gives the times of a sample, its own ones also where one stands for all.
///
/// - Parameter sampleIndex: From 0.
/// - Returns: 0, `kCMSampleBufferError_Invalidated`, `kCMSampleBufferError_SampleIndexOutOfRange`,
///   `kCMSampleBufferError_BufferHasNoSampleTimingInfo`; nothing is given then.
@discardableResult
public func CMSampleBufferGetSampleTimingInfo(
    _ sbuf: CMSampleBuffer, at sampleIndex: CMItemIndex, timingInfoOut: UnsafeMutablePointer<CMSampleTimingInfo>
) -> OSStatus {
    status { () throws(CoreMediaFailure) in timingInfoOut.pointee = try sbuf.timing(at: sampleIndex) }
}

/// Gives the bytes of each of a buffer's samples.
///
/// - Parameters:
///   - sizeArrayEntries: How many sizes the memory has room for.
///   - sizeArrayOut: Is given the sizes: one if all samples have it, otherwise one for each; nil to ask only how many
///     there are.
///   - sizeArrayEntriesNeededOut: Is given how many there are; may be nil.
/// - Returns: 0, `kCMSampleBufferError_Invalidated`, `kCMSampleBufferError_ArrayTooSmall` if there is not room enough;
///   `kCMSampleBufferError_BufferHasNoSampleSizes` also for pictures.
@discardableResult
public func CMSampleBufferGetSampleSizeArray(
    _ sbuf: CMSampleBuffer, entryCount sizeArrayEntries: CMItemCount,
    arrayToFill sizeArrayOut: UnsafeMutablePointer<Int>?,
    entriesNeededOut sizeArrayEntriesNeededOut: UnsafeMutablePointer<CMItemCount>?
) -> OSStatus {
    fill(sizeArrayOut, sizeArrayEntries, sizeArrayEntriesNeededOut) { () throws(CoreMediaFailure) in
        try sbuf.knownSizes()
    }
}

/// Bytes of a sample.
///
/// - Returns: 0 for samples that there are not, if sizes are not known, for pictures and if the buffer is invalid.
@discardableResult
public func CMSampleBufferGetSampleSize(_ sbuf: CMSampleBuffer, at sampleIndex: CMItemIndex) -> Int {
    sbuf.isUsable ? sbuf.sizes.size(at: sampleIndex) : 0
}

/// Bytes of all samples.
///
/// - Returns: 0 if sizes are not known, for pictures and if the buffer is invalid.
@discardableResult
public func CMSampleBufferGetTotalSampleSize(_ sbuf: CMSampleBuffer) -> Int {
    sbuf.isUsable ? sbuf.sizes.total : 0
}

/// What is attached to the samples: a list of dictionaries, one for each, by `kCMSampleAttachmentKey_…`.
///
/// The dictionaries are `NSMutableDictionary`s: what is written to them is attached. `list as? [NSMutableDictionary]`
/// has them; `list as? [[CFString: Any]]` has copies to read.
///
/// - Parameter createIfNecessary: Whether empty dictionaries are made if nothing is attached to any sample.
/// - Returns: The same list each time. Nil if nothing is attached, and if the buffer is invalid.
@discardableResult
public func CMSampleBufferGetSampleAttachmentsArray(_ sbuf: CMSampleBuffer, createIfNecessary: Bool) -> CFArray? {
    sbuf.sampleAttachmentList(createIfNecessary: createIfNecessary)
}

/// Copies what a body gives to where the client wants it.
///
/// - Parameters:
///   - out: `nil` to say only how many there are.
///   - room: How many there is room for.
///   - needed: Is given how many there are, 0 if the body fails.
private func fill<Entry>(
    _ out: UnsafeMutablePointer<Entry>?, _ room: Int, _ needed: UnsafeMutablePointer<CMItemCount>?,
    _ body: () throws(CoreMediaFailure) -> [Entry]
) -> OSStatus {
    status { () throws(CoreMediaFailure) in
        needed?.pointee = 0
        let entries = try body()
        needed?.pointee = entries.count
        guard let out else { return }
        guard room >= entries.count else { throw CoreMediaFailure(kCMSampleBufferError_ArrayTooSmall) }
        for (index, entry) in entries.enumerated() { (out + index).initialize(to: entry) }
    }
}
