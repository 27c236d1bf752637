/// Sound in memory: all channels in one piece, or each in one of its own.
struct SoundPlanes {
    /// The pieces; each has at most `UInt32.max` bytes.
    let planes: [UnsafeMutableRawBufferPointer]
    /// How many channels take turns in each.
    let channelsPerPlane: UInt32
    /// Keeps the memory of the pieces.
    let owner: CMBlockBuffer

    /// Fills a list that has room for as many buffers as there are pieces.
    func fill(_ list: UnsafeMutableAudioBufferListPointer) {
        list.count = planes.count
        for (index, plane) in planes.enumerated() {
            list[index] = AudioBuffer(
                mNumberChannels: channelsPerPlane, mDataByteSize: UInt32(clamping: plane.count),
                mData: plane.baseAddress)
        }
    }
}
