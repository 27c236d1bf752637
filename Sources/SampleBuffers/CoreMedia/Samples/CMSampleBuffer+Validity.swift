public import MediaCore

/// Puts the bytes into a buffer that was made without.
///
/// - Returns: 0, `kCMSampleBufferError_Invalidated`, `kCMSampleBufferError_AlreadyHasDataBuffer`.
@discardableResult
public func CMSampleBufferSetDataBuffer(_ sbuf: CMSampleBuffer, newValue dataBuffer: CMBlockBuffer) -> OSStatus {
    status { () throws(CoreMediaFailure) in try sbuf.put(dataBuffer) }
}

/// Marks the data of a buffer as there.
///
/// - Returns: 0, `kCMSampleBufferError_Invalidated`; `kCMSampleBufferError_DataFailed` if it was marked as never to be.
/// - Note: Unlike Core Media's: no notification is posted.
@discardableResult
public func CMSampleBufferSetDataReady(_ sbuf: CMSampleBuffer) -> OSStatus {
    status { () throws(CoreMediaFailure) in try sbuf.markReady() }
}

/// Whether the data of a buffer is there; false if the buffer is invalid.
@discardableResult
public func CMSampleBufferDataIsReady(_ sbuf: CMSampleBuffer) -> Bool { (try? sbuf.readinessOfData()) == .ready }

/// Marks the data of a buffer as never to be there; data that is there stays so.
///
/// - Parameter status: Why.
/// - Returns: 0, `kCMSampleBufferError_Invalidated`.
/// - Note: Unlike Core Media's: no notification is posted.
@discardableResult
public func CMSampleBufferSetDataFailed(_ sbuf: CMSampleBuffer, status reason: OSStatus) -> OSStatus {
    status { () throws(CoreMediaFailure) in try sbuf.markFailed(reason) }
}

/// Whether the data of a buffer will never be there.
///
/// - Parameter statusOut: Is given why, nothing otherwise; may be nil.
@discardableResult
public func CMSampleBufferHasDataFailed(_ sbuf: CMSampleBuffer, statusOut: UnsafeMutablePointer<OSStatus>?) -> Bool {
    guard case .failed(let reason)? = try? sbuf.readinessOfData() else { return false }
    statusOut?.pointee = reason
    return true
}

/// Has the data of a buffer made to be there, by the callback that it was made with; nothing happens if it is.
///
/// - Returns: 0, `kCMSampleBufferError_Invalidated`, `kCMSampleBufferError_DataFailed`;
///   `kCMSampleBufferError_BufferNotReady` without a callback and if that fails.
@discardableResult
public func CMSampleBufferMakeDataReady(_ sbuf: CMSampleBuffer) -> OSStatus {
    status { () throws(CoreMediaFailure) in try sbuf.makeReady() }
}

/// Lets the data of a buffer be there when that of another one is.
///
/// - Parameter sampleBufferToTrack: Lasts as long as the buffer.
/// - Returns: 0, `kCMSampleBufferError_Invalidated`; `kCMSampleBufferError_RequiredParameterMissing` if that one waits
///   for this one.
@discardableResult
public func CMSampleBufferTrackDataReadiness(
    _ sbuf: CMSampleBuffer, sampleBufferToTrack: CMSampleBuffer
) -> OSStatus {
    status { () throws(CoreMediaFailure) in try sbuf.track(sampleBufferToTrack) }
}

/// Makes a buffer invalid: calls what was set for it, then lets go of the data.
///
/// - Returns: 0, also if it was invalid already; nothing is called then.
@discardableResult
public func CMSampleBufferInvalidate(_ sbuf: CMSampleBuffer) -> OSStatus {
    sbuf.makeInvalid()
    return noErr
}

/// Sets what is called when a buffer is made invalid, in place of what was set before.
///
/// It is not called when the buffer just goes.
///
/// - Parameters:
///   - invalidateCallback: Given the buffer and the reference.
///   - invalidateRefCon: Passed to the callback.
/// - Returns: 0, `kCMSampleBufferError_Invalidated`.
@discardableResult
public func CMSampleBufferSetInvalidateCallback(
    _ sbuf: CMSampleBuffer, callback invalidateCallback: @escaping CMSampleBufferInvalidateCallback,
    refcon invalidateRefCon: UInt64
) -> OSStatus {
    CMSampleBufferSetInvalidateHandler(sbuf) { invalidateCallback($0, invalidateRefCon) }
}

/// Sets what is called when a buffer is made invalid, in place of what was set before.
///
/// It is not called when the buffer just goes.
///
/// - Returns: 0, `kCMSampleBufferError_Invalidated`.
@discardableResult
public func CMSampleBufferSetInvalidateHandler(
    _ sbuf: CMSampleBuffer, invalidateHandler: @escaping CMSampleBufferInvalidateHandler
) -> OSStatus {
    status { () throws(CoreMediaFailure) in try sbuf.onInvalidation(invalidateHandler) }
}

/// Whether a buffer was not made invalid.
@discardableResult
public func CMSampleBufferIsValid(_ sbuf: CMSampleBuffer) -> Bool { sbuf.isUsable }
