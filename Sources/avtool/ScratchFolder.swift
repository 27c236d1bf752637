internal import Foundation
internal import MediaFile

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A folder for what encoders write down between two passes; it goes with the command.
final class ScratchFolder: Sendable {
    let path: String

    init?() {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("avtool-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        } catch {
            return nil
        }
        path = folder.path
        Console.onExit { [path] in Self.remove(path) }
    }

    // A worker that cannot be started has none.
    deinit { remove() }

    func remove() { Self.remove(path) }

    private static func remove(_ path: String) {
        // Mostly there is nothing in it, which need not be looked at.
        if path.withPathBytes({ rmdir($0) }) == 0 { return }
        // Best effort: a command does not fail because of what it leaves to the system's cleaner.
        try? FileManager.default.removeItem(atPath: path)
    }
}
