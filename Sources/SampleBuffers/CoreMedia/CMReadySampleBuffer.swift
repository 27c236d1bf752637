public import MediaCore

/// Samples of one track that are there, as a value: when they are shown, how they are coded, and what they are.
///
/// Its content is a ``CMReadOnlyDataBlockBuffer``, a `CVReadOnlyPixelBuffer`, `Never` for none, or
/// ``CMSampleBuffer/DynamicContent`` for whichever it is.
public struct CMReadySampleBuffer<Content: CMSampleBuffer.Content>: Sendable {
    /// Nobody changes it, unless it is this value's alone.
    private var buffer: CMSampleBuffer

    init(buffer: CMSampleBuffer) { self.buffer = buffer }

    /// Lends the sample buffer, which is not to be changed.
    ///
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    public func withUnsafeSampleBuffer<R>(_ body: (CMSampleBuffer) throws -> sending R) rethrows -> sending R
    where R: ~Copyable {
        try body(buffer)
    }

    // MARK: Facts

    /// What kind of thing it carries.
    public var contentType: CMSampleBuffer.ContentType { buffer.contentType }
    /// How the samples are coded, `nil` if it is not known.
    public var formatDescription: CMFormatDescription? { buffer.formatDescription }
    /// When the first sample is shown; invalid without times.
    public var presentationTimeStamp: CMTime { buffer.presentationTimeStamp }
    /// When the first sample is decoded; invalid if that is not known.
    public var decodeTimeStamp: CMTime { buffer.decodeTimeStamp }
    /// How long the samples last together; invalid if that is not known.
    public var duration: CMTime { buffer.duration }
    /// How long what is shown of the samples lasts.
    public var outputDuration: CMTime { buffer.outputDuration }
    /// When the first sample is decoded, once they are trimmed.
    public var outputDecodeTimeStamp: CMTime { buffer.outputDecodeTimeStamp }

    /// When what is shown of the samples begins.
    public var outputPresentationTimeStamp: CMTime {
        get { buffer.outputPresentationTimeStamp }
        set {
            guard let copy = try? CMSampleBuffer(copying: buffer),
                (try? copy.setOutputPresentationTimeStamp(newValue)) != nil
            else { return }
            buffer = copy
        }
    }

    fileprivate mutating func setTiming(start: CMTime, duration: CMTime) {
        let timing = CMSampleTimingInfo(
            duration: duration, presentationTimeStamp: start, decodeTimeStamp: buffer.decodeTimeStamp)
        if let copy = try? CMSampleBuffer(copying: buffer, withNewTiming: [timing]) { buffer = copy }
    }
}

extension CMReadySampleBuffer where Content == CMSampleBuffer.DynamicContent {
    /// A value of a sample buffer that is there, and that nobody changes from now on.
    public init(unsafeBuffer: sending CMSampleBuffer) { self.init(buffer: unsafeBuffer) }

    /// A value of which it is not said what it carries.
    public init(_ other: CMReadySampleBuffer<some CMSampleBuffer.Content>) {
        self = other.withUnsafeSampleBuffer { CMReadySampleBuffer(buffer: $0) }
    }

    /// What it carries.
    public var content: CMSampleBuffer.DynamicContent {
        withUnsafeSampleBuffer { buffer in
            if let picture = buffer.imageBuffer { return .pixelBuffer(CVReadOnlyPixelBuffer(unsafeBuffer: picture)) }
            if let block = buffer.dataBuffer { return .dataBuffer(CMReadOnlyDataBlockBuffer(unsafeBlockBuffer: block)) }
            return .markerOnly
        }
    }
}

extension CMReadySampleBuffer where Content == CVReadOnlyPixelBuffer {
    /// A picture; `nil` for what carries none.
    public init?(_ other: CMReadySampleBuffer<CMSampleBuffer.DynamicContent>) {
        guard other.contentType == .pixelBuffer else { return nil }
        self = other.withUnsafeSampleBuffer { CMReadySampleBuffer(buffer: $0) }
    }

    /// A value of a sample buffer with a picture, that nobody changes from now on.
    public init(unsafeWithPixelBuffer unsafeBuffer: sending CMSampleBuffer) { self.init(buffer: unsafeBuffer) }

    /// A picture and when it is shown.
    ///
    /// - Parameters:
    ///   - content: The picture.
    ///   - formatDescription: `nil` for what the picture says of itself.
    ///   - presentationTimeStamp: When it is shown.
    ///   - duration: How long; invalid if that is not known.
    public init(
        pixelBuffer content: CVReadOnlyPixelBuffer, formatDescription: CMVideoFormatDescription? = nil,
        presentationTimeStamp: CMTime, duration: CMTime = .invalid
    ) {
        let timing = CMSampleTimingInfo(
            duration: duration, presentationTimeStamp: presentationTimeStamp, decodeTimeStamp: .invalid)
        self = content.withUnsafeBuffer { picture in
            // A description that does not fit is left, as the picture tells better.
            let stated = formatDescription.flatMap { format in
                CMVideoFormatDescriptionMatchesImageBuffer(format, imageBuffer: picture) ? format : nil
            }
            return CMReadySampleBuffer(
                buffer: CMSampleBuffer(
                    image: picture, format: stated ?? CMFormatDescription(picture: picture), timing: timing))
        }
    }

    /// The picture.
    public var content: CVReadOnlyPixelBuffer {
        withUnsafeSampleBuffer { buffer in
            guard let picture = buffer.imageBuffer else {
                preconditionFailure("the sample buffer was made invalid by somebody else")
            }
            return CVReadOnlyPixelBuffer(unsafeBuffer: picture)
        }
    }

    /// When it is shown.
    public var presentationTimeStamp: CMTime {
        get { withUnsafeSampleBuffer { $0.presentationTimeStamp } }
        set { setTiming(start: newValue, duration: duration) }
    }

    /// How long it is shown; invalid if that is not known.
    public var duration: CMTime {
        get { withUnsafeSampleBuffer { $0.duration } }
        set { setTiming(start: presentationTimeStamp, duration: newValue) }
    }
}

extension CMReadySampleBuffer where Content == CMReadOnlyDataBlockBuffer {
    /// Samples as bytes; `nil` for what carries none.
    public init?(_ other: CMReadySampleBuffer<CMSampleBuffer.DynamicContent>) {
        guard other.contentType == .dataBuffer else { return nil }
        self = other.withUnsafeSampleBuffer { CMReadySampleBuffer(buffer: $0) }
    }

    /// A value of a sample buffer with bytes, that nobody changes from now on.
    public init(unsafeWithDataBuffer unsafeBuffer: sending CMSampleBuffer) { self.init(buffer: unsafeBuffer) }

    /// Sound whose samples all have one size, as linear PCM.
    ///
    /// - Parameters:
    ///   - content: The bytes.
    ///   - formatDescription: How the sound is coded.
    ///   - sampleCount: How many frames there are, or packets.
    ///   - presentationTimeStamp: When the first one is heard.
    /// - Note: Where the bytes are not as many as that takes, it has no samples.
    public init(
        audioDataBuffer content: CMReadOnlyDataBlockBuffer, formatDescription: CMAudioFormatDescription,
        sampleCount: Int, presentationTimeStamp: CMTime
    ) {
        self = Self.sound(content, formatDescription, sampleCount, presentationTimeStamp, [])
    }

    /// Sound in packets of their own sizes.
    ///
    /// - Parameters:
    ///   - content: The bytes.
    ///   - formatDescription: How the sound is coded.
    ///   - presentationTimeStamp: When the first packet is heard.
    ///   - packetDescriptions: One for each packet.
    /// - Note: Where they do not fit the bytes, it has no samples.
    public init(
        compressedAudioDataBuffer content: CMReadOnlyDataBlockBuffer, formatDescription: CMAudioFormatDescription,
        presentationTimeStamp: CMTime, packetDescriptions: [AudioStreamPacketDescription]
    ) {
        self = Self.sound(
            content, formatDescription, packetDescriptions.count, presentationTimeStamp, packetDescriptions)
    }

    private static func sound(
        _ content: CMReadOnlyDataBlockBuffer, _ format: CMAudioFormatDescription, _ count: Int, _ start: CMTime,
        _ packets: [AudioStreamPacketDescription]
    ) -> Self {
        content.withUnsafeBlockBuffer { block in
            let made = try? CMSampleBuffer(
                dataBuffer: block, formatDescription: format, numSamples: count, presentationTimeStamp: start,
                packetDescriptions: packets)
            return CMReadySampleBuffer(buffer: made ?? CMSampleBuffer(SampleParts(emptyOf: format)))
        }
    }

    /// The bytes.
    public var content: CMReadOnlyDataBlockBuffer {
        withUnsafeSampleBuffer { CMReadOnlyDataBlockBuffer(unsafeBlockBuffer: $0.dataBuffer ?? CMBlockBuffer()) }
    }

    /// How many samples there are.
    public var sampleCount: Int { withUnsafeSampleBuffer { $0.numSamples } }
    /// Bytes of all samples.
    public var totalSampleSize: Int { withUnsafeSampleBuffer { $0.totalSampleSize } }

    /// Copies frames of linear PCM.
    ///
    /// - Parameters:
    ///   - range: Which frames.
    ///   - bufferList: Memory for them, as their format wants it.
    /// - Throws: As `CMSampleBuffer.copyPCMData(fromRange:into:)`.
    public func copyPCMData(fromRange range: Range<Int>, into bufferList: UnsafeMutablePointer<AudioBufferList>) throws
    {
        try withUnsafeSampleBuffer { try $0.copyPCMData(fromRange: range, into: bufferList) }
    }
}

extension CMReadySampleBuffer where Content == CMSampleBuffer.DynamicContent {
    /// How many samples there are.
    public var sampleCount: Int { withUnsafeSampleBuffer { $0.numSamples } }
    /// Bytes of all samples.
    public var totalSampleSize: Int { withUnsafeSampleBuffer { $0.totalSampleSize } }
}

extension CMReadySampleBuffer where Content == Never {
    /// Nothing but what is attached; `nil` for what carries something.
    public init?(_ other: CMReadySampleBuffer<CMSampleBuffer.DynamicContent>) {
        guard other.contentType == .markerOnly else { return nil }
        self = other.withUnsafeSampleBuffer { CMReadySampleBuffer(buffer: $0) }
    }
}

extension CMSampleBuffer {
    /// What a sample buffer can carry.
    public protocol Content: Sendable {}

    /// What cannot be carried without saying how it is coded.
    public protocol ContentWithFormatDescription: Content {}

    /// What can be of several samples.
    public protocol MultiSampleContent: Content {}

    /// What a sample buffer carries, as it turns out when it is there.
    ///
    /// - Note: Core Media's knows tagged buffers and references to files too.
    public enum DynamicContent: MultiSampleContent {
        /// Bytes of samples.
        case dataBuffer(CMReadOnlyDataBlockBuffer)
        /// A picture.
        case pixelBuffer(CVReadOnlyPixelBuffer)
        /// Nothing but what is attached.
        case markerOnly
    }

    /// What kind of thing a sample buffer carries.
    public enum ContentType: Hashable, Sendable {
        /// Bytes of samples.
        case dataBuffer
        /// A picture.
        case pixelBuffer
        /// Nothing but what is attached.
        case markerOnly
    }

    /// What it carries.
    public var contentType: ContentType {
        let state = now
        if state.imageBuffer != nil { return .pixelBuffer }
        return state.dataBuffer != nil ? .dataBuffer : .markerOnly
    }
}

extension CMReadOnlyDataBlockBuffer: CMSampleBuffer.ContentWithFormatDescription, CMSampleBuffer.MultiSampleContent {}
extension CVReadOnlyPixelBuffer: CMSampleBuffer.ContentWithFormatDescription {}
extension Never: CMSampleBuffer.Content {}
