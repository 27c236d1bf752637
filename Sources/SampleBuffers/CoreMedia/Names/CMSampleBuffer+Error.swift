public import Foundation
internal import MediaCore

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
