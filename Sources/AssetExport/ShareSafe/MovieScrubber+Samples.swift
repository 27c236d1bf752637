internal import MediaContainers
internal import MediaIO
internal import MediaMetadata
internal import MetadataFormats

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
            details.note(PrivateDetail(.message, "track \(track.id), samples", patch.reason))
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
