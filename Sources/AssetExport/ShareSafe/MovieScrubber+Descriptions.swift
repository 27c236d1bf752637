internal import MediaContainers
internal import MediaIO
internal import MediaMetadata
internal import MetadataFormats

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
            return details.note(PrivateDetail(kind, "\(place)/\(entry.type)/\(child.type)", reason))
        }
        guard ["avcC", "hvcC", "lhvC", "av1C", "esds", "glbl"].contains(child.type) else { return }
        let bytes = reader.bytes(of: child)
        guard let scrubber = SampleScrubber(codec: entry.type.description, configuration: bytes) else { return }
        for patch in scrubber.patches(inConfiguration: bytes) {
            overlay.replace(at: child.content.lowerBound + UInt64(patch.offset), with: patch.bytes)
            details.note(PrivateDetail(.message, "\(place)/\(entry.type)/\(child.type)", patch.reason))
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
