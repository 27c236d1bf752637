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
