public import Foundation
public import MediaCore
public import SampleBuffers

/// Brings pixel buffers to an input for pictures, and has a pool of them.
///
/// `@unchecked Sendable`: attributes are read only, and hold what a client does not change.
open class AVAssetWriterInputPixelBufferAdaptor: NSObject, @unchecked Sendable {
    /// The input.
    public let assetWriterInput: AVAssetWriterInput
    /// What buffers of the pool are, by the keys of Core Video; `nil` for no pool.
    public let sourcePixelBufferAttributes: [String: Any]?
    private let pool: CVPixelBufferPool?

    /// An adaptor of an input.
    ///
    /// - Parameters:
    ///   - input: An input for pictures that are encoded.
    ///   - sourcePixelBufferAttributes: What buffers of the pool are: format and size; sizes that are missing are those of
    ///     the input's settings. `nil` for no pool.
    public init(assetWriterInput input: AVAssetWriterInput, sourcePixelBufferAttributes: [String: Any]? = nil) {
        (assetWriterInput, self.sourcePixelBufferAttributes) = (input, sourcePixelBufferAttributes)
        pool = sourcePixelBufferAttributes.flatMap { Self.pool($0, for: input) }
        super.init()
    }

    private static func pool(_ attributes: [String: Any], for input: AVAssetWriterInput) -> CVPixelBufferPool? {
        var complete = attributes
        let encoded = input.outputSettings.flatMap { try? PictureEncodingSettings($0) }
        let sizes = [
            (String(describing: kCVPixelBufferWidthKey), encoded?.width),
            (String(describing: kCVPixelBufferHeightKey), encoded?.height),
        ]
        for (key, size) in sizes where complete[key] == nil { complete[key] = size }
        let format = String(describing: kCVPixelBufferPixelFormatTypeKey)
        if complete[format] == nil { complete[format] = kCVPixelFormatType_32BGRA }
        var made: CVPixelBufferPool?
        CVPixelBufferPoolCreate(nil, nil, complete as CFDictionary, &made)
        return made
    }

    /// Buffers to fill; `nil` without attributes, and with ones that make no sense.
    ///
    /// - Note: AVFoundation has it only while the writer writes.
    open var pixelBufferPool: CVPixelBufferPool? { pool }

    /// Brings a picture; waits while there are too many.
    ///
    /// The picture is copied: the buffer can be filled again.
    ///
    /// - Parameters:
    ///   - pixelBuffer: The picture.
    ///   - presentationTime: On the timeline of the samples, later than that of the picture before.
    /// - Returns: Whether it was taken; see ``AVAssetWriterInput/append(_:)``.
    open func append(_ pixelBuffer: CVPixelBuffer, withPresentationTime presentationTime: CMTime) -> Bool {
        assetWriterInput.append(pixelBuffer, at: presentationTime)
    }
}
