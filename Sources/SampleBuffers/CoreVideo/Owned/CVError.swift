public import Foundation
internal import MediaCore

/// What makers of pixel buffers throw, all in the domain of status codes.
public struct CVError {
    /// An argument out of range.
    public static let invalidArgument = of(kCVReturnInvalidArgument)
    /// There was no memory left.
    public static let allocationFailed = of(kCVReturnAllocationFailed)
    /// No pixel format that is known.
    public static let invalidPixelFormat = of(kCVReturnInvalidPixelFormat)
    /// More pixels a side than a buffer can have.
    public static let invalidSize = of(kCVReturnInvalidSize)
    /// Attributes of buffers that cannot be honoured.
    public static let invalidPixelBufferAttributes = of(kCVReturnInvalidPixelBufferAttributes)
    /// The pool has as many buffers as it was allowed to.
    public static let wouldExceedAllocationThreshold = of(kCVReturnWouldExceedAllocationThreshold)
    /// There was no memory left for the pool.
    public static let poolAllocationFailed = of(kCVReturnPoolAllocationFailed)
    /// Attributes of a pool with values that make no sense.
    public static let invalidPoolAttributes = of(kCVReturnInvalidPoolAttributes)

    static func of(_ code: CVReturn) -> NSError {
        NSError(domain: NSOSStatusErrorDomain, code: Int(code))
    }
}
