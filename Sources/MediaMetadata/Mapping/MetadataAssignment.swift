/// A name and a value that somebody typed: `title=Foo`.
package struct MetadataAssignment: Hashable, Sendable {
    package var name: MetadataName
    /// The text after the equals sign; empty to remove what the name says.
    package var value: String

    package init(_ name: MetadataName, _ value: String) { (self.name, self.value) = (name, value) }

    /// Reads `NAME=VALUE`.
    package init(_ text: String) throws(MetadataNameError) {
        // The description in brackets may have an equals sign of its own.
        var start = text.startIndex
        if text.hasPrefix("id3/"), let bracket = text.firstIndex(where: { $0 == "[" || $0 == "=" }),
            text[bracket] == "[",
            let end = text.firstRange(of: "]=")
        {
            start = end.lowerBound
        }
        guard let sign = text[start...].firstIndex(of: "=") else {
            throw MetadataNameError("“\(text)” has no equals sign: write NAME=VALUE, like title=Foo")
        }
        self.init(try MetadataName(String(text[..<sign])), String(text[text.index(after: sign)...]))
    }

    /// A file's entries after assignments.
    ///
    /// A field reaches all entries that hold it, in every key space; an identifier changes that key alone. A name that
    /// stands several times gets several values. `track=3` keeps the number of tracks, `track=/12` that of the track.
    ///
    /// - Throws: `MetadataNameError` if a value is not of its field's form, or the file cannot have the key.
    package static func apply(
        _ assignments: [MetadataAssignment], to entries: [MetadataEntry], in container: FileMetadata.Container
    ) throws(MetadataNameError) -> MetadataEdit {
        var editor = MetadataEditor(entries, in: container)
        var done: Set<MetadataName> = []
        for assignment in assignments where done.insert(assignment.name).inserted {
            let texts = assignments.filter { $0.name == assignment.name && !$0.value.isEmpty }.map(\.value)
            switch assignment.name {
            case .field(.handler):
                throw MetadataNameError("a handler is what a track of an MP4 or QuickTime file has: use --track")
            case .field(.headerDate):
                throw MetadataNameError(
                    "the header's date is changed by 'metadata set' in a finished MP4, MOV or MKV file")
            case .field(let field): try editor.assign(texts, to: field)
            case .key(.common, let key, _):
                guard let field = MetadataFieldTable.field(of: AVMetadataKey(rawValue: key.text)) else { continue }
                try editor.assign(texts, to: field)
            case .key(let keySpace, let key, let info):
                guard container.keySpaces.contains(keySpace) else {
                    let known = container.keySpaces.map { $0.prefix + "/" }.joined(separator: ", ")
                    throw MetadataNameError(
                        "the file cannot hold \(assignment.name.text): its identifiers begin with \(known)")
                }
                try editor.assign(texts, to: key, of: keySpace, info: info)
            }
        }
        return editor.edit
    }
}

extension MetadataEditor {
    /// Sets a field to what somebody typed.
    mutating func assign(_ texts: [String], to field: MetadataField) throws(MetadataNameError) {
        var values: [MetadataFieldValue] = []
        for text in texts { values.append(MetadataFieldValue(try TypedValue.text(text, for: field))) }
        if MetadataFieldTable.row(field)?.kind == .pair, let text = values.first?.text {
            values = [MetadataFieldValue(completed(text, field))]
        }
        set(.field(field), to: values)
    }

    /// A pair of which only one number was typed, with the other one that the file has.
    private func completed(_ text: String, _ field: MetadataField) -> String {
        let old = MediaItemReader(entries).text(field).flatMap(NumberPair.init)
        guard let old, var pair = NumberPair(text) else { return text }
        if !text.contains("/") { pair.total = old.total }
        if text.hasPrefix("/") { pair.number = old.number }
        return pair.text
    }

    /// Sets one key to what somebody typed, and leaves other keys alone.
    mutating func assign(
        _ texts: [String], to key: MetadataKey, of keySpace: AVMetadataKeySpace, info: String?
    ) throws(MetadataNameError) {
        let indices = entries.indices.filter { index in
            let entry = entries[index]
            return entry.keySpace == keySpace && entry.key == key && (info == nil || entry.info == info)
        }
        guard !texts.isEmpty else { return replace([(indices, [])]) }
        let old = indices.map { entries[$0] }
        let extras: [AVMetadataExtraAttributeKey: MetadataValue] = info.map { [.info: .text($0)] } ?? [:]
        let template = old.first ?? MetadataEntry(keySpace, key, .text(""), extras: extras)
        let new = try usual(template, texts) ?? texts.map { plain(template, $0) }
        replace([(indices, new)])
    }

    /// Entries in the form that the key usually has, `nil` if that is not known.
    private func usual(_ template: MetadataEntry, _ texts: [String]) throws(MetadataNameError) -> [MetadataEntry]? {
        guard case .field(let field)? = EntryMeaning(template, MatroskaLevels(entries))?.meaning else { return nil }
        // A title goes into the header as well, which is not what an identifier asks for.
        guard template.keySpace != .matroska || field != .title else { return nil }
        var values: [MetadataFieldValue] = []
        for text in texts { values.append(MetadataFieldValue(try TypedValue.text(text, for: field))) }
        let outcome = placement.writer(template.keySpace.folded).write(.field(field), values, replacing: [template])
        let same = outcome.entries.filter { $0.keySpace == template.keySpace && $0.key == template.key }
        return same.count == outcome.entries.count && !same.isEmpty ? same : nil
    }

    /// An entry of text, or of a number where one was before.
    private func plain(_ template: MetadataEntry, _ text: String) -> MetadataEntry {
        var entry = template
        switch template.value {
        case .integer: if let number = Int64(text) { entry.value = .integer(number) } else { entry.value = .text(text) }
        case .real: if let number = Double(text) { entry.value = .real(number) } else { entry.value = .text(text) }
        default: entry.value = .text(text)
        }
        if case .text = entry.value {
            let hasTypes =
                template.keySpace.hasCodes || [.iTunesFreeForm, .quickTimeMetadata].contains(template.keySpace)
            if template.text == nil || entry.dataType == nil { entry.dataType = hasTypes ? MetadataDataType.utf8 : nil }
            if template.text == nil {
                entry.extras = entry.extras.filter { ![.dataType, .dataTypeNamespace].contains($0.key) }
            }
        }
        return entry
    }
}

/// Checks what somebody typed for a field.
enum TypedValue {
    /// The text in the form that all key spaces share.
    static func text(_ text: String, for field: MetadataField) throws(MetadataNameError) -> String {
        func wrong(_ hint: String) -> MetadataNameError {
            MetadataNameError("“\(text)” is no value for \(field.rawValue): \(hint)")
        }
        switch MetadataFieldTable.row(field)?.kind {
        case .picture: throw MetadataNameError("\(field.rawValue) is a picture, which cannot be written as text")
        case .flag:
            guard let flag = FieldText.flag(text) else { throw wrong("write yes or no") }
            return flag ? "1" : "0"
        case .integer:
            guard FieldWriter.number(text, .integer) != nil else { throw wrong("write a number") }
            return text
        case .pair:
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            let isPair =
                parts.count <= 2 && parts.contains { !$0.isEmpty }
                && parts.allSatisfy { $0.isEmpty || (Int($0) ?? -1) >= 0 }
            guard isPair else { throw wrong("write 3, 3/12 or /12") }
            // Most formats say by it that there is no number.
            guard !parts.contains(where: { Int($0) == 0 }) else {
                throw wrong("numbers begin with 1, and an empty value removes them")
            }
            return text
        case .date:
            guard let date = DateText(text), isTimeEnd(date) else {
                throw wrong("write 2004, 2004-05-06 or 2004-05-06T07:08:09Z")
            }
            guard date.isInCalendar else { throw wrong("the month has no such day") }
            return text
        case .mediaType: return try name(text, CodedNames.mediaTypes, wrong)
        case .advisory: return try name(text, CodedNames.advisories, wrong)
        case .location:
            guard let place = GeographicText.iso6709(text) else {
                throw wrong("write latitude and longitude, like 48.8577,2.2950 or +48.8577+002.2950/")
            }
            return place
        default: return text
        }
    }

    private static func name(
        _ text: String, _ names: CodedNames, _ wrong: (String) -> MetadataNameError
    ) throws(MetadataNameError) -> String {
        guard let number = names.number(of: text) else {
            throw wrong("write one of \(names.all.joined(separator: ", "))")
        }
        return names.name(of: number)
    }

    /// Whether what follows the minute is seconds, a time zone, or both.
    private static func isTimeEnd(_ date: DateText) -> Bool {
        if date.rest.isEmpty { return true }
        guard date.minute != nil else { return false }
        return date.rest.wholeMatch(of: /(:[0-5][0-9]([.,][0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?/) != nil
    }
}
