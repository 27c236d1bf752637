internal import Foundation
internal import MediaCore

/// All that a buffer of pixels is made of.
///
/// - Note: Unlike in Core Video memory is always the process' own: there is no choice of what backs it, and nothing to be compatible with.
public struct CVPixelBufferCreationAttributes: Hashable, Sendable {
    /// How pixels lie.
    public var pixelFormatType: CVPixelFormatType
    /// Pixels in a row, and rows.
    public var size: CVImageSize
    /// What bytes from row to row are a multiple of; `nil` for 64.
    public var bytesPerRowAlignment: Int?
    /// What the beginnings of planes are multiples of; `nil` for what suits.
    public var planeAlignment: Int?

    /// Attributes of their parts.
    public init(
        pixelFormatType: CVPixelFormatType, size: CVImageSize, bytesPerRowAlignment: Int? = nil,
        planeAlignment: Int? = nil
    ) {
        (self.pixelFormatType, self.size) = (pixelFormatType, size)
        (self.bytesPerRowAlignment, self.planeAlignment) = (bytesPerRowAlignment, planeAlignment)
    }

    /// The attributes by `kCVPixelBuffer…Key`.
    package var dictionary: [String: Any] {
        var values: [String: Any] = [
            String(describing: kCVPixelBufferPixelFormatTypeKey): pixelFormatType.rawValue,
            String(describing: kCVPixelBufferWidthKey): size.width,
            String(describing: kCVPixelBufferHeightKey): size.height,
        ]
        values[String(describing: kCVPixelBufferBytesPerRowAlignmentKey)] = bytesPerRowAlignment
        values[String(describing: kCVPixelBufferPlaneAlignmentKey)] = planeAlignment
        return values
    }

    /// Those of a buffer that is there.
    init(of buffer: CVPixelBuffer) {
        self.init(
            pixelFormatType: CVPixelFormatType(rawValue: buffer.pixelFormat),
            size: CVImageSize(width: buffer.width, height: buffer.height))
    }
}
