internal import AVToolCommands
internal import Foundation
internal import MediaIO

/// A document that a command reads beside its media: chapters, metadata.
enum InputDocument {
    /// Nobody writes more by hand, and a pipe may never end.
    private static let limit = 64 << 20

    /// The bytes of a file, a pipe or a process substitution; `-` is standard input.
    static func read(_ path: String) throws -> Data {
        do {
            return Data(try WholeFile.read(path, limit: limit))
        } catch .tooLarge {
            throw Failure(.limit, "\(path): is larger than \(limit >> 20) MiB, which no such document is")
        } catch .system(let code) {
            throw Failure(.noSuchInput, "\(path): \(code == ENOENT ? "no such file" : "cannot be read")")
        }
    }
}
