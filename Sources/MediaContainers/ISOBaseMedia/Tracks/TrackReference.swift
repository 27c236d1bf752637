internal import MediaIO

/// One way in which a track refers to others: a box in `tref`.
package struct TrackReference: Hashable, Sendable {
    /// `chap`, `tmcd`, `auxl` and so on.
    package var type: FourCC
    /// The other tracks' numbers.
    package var tracks: [UInt32]

    /// A reference to tracks.
    package init(type: FourCC, tracks: [UInt32]) { (self.type, self.tracks) = (type, tracks) }

    /// Reads a box.
    package init(_ box: Box, _ reader: BoxReader) {
        let bytes = TableBytes(bytes: reader.bytes(of: box))
        self.init(type: box.type, tracks: (0..<(bytes.bytes.count / 4)).map { bytes.u32($0 * 4) })
    }

    /// The references among a track's boxes.
    package static func all(in track: [Box], _ reader: BoxReader) -> [TrackReference] {
        guard let references = track.first(where: { $0.type == "tref" }) else { return [] }
        return reader.boxes(in: references.content).map { TrackReference($0, reader) }
    }

    /// The box.
    package var box: [UInt8] {
        var content: [UInt8] = []
        for track in tracks { content.append(bigEndian: track) }
        return .box(type, content)
    }
}
