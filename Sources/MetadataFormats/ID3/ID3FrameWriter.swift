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
