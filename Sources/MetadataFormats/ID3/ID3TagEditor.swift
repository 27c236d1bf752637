internal import MediaMetadata

/// An entry that a new tag is to have.
struct ID3WantedEntry {
    var entry: MetadataEntry
    /// The old frame that holds it, and the place within this one; `nil` for a new or changed entry.
    var origin: (frame: Int, place: Int)?
}

/// Makes the frames of a new tag from those of an old one and the entries that are wanted.
struct ID3TagEditor {
    let writer: ID3FrameWriter
    /// What the tag could not hold.
    private(set) var losses: [MetadataLoss] = []
    /// The old frames that can be taken over.
    private let frames: [ID3Frame]

    /// - Parameter frames: The old frames; those of other versions cannot be taken over.
    init(writer: ID3FrameWriter, frames: [ID3Frame]) {
        self.writer = writer
        self.frames = frames.filter { $0.version == writer.version }
    }

    /// Adds the frames of entries, one after the other.
    mutating func append(_ entries: [MetadataEntry], to bytes: inout [UInt8]) {
        let old = frames.indices.flatMap { frame in
            frames[frame].entries.enumerated().map { (entry: $0.element, origin: (frame: frame, place: $0.offset)) }
        }
        var wanted: [ID3WantedEntry] = []
        for (entry, place) in zip(entries, EntryMatches.places(of: entries, in: old.map(\.entry))) {
            if let entry = checked(ID3WantedEntry(entry: entry, origin: place.map { old[$0].origin })) {
                wanted.append(entry)
            }
        }
        wanted = ID3Dates.adapted(wanted, to: writer.version)
        var start = 0
        while start < wanted.count {
            var end = start + 1
            while end < wanted.count, Self.isShared(wanted[start].entry, wanted[end].entry) { end += 1 }
            append(wanted[start..<end], to: &bytes)
            start = end
        }
    }

    /// The entry as ID3 can hold it, `nil` if it is none of its.
    private mutating func checked(_ wanted: ID3WantedEntry) -> ID3WantedEntry? {
        var entry = wanted.entry
        guard entry.keySpace == .id3 else {
            lose(entry, "ID3 tags hold keys of ID3 only")
            return nil
        }
        guard wanted.origin == nil else { return wanted }
        entry.extras[.tag] = nil
        let kind = ID3FrameKind(entry.key.text)
        if entry.languageTag != nil, kind != .comment, kind != .termsOfUse {
            lose(entry, "the language is not kept: frames of this kind have none")
            entry.languageTag = nil
        }
        if case .text(let text) = entry.value, text.utf8.contains(0) {
            lose(entry, "zero characters are left out, as they divide values")
            entry.value = .text(String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\0" })))
        }
        if let info = entry.info { entry.extras[.info] = .text(String(info.prefix { $0 != "\0" })) }
        return ID3WantedEntry(entry: entry)
    }

    /// Whether two entries belong in one frame.
    private static func isShared(_ first: MetadataEntry, _ second: MetadataEntry) -> Bool {
        guard first.key == second.key, ID3FrameKind(first.key.text).isList, first.languageTag == second.languageTag,
            first.extras == second.extras
        else { return false }
        if case .data = first.value { return false }
        if case .data = second.value { return false }
        return true
    }

    private mutating func append(_ run: ArraySlice<ID3WantedEntry>, to bytes: inout [UInt8]) {
        if let old = unchangedFrames(run) {
            for index in old { bytes += frames[index].bytes }
            return
        }
        do {
            bytes += try writer.frame(of: run.map(\.entry))
        } catch {
            for wanted in run { lose(wanted.entry, error.reason) }
        }
    }

    /// The old frames that hold exactly these entries, `nil` if there are none.
    private func unchangedFrames(_ run: ArraySlice<ID3WantedEntry>) -> [Int]? {
        var indexes: [Int] = []
        var place = 0
        for wanted in run {
            guard let origin = wanted.origin, origin.place == place, place == 0 || origin.frame == indexes.last else {
                return nil
            }
            if place == 0 { indexes.append(origin.frame) }
            place = place + 1 == frames[origin.frame].entries.count ? 0 : place + 1
        }
        return place == 0 ? indexes : nil
    }

    private mutating func lose(_ entry: MetadataEntry, _ reason: String) {
        losses.append(MetadataLoss(item: entry.identifier.rawValue, reason: reason))
    }
}
