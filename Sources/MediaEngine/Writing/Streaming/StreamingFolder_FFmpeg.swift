internal import FFmpegKit
internal import Foundation
internal import MediaCore
package import MediaIO

/// A folder for HTTP Live Streaming that a muxer of fragmented MP4 writes: what
/// comes before the first fragment is one file, each fragment another.
///
/// Source: RFC 8216; ISO/IEC 14496-12.
package final class StreamingFolder: MuxerSink {
    /// What one of its files is called.
    package enum Name {
        static let playlist = "index.m3u8"
        package static let header = "init.mp4"
        package static func segment(_ number: Int) -> String { "segment-\(number.zeroPadded(to: 5)).m4s" }
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
