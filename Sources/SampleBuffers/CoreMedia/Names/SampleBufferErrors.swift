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
