internal import FFmpegKit
internal import MediaFile
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
    private let limit: UInt64
    /// Whether nothing is done before its end has come.
    let isReadWhole: Bool
    private let state = Mutex(State.unknown)

    init(path: String, limit: UInt64, isReadWhole: Bool) {
        (self.path, self.limit, self.isReadWhole) = (path, limit, isReadWhole)
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
        return RandomAccessFile(path: spool.path)
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
                let spool = try PipeSpool(path: path, limit: limit)
                state = .open(spool)
                return spool
            }
        }
    }
}
