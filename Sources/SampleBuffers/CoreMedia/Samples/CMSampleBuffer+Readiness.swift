public import MediaCore
internal import Synchronization

/// What functions of C and forms of Swift do about data that is not there yet.
extension CMSampleBuffer {
    /// Held while buffers begin to track others, so that no two of them end up waiting for each other.
    private static let tracking = Mutex(())

    /// The buffer whose readiness counts: this one unless it tracks another one.
    private var tracked: CMSampleBuffer {
        var buffer = self
        while let next = buffer.now.tracked { buffer = next }
        return buffer
    }

    /// Whether the data is there.
    ///
    /// - Throws: `kCMSampleBufferError_Invalidated`.
    func readinessOfData() throws(CoreMediaFailure) -> DataReadiness {
        _ = try current()
        return tracked.now.readiness
    }

    /// Marks the data as there.
    ///
    /// - Throws: `kCMSampleBufferError_Invalidated`, `kCMSampleBufferError_DataFailed`.
    func markReady() throws(CoreMediaFailure) {
        _ = try current()
        try tracked.change { state throws(CoreMediaFailure) in
            if case .failed = state.readiness { throw CoreMediaFailure(kCMSampleBufferError_DataFailed) }
            state.readiness = .ready
        }
    }

    /// Marks the data as never to be there; what is there stays.
    ///
    /// - Throws: `kCMSampleBufferError_Invalidated`.
    func markFailed(_ status: OSStatus) throws(CoreMediaFailure) {
        _ = try current()
        try tracked.change { state throws(CoreMediaFailure) in
            if state.readiness == .notReady { state.readiness = .failed(status) }
        }
    }

    /// Has the data made to be there.
    ///
    /// - Throws: `kCMSampleBufferError_Invalidated`, `kCMSampleBufferError_DataFailed`,
    ///   `kCMSampleBufferError_BufferNotReady`.
    func makeReady() throws(CoreMediaFailure) {
        switch try readinessOfData() {
        case .ready: return
        case .failed: throw CoreMediaFailure(kCMSampleBufferError_DataFailed)
        case .notReady: break
        }
        let buffer = tracked
        guard let handler = buffer.now.makeDataReady, handler(buffer) == noErr else {
            throw CoreMediaFailure(kCMSampleBufferError_BufferNotReady)
        }
        try buffer.markReady()
    }

    /// Lets another buffer's readiness count in place of the own one.
    ///
    /// - Throws: `kCMSampleBufferError_Invalidated`; `kCMSampleBufferError_RequiredParameterMissing` if that one tracks
    ///   this one.
    func track(_ other: CMSampleBuffer) throws(CoreMediaFailure) {
        try Self.tracking.withLock { _ throws(CoreMediaFailure) in
            guard other.tracked !== self else {
                throw CoreMediaFailure(kCMSampleBufferError_RequiredParameterMissing)
            }
            try change { state throws(CoreMediaFailure) in state.tracked = other }
        }
    }

    /// Puts the bytes into a buffer without.
    ///
    /// - Throws: `kCMSampleBufferError_Invalidated`, `kCMSampleBufferError_AlreadyHasDataBuffer`.
    func put(_ dataBuffer: CMBlockBuffer) throws(CoreMediaFailure) {
        try change { state throws(CoreMediaFailure) in
            guard state.dataBuffer == nil, state.imageBuffer == nil else {
                throw CoreMediaFailure(kCMSampleBufferError_AlreadyHasDataBuffer)
            }
            state.dataBuffer = dataBuffer
        }
    }

    /// The bytes, which are there.
    ///
    /// - Throws: `kCMSampleBufferError_Invalidated`, `kCMSampleBufferError_DataFailed`,
    ///   `kCMSampleBufferError_BufferNotReady`.
    func readyData() throws(CoreMediaFailure) -> CMBlockBuffer {
        switch try readinessOfData() {
        case .ready: break
        case .failed: throw CoreMediaFailure(kCMSampleBufferError_DataFailed)
        case .notReady: throw CoreMediaFailure(kCMSampleBufferError_BufferNotReady)
        }
        guard let data = try current().dataBuffer else { throw CoreMediaFailure(kCMSampleBufferError_BufferNotReady) }
        return data
    }
}

extension CMSampleBuffer {
    /// Sets what is called when the buffer is made invalid, in place of what was set before.
    ///
    /// - Throws: `kCMSampleBufferError_Invalidated`.
    func onInvalidation(_ handler: @escaping CMSampleBufferInvalidateHandler) throws(CoreMediaFailure) {
        try change { state throws(CoreMediaFailure) in state.invalidateHandler = handler }
    }
}

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
