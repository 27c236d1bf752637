package import MediaCore

extension CMSampleBuffer {
    /// Makes a buffer of coded samples of a file, which are there.
    ///
    /// - Parameters:
    ///   - packet: The bytes of the samples, one after another.
    ///   - count: How many samples there are.
    ///   - timings: None, one for all or one for each.
    ///   - sizes: None, one for all or one for each.
    ///   - dependencies: What the file says of the samples, one for each; empty for nothing.
    ///   - trimAtStart: How much of the start is not to be heard, as the priming of an encoder; invalid for nothing.
    ///   - trimAtEnd: How much of the end is not to be heard; invalid for nothing.
    /// - Throws: `kCMSampleBufferError_InvalidEntryCount`, `kCMSampleBufferError_InvalidSampleData`.
    package convenience init(
        packet: CMBlockBuffer, format: CMFormatDescription?, count: Int = 1, timings: [CMSampleTimingInfo],
        sizes: [Int], dependencies: [SampleDependency] = [], trimAtStart: CMTime = .invalid,
        trimAtEnd: CMTime = .invalid
    ) throws(CoreMediaFailure) {
        var parts = try SampleParts(
            dataBuffer: packet, isReady: true, format: format, count: count, timings: timings, sizes: sizes)
        guard dependencies.isEmpty || dependencies.count == count else {
            throw CoreMediaFailure(kCMSampleBufferError_InvalidEntryCount)
        }
        parts.dependencies = dependencies
        parts.attachments.setTrim(trimAtStart, by: kCMSampleBufferAttachmentKey_TrimDurationAtStart)
        parts.attachments.setTrim(trimAtEnd, by: kCMSampleBufferAttachmentKey_TrimDurationAtEnd)
        self.init(parts)
    }

    /// Makes a buffer of one coded sample of a file, which is there.
    ///
    /// - Parameters:
    ///   - packet: Its bytes.
    ///   - dependency: What the file says of it; `nil` for nothing.
    package convenience init(
        packet: CMBlockBuffer, byteCount: Int, format: CMFormatDescription?, timing: CMSampleTimingInfo,
        dependency: SampleDependency?
    ) {
        var parts = SampleParts(packet: packet, byteCount: byteCount, format: format, timing: timing)
        if let dependency { parts.dependencies = [dependency] }
        self.init(parts)
    }

    /// Makes a buffer of a picture, which is there.
    ///
    /// - Parameters:
    ///   - image: The picture.
    ///   - format: As the picture is: nobody looks.
    ///   - timing: When it is shown.
    package convenience init(image: CVPixelBuffer, format: CMFormatDescription, timing: CMSampleTimingInfo) {
        self.init(SampleParts(imageBuffer: image, format: format, timing: timing))
    }

    /// Makes a buffer without samples that carries nothing but what is attached to it.
    ///
    /// - Parameter presentationTimeStamp: When it counts.
    package convenience init(markerAt presentationTimeStamp: CMTime) throws(CoreMediaFailure) {
        var parts = try SampleParts(
            dataBuffer: nil, isReady: true, format: nil, count: 0, timings: [], sizes: [])
        parts.outputPresentationTimeStamp = presentationTimeStamp
        self.init(parts)
    }
}
