internal import MediaContainers
internal import MediaIO

/// What a movie claims to become in memory, where a few bytes can claim gigabytes.
///
/// FFmpeg takes the memory for a compressed movie box (`cmov`) before it unpacks a byte, and makes an entry for each
/// sample that a table without rows counts, whether the file has its bytes or not.
struct MovieClaims {
    /// No movie of QuickTime's time had tables of this size.
    private static let maximumCompressed: UInt32 = 64 << 20
    /// Samples that are believed without their bytes being there: a hundred megabytes of FFmpeg's entries.
    private static let believedSamples: UInt64 = 1 << 22
    /// Edits of a track: FFmpeg looks through all of them, and all samples, for each place that it goes to.
    private static let maximumEdits: UInt32 = 1 << 16
    private let boxes: MovieBoxes
    private var edits: UInt32 = 0
    private var samples: UInt64 = 0
    private var compressed: UInt32 = 0

    /// Why a file is not to be opened; `nil` if nothing of this kind speaks against it.
    static func objection(to boxes: MovieBoxes) -> String? {
        guard !boxes.all.isEmpty else { return nil }
        var claims = MovieClaims(boxes)
        claims.read()
        if claims.compressed > maximumCompressed {
            return "a compressed movie box claims to have \(claims.compressed) bytes, "
                + "more than \(maximumCompressed >> 20) MiB"
        }
        if claims.edits > maximumEdits {
            return "a track has \(claims.edits) edits, more than the limit of \(maximumEdits)"
        }
        // Each sample has a byte at least.
        let byteCount = boxes.file.startOfHole ?? boxes.file.byteCount
        guard claims.samples > max(believedSamples, byteCount) else { return nil }
        return "its tables claim \(claims.samples) samples, in \(byteCount) bytes"
    }

    private init(_ boxes: MovieBoxes) { self.boxes = boxes }

    // MARK: Claims

    private mutating func read() {
        for box in boxes.all {
            if box.type == "moov" {
                compressed = max(
                    compressed, boxes.named("cmov", "cmvd", in: box).compactMap { boxes.number($0, 0) }.max() ?? 0)
                edits = max(edits, boxes.named("trak", "edts", "elst", in: box).compactMap { editCount($0) }.max() ?? 0)
                for table in boxes.named("trak", "mdia", "minf", "stbl", "stsz", in: box) { add(sizes: table) }
            } else if box.type == "moof" {
                for run in boxes.named("traf", "trun", in: box) { add(run: run) }
            }
        }
    }

    /// The edits that a list counts, as far as it has room for them.
    private func editCount(_ list: Box) -> UInt32? {
        guard let count = boxes.number(list, 4) else { return nil }
        return UInt32(clamping: min(UInt64(count), list.content.length / 12))
    }

    /// A table of one size for all samples; one with rows has a place in the file for each.
    private mutating func add(sizes table: Box) {
        guard let size = boxes.number(table, 4), size > 0, let count = boxes.number(table, 8) else { return }
        samples += UInt64(count)
    }

    /// A run of samples in a fragment, none of which has a field of its own.
    private mutating func add(run: Box) {
        let fields: UInt32 = 0xF00
        guard let flags = boxes.number(run, 0), flags & fields == 0, let count = boxes.number(run, 4) else { return }
        samples += UInt64(count)
    }
}
