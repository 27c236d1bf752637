package import FFmpegKit

extension AVFileType {
    /// The container to write for streams of some codecs.
    ///
    /// - Parameter codecs: FFmpeg's names of what is to be put into it.
    /// - Returns: Where no container holds all of them, the preferred one.
    /// - Throws: An error of kind `unsupported` for types that cannot be written.
    package func containerFormat(holding codecs: [String] = []) throws(FFmpegError) -> ContainerFormat {
        guard let preferred = muxerNames.first else {
            throw FFmpegError(
                kind: .unsupported, operation: .write, reason: "files of the type \(rawValue) cannot be written")
        }
        let first = try ContainerFormat(named: preferred)
        for name in muxerNames {
            let format = try ContainerFormat(named: name)
            if codecs.allSatisfy({ format.canHold(codec: $0) }) { return format }
        }
        return first
    }
}
