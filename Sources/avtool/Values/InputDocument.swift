internal import Foundation

/// A document that a command reads beside its media: chapters, metadata.
enum InputDocument {
    /// Nobody writes more by hand, and a pipe may never end.
    private static let limit = 64 << 20

    /// The bytes of a file, a pipe or a process substitution; `-` is standard input.
    static func read(_ path: String) throws -> Data {
        let data: Data?
        do {
            let isInput = path == "-"
            let file = try isInput ? FileHandle.standardInput : FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { if !isInput { try? file.close() } }
            var whole = Data()
            while whole.count <= limit, let part = try file.read(upToCount: 1 << 20), !part.isEmpty { whole += part }
            data = whole.count > limit ? nil : whole
        } catch {
            let isThere = FileManager.default.fileExists(atPath: path)
            throw Failure(.noSuchInput, "\(path): \(isThere ? "cannot be read" : "no such file")")
        }
        guard let data else {
            throw Failure(.limit, "\(path): is larger than \(limit >> 20) MiB, which no such document is")
        }
        return data
    }
}
