internal import Foundation
public import MediaCore

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

/// Makes a copy of a buffer: the same data, format, times and sizes, and what goes along of the attachments.
///
/// - Parameters:
///   - allocator: `kCFAllocatorDefault` or nil; it has no effect.
///   - sbuf: If its data is not there yet, the copy waits for it.
///   - sampleBufferOut: Is given the copy, nil if it fails. What is attached to samples are dictionaries of its own.
/// - Returns: 0, `kCMSampleBufferError_Invalidated`.
@discardableResult
public func CMSampleBufferCreateCopy(
    allocator: CFAllocator?, sampleBuffer sbuf: CMSampleBuffer, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    made(sampleBufferOut) { () throws(CoreMediaFailure) in CMSampleBuffer(try SampleParts(copying: sbuf)) }
}

/// Makes a copy of a buffer with other times.
///
/// - Parameters:
///   - allocator: `kCFAllocatorDefault` or nil; it has no effect.
///   - originalSBuf: As in ``CMSampleBufferCreateCopy(allocator:sampleBuffer:sampleBufferOut:)``; a time of output that
///     was set does not go along.
///   - numSampleTimingEntries: 0, 1 for all samples or one for each.
///   - sampleTimingArray: The times.
///   - sampleBufferOut: Is given the copy, nil if it fails.
/// - Returns: 0, `kCMSampleBufferError_Invalidated`, `kCMSampleBufferError_InvalidEntryCount`,
///   `kCMSampleBufferError_RequiredParameterMissing` for entries without an address.
@discardableResult
public func CMSampleBufferCreateCopyWithNewTiming(
    allocator: CFAllocator?, sampleBuffer originalSBuf: CMSampleBuffer,
    sampleTimingEntryCount numSampleTimingEntries: CMItemCount, sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?,
    sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    made(sampleBufferOut) { () throws(CoreMediaFailure) in
        let timings = try entries(sampleTimingArray, count: numSampleTimingEntries)
        return CMSampleBuffer(try SampleParts(copying: originalSBuf, timings: timings))
    }
}

/// Makes a copy of some of a buffer's samples, without a copy of their bytes.
///
/// - Parameters:
///   - allocator: `kCFAllocatorDefault` or nil; it has no effect.
///   - sbuf: As in ``CMSampleBufferCreateCopy(allocator:sampleBuffer:sampleBufferOut:)``.
///   - sampleRange: At least one sample.
///   - sampleBufferOut: Is given the copy, nil if it fails.
/// - Returns: 0, `kCMSampleBufferError_Invalidated`, `kCMSampleBufferError_SampleIndexOutOfRange`;
///   `kCMSampleBufferError_CannotSubdivide` where sizes are not known, as of sound whose channels are apart; what block
///   buffers return for bytes that there are not.
/// - Note: Core Media does not say what becomes of trims: here the copy gets of them what falls into its samples.
@discardableResult
public func CMSampleBufferCopySampleBufferForRange(
    allocator: CFAllocator?, sampleBuffer sbuf: CMSampleBuffer, sampleRange: CFRange,
    sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    made(sampleBufferOut) { () throws(CoreMediaFailure) in
        let (end, tooMany) = sampleRange.location.addingReportingOverflow(sampleRange.length)
        guard sampleRange.length >= 0, !tooMany else {
            throw CoreMediaFailure(kCMSampleBufferError_SampleIndexOutOfRange)
        }
        return try sbuf.part(sampleRange.location..<end)
    }
}

/// Gives a callback the samples of a buffer one after another, each in a buffer of its own.
///
/// - Parameters:
///   - callback: Given a sample, which it may keep, which one it is, and the reference; returns 0 to go on.
///   - refcon: Passed to the callback.
/// - Returns: What the callback returned last; 0 without samples; as
///   ``CMSampleBufferCopySampleBufferForRange(allocator:sampleBuffer:sampleRange:sampleBufferOut:)``.
/// - Note: The callback is a function of C in Core Media; Swift's functions and closures do as well here.
@discardableResult
public func CMSampleBufferCallForEachSample(
    _ sbuf: CMSampleBuffer, callback: (CMSampleBuffer, CMItemCount, UnsafeMutableRawPointer?) -> OSStatus,
    refcon: UnsafeMutableRawPointer?
) -> OSStatus {
    CMSampleBufferCallBlockForEachSample(sbuf) { callback($0, $1, refcon) }
}

/// Gives a handler the samples of a buffer one after another, each in a buffer of its own.
///
/// - Parameter handler: Given a sample, which it may keep, and which one it is; returns 0 to go on.
/// - Returns: What the handler returned last; 0 without samples; as
///   ``CMSampleBufferCopySampleBufferForRange(allocator:sampleBuffer:sampleRange:sampleBufferOut:)``.
@discardableResult
public func CMSampleBufferCallBlockForEachSample(
    _ sbuf: CMSampleBuffer, _ handler: (CMSampleBuffer, CMItemCount) -> OSStatus
) -> OSStatus {
    do {
        return try sbuf.forEachSample(handler)
    } catch {
        return error.code
    }
}
