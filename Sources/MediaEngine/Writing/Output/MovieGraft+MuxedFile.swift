package import MediaContainers
package import MediaIO

extension MovieGraft {
    /// A movie with the tracks: what it is made of, and what is not in it.
    package struct Result {
        /// Made of the file that was muxed.
        package var rewrite: FileRewrite
        package var losses: [MovieLoss] = []
    }

    /// Adds the tracks to a muxed movie: their samples to the file, their boxes to its movie box.
    package func added(to muxed: MuxedFile) throws(FileWriteError) -> Result {
        let media = RandomAccessFile(muxed.muxerView, of: try muxed.pending.contents())
        let (addition, losses) = addition(to: media)
        guard let addition else { return Result(rewrite: muxed.muxerView, losses: losses) }
        // The muxer's movie box is in memory, and its place at the end goes to the samples.
        let place = muxed.pending.byteCount - (media.byteCount - addition.start)
        try muxed.pending.replaceEnd(from: place, with: addition.samples, of: file)
        try file.checkUnchanged(whileMaking: muxed.pending.path)
        let front = FileRewrite(segments: [.source(0..<addition.start)]).composed(after: muxed.muxerView)
        let samples = FileRewrite.Segment.source(place..<(place + addition.samples.byteCount))
        return Result(
            rewrite: FileRewrite(segments: front.segments + [samples, .bytes(addition.movieBox)]), losses: losses)
    }
}
