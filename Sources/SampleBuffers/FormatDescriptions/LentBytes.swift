internal import Synchronization

/// Bytes in memory that never change, for pointers that are lent.
///
/// Clients write `AVAudioFormat(…)!.streamDescription.pointee` and the like, which on Apple's platforms outlives the
/// format, since pools of autoreleased objects hold it a while longer. Linux has none of these: the pointer would be to
/// memory that is free already. So the bytes that were asked for last stay, whoever holds them, until thousands of
/// others have come; equal ones share them.
///
/// `@unchecked Sendable`: the memory is written once, before anybody else knows of it.
package final class LentBytes: @unchecked Sendable {
    /// The first byte, aligned as memory of `malloc` is.
    package let start: UnsafeRawPointer

    private init(_ bytes: [UInt8]) {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 16)
        memory.copyMemory(from: bytes, byteCount: bytes.count)
        start = UnsafeRawPointer(memory)
    }

    deinit { start.deallocate() }

    /// Bytes in memory that stays at least as long as what is returned.
    package static func of(_ bytes: [UInt8]) -> LentBytes {
        guard bytes.count <= mostBytes else { return LentBytes(bytes) }
        return kept.withLock { $0.bytes(bytes) }
    }

    /// The bytes that stay, those asked for last apart from those before.
    private struct Kept {
        var latest: [[UInt8]: LentBytes] = [:]
        var earlier: [[UInt8]: LentBytes] = [:]

        mutating func bytes(_ bytes: [UInt8]) -> LentBytes {
            if let known = latest[bytes] { return known }
            if latest.count >= LentBytes.mostKept { (earlier, latest) = (latest, [:]) }
            let found = earlier[bytes] ?? LentBytes(bytes)
            latest[bytes] = found
            return found
        }
    }

    private static let kept = Mutex(Kept())
    private static let mostKept = 2048
    private static let mostBytes = 1024
}
