internal import MediaIO

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// What is to be opened, as its name and the file system tell.
enum InputKind: Equatable {
    case file
    case pipe
    case address

    /// - Throws: If it is nothing that can be opened, or an address where the network is not allowed.
    init(_ path: String, policy: SafetyPolicy) throws(FFmpegError) {
        if Self.isAddress(path) {
            guard policy.allowsNetwork else {
                throw Self.refusal(.networkNotAllowed, "an address; the network is not allowed")
            }
            guard ["http://", "https://"].contains(where: { path.lowercased().hasPrefix($0) }) else {
                throw Self.refusal(.unsupported, "of all addresses, only those of http and https are opened")
            }
            self = .address
            return
        }
        var status = stat()
        guard !path.utf8.contains(0), stat(path, &status) == 0 else {
            let isDenied = errno == EACCES
            let reason = isDenied ? "permission denied" : "no such file"
            throw Self.refusal(.noSuchInput, reason, isDenied ? EACCES : ENOENT)
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: throw Self.refusal(.noSuchInput, "is a directory", EISDIR)
        case S_IFREG where status.st_size == 0: throw Self.refusal(.damaged, FFmpegError.emptyFile)
        case S_IFREG: self = .file
        case _ where PipeSpool.isPipe(path): self = .pipe
        default: throw Self.refusal(.noSuchInput, "not a regular file or a pipe")
        }
    }

    /// Whether a path begins with the name of a protocol, as no absolute path does.
    static func isAddress(_ path: String) -> Bool {
        guard let colon = path.utf8.firstIndex(of: UInt8(ascii: ":")), path[colon...].hasPrefix("://") else {
            return false
        }
        let scheme = path[..<colon]
        return scheme.first?.isLetter == true
            && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    private static func refusal(_ kind: FFmpegError.Kind, _ reason: String, _ systemError: Int32 = 0) -> FFmpegError {
        FFmpegError(kind: kind, code: -systemError, operation: .open, reason: reason)
    }
}
