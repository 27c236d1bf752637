package import MediaCore

/// What has to be decoded before a packet of sound for it to be right.
package struct AudioPreroll: Equatable, Sendable {
    /// So many packets at the least.
    package var packets: Int
    /// As many packets as last so long.
    package var milliseconds: Int

    package init(packets: Int = 0, milliseconds: Int = 0) {
        (self.packets, self.milliseconds) = (packets, milliseconds)
    }

    /// What a codec needs.
    ///
    /// - Parameters:
    ///   - hasBandReplication: Whether it is AAC with spectral band replication.
    package init(codec: Codec, hasBandReplication: Bool) {
        switch codec {
        // The headers of spectral band replication come twice a second.
        case .aac where hasBandReplication: self.init(milliseconds: 500)
        // It converges in 80 ms (RFC 7845), however long its packets are.
        case .opus: self.init(milliseconds: 80)
        // MPEG-1 sound lends its bits to later frames: at most 511 bytes, ten of the smallest frames.
        case .mp3: self.init(packets: 10)
        case _ where codec.isPCM || Self.independent.contains(codec): self.init()
        default: self.init(packets: 1)
        }
    }

    /// Codecs each packet of which holds its sound whole.
    private static let independent: Set<Codec> = [.flac, .alac, .wavPack, .tta]
}
