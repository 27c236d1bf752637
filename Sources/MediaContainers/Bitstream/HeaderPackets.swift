package import MediaCore

/// The headers that streams of Vorbis and of Theora begin with, among packets: where a stream of the same codec was put
/// behind another one, they stand in the middle of what is read as one stream.
///
/// Source: Vorbis I, 4.2.1; Theora, 6.1.
package struct HeaderPackets {
    private let name: [UInt8]
    private let own: [UInt8]

    /// - Parameter extradata: The stream's own headers.
    package init?(codec: Codec, extradata: [UInt8]) {
        guard codec.has(.hasHeadersInBand) else { return nil }
        (name, own) = (Array(codec.rawValue.utf8), extradata)
    }

    /// How many samples the shorter blocks of Vorbis have; `nil` without its first header.
    package static func shortVorbisBlock(in extradata: [UInt8]) -> Int? {
        let start = [1] + Array(Codec.vorbis.rawValue.utf8)
        // The lengths of the headers precede them.
        let place = extradata.indices.prefix(64).first { extradata[$0...].starts(with: start) }
        guard let place, extradata.count > place + 28 else { return nil }
        return 1 << Int(extradata[place + 28] & 0x0F)
    }

    /// Whether a packet is a header.
    package func contain(_ packet: UnsafeRawBufferPointer) -> Bool {
        packet.count > name.count && packet.dropFirst().starts(with: name)
    }

    /// Whether a header asks for nothing but what the stream's own ones do, so that what follows it can be decoded by
    /// these.
    package func agree(with header: UnsafeRawBufferPointer) -> Bool {
        // Comments say nothing of it.
        guard let kind = header.first, kind != 3, kind != 0x81 else { return true }
        let start = [kind] + name
        let place = own.indices.first { own[$0...].starts(with: start) }
        guard let place, own.count - place >= header.count else { return false }
        // The beginning of Vorbis tells bit rates too, which nothing goes by.
        let told = kind == 1 ? 16..<28 : 0..<0
        return header.indices.allSatisfy { told.contains($0) || header[$0] == own[place + $0] }
    }
}
