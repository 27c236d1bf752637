package import FFmpegKit
internal import Foundation
internal import MediaAsset
internal import MediaContainers
internal import MediaCore
package import MediaIO
internal import MediaMetadata

/// A folder for HTTP Live Streaming that a muxer of fragmented MP4 writes: what
/// comes before the first fragment is one file, each fragment another.
///
/// Source: RFC 8216; ISO/IEC 14496-12.
package final class StreamingFolder: MuxerSink {
    /// What one of its files is called.
    package enum Name {
        static let playlist = "index.m3u8"
        package static let header = "init.mp4"
        static func segment(_ number: Int) -> String { "segment-\(number.zeroPadded(to: 5)).m4s" }
    }

    private let folder: PendingFolder
    /// The box that is being written.
    private var buffer: [UInt8] = []
    private var position: UInt64 = 0
    package private(set) var header: [UInt8] = []
    private var segment: [UInt8] = []
    private var track: FragmentTimes.Track?
    /// When the pictures of each segment are shown, or its sound where there are none.
    private var ranges: [Range<Int64>] = []
    package private(set) var byteCount: UInt64 = 0

    /// How many bytes all files may have together.
    private let sizeLimit: UInt64

    package init(_ folder: PendingFolder, limits: MediaLimits) {
        (self.folder, sizeLimit) = (folder, UInt64(limits.outputSize))
    }

    /// What the muxer has to be told: a fragment ends before the first keyframe after this time.
    ///
    /// Where sound begins with samples of the encoder's own, an edit list hides
    /// them, so that the movie's header has to wait for the first fragment.
    /// Offsets of composition stay above zero: libavformat's reader would show
    /// pictures with others late.
    package static func muxerOptions(hasPictures: Bool) -> [String: String] {
        let flags = "+empty_moov+default_base_moof+delay_moov+skip_trailer"
        return hasPictures
            ? ["movflags": flags + "+frag_keyframe", "min_frag_duration": "5900000"]
            : ["movflags": flags, "frag_duration": "6000000"]
    }

    // MARK: From the muxer

    package var isSeekable: Bool { false }

    package func write(_ bytes: UnsafeRawBufferPointer, at position: UInt64) throws {
        guard position == self.position else {
            throw FileWriteError(kind: .writeFailed, path: folder.path, reason: "its parts come out of order")
        }
        self.position += UInt64(bytes.count)
        guard self.position <= sizeLimit else { throw FileWriteError.beyond(sizeLimit, folder.path) }
        buffer.append(contentsOf: bytes)
        while let size = Self.size(of: buffer), buffer.count >= size {
            try add(Array(buffer[..<size]))
            buffer.removeFirst(size)
        }
    }

    /// The size of the box that bytes begin with; `nil` if there are too few to tell.
    private static func size(of bytes: [UInt8]) -> Int? {
        guard bytes.count >= 8 else { return nil }
        let size = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
        guard size == 1 else { return max(8, size) }
        guard bytes.count >= 16 else { return nil }
        return max(16, Int(clamping: bytes[8..<16].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }))
    }

    private func add(_ box: [UInt8]) throws {
        switch String(decoding: box[4..<8], as: UTF8.self) {
        case "ftyp": header += box
        case "moov":
            header += box
            let tracks = FragmentTimes.tracks(ofMovie: box)
            track = tracks.first(where: \.isVideo) ?? tracks.first
        case "moof":
            segment += box
            let last = ranges.last?.upperBound ?? 0
            // A segment without a picture shows the one before it.
            ranges.append(track.flatMap { FragmentTimes.range(ofTrack: $0.id, inFragment: box) } ?? last..<last)
        case "mdat":
            segment += box
            try folder.write(Data(segment), to: Name.segment(ranges.count))
            byteCount += UInt64(segment.count)
            segment = []
        // Indexes of the whole have no place in a stream of parts.
        case "mfra", "free", "skip": break
        default: segment += box
        }
    }

    // MARK: When all is written

    /// How long each segment lasts, in seconds: up to the next one.
    private var durations: [Double] {
        let scale = Double(max(1, track?.timescale ?? 1))
        return ranges.indices.map { index in
            let range = ranges[index]
            let end = index + 1 < ranges.count ? ranges[index + 1].lowerBound : range.upperBound
            return Double(max(0, end - range.lowerBound)) / scale
        }
    }

    /// Writes the playlist; the header is there by then.
    package func writePlaylist() throws {
        let durations = durations
        let longest = durations.map { Int($0.rounded()) }.max() ?? 1
        var lines = [
            "#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:\(max(1, longest))", "#EXT-X-MEDIA-SEQUENCE:0",
            "#EXT-X-PLAYLIST-TYPE:VOD", "#EXT-X-INDEPENDENT-SEGMENTS", "#EXT-X-MAP:URI=\"\(Name.header)\"",
        ]
        for (index, duration) in durations.enumerated() {
            lines.append(String(format: "#EXTINF:%.6f,", locale: Locale(identifier: "en_US_POSIX"), duration))
            lines.append(Name.segment(index + 1))
        }
        let text = Data((lines + ["#EXT-X-ENDLIST", ""]).joined(separator: "\n").utf8)
        try folder.write(text, to: Name.playlist)
        byteCount += UInt64(text.count)
    }

    /// Counts what was written beside the muxer.
    package func count(_ bytes: UInt64) { byteCount += bytes }
}

/// A file that a muxer writes, before it has its metadata and its name.
///
/// For MP4 and MOV, room can be kept near the beginning, for the movie box that
/// the muxer writes at the end: what it writes after the file's type comes later
/// in the file by that room, and the muxer knows nothing of it.
package final class MuxedFile: MuxerSink {
    let pending: PendingFile
    /// Bytes kept free after the file's type.
    let room: UInt64
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

/// The error of what reads and writes, in the shape that callers know: an `AVError` with what it comes of, or
/// `CancellationError`.
package func writingError(for error: any Error) -> any Error {
    switch error {
    case is AVError, is CancellationError: error
    case let error as FFmpegError: writingError(for: error)
    case let error as MovieError:
        switch error.kind {
        case .damaged: AVError(.fileFailedToParse, reason: error.reason, underlying: error)
        case .unsupported: AVError(.operationNotSupportedForAsset, reason: error.reason, underlying: error)
        case .limit: AVError(MediaLimitError(reason: error.reason, limit: error.limit))
        case .emptyRange: AVError(.invalidSourceMedia, reason: error.reason, underlying: error)
        }
    case let error as MetadataError: publicError(for: error)
    // Limits on what is read come as AVError; these are on what is made.
    case let error as MediaLimitError: AVError(.maximumFileSizeReached, error)
    case let error as FileWriteError: writingError(for: error)
    case let error as PieceError:
        AVError(.invalidSourceMedia, reason: "\(error.path): \(error.reason)", underlying: error)
    case let error as MetadataNameError: AVError(.incorrectlyConfigured, reason: error.reason, underlying: error)
    default: AVError(.exportFailed, reason: error.localizedDescription, underlying: error)
    }
}

private func writingError(for error: FFmpegError) -> any Error {
    switch (error.operation, error.kind) {
    case (.encode, .unsupported): AVError(.encoderNotFound, reason: error.reason, underlying: error)
    case (.encode, .other), (.encode, .damaged): AVError(.encodeFailed, reason: error.reason, underlying: error)
    case (.write, .unsupported): AVError(.operationNotSupportedForAsset, reason: error.reason, underlying: error)
    case (.write, .other), (.write, .damaged), (.filter, .other):
        AVError(.exportFailed, reason: error.reason, underlying: error)
    default: publicError(for: error)
    }
}

private func writingError(for error: FileWriteError) -> any Error {
    let code: AVError.Code
    switch error.kind {
    case .tooLarge:
        return AVError(
            .maximumFileSizeReached, MediaLimitError(reason: error.errorDescription ?? error.reason, limit: .outputSize)
        )
    case .cancelled: return CancellationError()
    case .exists: code = .fileAlreadyExists
    case .diskFull: code = .diskFull
    case .isInput, .isTaken, .isTerminal: code = .operationNotAllowed
    case .cannotCreate, .writeFailed, .outputClosed, .busy: code = .exportFailed
    }
    return AVError(code, reason: error.errorDescription ?? error.reason, underlying: error)
}
