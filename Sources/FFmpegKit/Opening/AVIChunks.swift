internal import CFFmpeg
internal import MediaCore
internal import MediaIO

/// The outermost chunks of an AVI file.
///
/// Source: OpenDML AVI File Format Extensions, 1.02.
enum AVIChunks {
    /// Whether the file is one list with all that this counts, and has an index.
    ///
    /// Of larger files an index may cover the first list only.
    static func haveIndex(in file: RandomAccessFile) -> Bool {
        let head = file.read(at: 0, count: 8)
        guard head.count == 8, head.starts(with: "RIFF".utf8) else { return false }
        let end = 8 + number(head[4...])
        guard end <= file.byteCount, !file.read(at: end + end % 2, count: 4).starts(with: "RIFF".utf8) else {
            return false
        }
        var position: UInt64 = 12
        for _ in 0..<mostChunks where position < end {
            let chunk = file.read(at: position, count: 8)
            guard chunk.count == 8 else { return false }
            if chunk.starts(with: "idx1".utf8) { return true }
            let size = number(chunk[4...])
            position += 8 + size + size % 2
        }
        return false
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// More than writers make.
    private static let mostChunks = 1 << 12
}

extension Demuxer {
    /// Takes the index's word for how long the frames of an AVI file last, where the header says much more.
    func correctLengths(_ file: RandomAccessFile) {
        guard AVIChunks.haveIndex(in: file) else { return }
        var longest: Double = 0
        var isWrong = false
        for index in streams.indices where streams[index].kind == .video && !streams[index].isAttachedPicture {
            guard let last = lastIndexTicks(ofStream: index), last >= 0, let count = streams[index].frameCount else {
                return
            }
            let length = last.addingReportingOverflow(1).partialValue
            longest = max(longest, streams[index].timeBase.time(of: length).seconds)
            guard count / 2 > last else { continue }
            isWrong = true
            (streams[index].frameCount, streams[index].durationTicks) = (length, length)
        }
        guard isWrong, longest > 0, let microseconds = Int64(exactly: (longest * 1_000_000).rounded()) else { return }
        for index in streams.indices where streams[index].kind == .audio { streams[index].durationTicks = nil }
        context.pointee.duration = microseconds
    }
}
