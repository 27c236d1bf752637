internal import MediaIO

/// Boxes of movies that FFmpeg stumbles over, in some versions, and that nothing here needs.
enum UnneededBoxes {
    /// More tracks than this are left as they are.
    private static let maximumCount = 256

    /// Where the names of such boxes stand, so that FFmpeg can be told that they hold nothing.
    static func nameOffsets(in boxes: MovieBoxes) -> [UInt64] {
        let all = boxes.all
        guard all.first?.name == "ftyp", let movie = all.first(where: { $0.name == "moov" }) else { return [] }
        let tracks = boxes.named("trak", in: movie)
        let found =
            stillItems(all, beside: tracks, boxes) + tracks.prefix(maximumCount).flatMap { encryption($0, boxes) }
        return found.prefix(maximumCount).map(\.nameOffset)
    }

    /// The still pictures that animated AVIF has for programs that play none.
    ///
    /// From version 7 on FFmpeg makes streams of them too, in front of the tracks and with numbers of theirs: the first
    /// picture would be taken for the film.
    private static func stillItems(
        _ all: [MovieBoxes.Box], beside tracks: [MovieBoxes.Box], _ boxes: MovieBoxes
    ) -> [MovieBoxes.Box] {
        guard !tracks.isEmpty, let items = all.first(where: { $0.name == "meta" }), boxes.handler(of: items) == "pict"
        else { return [] }
        return [items]
    }

    /// How the samples of a track are encrypted that has none outside of fragments.
    ///
    /// FFmpeg 7 takes an empty table for damage, and writes such tables itself.
    private static func encryption(_ track: MovieBoxes.Box, _ boxes: MovieBoxes) -> [MovieBoxes.Box] {
        boxes.named("mdia", "minf", "stbl", in: track).flatMap { table in
            let sizes = boxes.named("stsz", in: table).first
            guard sizes.flatMap({ boxes.number($0, 8) }) == 0 else { return [MovieBoxes.Box]() }
            return ["saiz", "saio", "senc"].flatMap { boxes.named($0, in: table) }
        }
    }
}

extension MovieBoxes {
    /// What a `meta` box says that it is about.
    fileprivate func handler(of meta: Box) -> String? {
        // Version and flags come first, in the handler too, and there a field without meaning.
        let first = box(at: meta.content.lowerBound + 4, end: meta.content.upperBound)
        guard let first, first.name == "hdlr", first.content.length >= 12 else { return nil }
        return String(latin1: file.read(at: first.content.lowerBound + 8, count: 4))
    }
}
