internal import Foundation
internal import MediaIO

/// Something that two tracks do not have in common.
package struct MovieTrackDifference: Hashable, Sendable {
    /// What differs.
    package enum Kind: Hashable, Sendable, CaseIterable {
        /// One has pictures, the other sound.
        case medium
        case codec
        /// The size of pictures.
        case dimensions
        /// Parameters of the decoder, as `avcC`, `hvcC` and `esds` have them.
        ///
        /// The movie has a further sample description then, which not all players heed.
        case configuration
        case sampleRate
        case channels
        case pixelAspect
        case cleanAperture
        case color
        /// How pictures are turned and scaled, which a movie says once of a track.
        case transformation
        /// Anything else that the sample descriptions say.
        case other
    }

    /// What differs.
    package let kind: Kind
    /// What it is in the one and in the other, in words.
    package let text: String
}

extension MovieJoin {
    /// In what a track differs from the one that it is to go on after.
    package static func differences(
        between first: MovieTrackFormat, and second: MovieTrackFormat
    ) -> [MovieTrackDifference] {
        guard first != second else { return [] }
        guard first.handler == second.handler else {
            return [
                MovieTrackDifference(
                    kind: .medium, text: "media \(first.handler.text) against \(second.handler.text)")
            ]
        }
        var result: [MovieTrackDifference] = []
        let known = Set(first.codings)
        if let one = first.codings.first, let other = second.codings.first(where: { !known.contains($0) }) {
            result += one.differences(from: other, isPicture: first.handler == "vide")
        }
        if first.handler == "vide" || first.handler == "text" || first.handler == "sbtl" {
            if first.matrix != second.matrix {
                result.append(MovieTrackDifference(kind: .transformation, text: "rotation or placement of the picture"))
            } else if first.scaledSize != second.scaledSize, !result.contains(where: { $0.kind == .dimensions }),
                first.handler == "vide"
            {
                let text = "shown size \(first.scaledSizeText) against \(second.scaledSizeText)"
                result.append(MovieTrackDifference(kind: .transformation, text: text))
            }
        }
        return result
    }
}

extension MovieTrackFormat {
    fileprivate var scaledSizeText: String {
        let numbers = [0, 4].map { Double(scaledSize.bigEndian32(at: $0) ?? 0) / 65536 }
        return numbers.map { String(format: "%g", $0) }.joined(separator: "x")
    }
}

extension MovieTrackFormat.Coding {
    private static let kinds: [FourCC: (MovieTrackDifference.Kind, String)] = [
        "pasp": (.pixelAspect, "pixel aspect ratio"), "clap": (.cleanAperture, "clean aperture"),
        "colr": (.color, "colour"), "gama": (.color, "gamma"), "mdcv": (.color, "mastering display"),
        "clli": (.color, "content light level"), "chan": (.channels, "channel layout"),
        "fiel": (.other, "field order"),
    ]
    private static let configurations: Set<FourCC> = [
        "avcC", "hvcC", "vvcC", "av1C", "vpcC", "esds", "dvcC", "dvvC", "dac3", "dec3", "dac4", "dOps", "dfLa", "alac",
        "wave", "d263", "lhvC", "mvcC", "SMI ", "glbl", "mhaC", "pcmC",
    ]

    fileprivate func differences(from other: Self, isPicture: Bool) -> [MovieTrackDifference] {
        typealias Difference = MovieTrackDifference
        guard type == other.type else {
            return [Difference(kind: .codec, text: "codec \(type.text) against \(other.type.text)")]
        }
        var result: [Difference] = []
        func compare(_ kind: Difference.Kind, _ name: String, _ value: (Self) -> String?) {
            guard let (one, two) = value(self).flatMap({ one in value(other).map { (one, $0) } }), one != two else {
                return
            }
            result.append(Difference(kind: kind, text: "\(name) \(one) against \(two)"))
        }
        if isPicture {
            compare(.dimensions, "size", \.sizeText)
        } else {
            compare(.sampleRate, "sample rate", \.sampleRateText)
            compare(.channels, "channels", \.channelText)
        }
        if boxes.map(\.type).sorted(by: { $0.rawValue < $1.rawValue })
            != other.boxes.map(\.type).sorted(by: { $0.rawValue < $1.rawValue }) || boxes != other.boxes
        {
            for type in Set((boxes + other.boxes).map(\.type)).sorted(by: { $0.rawValue < $1.rawValue }) {
                let (one, two) = (boxes.filter { $0.type == type }, other.boxes.filter { $0.type == type })
                guard one != two else { continue }
                result.append(Self.difference(of: type, isThere: !one.isEmpty && !two.isEmpty))
            }
        }
        if result.isEmpty { result.append(Difference(kind: .other, text: "fields of the sample description")) }
        return result
    }

    private static func difference(of type: FourCC, isThere: Bool) -> MovieTrackDifference {
        let (kind, name) =
            kinds[type]
            ?? (configurations.contains(type)
                ? (.configuration, "codec configuration (\(type.text))") : (.other, "box \(type.text)"))
        return MovieTrackDifference(kind: kind, text: isThere ? name : "\(name), which only one has")
    }

    private var sizeText: String? {
        guard let width = fields.bigEndian16(at: 24), let height = fields.bigEndian16(at: 26) else { return nil }
        return "\(width)x\(height)"
    }

    private var sampleRateText: String? {
        if fields.bigEndian16(at: 8) == 2 {
            return fields.bigEndian64(at: 32).map { String(format: "%g Hz", Double(bitPattern: $0)) }
        }
        return fields.bigEndian32(at: 24).map { "\($0 >> 16) Hz" }
    }

    private var channelText: String? {
        if fields.bigEndian16(at: 8) == 2 { return fields.bigEndian32(at: 40).map { "\($0)" } }
        return fields.bigEndian16(at: 16).map { "\($0)" }
    }
}
