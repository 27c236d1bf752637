public import Foundation
public import MediaCore
internal import Synchronization

/// Bytes of media in one or several pieces of memory, counted as one range.
///
/// Made by `CMBlockBufferCreateWithMemoryBlock` and the like, or by the library, which puts the packets of files into
/// them. Two buffers are the same only if they
/// are one object. Pieces are added at the end and never taken away: addresses last as long as the buffer.
///
/// - Note: A type of Core Foundation's on Apple's platforms, where adding to a buffer is not safe on several threads;
///   here it is. The bytes are what clients share: whoever writes has to see to it that nobody else uses them
///   meanwhile.
public final class CMBlockBuffer: Sendable {
    private let chain: Mutex<BlockChain>
    let attachmentStore = AttachmentStore()

    init(_ chain: BlockChain = BlockChain()) { self.chain = Mutex(chain) }

    /// A buffer of one piece.
    convenience init(_ piece: BlockPiece) { self.init(BlockChain(piece)) }

    /// The pieces as they are now.
    var pieces: BlockChain { chain.withLock { $0 } }

    /// Adds pieces at the end, all or none.
    ///
    /// - Throws: `kCMBlockBufferBadLengthParameterErr` for more bytes than can be counted.
    func append(_ pieces: [BlockPiece]) throws(CoreMediaFailure) {
        try chain.withLock { chain throws(CoreMediaFailure) in try chain.append(pieces) }
    }
}

extension CMBlockBuffer: Hashable {
    /// Whether it is one buffer.
    public static func == (left: CMBlockBuffer, right: CMBlockBuffer) -> Bool { left === right }
    /// Mixes in which buffer it is.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

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

/// Where a client's memory comes from, and where it goes.
public struct CMBlockBufferCustomBlockSource {
    /// `kCMBlockBufferCustomBlockSourceVersion`.
    public var version: UInt32
    /// Given `refCon` and a number of bytes; returns so much memory, nil if there is none.
    ///
    /// Called once, when the memory is first needed. May be nil where the memory is there already.
    public var AllocateBlock: (@convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer?)?
    /// Given `refCon`, the memory and its bytes, once, when no buffer needs it any more; nil if nothing is to be done.
    public var FreeBlock: (@convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer, Int) -> Void)?
    /// Passed to both functions, on whatever thread they are called.
    public var refCon: UnsafeMutableRawPointer?

    /// A source without functions.
    public init() { self.init(version: 0, AllocateBlock: nil, FreeBlock: nil, refCon: nil) }

    /// A source of its fields.
    public init(
        version: UInt32, AllocateBlock: (@convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer?)?,
        FreeBlock: (@convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer, Int) -> Void)?,
        refCon: UnsafeMutableRawPointer?
    ) {
        (self.version, self.AllocateBlock, self.FreeBlock) = (version, AllocateBlock, FreeBlock)
        self.refCon = refCon
    }
}

/// The version of sources of memory that there is.
public var kCMBlockBufferCustomBlockSourceVersion: UInt32 { 0 }

extension CMBlockBuffer {
    /// Makes a buffer of memory that is there already, without a copy: of a packet, for instance.
    ///
    /// - Parameters:
    ///   - bytes: Nobody else may write to them while the buffer lives; clients of the buffer may. Of none the buffer
    ///     is empty.
    ///   - release: Called once, when no buffer needs the memory, on whatever thread that happens.
    package convenience init(adopting bytes: UnsafeRawBufferPointer, release: @escaping @Sendable () -> Void) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            release()
            self.init()
            return
        }
        let memory = BlockMemory(
            UnsafeMutableRawPointer(mutating: start), length: bytes.count, source: BlockSource { _, _ in release() })
        self.init(BlockChain(BlockPiece(memory: memory, offset: 0, length: bytes.count)))
    }

    /// Makes a buffer of a copy of bytes, as those of an array.
    ///
    /// - Parameter bytes: Of none the buffer is empty.
    /// - Throws: `kCMBlockBufferBlockAllocationFailedErr`.
    package convenience init(copying bytes: some ContiguousBytes) throws(CoreMediaFailure) {
        let result = bytes.withUnsafeBytes { bytes -> Result<BlockChain, CoreMediaFailure> in
            Result { () throws(CoreMediaFailure) in try BlockChain(copying: bytes) }
        }
        self.init(try result.get())
    }
}

extension BlockChain {
    /// A chain of a copy of bytes, empty if there are none.
    ///
    /// - Throws: `kCMBlockBufferBlockAllocationFailedErr`.
    fileprivate init(copying bytes: UnsafeRawBufferPointer) throws(CoreMediaFailure) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            self.init()
            return
        }
        let piece = try BlockPiece(
            block: nil, blockLength: bytes.count, source: BlockSource(nil), offset: 0, length: bytes.count,
            flags: kCMBlockBufferAssureMemoryNowFlag)
        try piece.start().copyMemory(from: start, byteCount: bytes.count)
        self.init(piece)
    }
}
