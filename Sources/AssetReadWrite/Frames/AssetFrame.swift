public import MediaCore
public import SampleBuffers

/// A decoded picture of an asset.
///
/// Beyond AVFoundation.
public struct AssetFrame: Sendable {
    /// Its pixels.
    ///
    /// Nobody else has them: they may be written to.
    public let pixelBuffer: CVPixelBuffer
    /// The time that the picture was wanted for, on the asset's timeline.
    ///
    /// It is one of those at even distances that were asked for; otherwise the picture's own, for the first one the
    /// start of the range where it begins earlier.
    public let time: CMTime
    /// When it is shown first, on the asset's timeline in the track's timescale.
    ///
    /// May lie before ``time``, and for the first picture before the range that was asked for.
    public let presentationTime: CMTime
    /// How long it is shown.
    public let duration: CMTime

    /// Lends the bytes of a plane.
    ///
    /// - Parameters:
    ///   - index: From 0; formats in one plane have one.
    ///   - body: Given the bytes, from the first row's first to the last row's last, and how many lie from row to row.
    /// - Returns: What the body returns; `nil` for a plane that is not there.
    /// - Throws: What the body throws.
    public func withPlane<Result>(_ index: Int, _ body: (RawSpan, Int) throws -> Result) rethrows -> Result? {
        try pixelBuffer.withLockedPlanes(.readOnly) { planes throws in
            guard planes.indices.contains(index) else { return nil }
            let plane = planes[index]
            return try body(UnsafeRawBufferPointer(plane.bytes).bytes, plane.bytesPerRow)
        }
    }
}
