public import Foundation
public import MediaCore

// Results of functions of sample buffers, with the numbers that they have in Core Media.

/// There was no memory left.
public var kCMSampleBufferError_AllocationFailed: OSStatus { -12730 }
/// An argument is missing that has to be there.
public var kCMSampleBufferError_RequiredParameterMissing: OSStatus { -12731 }
/// The sample buffer has its bytes already.
public var kCMSampleBufferError_AlreadyHasDataBuffer: OSStatus { -12732 }
/// The data is not there yet, and could not be made to be.
public var kCMSampleBufferError_BufferNotReady: OSStatus { -12733 }
/// There is no such sample.
public var kCMSampleBufferError_SampleIndexOutOfRange: OSStatus { -12734 }
/// The sizes of the samples are not known.
public var kCMSampleBufferError_BufferHasNoSampleSizes: OSStatus { -12735 }
/// The times of the samples are not known.
public var kCMSampleBufferError_BufferHasNoSampleTimingInfo: OSStatus { -12736 }
/// The memory that is to be filled is too small.
public var kCMSampleBufferError_ArrayTooSmall: OSStatus { -12737 }
/// Times or sizes are neither none nor one nor one for each sample.
public var kCMSampleBufferError_InvalidEntryCount: OSStatus { -12738 }
/// The samples cannot be told apart: their sizes are not known.
public var kCMSampleBufferError_CannotSubdivide: OSStatus { -12739 }
/// A time is no number.
public var kCMSampleBufferError_SampleTimingInfoInvalid: OSStatus { -12740 }
/// The samples are of another type of media than the function is for.
public var kCMSampleBufferError_InvalidMediaTypeForOperation: OSStatus { -12741 }
/// The bytes are not what the samples need.
public var kCMSampleBufferError_InvalidSampleData: OSStatus { -12742 }
/// The format does not fit the media.
public var kCMSampleBufferError_InvalidMediaFormat: OSStatus { -12743 }
/// The sample buffer was invalidated.
public var kCMSampleBufferError_Invalidated: OSStatus { -12744 }
/// The data will never be there.
public var kCMSampleBufferError_DataFailed: OSStatus { -16750 }
/// The data was cancelled; no function returns it.
public var kCMSampleBufferError_DataCanceled: OSStatus { -16751 }

/// The memory of buffers of sound is aligned to 16 bytes.
public var kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment: UInt32 { 1 }

extension CMSampleBuffer {
    /// What functions of sample buffers throw, all in the domain of status codes.
    public struct Error {
        /// There was no memory left.
        public static let allocationFailed = failure(kCMSampleBufferError_AllocationFailed)
        /// An argument is missing that has to be there.
        public static let requiredParameterMissing = failure(kCMSampleBufferError_RequiredParameterMissing)
        /// The sample buffer has its bytes already.
        public static let alreadyHasDataBuffer = failure(kCMSampleBufferError_AlreadyHasDataBuffer)
        /// The data is not there yet, and could not be made to be.
        public static let bufferNotReady = failure(kCMSampleBufferError_BufferNotReady)
        /// There is no such sample.
        public static let sampleIndexOutOfRange = failure(kCMSampleBufferError_SampleIndexOutOfRange)
        /// The sizes of the samples are not known.
        public static let bufferHasNoSampleSizes = failure(kCMSampleBufferError_BufferHasNoSampleSizes)
        /// The times of the samples are not known.
        public static let bufferHasNoSampleTimingInfo = failure(kCMSampleBufferError_BufferHasNoSampleTimingInfo)
        /// The memory that is to be filled is too small.
        public static let arrayTooSmall = failure(kCMSampleBufferError_ArrayTooSmall)
        /// Times or sizes are neither none nor one nor one for each sample.
        public static let invalidEntryCount = failure(kCMSampleBufferError_InvalidEntryCount)
        /// The samples cannot be told apart: their sizes are not known.
        public static let cannotSubdivide = failure(kCMSampleBufferError_CannotSubdivide)
        /// A time is no number.
        public static let sampleTimingInfoInvalid = failure(kCMSampleBufferError_SampleTimingInfoInvalid)
        /// The samples are of another type of media than the function is for.
        public static let invalidMediaTypeForOperation = failure(kCMSampleBufferError_InvalidMediaTypeForOperation)
        /// The bytes are not what the samples need.
        public static let invalidSampleData = failure(kCMSampleBufferError_InvalidSampleData)
        /// The format does not fit the media.
        public static let invalidMediaFormat = failure(kCMSampleBufferError_InvalidMediaFormat)
        /// The sample buffer was invalidated.
        public static let invalidated = failure(kCMSampleBufferError_Invalidated)
        /// The data will never be there.
        public static let dataFailed = failure(kCMSampleBufferError_DataFailed)
        /// The data was cancelled; nothing throws it.
        public static let dataCanceled = failure(kCMSampleBufferError_DataCanceled)

        private static func failure(_ code: OSStatus) -> NSError { CoreMediaFailure(code).error }
    }

    /// How memory of sound is to be.
    public struct Flags: OptionSet, Hashable, Sendable {
        /// The bits, as Core Media has them.
        public let rawValue: UInt32
        /// Makes a set of its bits.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Aligned to 16 bytes.
        public static let audioBufferListAssure16ByteAlignment = Flags(
            rawValue: kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment)
    }
}

/// A failure as it travels inside the library: what a function of Core Media will return.
package struct CoreMediaFailure: Error, Hashable, Sendable {
    /// Never 0.
    package let code: OSStatus

    package init(_ code: OSStatus) { self.code = code }

    /// The failure as Swift's forms throw it: the code in the domain of status codes.
    package var error: NSError { NSError(domain: NSOSStatusErrorDomain, code: Int(code)) }
}

/// What a function of C returns: 0, or why a body failed.
func status(_ body: () throws(CoreMediaFailure) -> Void) -> OSStatus {
    do {
        try body()
        return noErr
    } catch {
        return error.code
    }
}

/// Puts what a body makes where the client wants it, nil if it fails.
///
/// - Returns: Why it failed, otherwise 0.
func made<Made>(
    _ out: UnsafeMutablePointer<Made?>, _ body: () throws(CoreMediaFailure) -> Made
) -> OSStatus {
    do {
        out.initialize(to: try body())
        return noErr
    } catch {
        out.initialize(to: nil)
        return error.code
    }
}

/// What a body gives, its failure as the error that clients of Swift's forms expect.
///
/// - Throws: An `NSError` in the domain of status codes.
func orError<Result>(_ body: () throws(CoreMediaFailure) -> Result) throws -> Result {
    do {
        return try body()
    } catch {
        throw error.error
    }
}

/// How many there are.
public typealias CMItemCount = CFIndex
/// Which one it is, from 0.
public typealias CMItemIndex = CFIndex
