internal import MediaCore
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
