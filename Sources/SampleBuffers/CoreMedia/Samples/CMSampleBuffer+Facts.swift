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
