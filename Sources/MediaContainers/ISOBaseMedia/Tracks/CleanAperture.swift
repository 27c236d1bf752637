internal import MediaIO

/// The part of pictures that is to be seen: `clap`, fractions, the offsets from the picture's centre.
package struct CleanAperture: Hashable, Sendable {
    package var width: Double
    package var height: Double
    package var horizontalOffset: Double
    package var verticalOffset: Double

    /// An aperture.
    package init(width: Double, height: Double, horizontalOffset: Double, verticalOffset: Double) {
        (self.width, self.height) = (width, height)
        (self.horizontalOffset, self.verticalOffset) = (horizontalOffset, verticalOffset)
    }

    /// Reads the content of a box; `nil` for an aperture of less than a pixel.
    package init?(_ bytes: [UInt8]) {
        let values = (0..<4).compactMap { index -> Double? in
            guard let numerator = bytes.bigEndian32(at: index * 8),
                let denominator = bytes.bigEndian32(at: index * 8 + 4),
                denominator != 0
            else { return nil }
            // Widths are unsigned, but offsets are signed in both parts.
            return Double(Int32(bitPattern: numerator)) / Double(Int32(bitPattern: denominator))
        }
        guard values.count == 4, values[0] >= 1, values[1] >= 1 else { return nil }
        self.init(width: values[0], height: values[1], horizontalOffset: values[2], verticalOffset: values[3])
    }
}

extension MovieTrack {
    /// The part of pictures that is to be seen, as the first sample description says it.
    package var cleanAperture: CleanAperture? { entries.first?.pictureBox("clap").flatMap { CleanAperture($0) } }

    /// The track to whose pictures this one's are the alpha.
    ///
    /// Source: ISO/IEC 23000-22, `auxl` and `auxi`.
    package var alphaOf: UInt32? {
        let kind = entries.first?.pictureBox("auxi").map {
            String(decoding: $0.dropFirst(4).prefix { $0 != 0 }, as: UTF8.self)
        }
        guard ["urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1"].contains(kind) else {
            return nil
        }
        return references.first { $0.type == "auxl" }?.tracks.first
    }
}
