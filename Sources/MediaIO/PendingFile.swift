public import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A new file that is made in several steps and gets its name when it is complete.
///
/// Until then it has no name at all, so that nothing is left of it whatever
/// happens to the process; where the file system has no unnamed files, it has a
/// temporary name and goes with the object. One thread at a time may change it.
package final class PendingFile {
    /// The name it will have, as it was given.
    package let path: String
    private let place: OutputPlace
    private let name: any PendingName
    private let output: OutputFile
    /// Bytes up to the last one written.
    package private(set) var byteCount: UInt64 = 0
    /// How many bytes it may have.
    private var sizeLimit = UInt64(MediaLimits.Name.outputSize.range.upperBound)
    /// Up to where the disk was told to begin.
    private var writebackEnd: UInt64 = 0

    /// Makes an empty file.
    ///
    /// - Parameters:
    ///   - place: Where it goes. What goes into a stream is written there when it is complete.
    ///   - temporaryFolder: Where it lies until it has its name, if that is on
    ///     the file system of its place; else it lies beside that.
    ///   - limits: How large it may become.
    /// - Throws: `FileWriteError` if there is such a file already, or if none can be made.
    package convenience init(
        for place: OutputPlace, temporaryFolder: String? = nil, limits: MediaLimits = MediaLimits()
    ) throws(FileWriteError) {
        try self.init(for: place, temporaryFolder: temporaryFolder, isUnnamed: true)
        sizeLimit = min(UInt64(limits.outputSize), place.sizeLimit)
    }

    /// - Parameter isUnnamed: Whether it may be a file without a name.
    init(for place: OutputPlace, temporaryFolder: String?, isUnnamed: Bool) throws(FileWriteError) {
        (self.place, path) = (place, place.path)
        if let number = place.number, let broker = place.run?.access.broker {
            let made = try broker.made(.newFile(place: number, temporaryFolder: temporaryFolder), for: path)
            name = BrokeredName(broker, made.0)
            output = OutputFile(descriptor: made.descriptor ?? -1, path: path)
            return
        }
        let (name, descriptor) = try LocalName.make(place, temporaryFolder, isUnnamed: isUnnamed)
        self.name = name
        output = OutputFile(descriptor: descriptor, path: path)
    }

    /// A file that a broker has made in a folder.
    init(_ name: BrokeredName, descriptor: Int32, path: String, sizeLimit: UInt64) {
        (place, self.path, self.name) = (OutputPlace(inNewFolder: path), path, name)
        self.sizeLimit = min(self.sizeLimit, sizeLimit)
        output = OutputFile(descriptor: descriptor, path: path)
    }

    /// The open file, which stays this object's.
    var descriptor: Int32 { output.descriptor }

    /// Whether its bytes go into a stream when it is complete.
    var isOfStream: Bool { place.isOfStream }

    // MARK: Contents

    /// What it holds now; what is written later shows in it too, but for its length.
    ///
    /// - Parameter limits: How much readers may take from it.
    package func contents(limits: MediaLimits = MediaLimits()) throws(FileWriteError) -> RandomAccessFile {
        try output.contents(limits: limits)
    }

    /// A path by which this process can open the file as it is now, though it has no name yet.
    var currentPath: String { output.descriptorPath }

    /// Writes bytes at a position: anywhere, also beyond the end.
    package func write(_ bytes: UnsafeRawBufferPointer, at position: UInt64) throws(FileWriteError) {
        let (end, isBeyond) = position.addingReportingOverflow(UInt64(bytes.count))
        guard !isBeyond, end <= sizeLimit else { throw FileWriteError.beyond(sizeLimit, path) }
        try output.write(bytes, at: position)
        byteCount = max(byteCount, position + UInt64(bytes.count))
        if byteCount >= writebackEnd + Self.partByteCount {
            output.startWriteback(of: writebackEnd..<byteCount)
            writebackEnd = byteCount
        }
    }

    /// Writes the new version of a file, for a file that is still empty.
    ///
    /// - Parameters:
    ///   - startsWriteback: Whether the disk gets each part at once, for a file that is to be synced.
    ///   - progress: Gets the number of bytes written so far; what it throws ends the writing.
    package func write(
        _ rewrite: FileRewrite, of file: RandomAccessFile, startsWriteback: Bool = false,
        progress: (UInt64) throws(FileWriteError) -> Void = { _ in }
    ) throws(FileWriteError) {
        guard rewrite.byteCount <= sizeLimit else { throw FileWriteError.beyond(sizeLimit, path) }
        var written: UInt64 = 0
        for segment in rewrite.segments {
            for part in segment.parts(of: Self.partByteCount) {
                try output.write([part], from: file)
                if startsWriteback { output.startWriteback(of: written..<(written + part.byteCount)) }
                written += part.byteCount
                try progress(written)
            }
        }
        byteCount = max(byteCount, written)
    }

    /// Bytes that are copied between two looks at whether to go on.
    private static let partByteCount: UInt64 = 16 << 20

    /// Puts the new version of a file in place of all that comes from a position on.
    package func replaceEnd(
        from position: UInt64, with rewrite: FileRewrite, of file: RandomAccessFile
    ) throws(FileWriteError) {
        guard rewrite.byteCount <= sizeLimit, position <= sizeLimit - rewrite.byteCount else {
            throw FileWriteError.beyond(sizeLimit, path)
        }
        try output.truncate(to: position)
        try output.seek(to: position)
        try output.write(rewrite.segments, from: file)
        byteCount = position + rewrite.byteCount
    }

    /// Lets a closure write from the beginning, for a file that is still empty.
    func fill(_ body: (borrowing OutputFile) throws(FileWriteError) -> Void) throws(FileWriteError) {
        try body(output)
        byteCount = try contents().byteCount
        guard byteCount <= sizeLimit else { throw FileWriteError.beyond(sizeLimit, path) }
    }

    /// The file with the changes that make a new version of it.
    ///
    /// Where all that stays of the old version stays in its place, this file
    /// itself is changed; else there is a new one.
    ///
    /// - Parameters:
    ///   - rewrite: A new version of what ``contents()`` gives.
    ///   - progress: Gets the number of bytes written so far; what it throws ends the writing.
    /// - Returns: This file or the new one. This one is of no more use then.
    package func applying(
        _ rewrite: FileRewrite, progress: (UInt64) throws(FileWriteError) -> Void = { _ in }
    ) throws(FileWriteError) -> PendingFile {
        let old = try contents()
        guard let changes = rewrite.changesInPlace(of: old) else {
            let copy = try PendingFile(for: place, temporaryFolder: name.folder)
            copy.sizeLimit = sizeLimit
            try copy.write(rewrite, of: old, progress: progress)
            return copy
        }
        guard rewrite.byteCount <= sizeLimit else { throw FileWriteError.beyond(sizeLimit, path) }
        for change in changes { try output.write(change.bytes, at: change.position) }
        if rewrite.byteCount != old.byteCount { try output.truncate(to: rewrite.byteCount) }
        byteCount = rewrite.byteCount
        try progress(byteCount)
        return self
    }

    /// Sets permissions and owner to those of a file that it is going to replace.
    func takeOverOwner(of name: String) {
        var status = stat()
        if lstat(name, &status) == 0, status.st_mode & S_IFMT == S_IFREG { output.takeOverOwner(of: status) }
    }

    /// Sets permissions, owner and extended attributes to those of another file, as far as allowed.
    func takeOverAttributes(of model: String) { output.takeOverAttributes(of: model) }

    // MARK: Completion

    /// Gives the file its name; nothing may be done with it afterwards.
    ///
    /// - Parameters:
    ///   - isSynced: Whether its bytes are on the disk before it gets the name.
    ///   - progress: Called just before it gets the name, while the bytes go into a stream, and while nobody
    ///     reads from that; what it throws ends that.
    package func complete(
        isSynced: Bool, progress: () throws(FileWriteError) -> Void = {}
    ) throws(FileWriteError) {
        try name.give(to: self, isSynced: isSynced, progress)
    }

    // MARK: For those who give names

    /// Waits until the bytes are on the disk.
    func sync() throws(FileWriteError) { try output.sync() }

    static func syncFolder(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

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
