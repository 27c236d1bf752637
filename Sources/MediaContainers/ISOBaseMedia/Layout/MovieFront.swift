package import MediaIO

/// Puts a movie's `moov` box before its media, so that players can begin
/// before they have the whole file.
package enum MovieFront {
    /// Free space that is left after the box if it has to be made anyway.
    private static let padding: UInt64 = 4096

    /// A new version of a movie, whose media come later by the room for the box.
    ///
    /// The room is `room` if the box fits into it, with free space for the
    /// rest. Else it is larger by a multiple of a page, so that file systems
    /// which can share blocks need not copy the media.
    ///
    /// - Parameter room: What lies between the file's type and the media already, if it is to be used.
    /// - Throws: `MovieError` if there is no movie, if it is in fragments or if
    ///   it has more tables than can be changed.
    package static func rewrite(_ file: RandomAccessFile, room: UInt64 = 0) throws(MovieError) -> FileRewrite {
        let movieFile = MovieFile(file)
        guard let movie = movieFile.movie else { throw MovieError(.unsupported, "there is no moov box") }
        guard movieFile.isWhole, !movieFile.boxes.contains(where: { $0.type == "moof" }) else {
            throw MovieError(.unsupported, "the movie is in fragments, or cut off")
        }
        let head = movieFile.boxes.first { $0.type == "ftyp" && $0.start == 0 }?.range.upperBound ?? 0
        guard movie.start > head else { return FileRewrite(segments: [.source(0..<file.byteCount)]) }
        let offsets = ChunkOffsets(movie, in: movieFile)
        var length = movie.length
        // Each round can only find more offsets that need 64 bits.
        for _ in 0..<16 {
            let region = regionLength(movie: length, room: room)
            var map = OffsetMap()
            map.append(Int64(region), from: head)
            map.append(-Int64(movie.length), from: movie.range.upperBound)
            var edits = BoxEdits()
            try offsets.adjust(&edits, by: map)
            let segments = edits.result(for: movie, reader: movieFile.reader)
            guard segments.byteCount == length else {
                length = segments.byteCount
                continue
            }
            return FileRewrite(
                segments: [.source(0..<head)] + segments + MovieLayout.free(region - length) + [
                    .source(head..<movie.start), .source(movie.range.upperBound..<file.byteCount),
                ])
        }
        throw MovieError(.unsupported, "no arrangement of the file was found")
    }

    /// The bytes between the file's type and the media.
    private static func regionLength(movie length: UInt64, room: UInt64) -> UInt64 {
        if length == room || length + 8 <= room { return room }
        let pages = (length - min(length, room) + padding) / FileRewrite.pageSize + 1
        return room + pages * FileRewrite.pageSize
    }
}
