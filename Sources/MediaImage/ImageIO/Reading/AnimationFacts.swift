internal import MediaIO

/// How many images a GIF or a PNG holds, and how long each is shown.
///
/// Source: GIF89a; PNG Specification (Third Edition), 11.3.6.
struct AnimationFacts {
    /// Seconds for each image, as the file says.
    private(set) var delays: [Double] = []
    /// How often all are shown, 0 for ever; `nil` if the file does not say.
    private(set) var loopCount: Int?
    /// The size of the whole, and whether there is a table of colours for all images; of a GIF.
    private(set) var canvas: (width: Int, height: Int, hasColorMap: Bool)?

    /// More images than these are not counted.
    private static let maximumImages = Int(MediaLimits().frames)

    /// Those of a GIF; none if it is damaged before the first image.
    static func gif(_ bytes: [UInt8]) -> AnimationFacts {
        let reader = ByteReader(bytes: bytes, isLittle: true)
        var facts = AnimationFacts()
        guard let width = reader.number(6, 2), let height = reader.number(8, 2), let flags = reader.number(10, 1) else {
            return facts
        }
        facts.canvas = (width, height, flags & 0x80 != 0)
        var place = 13 + tableSize(flags)
        var delay = 0.0
        while let kind = reader.number(place, 1), facts.delays.count < maximumImages {
            if kind == 0x21, let label = reader.number(place + 1, 1) {
                if label == 0xf9 { delay = Double(reader.number(place + 4, 2) ?? 0) / 100 }
                if label == 0xff,
                    reader.part(place + 3, 11).map({ String(decoding: $0, as: UTF8.self) }) == "NETSCAPE2.0",
                    reader.number(place + 14, 2) == 0x0103
                {
                    facts.loopCount = reader.number(place + 16, 2)
                }
                place = end(ofBlocksAt: place + 2, reader)
            } else if kind == 0x2c, let flags = reader.number(place + 9, 1) {
                place = end(ofBlocksAt: place + 11 + tableSize(flags), reader)
                facts.delays.append(delay)
                delay = 0
            } else {
                break
            }
        }
        return facts
    }

    private static func tableSize(_ flags: Int) -> Int { flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1) }

    private static func end(ofBlocksAt start: Int, _ reader: ByteReader) -> Int {
        var place = start
        while let length = reader.number(place, 1) {
            place += 1 + length
            if length == 0 { break }
        }
        return place
    }

    /// Those of a PNG; one image without a time if it is no animation.
    static func png(_ chunks: [(name: String, content: ArraySlice<UInt8>)]) -> AnimationFacts {
        var facts = AnimationFacts()
        guard let control = chunks.first(where: { $0.name == "acTL" }), control.content.count == 8 else {
            facts.delays = [0]
            return facts
        }
        facts.loopCount = ByteReader(bytes: Array(control.content)).number(4, 4)
        for chunk in chunks where chunk.name == "fcTL" && facts.delays.count < maximumImages {
            let reader = ByteReader(bytes: Array(chunk.content))
            guard let over = reader.number(20, 2), let under = reader.number(22, 2) else { continue }
            facts.delays.append(Double(over) / Double(under == 0 ? 100 : under))
        }
        if facts.delays.isEmpty { facts.delays = [0] }
        return facts
    }
}
