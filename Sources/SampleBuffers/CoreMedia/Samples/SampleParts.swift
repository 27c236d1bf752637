internal import MediaCore

/// All that a sample buffer is made of.
struct SampleParts {
    var format: CMFormatDescription?
    var count: Int
    var timings: SampleTimings
    var sizes: SampleSizes
    var dataBuffer: CMBlockBuffer?
    var imageBuffer: CVImageBuffer?
    var readiness = CMSampleBuffer.DataReadiness.ready
    var makeDataReady: CMSampleBufferMakeDataReadyHandler?
    /// The buffer whose readiness counts in place of the own one.
    var tracked: CMSampleBuffer?
    var outputPresentationTimeStamp = CMTime.invalid
    var sampleAttachments: SampleAttachmentList?
    var dependencies: [SampleDependency] = []
    var attachments = Attachments()

    /// Samples in a block buffer.
    ///
    /// - Throws: `kCMSampleBufferError_InvalidEntryCount`, `kCMSampleBufferError_InvalidSampleData`;
    ///   `kCMSampleBufferError_RequiredParameterMissing` for samples that are ready without bytes.
    init(
        dataBuffer: CMBlockBuffer?, isReady: Bool, format: CMFormatDescription?, count: Int,
        timings: [CMSampleTimingInfo], sizes: [Int], makeDataReady: CMSampleBufferMakeDataReadyHandler? = nil
    ) throws(CoreMediaFailure) {
        (self.format, self.count, self.dataBuffer) = (format, count, dataBuffer)
        self.timings = try SampleTimings(timings, count: count)
        self.sizes = try SampleSizes(sizes, count: count)
        guard !isReady || count == 0 || dataBuffer != nil else {
            throw CoreMediaFailure(kCMSampleBufferError_RequiredParameterMissing)
        }
        (readiness, self.makeDataReady) = (isReady ? .ready : .notReady, makeDataReady)
    }

    /// A picture.
    init(
        imageBuffer: CVImageBuffer, isReady: Bool = true, format: CMFormatDescription?, timing: CMSampleTimingInfo,
        makeDataReady: CMSampleBufferMakeDataReadyHandler? = nil
    ) {
        (self.format, count, self.imageBuffer) = (format, 1, imageBuffer)
        (timings, sizes) = (SampleTimings(timing), SampleSizes(count: 1))
        (readiness, self.makeDataReady) = (isReady ? .ready : .notReady, makeDataReady)
    }

    /// One sample of so many bytes.
    init(packet: CMBlockBuffer, byteCount: Int, format: CMFormatDescription?, timing: CMSampleTimingInfo) {
        (self.format, count, dataBuffer) = (format, 1, packet)
        (timings, sizes) = (SampleTimings(timing), SampleSizes(one: byteCount))
    }

    /// No samples.
    init(emptyOf format: CMFormatDescription) {
        (self.format, count) = (format, 0)
        (timings, sizes) = (SampleTimings(.invalid), SampleSizes(count: 0))
    }

    /// A picture that has to be as its format says.
    ///
    /// - Throws: `kCMSampleBufferError_InvalidMediaFormat`.
    init(
        matching imageBuffer: CVImageBuffer, isReady: Bool = true, format: CMFormatDescription,
        timing: CMSampleTimingInfo, makeDataReady: CMSampleBufferMakeDataReadyHandler? = nil
    ) throws(CoreMediaFailure) {
        guard CMVideoFormatDescriptionMatchesImageBuffer(format, imageBuffer: imageBuffer) else {
            throw CoreMediaFailure(kCMSampleBufferError_InvalidMediaFormat)
        }
        self.init(
            imageBuffer: imageBuffer, isReady: isReady, format: format, timing: timing, makeDataReady: makeDataReady)
    }
}

/// Entries that a client has in memory.
///
/// - Throws: `kCMSampleBufferError_InvalidEntryCount` for fewer than none,
///   `kCMSampleBufferError_RequiredParameterMissing` without an address.
func entries<Entry>(_ start: UnsafePointer<Entry>?, count: Int) throws(CoreMediaFailure) -> [Entry] {
    guard count >= 0 else { throw CoreMediaFailure(kCMSampleBufferError_InvalidEntryCount) }
    guard count > 0 else { return [] }
    guard let start else { throw CoreMediaFailure(kCMSampleBufferError_RequiredParameterMissing) }
    return Array(UnsafeBufferPointer(start: start, count: count))
}
