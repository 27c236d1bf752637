package import FFmpegKit
internal import MediaCore
package import MediaIO

/// A file that a muxer writes, before it has its metadata and its name.
///
/// For MP4 and MOV, room can be kept near the beginning, for the movie box that
/// the muxer writes at the end: what it writes after the file's type comes later
/// in the file by that room, and the muxer knows nothing of it.
package final class MuxedFile: MuxerSink {
    package let pending: PendingFile
    /// Bytes kept free after the file's type.
    package let room: UInt64
    /// Where the file's type ends; `nil` before anything is written.
    private var headEnd: UInt64?

    /// Makes a sink for a muxer.
    ///
    /// - Parameters:
    ///   - pending: An empty file.
    ///   - room: As for ``FrontRoom``; only MP4 and MOV files get it.
    package init(_ pending: PendingFile, format: ContainerFormat, room: UInt64 = 0) {
        self.pending = pending
        self.room = format.container.isMovie ? room : 0
    }

    package var isSeekable: Bool { true }

    /// What the muxer has to be told for the file to be finished later: it
    /// writes no tags of its own, and leaves room for ours where it can.
    package static func muxerOptions(for format: ContainerFormat, room: UInt64 = 0) -> [String: String] {
        var options = ["fflags": "+bitexact"]
        if format.container.has(.holdsPadding), room > 0 {
            options["metadata_header_padding"] = "\(min(room, maximumPadding))"
        }
        return options
    }

    /// What the size of a FLAC block can tell, and an ID3 tag's.
    private static let maximumPadding: UInt64 = 0xFFFFFF

    package func write(_ bytes: UnsafeRawBufferPointer, at position: UInt64) throws {
        guard room > 0 else { return try pending.write(bytes, at: position) }
        let end = headEnd ?? Self.headEnd(of: bytes, at: position)
        headEnd = end
        let inHead = Int(min(UInt64(bytes.count), end - min(end, position)))
        if inHead > 0 { try pending.write(UnsafeRawBufferPointer(rebasing: bytes[..<inHead]), at: position) }
        if inHead < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[inHead...])
            try pending.write(rest, at: position + UInt64(inHead) + room)
        }
    }

    /// The end of the file's type if it begins with that, else 0.
    private static func headEnd(of bytes: UnsafeRawBufferPointer, at position: UInt64) -> UInt64 {
        guard position == 0, bytes.count >= 8, bytes[4..<8].elementsEqual("ftyp".utf8) else { return 0 }
        return UInt64(bytes[..<4].reduce(0) { $0 << 8 | UInt32($1) })
    }

    /// The file as the muxer knows it, made of what was written.
    var muxerView: FileRewrite {
        guard room > 0, let headEnd, headEnd + room <= pending.byteCount else {
            return FileRewrite(segments: [.source(0..<pending.byteCount)])
        }
        return FileRewrite(segments: [.source(0..<headEnd), .source((headEnd + room)..<pending.byteCount)])
    }
}
