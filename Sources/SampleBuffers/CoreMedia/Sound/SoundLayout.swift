/// How sound lies in the bytes of a sample buffer: all channels by turns, or one channel after another.
struct SoundLayout {
    /// How many ranges of bytes there are: 1, or as many as channels.
    let planeCount: Int
    /// How many channels take turns in each.
    let channelsPerPlane: UInt32
    /// Bytes of each.
    let planeLength: Int

    /// The layout of bytes.
    ///
    /// - Parameter length: Bytes of all channels.
    /// - Throws: `kCMSampleBufferError_InvalidMediaFormat` without channels, `kCMSampleBufferError_InvalidSampleData`
    ///   for bytes that channels cannot share, none, and more than a buffer of sound can have.
    init(_ stream: AudioStreamBasicDescription, length: Int) throws(CoreMediaFailure) {
        guard stream.mChannelsPerFrame > 0 else { throw CoreMediaFailure(kCMSampleBufferError_InvalidMediaFormat) }
        planeCount = stream.isPlanar ? Int(stream.mChannelsPerFrame) : 1
        channelsPerPlane = stream.isPlanar ? 1 : stream.mChannelsPerFrame
        guard length > 0, length.isMultiple(of: planeCount), UInt32(exactly: length / planeCount) != nil else {
            throw CoreMediaFailure(kCMSampleBufferError_InvalidSampleData)
        }
        planeLength = length / planeCount
    }
}
