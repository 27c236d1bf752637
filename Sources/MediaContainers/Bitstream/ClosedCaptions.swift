package import MediaCore

/// Captions of CEA-608 and CEA-708 among the user data of coded pictures (ATSC A/53, part 4).
package enum ClosedCaptions {
    /// FFmpeg's names of the codecs whose pictures may have user data.
    package static let codecs: Set<Codec> = [.h264, .hevc, .mpeg2Video, .mpeg1Video]

    /// The identifier of the user data and the type of captions: `GA94`, 3.
    private static let mark: [UInt8] = [0x47, 0x41, 0x39, 0x34, 0x03]

    /// Whether a sample holds any.
    package static func areHeld(by bytes: UnsafeRawBufferPointer) -> Bool {
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
