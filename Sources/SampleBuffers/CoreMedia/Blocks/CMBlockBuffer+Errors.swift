public import Foundation
internal import MediaCore

extension CMBlockBuffer {
    /// What functions of block buffers throw, all in the domain of status codes.
    public struct Error {
        /// There was no memory left for the buffer itself; nothing throws it.
        public static let structureAllocationFailed = failure(kCMBlockBufferStructureAllocationFailedErr)
        /// There was no memory left for the bytes.
        public static let blockAllocationFailed = failure(kCMBlockBufferBlockAllocationFailedErr)
        /// A source of memory without the function that is needed.
        public static let badCustomBlockSource = failure(kCMBlockBufferBadCustomBlockSourceErr)
        /// An offset beyond the bytes.
        public static let badOffsetParameter = failure(kCMBlockBufferBadOffsetParameterErr)
        /// A length below the smallest or beyond the bytes.
        public static let badLengthParameter = failure(kCMBlockBufferBadLengthParameterErr)
        /// An address that is missing.
        public static let badPointerParameter = failure(kCMBlockBufferBadPointerParameterErr)
        /// The buffer has neither memory nor references.
        public static let emptyBlockBuffer = failure(kCMBlockBufferEmptyBBufErr)
        /// Memory that is still to be allocated.
        public static let unallocatedBlock = failure(kCMBlockBufferUnallocatedBlockErr)
        /// The bytes do not fit where they are to go.
        public static let insufficientSpace = failure(kCMBlockBufferInsufficientSpaceErr)

        private static func failure(_ code: OSStatus) -> NSError { CoreMediaFailure(code).error }
    }

    /// What a function is to do besides.
    public struct Flags: OptionSet, Hashable, Sendable {
        /// The bits, as Core Media has them.
        public let rawValue: CMBlockBufferFlags
        /// Makes a set of its bits.
        public init(rawValue: CMBlockBufferFlags) { self.rawValue = rawValue }

        /// Memory is allocated at once, not when it is first needed.
        public static let assureMemoryNow = Flags(rawValue: kCMBlockBufferAssureMemoryNowFlag)
        /// A contiguous buffer always gets a copy of the bytes.
        public static let alwaysCopyData = Flags(rawValue: kCMBlockBufferAlwaysCopyDataFlag)
        /// A reference is to go through the other buffer rather than to its memory.
        ///
        /// - Note: Unlike Core Media's: without effect: references are always to memory.
        public static let dontOptimizeDepth = Flags(rawValue: kCMBlockBufferDontOptimizeDepthFlag)
        /// A reference may be to a buffer that is still empty.
        ///
        /// - Note: Unlike Core Media's: what is added to that buffer later is not seen.
        public static let permitEmptyReference = Flags(rawValue: kCMBlockBufferPermitEmptyReferenceFlag)
    }

    /// Given a number of bytes; returns so much memory, nil if there is none.
    public typealias CustomBlockAllocator = (Int) -> UnsafeMutableRawPointer?
    /// Given memory and its bytes when no buffer needs it any more, on whatever thread that happens.
    public typealias CustomBlockDeallocator = (UnsafeMutableRawPointer, Int) -> Void
}
