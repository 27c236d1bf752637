internal import MediaCore

extension FieldWriter {
    // MARK: QuickTime and ISO

    func quickTimeMetadata(
        _ meaning: MetadataMeaning, _ row: MetadataFieldRow?, _ values: [MetadataFieldValue], _ old: [MetadataEntry]
    ) -> Outcome {
        guard let row else {
            return texts(
                values, .quickTimeMetadata, .text(old.first?.key.text ?? meaning.name),
                dataType: MetadataDataType.utf8, like: old)
        }
        // FFmpeg's names stay as they are.
        let oldKey = old.first.flatMap { $0.key.text.contains(".") ? nil : $0.key.text }
        guard let name = oldKey ?? keyName(row, replacing: old) else {
            return .nothing("QuickTime metadata has no key for it")
        }
        let key = MetadataKey.text(name)
        if row.kind == .picture {
            return typedPictures(values, .quickTimeMetadata, key)
        }
        if name == MetadataKey.quickTimePrefix + "year" { return year(key, values, old) }
        if row.kind == .location, let reason = notPlace(values) { return .nothing(reason) }
        return number(like: old.first, key, values) ?? single(values, row.kind, key, like: old)
    }

    /// A number where one stood before.
    private func number(
        like old: MetadataEntry?, _ key: MetadataKey, _ values: [MetadataFieldValue]
    ) -> Outcome? {
        guard let old, old.key == key, let text = values.first?.text else { return nil }
        switch old.value {
        case .integer:
            return Int64(text).map { Outcome(entries: [entry(keySpace, key, .integer($0), like: [old])]) }
        case .real:
            guard let number = Double(text) else { return nil }
            var entry = old
            entry.value = .real(number)
            return Outcome(entries: [entry])
        default: return nil
        }
    }

    private func year(_ key: MetadataKey, _ values: [MetadataFieldValue], _ old: [MetadataEntry]) -> Outcome {
        guard let text = values.first?.text, let year = DateText.year(in: text) else {
            return .nothing("the value is no year")
        }
        var outcome =
            number(like: old.first, key, [MetadataFieldValue(String(year))])
            ?? texts(
                [MetadataFieldValue(year.zeroPadded(to: 4))], .quickTimeMetadata, key,
                dataType: MetadataDataType.utf8, like: old)
        if text != year.zeroPadded(to: 4) { outcome.losses = ["of the date \(text) only the year fits"] }
        return outcome
    }

    private func notPlace(_ values: [MetadataFieldValue]) -> String? {
        values.allSatisfy { $0.text.map(GeographicText.isISO6709) == true } ? nil : "the value is no place in ISO 6709"
    }

    /// One entry a language.
    private func single(
        _ values: [MetadataFieldValue], _ kind: MetadataFieldRow.Kind, _ key: MetadataKey, like old: [MetadataEntry]
    ) -> Outcome {
        var languages: [String?] = []
        var groups: [String?: [MetadataFieldValue]] = [:]
        for value in values {
            if groups[value.languageTag] == nil { languages.append(value.languageTag) }
            groups[value.languageTag, default: []].append(value)
        }
        var merged: [MetadataFieldValue] = []
        var lost: [String] = []
        for language in languages {
            let group = groups[language] ?? []
            guard let text = joined(group, kind) else { continue }
            merged.append(MetadataFieldValue(text, languageTag: language))
            lost += losses(joining: group, kind)
        }
        guard !merged.isEmpty else { return .nothing(reason(notText: values)) }
        var outcome = texts(merged, keySpace, key, dataType: MetadataDataType.utf8, like: old)
        outcome.losses += lost
        return outcome
    }

    func userData(_ row: MetadataFieldRow?, _ values: [MetadataFieldValue], _ old: [MetadataEntry]) -> Outcome {
        // The same box may count as QuickTime's or as ISO's.
        guard let row, let name = keyName(row, replacing: old) ?? old.first?.key.text,
            let key = MetadataKey(fourCharacters: name), row.kind != .picture
        else { return .nothing("user data has no key for it") }
        switch name {
        case "yrrc", "urat":
            let text = values.first?.text ?? ""
            guard let number = name == "yrrc" ? DateText.year(in: text) : Int(text),
                (0...(name == "yrrc" ? 9999 : 255)).contains(number)
            else { return .nothing("the value is no number that fits") }
            let type = name == "yrrc" ? MetadataDataType.uint16 : MetadataDataType.uint8
            let entry = entry(keySpace, key, .integer(Int64(number)), dataType: type, like: old)
            return Outcome(
                entries: [entry], losses: String(number) == text ? [] : ["of the date \(text) only the year fits"])
        case "loci", "@xyz":
            if let reason = notPlace(values) { return .nothing(reason) }
        case "kywd":
            return texts(values, keySpace, key, dataType: MetadataDataType.utf8, like: old)
        default: break
        }
        return single(values, row.kind, key, like: old)
    }

    // MARK: Vorbis comments

    func vorbisComment(
        _ meaning: MetadataMeaning, _ row: MetadataFieldRow?, _ values: [MetadataFieldValue], _ old: [MetadataEntry]
    ) -> Outcome {
        guard let row else {
            let name = old.first?.key.text ?? meaning.name
            guard !name.isEmpty, name.utf8.allSatisfy({ (0x20...0x7D).contains($0) && $0 != UInt8(ascii: "=") }) else {
                return .nothing("Vorbis comments cannot have that name")
            }
            return texts(values.withoutLanguage, .vorbisComment, .text(name), like: old)
        }
        if row.kind == .picture {
            return Outcome(
                entries: values.compactMap(\.picture).map { picture in
                    MetadataEntry(
                        .vorbisComment, .text("METADATA_BLOCK_PICTURE"), .data(picture.data),
                        dataType: picture.dataType, extras: picture.extras)
                })
        }
        if row.kind == .pair { return pairs(row, values, old) }
        let oldName = old.first?.key.text
        return texts(values.withoutLanguage, .vorbisComment, .text(oldName ?? row.names.first ?? row.label), like: old)
    }

    /// The number and the total apart; in one text only where they were.
    private func pairs(_ row: MetadataFieldRow, _ values: [MetadataFieldValue], _ old: [MetadataEntry]) -> Outcome {
        guard let pair = values.first?.text.flatMap(NumberPair.init), let name = row.keys(in: keySpace).first,
            let total = row.totalKeys(in: keySpace).first
        else { return .nothing("the value is no number") }
        func isTotal(_ entry: MetadataEntry) -> Bool {
            MetadataFieldTable.meaning(ofName: entry.key.text)?.isTotal == true
        }
        let oldTotal = old.first(where: isTotal)
        let oldNumber = old.first { !isTotal($0) }
        let numberKey = oldNumber?.key ?? .text(name)
        var extras: [AVMetadataExtraAttributeKey: MetadataValue] = [:]
        if keySpace == .matroska, name == "PART_NUMBER", old.isEmpty { extras[.targetTypeValue] = .integer(30) }
        if oldTotal == nil, let text = oldNumber?.text, text.contains("/") {
            let value = MetadataValue.text(pair.text(like: text))
            return Outcome(entries: [entry(keySpace, numberKey, value, like: old)])
        }
        var entries: [MetadataEntry] = []
        if pair.number != nil {
            let text = NumberPair(number: pair.number).text(like: oldNumber?.text)
            entries.append(entry(keySpace, numberKey, .text(text), extras: extras, like: old))
        }
        if let count = pair.total {
            entries.append(
                entry(keySpace, oldTotal?.key ?? .text(total), .text(String(count)), extras: extras, like: old))
        }
        return Outcome(entries: entries)
    }

    // MARK: Matroska

    func matroska(
        _ meaning: MetadataMeaning, _ row: MetadataFieldRow?, _ values: [MetadataFieldValue], _ old: [MetadataEntry]
    ) -> Outcome {
        guard let row else { return matroskaCustom(old.first?.key ?? .text(meaning.name), values, old) }
        switch row.kind {
        case .picture: return attachments(values)
        case .pair: return pairs(row, values, old)
        default: break
        }
        // A title stands in the header, where players look for it, and may stand in tags too.
        if row.field == .title {
            guard !old.isEmpty else {
                let value = joined(values, .text).map { MetadataValue.text($0) } ?? .text("")
                return Outcome(entries: [
                    MetadataEntry(
                        .matroska, .text("TITLE"), value, dataType: MetadataDataType.utf8,
                        extras: [.element: .text(MatroskaElementName.title)])
                ])
            }
            return titles(values, old)
        }
        let key = old.first?.key ?? .text(row.keys(in: .matroska).first ?? row.label)
        return texts(values, .matroska, key, dataType: MetadataDataType.utf8, like: old)
    }

    /// The title of the header, which players show, and that of a tag if there was one.
    private func titles(_ values: [MetadataFieldValue], _ old: [MetadataEntry]) -> Outcome {
        var outcome = Outcome()
        if let text = joined(values, .text) {
            var header =
                old.first { $0.extras[.element] != nil }
                ?? MetadataEntry(
                    .matroska, .text("TITLE"), .text(text), dataType: MetadataDataType.utf8,
                    extras: [.element: .text(MatroskaElementName.title)])
            header.value = .text(text)
            outcome.entries.append(header)
        }
        if let tag = old.first(where: { $0.extras[.element] == nil }) {
            outcome.entries += texts(values, .matroska, tag.key, like: [tag]).entries
        }
        return outcome
    }

    private func matroskaCustom(
        _ key: MetadataKey, _ values: [MetadataFieldValue], _ old: [MetadataEntry]
    ) -> Outcome {
        let entries = values.compactMap { value -> MetadataEntry? in
            switch value.content {
            case .text(let text):
                entry(
                    .matroska, key, .text(text), dataType: MetadataDataType.utf8, languageTag: value.languageTag,
                    like: old)
            case .data(let bytes): entry(.matroska, key, .data(bytes), like: old)
            case .picture: nil
            }
        }
        return Outcome(entries: entries, losses: entries.isEmpty ? [reason(notText: values)] : [])
    }

    /// Attached files, which have a description but do not say what they show.
    private func attachments(_ values: [MetadataFieldValue]) -> Outcome {
        var outcome = Outcome()
        for picture in values.compactMap(\.picture) {
            var extras = picture.extras
            extras[.pictureType] = nil
            extras[.element] = .text(MatroskaElementName.attachedFile)
            if picture.coverRank == 0, let type = picture.type {
                if picture.description?.isEmpty ?? true {
                    extras[.info] = .text(type)
                } else {
                    outcome.losses.append("what the picture shows is not kept: \(type)")
                }
            }
            outcome.entries.append(
                MetadataEntry(
                    .matroska, .text(MatroskaElementName.coverKey), .data(picture.data), dataType: picture.dataType,
                    extras: extras))
        }
        return outcome
    }

    // MARK: Audio file properties

    func audioFile(
        _ meaning: MetadataMeaning, _ row: MetadataFieldRow?, _ values: [MetadataFieldValue], _ old: [MetadataEntry]
    ) -> Outcome {
        var name = old.first?.key.text
        if let row {
            name = row.kind == .picture ? nil : name ?? style.properties.names(row).first
        } else if EntryMeaning.isProperty(meaning.name), style.properties.mayBeCustom {
            name = meaning.name
        }
        guard let name else { return .nothing("the file has no place for it") }
        guard let text = joined(values, row?.kind) else { return .nothing(reason(notText: values)) }
        return Outcome(
            entries: [entry(.audioFile, .text(name), .text(text), like: old)],
            losses: losses(joining: values, row?.kind))
    }
}
