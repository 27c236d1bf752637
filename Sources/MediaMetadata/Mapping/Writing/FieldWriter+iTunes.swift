extension FieldWriter {
    func iTunes(
        _ meaning: MetadataMeaning, _ row: MetadataFieldRow?, _ values: [MetadataFieldValue], _ old: [MetadataEntry]
    ) -> Outcome {
        guard let row, let name = keyName(row, replacing: old),
            let key = MetadataKey(fourCharacters: MetadataFieldTable.name(ofKey: name))
        else { return freeForm(meaning, row, values, old) }
        switch row.kind {
        case .picture: return typedPictures(values, .iTunes, key)
        case .pair: return iTunesPair(row, key, values, old)
        default:
            guard let width = Self.width(ofKey: name) else {
                return texts(values, .iTunes, key, dataType: MetadataDataType.utf8, like: old)
            }
            return iTunesInteger(row.kind, key, width: width, values, old)
        }
    }

    /// The bytes of an integer, by the table's spelling of the key.
    private static func width(ofKey name: String) -> Int? {
        let parts = name.split(separator: "#")
        return parts.count == 2 ? Int(parts[1]) : nil
    }

    private func freeForm(
        _ meaning: MetadataMeaning, _ row: MetadataFieldRow?, _ values: [MetadataFieldValue], _ old: [MetadataEntry]
    ) -> Outcome {
        guard row?.kind != .picture else { return .nothing("pictures do not fit there") }
        let key: MetadataKey =
            old.first { $0.keySpace == .iTunesFreeForm }?.key
            ?? .text(Self.freeFormKey(row?.label ?? meaning.name))
        var entries: [MetadataEntry] = []
        for value in values {
            switch value.content {
            case .text(let text):
                entries.append(
                    entry(
                        .iTunesFreeForm, key, .text(text), dataType: MetadataDataType.utf8,
                        languageTag: value.languageTag, like: old))
            case .data(let bytes):
                entries.append(entry(.iTunesFreeForm, key, .data(bytes), dataType: MetadataDataType.raw, like: old))
            case .picture: break
            }
        }
        return Outcome(entries: entries)
    }

    /// The key for a name: names in reverse domain order stand for themselves.
    static func freeFormKey(_ name: String) -> String { isReverseDomain(name) ? name : EntryMeaning.iTunesMean + name }

    /// Whether a name is one like `com.example.name`.
    static func isReverseDomain(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 3, parts.allSatisfy({ !$0.isEmpty }), let first = parts.first else { return false }
        return (2...6).contains(first.count) && first.allSatisfy { $0.isASCII && $0.isLowercase }
    }

    // MARK: Values

    private func iTunesPair(
        _ row: MetadataFieldRow, _ key: MetadataKey, _ values: [MetadataFieldValue], _ old: [MetadataEntry]
    ) -> Outcome {
        guard let pair = values.first?.text.flatMap(NumberPair.init) else { return .nothing("the value is no number") }
        if let total = row.totalKeys(in: .iTunes).first {
            // Movements: two integers instead of one value.
            let keys = [
                (key, pair.number), (MetadataKey(fourCharacters: MetadataFieldTable.name(ofKey: total)), pair.total),
            ]
            var outcome = Outcome()
            for case (let key?, let number?) in keys {
                let part = iTunesInteger(.integer, key, width: 2, [MetadataFieldValue(String(number))], old)
                outcome.entries += part.entries
                outcome.losses += part.losses
            }
            return outcome
        }
        guard let bytes = pair.bytes(count: key.text == "trkn" ? 8 : 6) else {
            return .nothing("a number above 65535 does not fit")
        }
        var entry = entry(.iTunes, key, .data(bytes), dataType: MetadataDataType.raw, like: old)
        if case .data(let oldBytes)? = old.first?.value, oldBytes.count >= 6 {
            entry.value = .data(Array(oldBytes[..<2] + bytes[2..<6] + oldBytes[6...]))
        }
        return Outcome(entries: [entry], losses: values.count > 1 ? ["only one number fits"] : [])
    }

    private func iTunesInteger(
        _ kind: MetadataFieldRow.Kind, _ key: MetadataKey, width: Int, _ values: [MetadataFieldValue],
        _ old: [MetadataEntry]
    ) -> Outcome {
        guard let text = values.first?.text, let (number, isExact) = Self.number(text, kind) else {
            return .nothing("the value is no number")
        }
        let limit = width >= 8 ? Int64.max : Int64(1) << (8 * width - 1) - 1
        guard number <= limit, number >= -limit - 1 else { return .nothing("a number above \(limit) does not fit") }
        let types = [1: MetadataDataType.int8, 2: MetadataDataType.int16, 4: MetadataDataType.int32]
        let entry = entry(
            .iTunes, key, .integer(number), dataType: types[width] ?? MetadataDataType.int64, like: old)
        var losses = isExact ? [] : ["\(text) is rounded to \(number)"]
        if values.count > 1 { losses.append("only one number fits") }
        return Outcome(entries: [entry], losses: losses)
    }

    /// The integer for a value, and whether it is the value exactly.
    static func number(_ text: String, _ kind: MetadataFieldRow.Kind) -> (Int64, isExact: Bool)? {
        switch kind {
        case .flag: return FieldText.flag(text).map { ($0 ? 1 : 0, true) }
        case .mediaType: return CodedNames.mediaTypes.number(of: text).map { (Int64($0), true) }
        case .advisory: return CodedNames.advisories.number(of: text).map { (Int64($0), true) }
        default:
            let text = text.filter { $0 != " " }
            if let number = Int64(text) { return (number, true) }
            guard let number = Double(text), abs(number) < 1e15 else { return nil }
            return (Int64(number.rounded()), number.rounded() == number)
        }
    }

    /// Pictures where the value's type tells what kind of file it is, and nothing what it shows.
    func typedPictures(
        _ values: [MetadataFieldValue], _ keySpace: AVMetadataKeySpace, _ key: MetadataKey
    ) -> Outcome {
        var outcome = Outcome()
        for picture in values.compactMap(\.picture) {
            guard let dataType = picture.dataType else {
                outcome.losses.append("\(picture.mimeType) pictures do not fit there")
                continue
            }
            outcome.entries.append(MetadataEntry(keySpace, key, .data(picture.data), dataType: dataType))
            if picture.coverRank == 0, let type = picture.type {
                outcome.losses.append("what the picture shows is not kept: \(type)")
            }
        }
        return outcome
    }
}
