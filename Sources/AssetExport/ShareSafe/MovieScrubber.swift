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
    /// What goes, in the order in which it is found.
    var found: [PrivateDetail] = []
    /// What goes, each thing once, with how often it is there.
    var details: [PrivateDetail] {
        var details: [PrivateDetail] = []
        details.note(contentsOf: found)
        return details
    }
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
        let tracks = try tracksToRemove()
        removed = Set(tracks.keys)
        found += tracks.sorted { $0.key < $1.key }.map(\.value)
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
                found.append(PrivateDetail(.structure, place, "is not known to be harmless"))
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
                found.append(PrivateDetail(.structure, name, "is not known to be harmless"))
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
            found.append(PrivateDetail(.name, place, "what else is said of spherical video"))
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
        found.append(PrivateDetail(kind, place, reason))
    }
}

/// Sample descriptions: what decoders need stays.
extension MovieScrubber {
    mutating func descriptions(_ box: Box, _ place: String) {
        let track = tracks.first { $0.box.range.contains(box.start) }
        for entry in reader.boxes(in: box.content.dropping(8)) {
            let isPicture = ShareSafeRules.pictureHandlers.contains(track?.handler ?? .none)
            if isPicture { compressorName(entry, place) }
            guard let start = children(of: entry, handler: track?.handler ?? .none) else { continue }
            let inside = reader.boxes(in: start..<entry.content.upperBound)
            for child in inside { description(child, of: entry, place) }
            let end = inside.last?.range.upperBound ?? start
            clear(end..<entry.content.upperBound, .space, "\(place)/\(entry.type)", "bytes that no box holds")
        }
    }

    private mutating func description(_ child: Box, of entry: Box, _ place: String) {
        guard ShareSafeRules.keptDescriptions.contains(child.type) else {
            if child.type == "free" || child.type == "skip" {
                return clear(child.content, .space, "\(place)/\(entry.type)/free", "free space that is not empty")
            }
            free(child)
            let kind: PrivateDetail.Kind = child.type == "name" ? .name : .structure
            let reason = kind == .name ? "the name of a reel" : "is not known to be harmless"
            return found.append(PrivateDetail(kind, "\(place)/\(entry.type)/\(child.type)", reason))
        }
        guard ["avcC", "hvcC", "lhvC", "av1C", "esds", "glbl"].contains(child.type) else { return }
        let bytes = reader.bytes(of: child)
        guard let scrubber = SampleScrubber(codec: entry.type.description, configuration: bytes) else { return }
        for patch in scrubber.patches(inConfiguration: bytes) {
            overlay.replace(at: child.content.lowerBound + UInt64(patch.offset), with: patch.bytes)
            found.append(PrivateDetail(.message, "\(place)/\(entry.type)/\(child.type)", patch.reason))
        }
    }

    /// Where the boxes in a sample description begin, `nil` if it has none.
    private func children(of entry: Box, handler: FourCC) -> UInt64? {
        let offsets: [UInt64]
        switch handler {
        case "vide", "auxv", "pict": offsets = [78]
        case "soun": offsets = [28, 44, 64]
        case "tmcd": offsets = [26]
        case "clcp": offsets = [8]
        case _ where entry.type == "tx3g": offsets = [38]
        default: return nil
        }
        let starts = offsets.map { entry.content.lowerBound + $0 }.filter { $0 <= entry.content.upperBound }
        return starts.first { start in
            guard let last = reader.boxes(in: start..<entry.content.upperBound).last else { return false }
            return entry.content.upperBound - last.range.upperBound < 8
        } ?? (handler == "soun" ? nil : starts.first)
    }

    private mutating func compressorName(_ entry: Box, _ place: String) {
        let start = entry.content.lowerBound + 42
        guard entry.content.length >= 78 else { return }
        let bytes = file.read(at: start, count: 32)
        let text = String(latin1: bytes.dropFirst().prefix(Int(min(31, bytes.first ?? 0))))
        guard !ShareSafeRules.isHarmlessCompressor(text) else { return }
        clear(start..<(start + 32), .name, "\(place)/\(entry.type)", "the name of an encoder or a device")
    }
}

/// Samples: those of tracks that stay are looked through, and what no such track uses is overwritten.
extension MovieScrubber {
    /// Longer samples of text, and larger coded pictures, are none.
    private static let maximumSample = 256 << 20
    /// Text is looked through up to here.
    private static let maximumText = 64 << 20

    mutating func scrubSamples(looksThroughSamples: Bool) throws {
        var used: [Range<UInt64>] = []
        for track in tracks where !removed.contains(track.id) {
            if let entry = track.entries.first(where: { SampleScrubber.cannotLookThrough($0.type.description) }) {
                opaque = "track \(track.id) (\(entry.type.text))"
            }
            let scrubbers = looksThroughSamples ? self.scrubbers(of: track) : []
            let isRead = scrubbers.contains { $0 != nil }
            try forEachRange(of: track, single: isRead) { range, description in
                if used.last?.upperBound == range.lowerBound {
                    used[used.count - 1] = used[used.count - 1].lowerBound..<range.upperBound
                } else {
                    used.append(range)
                }
                guard isRead, scrubbers.indices.contains(description - 1), let scrubber = scrubbers[description - 1]
                else { return }
                scrub(range, with: scrubber, track)
            }
        }
        clearUnused(used)
    }

    /// A scrubber for each sample description.
    private func scrubbers(of track: MovieTrack) -> [SampleScrubber?] {
        guard ShareSafeRules.pictureHandlers.contains(track.handler) else { return [] }
        return track.entries.map { entry in
            let configuration = entry.pictureBox("avcC", "hvcC", "av1C", "glbl") ?? []
            return SampleScrubber(codec: entry.type.description, configuration: configuration)
        }
    }

    private mutating func scrub(_ range: Range<UInt64>, with scrubber: SampleScrubber, _ track: MovieTrack) {
        guard let bytes = file.read(range, limit: Self.maximumSample) else { return }
        for patch in bytes.withUnsafeBytes({ scrubber.patches(in: $0) }) {
            overlay.replace(at: range.lowerBound + UInt64(patch.offset), with: patch.bytes)
            found.append(PrivateDetail(.message, "track \(track.id), samples", patch.reason))
        }
    }

    /// Whether the samples of a track of text tell positions or addresses.
    func holdsPrivateText(_ track: MovieTrack) throws -> Bool {
        var (found, left) = (false, Self.maximumText)
        try forEachRange(of: track, single: true) { range, _ in
            guard !found else { return }
            guard let bytes = file.read(range, limit: min(left, 1 << 20)) else {
                // What is too much to be looked through is not known to be harmless.
                found = true
                return
            }
            left -= bytes.count
            // Text of two bytes a letter has a zero in each, as far as positions and addresses go.
            found = bytes.filter { $0 != 0 }.withUnsafeBytes { PrivateText.tellsPlaceOrPerson($0) }
        }
        return found
    }

    // MARK: Where samples lie

    /// Gives the ranges that the samples of a track take, of one sample each or of whole chunks.
    private func forEachRange(
        of track: MovieTrack, single: Bool, _ body: (Range<UInt64>, Int) -> Void
    ) throws {
        let tables: SampleTables
        do throws(MovieError) {
            tables = track.hasNoSamples(reader) ? SampleTables() : try SampleTables(track, reader)
            try tables.chunks.forEachPart(of: 0..<tables.count) { part throws(MovieError) in
                var position = part.chunkOffset
                let step = single ? max(1, tables.sizes.samplesPerPacket) : max(1, part.samples.count)
                var sample = part.samples.lowerBound
                while sample < part.samples.upperBound {
                    let next = min(sample + step, part.samples.upperBound)
                    let count = tables.sizes.byteCount(of: sample..<next)
                    let (end, overflow) = position.addingReportingOverflow(count)
                    guard !overflow, end <= file.byteCount || count == 0 else {
                        throw MovieError(.damaged, "its samples lie outside the file")
                    }
                    if count > 0 { body(position..<end, Int(part.description)) }
                    (position, sample) = (end, next)
                }
            }
        } catch {
            throw MetadataError(.damaged, "track \(track.id) cannot be looked through: \(error.reason)")
        }
        for sample in fragments.samples[track.id] ?? [] { body(sample.range, sample.description) }
    }

    // MARK: What nobody uses

    private mutating func clearUnused(_ used: [Range<UInt64>]) {
        let used = used.sorted { $0.lowerBound < $1.lowerBound }
        var index = 0
        for box in boxes where box.type == "mdat" {
            var position = box.content.lowerBound
            while index < used.count, used[index].upperBound <= position { index += 1 }
            var next = index
            while next < used.count, used[next].lowerBound < box.content.upperBound {
                if used[next].lowerBound > position { clearUnused(in: position..<used[next].lowerBound) }
                position = max(position, used[next].upperBound)
                next += 1
            }
            if position < box.content.upperBound { clearUnused(in: position..<box.content.upperBound) }
        }
    }

    private mutating func clearUnused(in range: Range<UInt64>) {
        clear(range, .space, "mdat", "media that no track shows, or of tracks that go")
    }
}

extension MovieTrack {
    /// Whether there are no sample tables, as in movies of fragments alone.
    fileprivate func hasNoSamples(_ reader: BoxReader) -> Bool {
        guard let sizes = tableBoxes.first(where: { $0.type == "stsz" || $0.type == "stz2" }) else { return true }
        return reader.bytes(of: sizes, limit: 12).bigEndian32(at: 8) ?? 0 == 0
    }
}
