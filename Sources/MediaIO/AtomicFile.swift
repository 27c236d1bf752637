public import Foundation

/// Writes files that appear whole or not at all.
public enum AtomicFile {
    /// Writes data to a place, and gives it its name when all of it is on the disk.
    ///
    /// - Throws: ``FileWriteError``; there is no new file then, and an old one stays.
    public static func write(_ data: Data, to place: OutputPlace) throws(FileWriteError) {
        try write(to: place) { output throws(FileWriteError) in
            try output.write(data)
        }
    }

    /// Makes a file of what a closure writes from beginning to end.
    ///
    /// The bytes go to an unnamed file in the same folder, which gets its name
    /// only when it is complete; where the file system has no unnamed files, to
    /// a temporary name that is removed on failure. What is no regular file gets
    /// them as they come.
    ///
    /// - Parameters:
    ///   - model: A file whose permissions, owner and times of access the new one
    ///     takes over as far as allowed.
    ///   - isSynced: Whether the bytes reach the disk before the file gets its name.
    ///   - checking: Called just before that; what it throws leaves all as it was.
    package static func write(
        to place: OutputPlace, like model: String? = nil, isSynced: Bool = false,
        checking: () throws(FileWriteError) -> Void = {}, _ body: (borrowing OutputFile) throws(FileWriteError) -> Void
    ) throws(FileWriteError) {
        // A broker writes into streams itself, when it has all of it.
        if place.number == nil, place.isOfStream { return try body(OutputFile(streamingTo: place)) }
        let file = try PendingFile(for: place)
        try file.fill(body)
        if let model { file.takeOverAttributes(of: model) }
        try file.complete(isSynced: isSynced, progress: checking)
    }
}
