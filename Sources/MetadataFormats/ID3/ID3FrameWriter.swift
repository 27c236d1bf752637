internal import MediaIO
internal import MediaMetadata

/// Why a version of ID3v2 cannot hold something, in one line.
struct ID3Refusal: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
}

/// Makes frames of one version.
struct ID3FrameWriter {
    let version: ID3Version
    /// Whether frames of version 2.4 are to be unsynchronised; in older versions the whole tag is.
    let isUnsynchronized: Bool

    /// A frame with its header.
    func frame(_ identifier: String, _ content: [UInt8], group: UInt8? = nil) throws(ID3Refusal) -> [UInt8] {
        var flags: UInt8 = 0
        var body: [UInt8] = []
        if let group, version > .v22 {
            flags |= version == .v24 ? 0x40 : 0x20
            body.append(group)
        }
        let stored = version == .v24 && isUnsynchronized ? ID3Unsynchronization.added(to: content) : content
        if stored.count != content.count {
            flags |= 3
            body += ID3Size.bytes(content.count)
        }
        return try frame(identifier, flags: flags, body: body + stored)
    }

    private func frame(_ identifier: String, flags: UInt8, body: [UInt8]) throws(ID3Refusal) -> [UInt8] {
        guard body.count <= version.maximumFrameSize else { throw ID3Refusal("it is too large for one frame") }
        var frame = Array(identifier.utf8)
        switch version {
        case .v22: frame += [UInt8](bigEndianSize: body.count).dropFirst()
        case .v23: frame += [UInt8](bigEndianSize: body.count) + [0, flags]
        case .v24: frame += ID3Size.bytes(body.count) + [0, flags]
        }
        return frame + body
    }

    /// The frame of some entries that differ in their values only.
    func frame(of entries: [MetadataEntry]) throws(ID3Refusal) -> [UInt8] {
        guard let first = entries.first else { return [] }
        guard let identifier = ID3FrameNames.identifier(of: first.key, in: version) else {
            throw ID3Refusal("ID3v2.\(version.rawValue) has no such frame")
        }
        if case .text(let encoding) = first.extras[.frameEncoding], encoding != "raw" {
            return try storedFrame(identifier, of: first)
        }
        var group: UInt8?
        if case .integer(let number) = first.extras[.frameGroup] { group = UInt8(exactly: number) }
        return try frame(identifier, content(identifier, of: first, entries), group: group)
    }

    /// A frame whose content is known only as it is stored, compressed or encrypted.
    private func storedFrame(_ identifier: String, of entry: MetadataEntry) throws(ID3Refusal) -> [UInt8] {
        guard case .data(let body) = entry.value, case .text(let text) = entry.extras[.frameFlags] else {
            throw ID3Refusal("a compressed or encrypted frame needs its bytes and flags")
        }
        let parts = text.split(separator: " ")
        guard parts.count == 2, parts[0] == "2.\(version.rawValue)", let flags = UInt8(parts[1]) else {
            throw ID3Refusal("a compressed or encrypted frame cannot change its version")
        }
        return try frame(identifier, flags: flags, body: body)
    }

    // MARK: Content

    private func content(
        _ identifier: String, of first: MetadataEntry, _ entries: [MetadataEntry]
    ) throws(ID3Refusal) -> [UInt8] {
        let kind = ID3FrameKind(identifier)
        if case .data(let bytes) = first.value {
            guard kind == .picture, first.extras[.frameEncoding] == nil else { return bytes }
            return try picture(identifier, bytes, of: first)
        }
        let texts = entries.compactMap(\.asText)
        switch kind {
        case .text: return listContent(texts)
        case .userText: return listContent([first.info ?? ""] + texts)
        case .comment, .termsOfUse: return comment(texts, of: first, hasDescription: kind == .comment)
        case .link:
            return identifier == "WFED" || identifier == "WFD" ? listContent(texts) : try address(texts)
        case .userLink:
            let encoding = ID3TextEncoding(for: [first.info ?? ""], version: version)
            return try [encoding.rawValue] + encoding.bytes(first.info ?? "") + encoding.terminator + address(texts)
        case .picture:
            guard first.isLink else { throw ID3Refusal("a picture needs its bytes") }
            return try picture(identifier, address(texts), of: first)
        case .data: throw ID3Refusal("this frame holds bytes, not text")
        case .chapter: throw ID3Refusal("chapters are no entries")
        }
    }

    /// Texts with zero characters between them.
    private func listContent(_ texts: [String]) -> [UInt8] {
        let encoding = ID3TextEncoding(for: texts, version: version)
        return [encoding.rawValue] + texts.map(encoding.bytes).joined(separator: encoding.terminator)
    }

    private func comment(_ texts: [String], of entry: MetadataEntry, hasDescription: Bool) -> [UInt8] {
        let texts = (hasDescription ? [entry.info ?? ""] : []) + texts
        let encoding = ID3TextEncoding(for: texts, version: version)
        var code = ID3Language.code(of: entry.languageTag)
        if case .text(let stored) = entry.extras[.languageCode], stored.latin1?.count == 3,
            LanguageCodes.tag(ofISO639: stored) == entry.languageTag
        {
            code = stored
        }
        return [encoding.rawValue] + (code.latin1 ?? Array(ID3Language.unknown.utf8))
            + texts.map(encoding.bytes).joined(separator: encoding.terminator)
    }

    private func address(_ texts: [String]) throws(ID3Refusal) -> [UInt8] {
        guard texts.count == 1, let bytes = texts[0].latin1 else {
            throw ID3Refusal("an address in ID3 is one text of ISO 8859-1")
        }
        return bytes
    }

    private func picture(_ identifier: String, _ bytes: [UInt8], of entry: MetadataEntry) throws(ID3Refusal) -> [UInt8]
    {
        var type = MetadataDataType.mimeType(of: entry.dataType ?? MetadataDataType.ofPicture(bytes)) ?? "image/"
        if case .text(let text) = entry.extras[.dataType], text == ID3PictureFormat.link || text.contains("/") {
            type = text
        }
        if entry.isLink { type = ID3PictureFormat.link }
        var number: UInt8 = 3
        if case .text(let label) = entry.extras[.pictureType] {
            number = PictureType.number(of: label).flatMap(UInt8.init(exactly:)) ?? 0
        }
        let description = entry.info ?? ""
        let encoding = ID3TextEncoding(for: [description], version: version)
        let name = identifier == "PIC" ? ID3PictureFormat.format(ofMIMEType: type).latin1 : type.latin1.map { $0 + [0] }
        guard let name, name.dropLast().allSatisfy({ $0 != 0 }) else { throw ID3Refusal("its MIME type is none") }
        return [encoding.rawValue] + name + [number] + encoding.bytes(description) + encoding.terminator + bytes
    }
}

extension MetadataEntry {
    /// The value if it is text or a number.
    fileprivate var asText: String? {
        switch value {
        case .text(let text): text
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .data: nil
        }
    }

    /// Whether the value is the address of a picture.
    fileprivate var isLink: Bool {
        text != nil && (extras[.valueURI] != nil || extras[.dataType] == .text(ID3PictureFormat.link))
    }
}

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
        if let info = entry.info, info.utf8.contains(0) {
            lose(entry, "its description ends at its first zero character")
            entry.extras[.info] = .text(String(info.prefix { $0 != "\0" }))
        }
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
