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
