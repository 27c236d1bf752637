package import FFmpegKit
internal import MediaContainers
internal import MediaIO
internal import MediaMetadata
internal import MetadataFormats
internal import Synchronization

/// The pipe that an asset's path leads to, if it is one: opened once, and read by
/// as many readers as there are.
final class AssetPipe: Sendable {
    private enum State {
        case unknown
        case isFile
        case open(PipeSpool)
    }

    private let path: String
    private let limits: MediaLimits
    /// Whether nothing is done before its end has come.
    let isReadWhole: Bool
    private let state = Mutex(State.unknown)

    init(path: String, limits: MediaLimits, isReadWhole: Bool) {
        (self.path, self.limits, self.isReadWhole) = (path, limits, isReadWhole)
    }

    /// Opens the pipe, and reads it to its end if that is wanted.
    ///
    /// - Parameter readsWhole: Whether it is read to its end in any case.
    /// - Returns: `nil` for what is no pipe.
    func open(interrupt: Interrupt, readsWhole: Bool = false) throws -> PipeSpool? {
        do {
            guard let spool = try spool() else { return nil }
            if isReadWhole || readsWhole { try spool.fill { interrupt.state != .none } }
            return spool
        } catch let error as PipeError {
            throw FFmpegError(error, operation: .open)
        }
    }

    /// The path of all that came through the pipe; `nil` as long as its end has not.
    var completeCopy: String? {
        guard case .open(let spool) = state.withLock({ $0 }), spool.isComplete else { return nil }
        return spool.path
    }

    /// What came through the pipe so far, where that is not all; `nil` for what is no pipe.
    var beginning: RandomAccessFile? {
        guard case .open(let spool) = state.withLock({ $0 }), !spool.isComplete else { return nil }
        return RandomAccessFile(path: spool.path, limits: limits)
    }

    /// Waits until all that says how much a film asks for has come: a movie's header, a tag at the beginning.
    ///
    /// A demuxer would wait for that too, and more.
    func waitForHeader(_ interrupt: Interrupt) throws {
        guard case .open(let spool) = state.withLock({ $0 }), !spool.isComplete else { return }
        do {
            var position: UInt64 = 0
            while let length = FileMetadata.lengthOfTag(try bytes(of: spool, at: position, count: 16, interrupt)) {
                position += length
                try wait(for: position, of: spool, interrupt)
            }
            while let box = Self.box(try bytes(of: spool, at: position, count: 16, interrupt)) {
                let (end, isBeyond) = position.addingReportingOverflow(box.size)
                guard !isBeyond else { return }
                if box.type == "moov" { return try wait(for: end, of: spool, interrupt) }
                position = end
            }
        } catch let error as PipeError {
            throw FFmpegError(error, operation: .open)
        }
    }

    /// Waits for bytes; time in which some come does not count.
    private func wait(for count: UInt64, of spool: PipeSpool, _ interrupt: Interrupt) throws {
        defer { interrupt.setDeadline(after: nil) }
        var wanted: UInt64 = 0
        while wanted < count, !spool.isComplete {
            wanted = min(count, wanted + 1 << 18)
            interrupt.setDeadline(after: limits.openTime)
            do {
                try spool.fill(upTo: wanted) { interrupt.state != .none }
            } catch {
                // The deadline goes when this returns, and with it what it says.
                try interrupt.check(.open)
                throw error
            }
        }
    }

    private func bytes(
        of spool: PipeSpool, at position: UInt64, count: Int, _ interrupt: Interrupt
    ) throws -> [UInt8] {
        try wait(for: position + UInt64(count), of: spool, interrupt)
        return beginning?.read(at: position, count: count) ?? []
    }

    /// The type and size of a box of a movie's top level; `nil` for what is none, or reaches to the end.
    private static func box(_ head: [UInt8]) -> (type: FourCC, size: UInt64)? {
        guard let type = head.fourCC(at: 4), let size = head.bigEndian32(at: 0),
            head[4..<8].allSatisfy({ 0x20..<0x7F ~= $0 })
        else { return nil }
        let length = size == 1 ? head.bigEndian64(at: 8) ?? 0 : UInt64(size)
        return length >= 8 ? (type, length) : nil
    }

    private func spool() throws -> PipeSpool? {
        try state.withLock { state in
            switch state {
            case .isFile: return nil
            case .open(let spool): return spool
            case .unknown:
                guard PipeSpool.isPipe(path) else {
                    state = .isFile
                    return nil
                }
                let spool = try PipeSpool(path: path, limits: limits)
                state = .open(spool)
                return spool
            }
        }
    }
}

extension AssetSource {
    /// That the file is cut short, and why a stream that was read to its end is known not to be whole; `nil` if nothing
    /// tells that.
    package func truncation(ofStream index: Int, readBy demuxer: Demuxer) -> String? {
        let reason =
            demuxer.truncation(ofStream: index)
            ?? file.flatMap { SourceTail($0, container: demuxer.container).truncation }
        return reason.map(Demuxer.cutShort)
    }
}
