package import MediaCore
package import MediaIO

/// Has a muxed movie show the pictures that follow a track's first one in decoding order and precede it in presentation.
///
/// libavformat's edit lists begin with the first sample's picture, and an empty edit takes the place of what is shown
/// before it.
package struct MovieLead {
    private let movie: MovieSource
    /// How much earlier tracks are shown than their first sample, by their number.
    private let leads: [UInt32: CMTime]

    /// The movie with edit lists that begin earlier.
    ///
    /// - Parameter media: A movie whose movie box comes last.
    package static func rewrite(_ media: RandomAccessFile, leads: [UInt32: CMTime]) throws(MovieError) -> FileRewrite {
        let same = FileRewrite(segments: [.source(0..<media.byteCount)])
        let movie = try MovieSource(file: media)
        guard let box = movie.movieFile.boxes.last, box.type == "moov", box.range.upperBound == media.byteCount else {
            return same
        }
        let bytes = MovieLead(movie: movie, leads: leads).movieBox
        return FileRewrite(segments: [.source(0..<box.start), .bytes(bytes)])
    }

    private init(movie: MovieSource, leads: [UInt32: CMTime]) { (self.movie, self.leads) = (movie, leads) }

    private var movieBox: [UInt8] {
        [UInt8].box(
            "moov",
            movie.movieBoxes.flatMap { box in
                guard let track = movie.tracks.first(where: { $0.box == box }), let edits = edits(of: track) else {
                    return bytes(box)
                }
                let children = track.children.flatMap { $0.type == "edts" ? EditList(edits).box : bytes($0) }
                return .box("trak", children)
            })
    }

    private func bytes(_ box: Box) -> [UInt8] { movie.reader.wholeBytes(of: box) }

    /// The track's edits, of which the first one that shows something begins earlier, and the empty one ends as much
    /// earlier; `nil` if they stay as they are.
    private func edits(of track: MovieTrack) -> [EditList.Segment]? {
        guard let lead = leads[track.id], let movieScale = Int32(exactly: movie.timescale),
            let mediaScale = Int32(exactly: track.timescale), mediaScale > 0, track.edits.count == 2
        else { return nil }
        let (empty, shown) = (track.edits[0], track.edits[1])
        let length = CMTimeConvertScale(lead, timescale: movieScale, method: .roundHalfAwayFromZero).value
        let ticks = CMTimeConvertScale(lead, timescale: mediaScale, method: .roundHalfAwayFromZero).value
        guard empty.mediaTime < 0, shown.mediaTime >= ticks, length > 0, empty.duration >= UInt64(length) else {
            return nil
        }
        let (duration, overflow) = shown.duration.addingReportingOverflow(UInt64(length))
        guard !overflow else { return nil }
        var edits = [EditList.Segment(duration: duration, mediaTime: shown.mediaTime - ticks, rate: shown.rate)]
        let rest = empty.duration - UInt64(length)
        if rest > 0 { edits.insert(EditList.Segment(duration: rest, mediaTime: -1, rate: empty.rate), at: 0) }
        return edits
    }
}
