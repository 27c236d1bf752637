package import MediaCore
package import MediaIO

/// Movies put one after the other: the new tables, ready to be written.
package struct MovieJoinPlan: Sendable {
    /// What is known of one track of the new movie.
    package struct Track: Hashable, Sendable {
        package var id: UInt32
        package var handler: FourCC
        package var timescale: UInt32
        /// Samples, hidden ones included.
        package var sampleCount: Int
        /// Rows of its edit list.
        package var editCount: Int
    }

    /// The files that the new movie is made of, one after the other.
    package let file: RandomAccessFile
    /// The tracks in order.
    package let tracks: [Track]
    /// How long the new movie is: as long as all pieces together.
    package let duration: CMTime
    /// What is left out though nobody asked for that.
    package let losses: [MovieLoss]
    let assembly: MovieAssembly

    /// Bytes of the new file.
    package var byteCount: UInt64 { assembly.byteCount }

    /// The new file, made of parts of ``file``.
    package func rewrite() -> FileRewrite { assembly.rewrite() }
}
