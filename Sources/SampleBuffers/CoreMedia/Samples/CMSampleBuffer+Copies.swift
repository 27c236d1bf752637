internal import Foundation
internal import MediaCore

extension SampleParts {
    /// What a copy of a buffer is made of: the same data, and what goes along of the attachments.
    ///
    /// - Parameter range: The samples that the copy has; all that there are makes no difference.
    /// - Throws: `kCMSampleBufferError_Invalidated`, `kCMSampleBufferError_SampleIndexOutOfRange`,
    ///   `kCMSampleBufferError_CannotSubdivide`; what block buffers throw for bytes that there are not.
    init(copying buffer: CMSampleBuffer, range: Range<Int>? = nil) throws(CoreMediaFailure) {
        let state = try buffer.current()
        let range = range ?? 0..<buffer.count
        guard range.lowerBound >= 0, range.upperBound <= buffer.count else {
            throw CoreMediaFailure(kCMSampleBufferError_SampleIndexOutOfRange)
        }
        let isWhole = range.count == buffer.count
        (format, count, imageBuffer) = (buffer.format, range.count, state.imageBuffer)
        (timings, sizes) = (buffer.timings.part(range), try buffer.sizes.part(range))
        dataBuffer = state.dataBuffer
        if !isWhole {
            guard buffer.sizes.areKnown, !range.isEmpty else {
                throw CoreMediaFailure(kCMSampleBufferError_CannotSubdivide)
            }
            let (offset, length) = buffer.sizes.bytes(of: range)
            dataBuffer = try dataBuffer?.part(at: offset, length: length)
        }
        readiness = try buffer.readinessOfData()
        if readiness == .notReady { tracked = buffer }
        sampleAttachments = state.sampleAttachments?.copy(of: range)
        dependencies = state.dependencies.isEmpty ? [] : Array(state.dependencies[range])
        attachments.merge(buffer.attachmentStore.all.filtered(.shouldPropagate))
        if isWhole {
            outputPresentationTimeStamp = state.outputPresentationTimeStamp
        } else {
            divideTrims(of: buffer, range)
        }
    }

    /// What a copy of a buffer with other times is made of.
    ///
    /// - Throws: `kCMSampleBufferError_Invalidated`, `kCMSampleBufferError_InvalidEntryCount`.
    init(copying buffer: CMSampleBuffer, timings: [CMSampleTimingInfo]) throws(CoreMediaFailure) {
        try self.init(copying: buffer)
        self.timings = try SampleTimings(timings, count: buffer.count)
        outputPresentationTimeStamp = .invalid
    }

    /// Leaves of what is trimmed what falls into a range of samples.
    private mutating func divideTrims(of buffer: CMSampleBuffer, _ range: Range<Int>) {
        let duration = timings.duration
        func divide(_ key: CFString, _ outside: Range<Int>) {
            guard let trim = attachments.time(key) else { return }
            attachments.setTrim(min(trim - buffer.timings.duration(of: outside), duration), by: key)
        }
        divide(kCMSampleBufferAttachmentKey_TrimDurationAtStart, 0..<range.lowerBound)
        divide(kCMSampleBufferAttachmentKey_TrimDurationAtEnd, range.upperBound..<buffer.count)
    }
}

extension CMBlockBuffer {
    /// A buffer that refers to a range of this one, which may be empty.
    ///
    /// - Throws: As ``BlockChain/pieces(at:length:)``.
    fileprivate func part(at offset: Int, length: Int) throws(CoreMediaFailure) -> CMBlockBuffer {
        length == 0 ? CMBlockBuffer() : try reference(at: offset, length: length)
    }
}

extension CMSampleBuffer {
    /// A copy of a range of samples.
    ///
    /// - Throws: As ``SampleParts/init(copying:range:)``.
    func part(_ range: Range<Int>) throws(CoreMediaFailure) -> CMSampleBuffer {
        CMSampleBuffer(try SampleParts(copying: self, range: range))
    }

    /// Hands out the samples one after another, each in a buffer of its own.
    ///
    /// - Parameter body: Returns 0 to go on.
    /// - Returns: What the body returned last.
    /// - Throws: As ``SampleParts/init(copying:range:)``.
    func forEachSample(_ body: (CMSampleBuffer, Int) -> OSStatus) throws(CoreMediaFailure) -> OSStatus {
        _ = try current()
        for index in 0..<count {
            let status = body(try part(index..<(index + 1)), index)
            guard status == noErr else { return status }
        }
        return noErr
    }
}
