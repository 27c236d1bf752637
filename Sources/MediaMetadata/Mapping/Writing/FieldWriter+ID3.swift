internal import MediaCore

extension FieldWriter {
    func id3(
        _ meaning: MetadataMeaning, _ row: MetadataFieldRow?, _ values: [MetadataFieldValue], _ old: [MetadataEntry]
    ) -> Outcome {
        guard let row else { return customFrame(meaning.name, values, old) }
        switch row.kind {
        case .picture: return pictures(values, old)
        case .date where row.field == .date: return dates(row, values, old)
        case .genre: return genres(values, old)
        default: break
        }
        let names = row.keys(in: .id3).map { name in
            // What only version 2.4 has a frame for.
            name == "TDOR" && version != .v24 ? "TORY" : name
        }
        let oldNames = Set(old.map { ID3FrameNames.longName(of: $0.key) })
        guard let name = names.first(where: oldNames.contains) ?? names.first else {
            return userText(row.label, values, old)
        }
        let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if parts.count == 2 { return described(parts[0], parts[1], row, values, old) }
        guard let key = ID3FrameNames.key(name, in: version) else { return userText(row.label, values, old) }
        var values = values
        if row.kind == .pair, let pair = values.first?.text.flatMap(NumberPair.init) {
            values = [MetadataFieldValue(pair.text(like: old.first?.text))]
        }
        if name == "TORY" { return years(key, values, old) }
        return texts(values.withoutLanguage, .id3, key, like: old)
    }

    // MARK: Frames with descriptions

    private func described(
        _ frame: String, _ description: String, _ row: MetadataFieldRow, _ values: [MetadataFieldValue],
        _ old: [MetadataEntry]
    ) -> Outcome {
        switch frame {
        case "TIPL": return people(version == .v24 ? "TIPL" : "IPLS", role: description, values)
        case "UFID":
            guard let id = values.first?.text, let key = ID3FrameNames.key(frame, in: version) else {
                return .nothing("the value is no text")
            }
            let bytes = Array(description.utf8) + [0] + Array(id.utf8)
            return Outcome(
                entries: [entry(.id3, key, .data(bytes), like: old)], losses: values.count > 1 ? ["only one fits"] : [])
        case "TXXX": return userText(description, values, old)
        default:
            guard let key = ID3FrameNames.key(frame, in: version) else {
                return .nothing("the version of ID3 has no \(frame)")
            }
            let template = old.filter { $0.info ?? "" == description || frame == "USLT" }
            let extras: [AVMetadataExtraAttributeKey: MetadataValue] =
                template.isEmpty ? [.info: .text(description)] : [:]
            return texts(values, .id3, key, extras: extras, like: template)
        }
    }

    private func userText(_ name: String, _ values: [MetadataFieldValue], _ old: [MetadataEntry]) -> Outcome {
        guard let key = ID3FrameNames.key("TXXX", in: version) else {
            return .nothing("the version of ID3 has no TXXX")
        }
        let hasName = old.contains { $0.key == key && $0.info != nil }
        return texts(values.withoutLanguage, .id3, key, extras: hasName ? [:] : [.info: .text(name)], like: old)
    }

    private func customFrame(_ name: String, _ values: [MetadataFieldValue], _ old: [MetadataEntry]) -> Outcome {
        func described(_ frame: String, _ description: Substring) -> Outcome {
            guard let key = ID3FrameNames.key(frame, in: version) else { return userText(name, values, old) }
            return texts(values, .id3, key, extras: [.info: .text(String(description))], like: old)
        }
        let prefixes = [("COMM", EntryMeaning.commentPrefix), ("WXXX", EntryMeaning.addressPrefix)]
        for (frame, prefix) in prefixes where name.hasPrefix(prefix) {
            return described(frame, name.dropFirst(prefix.count))
        }
        if name.hasPrefix("iTun") { return described("COMM", name[...]) }
        let musician = "PERFORMER:"
        if name.hasPrefix(musician) {
            let role = String(name.dropFirst(musician.count))
            return people(version == .v24 ? InvolvedPeople.musicians : "IPLS", role: role, values)
        }
        return userText(name, values, old)
    }

    private func people(_ frame: String, role: String, _ values: [MetadataFieldValue]) -> Outcome {
        guard let key = ID3FrameNames.key(frame, in: version) else {
            return .nothing("the version of ID3 has no \(frame)")
        }
        let entries = values.compactMap(\.text).flatMap { name in
            [MetadataEntry(.id3, key, .text(role)), MetadataEntry(.id3, key, .text(name))]
        }
        return Outcome(entries: entries, losses: entries.isEmpty ? [reason(notText: values)] : [])
    }

    // MARK: Dates, genres, pictures

    /// Version 2.4 has one frame for a date, the older ones one each for year, day and time.
    private func dates(_ row: MetadataFieldRow, _ values: [MetadataFieldValue], _ old: [MetadataEntry]) -> Outcome {
        guard let text = values.first?.text else { return .nothing("the value is no text") }
        if version == .v24 {
            let values = values.map { value in
                // The frame is in universal time without saying so.
                MetadataFieldValue(value.text.map { $0.hasSuffix("Z") ? String($0.dropLast()) : $0 } ?? "")
            }
            return texts(values, .id3, .text("TDRC"), like: old)
        }
        guard let date = DateText(text) ?? DateText.year(in: text).flatMap({ DateText(String($0)) }) else {
            return .nothing("the value is no date")
        }
        let parts = [("TYER", date.year.zeroPadded(to: 4)), ("TDAT", date.dayAndMonth), ("TIME", date.time)]
        var kept = date
        var outcome = Outcome()
        for (frame, text) in parts {
            guard let text, let key = ID3FrameNames.key(frame, in: version == .v22 ? .v22 : .v23) else { continue }
            outcome.entries.append(entry(.id3, key, .text(text), like: old))
        }
        if date.day == nil { kept.month = nil }
        kept.rest = ""
        if kept.text != text, kept.text + "Z" != text, kept.text + ":00" != text, kept.text + ":00Z" != text {
            outcome.losses = ["of the date \(text) only \(kept.text) fits"]
        }
        return outcome
    }

    private func years(_ key: MetadataKey, _ values: [MetadataFieldValue], _ old: [MetadataEntry]) -> Outcome {
        guard let text = values.first?.text, let year = DateText.year(in: text) else {
            return .nothing("the value is no date")
        }
        let year4 = year.zeroPadded(to: 4)
        return Outcome(
            entries: [entry(.id3, key, .text(year4), like: old)],
            losses: year4 == text ? [] : ["of the date \(text) only \(year4) fits"])
    }

    private func genres(_ values: [MetadataFieldValue], _ old: [MetadataEntry]) -> Outcome {
        guard let key = ID3FrameNames.key("TCON", in: version) else {
            return .nothing("the version of ID3 has no genre")
        }
        let values = values.withoutLanguage.map { value in
            value.text.map { MetadataFieldValue(GenreText.id3Text($0)) } ?? value
        }
        return texts(values, .id3, key, like: old)
    }

    private func pictures(_ values: [MetadataFieldValue], _ old: [MetadataEntry]) -> Outcome {
        guard let key = ID3FrameNames.key("APIC", in: version) else {
            return .nothing("pictures do not fit there")
        }
        return Outcome(
            entries: values.compactMap(\.picture).map { picture in
                MetadataEntry(
                    .id3, key, .data(picture.data), dataType: picture.dataType, extras: picture.extras)
            })
    }
}

extension [MetadataFieldValue] {
    /// The values for keys that have no language.
    var withoutLanguage: [MetadataFieldValue] { map { MetadataFieldValue($0.content) } }
}
