internal import MediaIO
internal import MediaMetadata

/// The three letters for a language in comments and lyrics.
enum ID3Language {
    /// What stands for a language that is not known.
    static let unknown = "XXX"

    static func code(of tag: String?) -> String {
        let code = LanguageCodes.iso639(of: tag)
        return code == "und" ? unknown : code
    }
}

extension ID3Frame {
    /// What the content says, as bytes where limits are passed.
    func decodedEntries(_ limits: ID3Limits) -> [MetadataEntry] {
        let kind = ID3FrameKind(identifier)
        guard kind != .chapter || obstacle != nil else { return [] }
        var entries = (obstacle == nil ? readableEntries(kind, limits) : nil) ?? [storedEntry(isRaw: kind != .data)]
        if let group {
            for index in entries.indices { entries[index].extras[.frameGroup] = .integer(Int64(group)) }
        }
        return entries
    }

    private func entry(
        _ value: MetadataValue, _ extras: [AVMetadataExtraAttributeKey: MetadataValue] = [:]
    ) -> MetadataEntry {
        MetadataEntry(.id3, ID3FrameNames.key(of: identifier), value, extras: extras)
    }

    private func storedEntry(isRaw: Bool) -> MetadataEntry {
        var entry = entry(.data(Array(content)))
        if let obstacle {
            entry.extras[.frameEncoding] = .text(obstacle.rawValue)
            entry.extras[.frameFlags] = .text("2.\(version.rawValue) \(formatFlags)")
        } else if isRaw {
            entry.extras[.frameEncoding] = .text("raw")
        }
        return entry
    }

    private func readableEntries(_ kind: ID3FrameKind, _ limits: ID3Limits) -> [MetadataEntry]? {
        guard !kind.isText || content.count <= min(ID3Limits.textLength, limits.textLength) else { return nil }
        let limit = min(ID3Limits.frameValues, limits.values)
        switch kind {
        case .text: return textEntries(limit: limit)
        case .userText: return userTextEntries(limit: limit)
        case .link: return linkEntries()
        case .userLink: return userLinkEntries()
        case .comment, .termsOfUse: return commentEntries(hasDescription: kind == .comment, limit: limit)
        case .picture: return pictureEntry.map { [$0] }
        case .data, .chapter: return nil
        }
    }

    // MARK: Text

    /// Reads what follows the byte of the encoding; `nil` if it names none.
    private func reader() -> ID3TextReader? {
        guard let first = content.first, let encoding = ID3TextEncoding(rawValue: first) else { return nil }
        return ID3TextReader(encoding, content.dropFirst())
    }

    private func textEntries(limit: Int) -> [MetadataEntry]? {
        guard !content.isEmpty else { return [entry(.text(""))] }
        guard var reader = reader(), let texts = reader.all(limit: limit) else { return nil }
        return texts.map { entry(.text($0)) }
    }

    private func userTextEntries(limit: Int) -> [MetadataEntry]? {
        guard var reader = reader() else { return nil }
        let description = reader.terminated() ?? ""
        guard let texts = values(reader, sharing: description, limit) else { return nil }
        return texts.map { entry(.text($0), [.info: .text(description)]) }
    }

    /// The texts that remain; `nil` if there are too many of them.
    private func values(_ reader: ID3TextReader, sharing description: String, _ limit: Int) -> [String]? {
        var reader = reader
        return reader.all(limit: description.utf8.count <= ID3Limits.sharedLength ? limit : min(limit, 1))
    }

    private func linkEntries() -> [MetadataEntry]? {
        // iTunes writes the address of a podcast like text, with a byte for the encoding.
        if let first = content.first, first < 4 { return textEntries(limit: 1) }
        return [entry(.text(String(latin1: content.prefix { $0 != 0 })))]
    }

    private func userLinkEntries() -> [MetadataEntry]? {
        guard var reader = reader(), let description = reader.terminated() else { return nil }
        return [entry(.text(String(latin1: reader.rest.prefix { $0 != 0 })), [.info: .text(description)])]
    }

    private func commentEntries(hasDescription: Bool, limit: Int) -> [MetadataEntry]? {
        guard content.count >= 4, var reader = reader() else { return nil }
        let code = String(latin1: reader.rest.prefix(3))
        reader.skip(3)
        let description = hasDescription ? reader.terminated() ?? "" : nil
        guard let texts = values(reader, sharing: description ?? "", limit) else { return nil }
        let tag = LanguageCodes.tag(ofISO639: code)
        return texts.map { text in
            var entry = entry(.text(text))
            entry.languageTag = tag
            if let description { entry.extras[.info] = .text(description) }
            if ID3Language.code(of: tag) != code { entry.extras[.languageCode] = .text(code) }
            return entry
        }
    }

    // MARK: Pictures

    private var pictureEntry: MetadataEntry? {
        guard var reader = reader() else { return nil }
        let type: String
        if identifier == "PIC" {
            guard reader.rest.count >= 3 else { return nil }
            type = ID3PictureFormat.mimeType(of: String(latin1: reader.rest.prefix(3)))
            reader.skip(3)
        } else {
            var names = ID3TextReader(.latin1, reader.rest)
            guard let name = names.terminated() else { return nil }
            type = name
            reader.skip(reader.rest.count - names.rest.count)
        }
        guard let number = reader.rest.first else { return nil }
        reader.skip(1)
        guard let description = reader.terminated() else { return nil }
        var entry = entry(
            .data(Array(reader.rest)),
            [
                .dataType: .text(type), .dataTypeNamespace: .text(MetadataDataType.mimeTypeNamespace),
                .info: .text(description),
                .pictureType: .text(PictureType.label(of: UInt32(number))),
            ])
        if type == ID3PictureFormat.link {
            let address = String(latin1: reader.rest.prefix { $0 != 0 })
            entry.value = .text(address)
            entry.extras[.valueURI] = .text(address)
        } else {
            entry.dataType =
                ID3PictureFormat.dataType(ofMIMEType: type) ?? MetadataDataType.ofPicture(Array(reader.rest.prefix(16)))
        }
        return entry
    }
}

/// Between the names of picture formats: three letters of ID3v2.2, MIME types, data types.
enum ID3PictureFormat {
    /// Stands for an address instead of a picture.
    static let link = "-->"

    static func mimeType(of format: String) -> String {
        switch format.uppercased() {
        case link: link
        case "JPG": "image/jpeg"
        default: "image/" + format.lowercased()
        }
    }

    /// The three letters for a MIME type.
    static func format(ofMIMEType type: String) -> String {
        if type == link { return link }
        if dataType(ofMIMEType: type) == MetadataDataType.jpeg { return "JPG" }
        let name = type.split(separator: "/").last.map { $0.uppercased().filter(\.isASCII) } ?? ""
        return String((name + "   ").prefix(3))
    }

    /// The data type of a MIME type or of what programs write instead of one: `jpg`.
    static func dataType(ofMIMEType type: String) -> String? {
        switch type.lowercased() {
        case "image/pjpeg": MetadataDataType.jpeg
        case "image/x-bmp": MetadataDataType.bmp
        case let type: MetadataDataType.ofPicture(mimeType: type.contains("/") ? type : "image/" + type)
        }
    }
}

/// Dates as the versions of ID3v2 store them: one text from version 2.4 on,
/// year, day and time apart before.
enum ID3Dates {
    /// Year, day and time.
    private static let separate = ["TYER", "TDAT", "TIME"]

    /// Entries with those whose frames a version does not know in the form that it knows.
    ///
    /// Only what loses nothing by it is changed, and nothing that the file has already.
    static func adapted(_ entries: [ID3WantedEntry], to version: ID3Version) -> [ID3WantedEntry] {
        let names = Set(entries.map { ID3FrameNames.longName(of: $0.entry.key) })
        var result = entries
        for index in result.indices where result[index].origin == nil {
            rename(&result[index].entry, to: version, names)
        }
        if version == .v24, !names.contains("TDRC") { join(&result) }
        if version < .v24, names.isDisjoint(with: separate) { split(&result) }
        return result
    }

    /// Gives what is called otherwise in another version its name there.
    private static func rename(_ entry: inout MetadataEntry, to version: ID3Version, _ names: Set<String>) {
        let pairs = version == .v24 ? ["TORY": "TDOR", "IPLS": "TIPL"] : ["TDOR": "TORY", "TIPL": "IPLS"]
        guard let name = pairs[ID3FrameNames.longName(of: entry.key)], !names.contains(name) else { return }
        // A whole date does not fit into a year.
        let isDate = name == "TORY" || name == "TDOR"
        if !isDate || entry.text.map(isYear) == true { entry.key = .text(name) }
    }

    /// Makes `TDRC` of year, day and time.
    private static func join(_ entries: inout [ID3WantedEntry]) {
        let places = separate.map { name in
            entries.indices.filter { ID3FrameNames.longName(of: entries[$0].entry.key) == name }
        }
        guard places.allSatisfy({ $0.count <= 1 }), let year = places[0].first, entries[year].origin == nil,
            var text = entries[year].entry.text, isYear(text)
        else { return }
        var used: [Int] = []
        if let day = places[1].first, let digits = entries[day].entry.text, isYear(digits) {
            text += "-\(digits.suffix(2))-\(digits.prefix(2))"
            used.append(day)
            if let time = places[2].first, let digits = entries[time].entry.text, isYear(digits) {
                text += "T\(digits.prefix(2)):\(digits.suffix(2))"
                used.append(time)
            }
        }
        entries[year].entry.key = .text("TDRC")
        entries[year].entry.value = .text(text)
        for index in used.sorted(by: >) { entries.remove(at: index) }
    }

    /// Makes year, day and time of `TDRC`.
    private static func split(_ entries: inout [ID3WantedEntry]) {
        let places = entries.indices.filter { entries[$0].entry.key == .text("TDRC") }
        guard places.count == 1, let index = places.first, entries[index].origin == nil,
            let text = entries[index].entry.text, let parts = parts(of: text)
        else { return }
        let wanted = entries[index]
        let replacements = zip(separate, parts).map { name, part in
            var wanted = wanted
            wanted.entry.key = .text(name)
            wanted.entry.value = .text(part)
            return wanted
        }
        entries.replaceSubrange(index...index, with: replacements)
    }

    /// `2004`, `1203`, `1530` of `2004-03-12T15:30`; `nil` if that would lose something.
    private static func parts(of date: String) -> [String]? {
        let shape = String(date.map { $0.isASCII && $0.isNumber ? "0" : $0 })
        let digits = date.filter(\.isNumber)
        let year = String(digits.prefix(4))
        let day = String(digits.dropFirst(6).prefix(2) + digits.dropFirst(4).prefix(2))
        switch shape {
        case "0000": return [year]
        case "0000-00-00": return [year, day]
        case "0000-00-00T00:00": return [year, day, String(digits.suffix(4))]
        default: return nil
        }
    }

    /// Whether a text is four digits.
    private static func isYear(_ text: String) -> Bool {
        text.utf8.count == 4 && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
