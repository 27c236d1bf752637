public import MediaCore

/// What a function of block buffers is to do besides: bits.
public typealias CMBlockBufferFlags = UInt32

/// Memory is allocated at once, not when it is first needed.
public var kCMBlockBufferAssureMemoryNowFlag: CMBlockBufferFlags { 1 }
/// A contiguous buffer always gets a copy of the bytes.
public var kCMBlockBufferAlwaysCopyDataFlag: CMBlockBufferFlags { 2 }
/// A reference is to go through the other buffer rather than to its memory.
///
/// - Note: Unlike Core Media's: without effect: references are always to memory.
public var kCMBlockBufferDontOptimizeDepthFlag: CMBlockBufferFlags { 4 }
/// A reference may be to a buffer that is still empty.
///
/// - Note: Unlike Core Media's: what is added to that buffer later is not seen.
public var kCMBlockBufferPermitEmptyReferenceFlag: CMBlockBufferFlags { 8 }

// Results, with the numbers that they have in Core Media.

/// It worked.
public var kCMBlockBufferNoErr: OSStatus { 0 }
/// There was no memory left for the buffer itself; no function returns it.
public var kCMBlockBufferStructureAllocationFailedErr: OSStatus { -12700 }
/// There was no memory left for the bytes.
public var kCMBlockBufferBlockAllocationFailedErr: OSStatus { -12701 }
/// A source of memory of a version that is not known, or without the function that is needed.
public var kCMBlockBufferBadCustomBlockSourceErr: OSStatus { -12702 }
/// An offset beyond the bytes.
public var kCMBlockBufferBadOffsetParameterErr: OSStatus { -12703 }
/// A length below the smallest or beyond the bytes.
public var kCMBlockBufferBadLengthParameterErr: OSStatus { -12704 }
/// An address that is missing.
public var kCMBlockBufferBadPointerParameterErr: OSStatus { -12705 }
/// The buffer has neither memory nor references.
public var kCMBlockBufferEmptyBBufErr: OSStatus { -12706 }
/// Memory that is still to be allocated.
public var kCMBlockBufferUnallocatedBlockErr: OSStatus { -12707 }
/// The bytes do not fit where they are to go.
public var kCMBlockBufferInsufficientSpaceErr: OSStatus { -12708 }
