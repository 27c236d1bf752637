internal import MediaMetadata

/// Looks through packets of MPEG audio and of AAC with headers, for tags behind the last frame.
enum FrameScrubber {
    static func patches(in bytes: UnsafeRawBufferPointer) -> [SamplePatch] {
        let all = Array(bytes)
        var position = 0
        while position + MPEGAudioHeader.length <= all.count,
            let length = MPEGAudioHeader.frameLength(Array(all[position..<(position + MPEGAudioHeader.length)]))
        {
            position += max(1, length)
        }
        // Frames of free format do not tell their length, but begin like all others.
        if position == 0, all.count >= 2, all[0] == 0xFF, all[1] & 0xE0 == 0xE0 { return [] }
        guard position < all.count, all[position...].contains(where: { $0 != 0 }) else { return [] }
        return [
            SamplePatch(
                offset: position, bytes: [UInt8](repeating: 0, count: all.count - position),
                reason: "bytes behind a frame of sound")
        ]
    }
}
