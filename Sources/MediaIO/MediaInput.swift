internal import Foundation
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A media file that is opened once: all that reads it shares the open file.
///
/// Demuxers, readers of our own and checks take it instead of a path, so that they read one version of one file whatever
/// takes its name meanwhile, also when it has none any more. Any thread may use it.
package final class MediaInput: Sendable {
    /// What a path or an address leads to.
    package enum Content: Sendable {
        case file(RandomAccessFile)
        /// A pipe; what came through it can be read any number of times.
        case pipe(PipeSpool)
        /// Opened by what reads it, each time anew.
        case address(String)
    }

    /// The path or address as it was given, for messages.
    package let path: String
    /// Who opens it, and what it names.
    package let access: FileAccess
    /// How much it may ask for.
    package let limits: MediaLimits
    private let state: Mutex<State>

    private struct State {
        var content: Content?
        /// The copy of a pipe that has been read to its end, as a file.
        var pipeCopy: RandomAccessFile?
        var failure: MediaInputError?
    }

    /// Touches no file.
    package init(_ path: String, access: FileAccess = .direct, limits: MediaLimits = MediaLimits()) {
        (self.path, self.access, self.limits) = (path, access, limits)
        state = Mutex(State())
    }

    /// A file that is open already, or bytes in memory.
    ///
    /// - Parameter path: What messages call it.
    package init(_ file: RandomAccessFile, named path: String, access: FileAccess = .direct) {
        (self.path, self.access, limits) = (path, access, file.limits)
        state = Mutex(State(content: .file(file)))
    }

    /// Opens it the first time; what failed is tried again.
    package func open() throws(MediaInputError) -> Content {
        // The closure of a lock throws anything.
        let result: Result<Content, MediaInputError> = state.withLock { state in
            if let content = state.content { return .success(content) }
            do throws(MediaInputError) {
                let content = try opened()
                (state.content, state.failure) = (content, nil)
                return .success(content)
            } catch {
                state.failure = error
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func opened() throws(MediaInputError) -> Content {
        if Self.isAddress(path) { return .address(path) }
        guard !path.utf8.contains(0) else { throw MediaInputError(.missing, ENOENT) }
        // Opening a pipe and closing it again would end its writer.
        var status = stat()
        guard access.status(of: path, &status) == 0 else { throw MediaInputError(lookingUp: errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw MediaInputError(.folder, EISDIR)
        case _ where PipeSpool.isPipe(path, status):
            do {
                return .pipe(try PipeSpool(path: path, limits: limits, access: access))
            } catch {
                throw MediaInputError(.pipe(error), 0)
            }
        default: throw MediaInputError(.otherKind, 0)
        }
        let file: RandomAccessFile?
        do {
            file = try RandomAccessFile.open(path, limits: limits, access: access)
        } catch {
            throw MediaInputError(.unreadable(error), error.code)
        }
        // Something else has taken its name in between.
        guard let file else { throw MediaInputError(.otherKind, 0) }
        return .file(file)
    }

    // MARK: As a file

    /// All its bytes as a file; `nil` for an address, for a pipe that has not been opened and read to its end, and for what
    /// cannot be opened.
    ///
    /// Opens nothing but a regular file.
    package var file: RandomAccessFile? {
        if let pipe {
            guard pipe.isComplete else { return nil }
            return state.withLock { state in
                if state.pipeCopy == nil { state.pipeCopy = pipe.contents }
                return state.pipeCopy
            }
        }
        guard isRegularFile, case .file(let file)? = try? open() else { return nil }
        return file
    }

    /// The regular file, if it is one and has been opened.
    package var openFile: RandomAccessFile? {
        if case .file(let file) = state.withLock({ $0.content }) { file } else { nil }
    }

    /// The pipe, if it is one and has been opened.
    package var pipe: PipeSpool? {
        guard case .pipe(let spool) = state.withLock({ $0.content }) else { return nil }
        return spool
    }

    /// Why the system did not open it, or did not read a part of it that our own readers asked for.
    package var readFailure: FileReadFailure? {
        state.withLock { state -> FileReadFailure? in
            if case .unreadable(let failure) = state.failure?.kind { return failure }
            if case .file(let file) = state.content { return file.readFailure }
            return state.pipeCopy?.readFailure
        }
    }

    /// Whether it is as it was when it was opened, as far as that can be told.
    package var isUnchanged: Bool { openFile?.isUnchanged ?? true }

    /// Whether it is one regular file, so that nobody keeps a reader waiting.
    package var isRegularFile: Bool {
        if let content = state.withLock({ $0.content }) {
            if case .file = content { true } else { false }
        } else {
            isRegular(path)
        }
    }

    private func isRegular(_ path: String) -> Bool {
        var status = stat()
        return access.status(of: path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Whether a path begins with the name of a protocol, as no absolute path does.
    package static func isAddress(_ path: String) -> Bool {
        guard let colon = path.utf8.firstIndex(of: UInt8(ascii: ":")), path[colon...].hasPrefix("://") else {
            return false
        }
        let scheme = path[..<colon]
        return scheme.first?.isLetter == true
            && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }
}

/// Why a media file could not be opened.
package struct MediaInputError: Error, Sendable {
    package enum Kind: Sendable {
        /// There is nothing of that name.
        case missing
        /// Its folder may not be looked into.
        case denied
        case folder
        /// A device, or a socket of another process.
        case otherKind
        /// The system does not open the file.
        case unreadable(FileReadFailure)
        case pipe(PipeError)
    }

    package let kind: Kind
    /// The system's number of the reason, as in `errno`; 0 without one.
    package let code: Int32

    fileprivate init(_ kind: Kind, _ code: Int32) { (self.kind, self.code) = (kind, code) }

    fileprivate init(lookingUp code: Int32) {
        self = code == EACCES ? MediaInputError(.denied, EACCES) : MediaInputError(.missing, ENOENT)
    }
}
