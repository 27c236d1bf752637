internal import MediaContainers
internal import MediaEngine
internal import MediaIO
internal import MediaMetadata
internal import MetadataFormats

/// A file without what tells about people, places and devices: what becomes of its bytes, and what goes.
///
/// Items of metadata are no part of this: `MetadataSharing` and the formats' writers see to them beforehand.
struct FileScrub: Sendable {
    /// What changes; nothing moves.
    var overlay = FileOverlay()
    /// What goes, with its place.
    var details: [PrivateDetail] = []
    /// A track whose coded pictures cannot be looked through, so that the file cannot be shared as it is.
    private(set) var opaque: String?
    /// Numbers of the tracks that go.
    private var removedTracks: Set<Int64> = []

    /// Looks through a file.
    ///
    /// - Parameter looksThroughSamples: Whether coded samples are read too, which takes as long as reading the file.
    /// - Throws: `MetadataError` if the file is damaged so that parts of it cannot be looked through.
    init(_ file: RandomAccessFile, looksThroughSamples: Bool = true) throws {
        switch (try? FileMetadata.format(reading: file))?.metadata.container.structure {
        case .boxes:
            var scrubber = try MovieScrubber(file)
            try scrubber.scrub(looksThroughSamples: looksThroughSamples)
            (overlay, details) = (scrubber.overlay, scrubber.details)
            (removedTracks, opaque) = (Set(scrubber.removed.map(Int64.init)), scrubber.opaque)
        case .elements:
            let scrub = try MatroskaScrub(file, looksThroughSamples: looksThroughSamples)
            (overlay, details, opaque) = (scrub.overlay, scrub.details, scrub.opaque)
        case .blocks:
            let scrub = SimpleFileScrub(file, looksThroughSamples: looksThroughSamples)
            (overlay, details, opaque) = (scrub.overlay, scrub.details, scrub.opaque)
        case .unknown, nil: break
        }
    }

    /// What goes of the file, its items of metadata included.
    func details(with metadata: FileMetadata) -> [PrivateDetail] {
        var result = metadata.privateDetails(withoutTracks: removedTracks)
        let hasCover = result.contains { $0.kind == .artwork }
        let hasItems = !result.isEmpty
        // Boxes of user data and covers are told as the items that they are.
        result.note(
            contentsOf: details.filter { detail in
                let isItem = detail.kind == .structure && detail.place.contains("udta/") && hasItems
                return !isItem && !(detail.kind == .artwork && hasCover)
            })
        if let opaque { result.note(PrivateDetail(.message, "\(opaque), samples", "cannot be looked through")) }
        return result
    }

    /// Fails if coded pictures cannot be looked through.
    func checkIsWhole() throws(MetadataError) {
        guard let opaque else { return }
        throw MetadataError(
            .unsupported,
            "\(opaque) cannot be looked through; 'avtool export --share-safe' with a preset that encodes anew makes a file "
                + "that can be shared")
    }

    /// The file without all that.
    func rewrite(of file: RandomAccessFile) -> FileRewrite { overlay.rewrite(of: file) }
}

extension FinishedOutput {
    /// The file without what tells about people, places, devices and moments, and what that was.
    func forSharing(readsSamples: Bool) throws -> (FinishedOutput, [PrivateDetail]) {
        let current = RandomAccessFile(rewrite, of: file)
        let scrub = try FileScrub(current, looksThroughSamples: readsSamples)
        return (changed(by: scrub.rewrite(of: current)), scrub.details)
    }

    /// What a movie holds and does not show.
    var hidden: [HiddenMaterial] { HiddenMaterial.of(RandomAccessFile(rewrite, of: file)) }
}

/// Where the samples of a movie's fragments lie.
///
/// Source: ISO/IEC 14496-12, 8.8.
struct FragmentSamples {
    struct Sample {
        var range: Range<UInt64>
        /// The number of its sample description, from 1.
        var description: Int
    }

    /// By the tracks' numbers.
    private(set) var samples: [UInt32: [Sample]] = [:]
    private var count = 0

    /// More samples than this are damage.
    private static let maximumSamples = 1 << 24

    private struct Defaults {
        var description = 1
        var size: UInt32 = 0
    }

    init(_ boxes: [Box], _ reader: BoxReader) {
        var defaults: [UInt32: Defaults] = [:]
        for movie in boxes where movie.type == "moov" {
            guard let list = reader.box(["mvex"], in: movie.content) else { continue }
            for box in reader.boxes(in: list.content) where box.type == "trex" {
                let bytes = reader.bytes(of: box, limit: 24)
                guard bytes.count >= 24, let id = bytes.bigEndian32(at: 4) else { continue }
                defaults[id] = Defaults(
                    description: Int(bytes.bigEndian32(at: 8) ?? 1), size: bytes.bigEndian32(at: 16) ?? 0)
            }
        }
        for fragment in boxes where fragment.type == "moof" { read(fragment, defaults, reader) }
    }

    private mutating func read(_ fragment: Box, _ defaults: [UInt32: Defaults], _ reader: BoxReader) {
        var end = fragment.start
        for track in reader.boxes(in: fragment.content) where track.type == "traf" {
            let inside = reader.boxes(in: track.content)
            guard let header = inside.first(where: { $0.type == "tfhd" }),
                case let table = TableBytes(bytes: reader.bytes(of: header, limit: 64)), table.bytes.count >= 8
            else { continue }
            let id = table.u32(4)
            var own = defaults[id] ?? Defaults()
            var at = 8
            var base = table.flags & 0x2_0000 != 0 ? fragment.start : end
            if table.flags & 1 != 0, table.bytes.count >= at + 8 {
                base = table.u64(at)
                at += 8
            }
            if table.flags & 2 != 0, table.bytes.count >= at + 4 {
                own.description = Int(table.u32(at))
                at += 4
            }
            if table.flags & 8 != 0 { at += 4 }
            if table.flags & 16 != 0, table.bytes.count >= at + 4 { own.size = table.u32(at) }
            var position = base
            for run in inside where run.type == "trun" {
                read(TableBytes(bytes: reader.bytes(of: run, limit: 64 << 20)), id, own, base, &position)
            }
            end = position
        }
    }

    private mutating func read(
        _ run: TableBytes, _ id: UInt32, _ defaults: Defaults, _ base: UInt64, _ position: inout UInt64
    ) {
        guard run.bytes.count >= 8 else { return }
        let flags = run.flags
        var at = 8
        if flags & 1 != 0, run.bytes.count >= at + 4 {
            position = base &+ UInt64(bitPattern: Int64(Int32(bitPattern: run.u32(at))))
            at += 4
        }
        if flags & 4 != 0 { at += 4 }
        let fields = [0x100, 0x200, 0x400, 0x800].filter { flags & UInt32($0) != 0 }
        let sizeOffset = flags & 0x100 != 0 ? 4 : 0
        for _ in 0..<Int(run.u32(4)) {
            guard at + fields.count * 4 <= run.bytes.count, count < Self.maximumSamples else { return }
            let size = flags & 0x200 != 0 ? run.u32(at + sizeOffset) : defaults.size
            let (end, overflow) = position.addingReportingOverflow(UInt64(size))
            guard !overflow else { return }
            if size > 0 {
                samples[id, default: []].append(Sample(range: position..<end, description: defaults.description))
            }
            position = end
            count += 1
            at += fields.count * 4
        }
    }
}
