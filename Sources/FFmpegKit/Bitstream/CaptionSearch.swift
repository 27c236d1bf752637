extension Demuxer {
    /// Whether a stream's pictures have captions of CEA-608 or CEA-708 among their user data (ATSC A/53, part 4).
    ///
    /// Reads on from where reading stands, up to a number of pictures.
    package func hasCaptions(inStream index: Int, pictures limit: Int = 300) throws(FFmpegError) -> Bool {
        guard streams.indices.contains(index), Self.withUserData.contains(streams[index].codecName) else {
            return false
        }
        select(streams: [index])
        for _ in 0..<limit {
            guard let packet = try readPacket() else { return false }
            if packet.withBytes({ Self.holdsCaptions($0) }) { return true }
        }
        return false
    }

    private static let withUserData: Set<String> = ["h264", "hevc", "mpeg2video", "mpeg1video"]

    /// The identifier of the user data and the type of captions: `GA94`, 3.
    private static func holdsCaptions(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let mark: [UInt8] = [0x47, 0x41, 0x39, 0x34, 0x03]
        var position = 0
        while position + mark.count <= bytes.count {
            if bytes[position + 3] == 0x34, bytes[position..<(position + mark.count)].elementsEqual(mark) {
                return true
            }
            position += 1
        }
        return false
    }
}
