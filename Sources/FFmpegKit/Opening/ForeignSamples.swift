internal import MediaIO

/// Tracks of movies whose samples lie in another file, as a data reference says.
///
/// That file is never opened, and FFmpeg takes what stands at those places in this one for the samples.
enum ForeignSamples {
    /// The numbers of such tracks.
    static func trackIDs(in boxes: MovieBoxes) -> Set<Int> {
        var found: Set<Int> = []
        for movie in boxes.all where movie.name == "moov" {
            for track in boxes.named("trak", in: movie) where isForeign(track, boxes) {
                guard let header = boxes.named("tkhd", in: track).first, let version = boxes.number(header, 0) else {
                    continue
                }
                if let id = boxes.number(header, version >> 24 == 1 ? 20 : 12) { found.insert(Int(id)) }
            }
        }
        return found
    }

    /// Whether all that a track refers to are other files, by name: muxers forget to say that it is this one, and give
    /// no name then.
    private static func isForeign(_ track: MovieBoxes.Box, _ boxes: MovieBoxes) -> Bool {
        guard let list = boxes.named("mdia", "minf", "dinf", "dref", in: track).first, list.content.length > 8 else {
            return false
        }
        var position = list.content.lowerBound + 8
        var count = 0
        while count < maximumReferences, let reference = boxes.box(at: position, end: list.content.upperBound) {
            guard let flags = boxes.number(reference, 0), flags & 1 == 0, reference.content.length > 5 else {
                return false
            }
            position = reference.content.upperBound
            count += 1
        }
        return count > 0
    }

    /// More are not looked at.
    private static let maximumReferences = 16
}
