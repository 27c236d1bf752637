extension AVAudioPCMBuffer {
    /// Lends the buffer's memory to a piece of work: all of it, to be filled.
    ///
    /// - Parameter body: Given a piece of memory for each channel, one for all if they are interleaved; each has room
    ///   for ``frameCapacity`` frames, and a client's may have some bytes more. They last as long as the call.
    /// - Returns: What the work returns.
    /// - Throws: What the work throws.
    package func withPlanes<Result, Failure: Error>(
        _ body: ([UnsafeMutableRawBufferPointer]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The memory goes with the storage, which somebody has to hold meanwhile.
        let storage = storage
        defer { withExtendedLifetime(storage) {} }
        return try body(storage.planes)
    }

    /// Lends the buffer's frames to a piece of work, to be read.
    ///
    /// - Parameter body: Given a piece of memory for each channel, one for all if they are interleaved, each with
    ///   ``frameLength`` frames. They last as long as the call.
    /// - Returns: What the work returns.
    /// - Throws: What the work throws.
    package func withFilledPlanes<Result, Failure: Error>(
        _ body: ([UnsafeRawBufferPointer]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let storage = storage
        defer { withExtendedLifetime(storage) {} }
        let size = storage.filledByteCount
        return try body(storage.planes.map { UnsafeRawBufferPointer(rebasing: $0[..<min(size, $0.count)]) })
    }
}
