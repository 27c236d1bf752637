#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Where the worker's executable is.
package enum WorkerExecutable {
    private static let name = "avtool-worker"
    /// Where packages have it, whichever program asks.
    private static let installed = ["/usr/local/libexec/avtool", "/usr/libexec/avtool"]

    /// The worker beside this process's own executable, or where packages have it.
    ///
    /// - Parameter isLibrary: Whether this process may be any program, rather than the tool that the worker belongs to.
    package static func find(isLibrary: Bool = false) throws(ChannelError) -> String {
        guard let own = realPath("/proc/self/exe") else { throw ChannelError(reason: "/proc is not there") }
        let folder = own.parentFolder
        let folders = [folder, "\(folder.parentFolder)/libexec/avtool"] + (isLibrary ? installed : [])
        let places = folders.map { "\($0)/\(name)" }
        guard let found = places.first(where: { access($0, X_OK) == 0 }) else {
            let whose = isLibrary ? "the library" : "avtool"
            throw ChannelError(reason: "\(places[0]): no such file; it belongs to \(whose)")
        }
        return found
    }
}
