internal import MediaContainers
internal import MediaIO
internal import MediaMetadata
internal import MetadataFormats

/// Looks through the boxes of a movie, and overwrites what is not known to be harmless.
///
/// Boxes that go become free space, so that no other one moves.
struct MovieScrubber {
    let file: RandomAccessFile
    let reader: BoxReader
    let boxes: [Box]
    let fragments: FragmentSamples
    private(set) var tracks: [MovieTrack] = []
    /// Numbers of the tracks that go.
    private(set) var removed: Set<UInt32> = []
    var overlay = FileOverlay()
    var details: [PrivateDetail] = []
    /// A track whose coded pictures cannot be looked through.
    var opaque: String?

    /// Boxes in boxes, and no deeper.
    private static let maximumDepth = 12

    init(_ file: RandomAccessFile) throws(MetadataError) {
        self.file = file
        reader = BoxReader(file: file)
        boxes = MovieFile(file).boxes
        fragments = FragmentSamples(boxes, reader)
        for movie in boxes where movie.type == "moov" {
            let inside = reader.boxes(in: movie.content)
            guard !inside.contains(where: { $0.type == "cmov" || $0.type == "rmra" }) else {
                throw MetadataError(.unsupported, "the movie box is compressed or a list of other movies")
            }
            tracks += inside.filter { $0.type == "trak" }.compactMap { MovieTrack($0, reader) }
        }
    }

    /// The tracks that go, with the reasons, by their numbers.
    func tracksToRemove() throws -> [UInt32: PrivateDetail] {
        var removed: [UInt32: PrivateDetail] = [:]
        for track in tracks {
            guard let reason = try reasonToRemove(track) else { continue }
            let code = track.entries.first.map { ", \($0.type.text)" } ?? ""
            removed[track.id] = PrivateDetail(
                .track, "track \(track.id) (\(track.handler.text)\(code))", reason)
        }
        return removed
    }

    mutating func scrub(looksThroughSamples: Bool) throws {
        let found = try tracksToRemove()
        removed = Set(found.keys)
        details += found.sorted { $0.key < $1.key }.map(\.value)
        walk(boxes, in: nil, path: "", depth: 0)
        let end = boxes.last?.range.upperBound ?? 0
        if end < file.byteCount { clear(end..<file.byteCount, .space, "after the last box", "bytes that no box holds") }
        try scrubSamples(looksThroughSamples: looksThroughSamples)
    }

    private func reasonToRemove(_ track: MovieTrack) throws -> String? {
        guard ShareSafeRules.keptHandlers.contains(track.handler) else { return "cannot be looked through" }
        guard ShareSafeRules.textHandlers.contains(track.handler), try holdsPrivateText(track) else { return nil }
        return "its text tells positions or addresses"
    }

    // MARK: Boxes

    private mutating func walk(_ boxes: [Box], in parent: FourCC?, path: String, depth: Int) {
        guard depth < Self.maximumDepth else { return }
        for box in boxes {
            let place = path.isEmpty ? box.type.description : "\(path)/\(box.type)"
            switch box.type {
            case "free", "skip", "wide": clear(box.content, .space, place, "free space that is not empty")
            case "trak" where removed.contains(trackID(box)): free(box)
            case "traf" where removed.contains(fragmentTrackID(box)): free(box)
            case "udta": userData(box, place, depth)
            case "tref": references(box)
            case "uuid" where parent == "trak" && keepsSphere(box, place): break
            case _ where parent == "udta" && box.type != "meta": break
            case _ where ShareSafeRules.keepsBox(box.type, in: parent): look(into: box, place, depth)
            default:
                free(box)
                details.note(PrivateDetail(.structure, place, "is not known to be harmless"))
            }
        }
    }

    private mutating func look(into box: Box, _ place: String, _ depth: Int) {
        switch box.type {
        case "mvhd", "tkhd", "mdhd": date(box, place)
        case "hdlr": handler(box, place)
        case "stsd": descriptions(box, place)
        case "dref": dataReferences(box, place)
        case "tcmi": clear(box.content.dropping(24), .name, place, "the name of a font")
        case "meta": walk(reader.boxes(in: reader.children(of: box)), in: "meta", path: place, depth: depth + 1)
        case "ilst":
            for item in reader.boxes(in: box.content) where item.type == "free" || item.type == "skip" {
                clear(item.content, .space, "\(place)/\(item.type)", "free space that is not empty")
            }
        case "mdat": break
        default:
            guard ShareSafeRules.holdsBoxes(box.type) else { return }
            walk(reader.boxes(in: box.content), in: box.type, path: place, depth: depth + 1)
        }
    }

    private mutating func userData(_ box: Box, _ place: String, _ depth: Int) {
        for child in reader.boxes(in: box.content) {
            let name = "\(place)/\(child.type)"
            if child.type == "meta" {
                look(into: child, name, depth + 1)
            } else if ["free", "skip"].contains(child.type) {
                clear(child.content, .space, name, "free space that is not empty")
            } else if !ShareSafeRules.keepsUserData(.code(child.type.rawValue)) {
                free(child)
                details.note(PrivateDetail(.structure, name, "is not known to be harmless"))
            }
        }
    }

    /// What refers to a track that goes, goes with it.
    private mutating func references(_ box: Box) {
        for child in reader.boxes(in: box.content) {
            if !removed.isDisjoint(with: TrackReference(child, reader).tracks) { free(child) }
        }
    }

    private func trackID(_ box: Box) -> UInt32 { tracks.first { $0.box.start == box.start }?.id ?? 0 }

    private func fragmentTrackID(_ box: Box) -> UInt32 {
        reader.box(["tfhd"], in: box.content).flatMap { reader.bytes(of: $0, limit: 8).bigEndian32(at: 4) } ?? 0
    }

    // MARK: Parts of boxes

    private mutating func date(_ box: Box, _ place: String) {
        let count: UInt64 = file.read(at: box.content.lowerBound, count: 1) == [1] ? 16 : 8
        let start = box.content.lowerBound + 4
        clear(start..<min(box.content.upperBound, start + count), .date, place, "when it was made and changed")
    }

    private mutating func handler(_ box: Box, _ place: String) {
        let name = box.content.dropping(24)
        let bytes = reader.file.read(at: name.lowerBound, count: Int(min(256, name.length)))
        let text = String(latin1: bytes.drop { $0 < 0x20 }.prefix { $0 >= 0x20 })
        if !ShareSafeRules.isHarmlessHandler(text) { clear(name, .name, place, "a name") }
    }

    /// Keeps how a picture lies on a sphere, without the names of programs; whether the box is that at all.
    private mutating func keepsSphere(_ box: Box, _ place: String) -> Bool {
        let bytes = reader.bytes(of: box, limit: 1 << 16)
        guard bytes.starts(with: SphericalVideo.identifier), UInt64(bytes.count) == box.content.length else {
            return false
        }
        let text = Array(bytes.dropFirst(SphericalVideo.identifier.count))
        guard let kept = SphericalVideo.shareable(text) else { return false }
        if kept != text {
            overlay.replace(at: box.content.lowerBound + UInt64(SphericalVideo.identifier.count), with: kept)
            details.note(PrivateDetail(.name, place, "what else is said of spherical video"))
        }
        return true
    }

    private mutating func dataReferences(_ box: Box, _ place: String) {
        for reference in reader.boxes(in: box.content.dropping(8)) {
            clear(reference.content.dropping(4), .name, place, "the name of a file")
        }
    }

    /// Makes a box free space.
    mutating func free(_ box: Box) {
        overlay.replace(at: box.start + 4, with: ("free" as FourCC).bytes)
        overlay.clear(box.content)
    }

    /// Puts zeros in place of a range, and tells of it if something else was there.
    mutating func clear(_ range: Range<UInt64>, _ kind: PrivateDetail.Kind, _ place: String, _ reason: String) {
        guard !file.isZero(in: range) else { return }
        overlay.clear(range)
        details.note(PrivateDetail(kind, place, reason))
    }
}
