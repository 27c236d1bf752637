internal import Foundation
internal import MediaIO

/// What two tracks must have in common for one to go on where the other ends.
///
/// The timescale is none of it.
struct MovieTrackFormat: Hashable, Sendable {
    /// A sample entry without what has no bearing on decoding: rates of bits, names of encoders.
    struct Coding: Hashable, Sendable {
        let type: FourCC
        /// The fields before the boxes.
        let fields: [UInt8]
        /// The boxes in order.
        let boxes: [SampleEntry]
    }

    /// `vide`, `soun`, `text` and so on.
    let handler: FourCC
    /// How the samples are coded.
    let codings: [Coding]
    /// How pictures are turned and moved: nine numbers as the header has them.
    let matrix: [UInt8]
    /// The size that pictures are scaled to, as the header has it.
    let scaledSize: [UInt8]

    /// The format of a track.
    init(_ track: MovieTrack) {
        handler = track.handler
        codings = track.entries.map { Coding($0, handler: track.handler) }
        let fields = track.header.fields
        let rest = fields.bytes.dropFirst(fields.end + 16)
        (matrix, scaledSize) = (Array(rest.prefix(36)), Array(rest.dropFirst(36).prefix(8)))
    }
}

extension MovieTrackFormat.Coding {
    /// Boxes that say how many bits there are, not what they mean.
    private static let statistics: Set<FourCC> = ["btrt"]

    init(_ entry: SampleEntry, handler: FourCC) {
        type = entry.type
        guard let count = Self.fieldCount(entry, handler: handler), entry.content.count >= count else {
            (fields, boxes) = (entry.content, [])
            return
        }
        var fields = Array(entry.content.prefix(count))
        // Which data reference it is says where the samples lie, here always in the file itself; then version, vendor.
        let neutral = handler == "vide" ? [6..<8, 12..<24, 42..<74] : [6..<8, 10..<16]
        for range in neutral { for index in range where index < count { fields[index] = 0 } }
        self.fields = fields
        let reader = BoxReader(file: RandomAccessFile(bytes: Array(entry.content.dropFirst(count))))
        boxes = reader.boxes(in: 0..<reader.file.byteCount).compactMap { box in
            guard !Self.statistics.contains(box.type) else { return nil }
            let content = reader.bytes(of: box)
            return SampleEntry(type: box.type, content: Self.withoutRates(box.type, content))
        }
    }

    /// Where an entry's boxes begin; `nil` for entries that are compared as they are.
    private static func fieldCount(_ entry: SampleEntry, handler: FourCC) -> Int? {
        switch (handler, entry.content.bigEndian16(at: 8)) {
        case ("vide", _): 78
        case ("soun", 0): 28
        case ("soun", 1): 44
        case ("soun", 2): 64
        default: nil
        }
    }

    /// An elementary stream descriptor without its number and rates, or a box `wave` with such a one.
    private static func withoutRates(_ type: FourCC, _ content: [UInt8]) -> [UInt8] {
        guard type == "esds" || type == "wave" else { return content }
        var content = content
        var position = 4
        if type == "wave" {
            guard let found = content.indices.first(where: { content.fourCC(at: $0) == "esds" }) else { return content }
            position = found + 8
        }
        // A tag and a length of up to four bytes.
        func skipHeader(_ tag: UInt8) -> Bool {
            guard position < content.count, content[position] == tag else { return false }
            position += 1
            for _ in 0..<4 where position < content.count {
                position += 1
                if content[position - 1] & 0x80 == 0 { break }
            }
            return true
        }
        guard skipHeader(3), position + 3 <= content.count else { return content }
        let flags = content[position + 2]
        for index in position..<(position + 2) { content[index] = 0 }
        position += 3 + (flags & 0x80 != 0 ? 2 : 0) + (flags & 0x20 != 0 ? 2 : 0)
        guard flags & 0x40 == 0, skipHeader(4), position + 13 <= content.count else { return content }
        // After the kind of stream: the buffer's size, the highest rate, the usual one.
        for index in (position + 2)..<(position + 13) { content[index] = 0 }
        return content
    }
}

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
    let kind: Kind
    /// What it is in the one and in the other, in words.
    let text: String
}

extension MovieJoin {
    /// In what a track differs from the one that it is to go on after.
    static func differences(
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
