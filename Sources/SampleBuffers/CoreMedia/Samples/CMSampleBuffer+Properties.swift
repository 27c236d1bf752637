public import MediaCore

extension CMSampleBuffer {
    /// The number of the type of sample buffers.
    public static var typeID: CFTypeID { CMSampleBufferGetTypeID() }

    // MARK: Data

    /// The bytes of the samples, nil without any and if the buffer is invalid.
    public var dataBuffer: CMBlockBuffer? { CMSampleBufferGetDataBuffer(self) }
    /// The picture, nil without one and if the buffer is invalid.
    public var imageBuffer: CVImageBuffer? { CMSampleBufferGetImageBuffer(self) }
    /// How the samples are coded, nil if it is not known and if the buffer is invalid.
    public var formatDescription: CMFormatDescription? { CMSampleBufferGetFormatDescription(self) }

    /// Puts the bytes into a buffer that was made without.
    ///
    /// - Throws: ``Error/invalidated``, ``Error/alreadyHasDataBuffer``.
    public func setDataBuffer(_ dataBuffer: CMBlockBuffer) throws {
        try orError { () throws(CoreMediaFailure) in try put(dataBuffer) }
    }

    // MARK: Readiness

    /// Whether the data is there; not ready if the buffer is invalid.
    public var dataReadiness: DataReadiness { (try? readinessOfData()) ?? .notReady }

    /// Marks the data as there, or as never to be there.
    ///
    /// - Parameter newValue: `.notReady` only where that is so: there is no way back.
    /// - Throws: ``Error/invalidated``, ``Error/dataFailed``; ``Error/bufferNotReady`` for `.notReady` where that is
    ///   not so.
    /// - Note: Unlike Core Media's: no notification is posted.
    public func setDataReadiness(_ newValue: DataReadiness) throws {
        try orError { () throws(CoreMediaFailure) in
            switch newValue {
            case .ready: try markReady()
            case .failed(let status): try markFailed(status)
            case .notReady:
                guard try readinessOfData() == .notReady else {
                    throw CoreMediaFailure(kCMSampleBufferError_BufferNotReady)
                }
            }
        }
    }

    /// Has the data made to be there, by the handler that the buffer was made with; nothing happens if it is.
    ///
    /// - Throws: ``Error/invalidated``, ``Error/dataFailed``; ``Error/bufferNotReady`` without a handler and if that
    ///   fails.
    public func makeDataReady() throws { try orError { () throws(CoreMediaFailure) in try makeReady() } }

    /// Lets the data be there when that of another buffer is.
    ///
    /// - Throws: ``Error/invalidated``; ``Error/requiredParameterMissing`` if that one waits for this one.
    public func trackDataReadiness(_ sampleBufferToTrack: CMSampleBuffer) throws {
        try orError { () throws(CoreMediaFailure) in try track(sampleBufferToTrack) }
    }

    // MARK: Validity

    /// Whether the buffer was not made invalid.
    public var isValid: Bool { CMSampleBufferIsValid(self) }

    /// Makes the buffer invalid: calls what was set for it, then lets go of the data.
    ///
    /// - Throws: Never.
    public func invalidate() throws { makeInvalid() }

    /// Sets what is called when the buffer is made invalid, in place of what was set before.
    ///
    /// - Parameter body: What it throws is passed over: nobody waits for it.
    /// - Throws: ``Error/invalidated``.
    public func setInvalidateHandler(_ body: @escaping (CMSampleBuffer) throws -> Void) throws {
        try orError { () throws(CoreMediaFailure) in try onInvalidation { try? body($0) } }
    }

    // MARK: Times

    /// How many samples there are, 0 if the buffer is invalid.
    public var numSamples: Int { CMSampleBufferGetNumSamples(self) }
    /// How long all samples last: the sum of their durations; invalid if it is not known.
    public var duration: CMTime { CMSampleBufferGetDuration(self) }
    /// The earliest time at which a sample is shown; invalid if it is not known.
    public var presentationTimeStamp: CMTime { CMSampleBufferGetPresentationTimeStamp(self) }
    /// When the first sample is decoded; invalid if that is when it is shown, and if it is not known.
    public var decodeTimeStamp: CMTime { CMSampleBufferGetDecodeTimeStamp(self) }
    /// How long the samples take once they are trimmed and played at their speed; invalid if it is not known.
    public var outputDuration: CMTime { CMSampleBufferGetOutputDuration(self) }
    /// When the first of what is left once the samples are trimmed is shown; invalid if it is not known.
    public var outputPresentationTimeStamp: CMTime { CMSampleBufferGetOutputPresentationTimeStamp(self) }
    /// When the first sample is decoded, if it is shown when the output says; invalid if it is not known.
    public var outputDecodeTimeStamp: CMTime { CMSampleBufferGetOutputDecodeTimeStamp(self) }

    /// Sets when the first of the samples is shown.
    ///
    /// - Parameter pts: Invalid to have it calculated again.
    /// - Throws: ``Error/invalidated``.
    public func setOutputPresentationTimeStamp(_ pts: CMTime) throws {
        try orError { () throws(CoreMediaFailure) in
            try change { state throws(CoreMediaFailure) in state.outputPresentationTimeStamp = pts }
        }
    }

    /// The times of the samples: one if it stands for all, otherwise one for each.
    ///
    /// - Throws: ``Error/invalidated``, ``Error/bufferHasNoSampleTimingInfo``.
    public func sampleTimingInfos() throws -> [CMSampleTimingInfo] {
        try orError { () throws(CoreMediaFailure) in try knownTimings(ofOutput: false) }
    }

    /// The times of the samples once they are trimmed and played at their speed: one if it stands for all, otherwise
    /// one for each.
    ///
    /// - Throws: ``Error/invalidated``, ``Error/bufferHasNoSampleTimingInfo``.
    /// - Note: Core Media does not say how trims are divided among samples: here each sample is told of with what is
    ///   left of it, with no duration if that is nothing.
    public func outputSampleTimingInfos() throws -> [CMSampleTimingInfo] {
        try orError { () throws(CoreMediaFailure) in try knownTimings(ofOutput: true) }
    }

    /// The times of a sample, its own ones also where one stands for all.
    ///
    /// - Throws: ``Error/invalidated``, ``Error/sampleIndexOutOfRange``, ``Error/bufferHasNoSampleTimingInfo``.
    public func sampleTimingInfo(at sampleIndex: CMItemIndex) throws -> CMSampleTimingInfo {
        try orError { () throws(CoreMediaFailure) in try timing(at: sampleIndex) }
    }

    // MARK: Sizes

    /// Bytes of the samples: one number if all have it, otherwise one for each.
    ///
    /// - Throws: ``Error/invalidated``, ``Error/bufferHasNoSampleSizes``.
    public func sampleSizes() throws -> [Int] { try orError { () throws(CoreMediaFailure) in try knownSizes() } }

    /// Bytes of a sample, 0 for samples that there are not and if sizes are not known.
    public func sampleSize(at sampleIndex: Int) -> Int { CMSampleBufferGetSampleSize(self, at: sampleIndex) }

    /// Bytes of all samples, 0 if sizes are not known.
    public var totalSampleSize: Int { CMSampleBufferGetTotalSampleSize(self) }

    // MARK: Samples

    /// The samples, each in a buffer of its own, made when it is asked for.
    ///
    /// - Throws: ``Error/invalidated``; ``Error/cannotSubdivide`` where sizes are not known.
    public func singleSampleBuffers() throws -> SingleSampleBuffers {
        try orError { () throws(CoreMediaFailure) in
            _ = try current()
            guard count <= 1 || sizes.areKnown else { throw CoreMediaFailure(kCMSampleBufferError_CannotSubdivide) }
            return SingleSampleBuffers(buffer: self)
        }
    }

    /// Samples, each in a buffer of its own.
    public struct SingleSampleBuffers: Sequence {
        fileprivate let buffer: CMSampleBuffer

        /// The samples in their order; they end early if the buffer is made invalid, or has not all of their bytes.
        public func makeIterator() -> Iterator { Iterator(buffer: buffer) }

        /// Makes buffers of single samples one after another.
        public struct Iterator: IteratorProtocol {
            fileprivate let buffer: CMSampleBuffer
            private var index = 0

            fileprivate init(buffer: CMSampleBuffer) { self.buffer = buffer }

            /// The next sample, nil after the last one.
            public mutating func next() -> CMSampleBuffer? {
                guard index < buffer.count, let sample = try? buffer.part(index..<(index + 1)) else { return nil }
                index += 1
                return sample
            }
        }
    }
}
