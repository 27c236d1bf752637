package import FFmpegKit
package import MediaCore

extension AVFileType {
    /// The container to write for streams of some codecs.
    ///
    /// - Parameter codecs: What is to be put into it.
    /// - Returns: Where no container holds all of them, the preferred one.
    /// - Throws: An error of kind `unsupported` for types that cannot be written.
    package func containerFormat(holding codecs: [Codec] = []) throws(FFmpegError) -> ContainerFormat {
        guard let preferred = containers.first else {
            throw FFmpegError(
                kind: .unsupported, operation: .write, reason: "files of the type \(rawValue) cannot be written")
        }
        let first = try ContainerFormat(preferred)
        for container in containers {
            let format = try ContainerFormat(container)
            if codecs.allSatisfy({ format.canHold(codec: $0) }) { return format }
        }
        return first
    }
}
