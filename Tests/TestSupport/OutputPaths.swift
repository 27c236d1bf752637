package import Foundation
package import MediaIO

// Files by their paths alone, for tests that are not about the run that writes them.

extension AtomicFile {
    /// Writes data to a path.
    package static func write(_ data: Data, to path: String, replaces: Bool) throws(FileWriteError) {
        try write(data, to: RunFiles().output(path, replaces: replaces))
    }
}

extension PendingFile {
    /// Makes an empty file that will have a path.
    package convenience init(
        for path: String, replaces: Bool, temporaryFolder: String? = nil
    ) throws(FileWriteError) {
        try self.init(for: RunFiles().output(path, replaces: replaces), temporaryFolder: temporaryFolder)
    }
}

extension PendingFolder {
    /// Makes an empty folder that will have a path.
    package convenience init(for path: String, objection: Objection?) throws(FileWriteError) {
        let place = try RunFiles().folder(path, replaces: objection != nil)
        try self.init(for: place, objection: objection ?? { _ in nil })
    }
}

extension FileRewrite {
    /// Writes the new version to a path.
    package func write(to path: String, from file: RandomAccessFile, replaces: Bool) throws {
        try write(to: RunFiles().output(path, replaces: replaces), from: file)
    }
}
