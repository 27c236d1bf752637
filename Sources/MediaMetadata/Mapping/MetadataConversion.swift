internal import Foundation
internal import MediaCore

/// Metadata of one format for a file of another.
package enum MetadataConversion {
    /// Converts entries to the key spaces of a container.
    ///
    /// Entries that the container can hold as they are stay. Of the others those with a meaning that the table of
    /// corresponding keys has get the key there, and those with names of their own keep their names. What several key
    /// spaces say is taken from the first one of: common, iTunes, QuickTime metadata, ID3, user data, Vorbis comments,
    /// Matroska, audio file properties. All that does not get through is among the losses.
    package static func convert(_ entries: [MetadataEntry], to container: FileMetadata.Container) -> MetadataEdit {
        guard !container.keySpaces.isEmpty else {
            return MetadataEdit(
                entries: [],
                losses: entries.filter { !$0.isTechnical }.map {
                    MetadataLoss(item: $0.identifier.rawValue, reason: "this kind of file holds no metadata")
                })
        }
        let isNative = { (entry: MetadataEntry) in container.keySpaces.contains(entry.keySpace) }
        let native = entries.filter(isNative)
        var edit = MetadataEdit(entries: native)
        let placement = MetadataPlacement(native, in: container)
        let present = EntriesByMeaning(native)
        let foreign = EntriesByMeaning(entries.filter { !isNative($0) })
        var done: Set<MetadataMeaning> = []
        for statement in foreign.all where done.insert(statement.meaning.canonical).inserted {
            var sources = present.statements(of: statement.meaning)
            let others = foreign.statements(of: statement.meaning)
            if sources.isEmpty, let first = others.first {
                sources = [first]
                add(first, of: foreign, to: &edit, placement)
            }
            for other in others where other.keySpace != sources.first?.keySpace {
                if let loss = loss(other, of: foreign, keeping: sources) { edit.losses.append(loss) }
            }
        }
        for index in foreign.others {
            let entry = foreign.entries[index]
            guard !entry.isTechnical else { continue }
            edit.losses.append(MetadataLoss(item: entry.identifier.rawValue, reason: reason(withoutMeaning: entry)))
        }
        return edit
    }

    /// Entries of a QuickTime movie for an MP4 file, whose players look for most of them among iTunes' items.
    ///
    /// What these hold whole goes there; what they hold in part is there as well; all else stays where it is.
    package static func movedToITunes(_ entries: [MetadataEntry], in container: FileMetadata.Container)
        -> [MetadataEntry]
    {
        let statements = EntriesByMeaning(entries)
        let writer = MetadataPlacement(entries, in: container).writer(.iTunes)
        var (added, gone): ([Int: [MetadataEntry]], Set<Int>) = ([:], [])
        for statement in statements.all where [.quickTimeMetadata, .quickTimeUserData].contains(statement.keySpace) {
            guard case .field(let field) = statement.meaning, container.homesOfFields[field] == nil,
                writer.hasKey(for: field), !statement.values.isEmpty
            else { continue }
            let all = statements.statements(of: statement.meaning)
            guard !all.contains(where: { $0.keySpace == .iTunes }), let first = all.first else { continue }
            let outcome = writer.write(statement.meaning, first.values, replacing: [])
            guard !outcome.entries.isEmpty else { continue }
            if first.keySpace == statement.keySpace { added[statement.indices[0]] = outcome.entries }
            let isWhole = outcome.losses.isEmpty && statement.values.allSatisfy(first.values.contains)
            if isWhole { gone.formUnion(statement.indices) }
        }
        return entries.indices.flatMap { (added[$0] ?? []) + (gone.contains($0) ? [] : [entries[$0]]) }
    }

    private static func add(
        _ statement: MetadataStatement, of statements: EntriesByMeaning, to edit: inout MetadataEdit,
        _ placement: MetadataPlacement
    ) {
        let item = statements.entries[statement.indices[0]].identifier.rawValue
        guard !statement.values.isEmpty else {
            if statement.indices.allSatisfy({ statements.entries[$0].text?.isEmpty == true }) { return }
            edit.losses.append(MetadataLoss(item: item, reason: "the value cannot be understood"))
            return
        }
        let place = placement.best(for: statement.meaning, statement.values)
        edit.entries += place.outcome.entries
        edit.losses += place.outcome.losses.map {
            // With entries, part of the values is held.
            MetadataLoss(item: item, reason: $0, isChange: !place.outcome.entries.isEmpty)
        }
    }

    /// The loss of values for which another key space's are kept, `nil` if those say the same.
    private static func loss(
        _ statement: MetadataStatement, of statements: EntriesByMeaning, keeping sources: [MetadataStatement]
    ) -> MetadataLoss? {
        let kept = sources.flatMap(\.values)
        // Comparing all with all takes too long for more, which no file but a hostile one has.
        let isComparable = kept.count <= maximumCompared && statement.values.count <= maximumCompared
        let isPlace = statement.meaning == .field(.location)
        let isKept =
            isComparable
            && statement.values.allSatisfy { value in
                kept.contains { other in
                    // ID3v1's texts are cut, a year may stand for a date, a number for one with a total.
                    if let text = value.text, let other = other.text {
                        return other.hasPrefix(text) || isPlace && GeographicText.areSame(text, other)
                    }
                    return other.content == value.content
                }
            }
        guard !isKept, let source = sources.first else { return nil }
        return statement.loss(of: statements, keeping: source)
    }

    /// Values of one meaning that are compared with one another; no file but a hostile one has more.
    private static let maximumCompared = 256

    private static func reason(withoutMeaning entry: MetadataEntry) -> String {
        if entry.time.isValid { return "it belongs to a moment" }
        if entry.keySpace == .matroska { return "it is about a part of the file" }
        if case .data = entry.value { return "it means something in its own format only" }
        return "other formats have no place for it"
    }
}

/// Finds out what one file says and another one does not, in whatever key space either says it.
package enum MetadataComparison {
    /// The entries whose values the other file says nowhere.
    ///
    /// - Parameters:
    ///   - entries: What is looked for; facts of a container should not be among it.
    ///   - others: All that the other file says.
    ///   - texts: What it says in places of its own, such as a track's name.
    package static func missing(
        _ entries: [MetadataEntry], in others: [MetadataEntry], saying texts: [String] = []
    ) -> [MetadataEntry] {
        let wanted = EntriesByMeaning(entries)
        let said = EntriesByMeaning(others)
        let values = said.all.flatMap(\.values)
        let everything = Set((others.compactMap(\.text) + texts + values.compactMap(\.text)).map(plain))
        let pictures = Set(values.compactMap { $0.picture?.data })
        var missing: [MetadataEntry] = []
        for statement in wanted.all {
            let values = said.statements(of: statement.meaning).flatMap(\.values)
            let contents = Set(values.map(\.content))
            let near = values.prefix(maximumCompared).compactMap(\.text).map(plain)
            let isSaid = statement.values.allSatisfy { value in
                if let picture = value.picture { return pictures.contains(picture.data) }
                if let text = value.text { return says(text, near, everything) }
                return contents.contains(value.content)
            }
            if !isSaid { missing.append(wanted.entries[statement.indices[0]]) }
        }
        // Boxes of user data are told apart by the kind of file alone.
        let pairs = Dictionary(grouping: others, by: \.key).mapValues { Set($0.map(\.value)) }
        for index in wanted.others {
            let entry = wanted.entries[index]
            let isSame = pairs[entry.key]?.contains(entry.value) == true
            let isSaid = entry.text.map { everything.contains(plain($0)) } ?? false
            if !isSame, !isSaid, entry.text != "" { missing.append(entry) }
        }
        return missing
    }

    /// The entries that are not about what somebody set or removed.
    package static func untouched(_ entries: [MetadataEntry], by assignments: [MetadataAssignment]) -> [MetadataEntry] {
        guard !assignments.isEmpty else { return entries }
        let statements = EntriesByMeaning(entries)
        var touched: Set<Int> = []
        for assignment in assignments {
            switch assignment.name {
            case .field(let field):
                touched.formUnion(statements.statements(of: .field(field)).flatMap(\.indices))
            case .key(let keySpace, let key, _):
                touched.formUnion(entries.indices.filter { entries[$0].keySpace == keySpace && entries[$0].key == key })
                let field = keySpace == .common ? MetadataFieldTable.field(of: AVMetadataKey(rawValue: key.text)) : nil
                if let field { touched.formUnion(statements.statements(of: .field(field)).flatMap(\.indices)) }
            }
        }
        return entries.indices.filter { !touched.contains($0) }.map { entries[$0] }
    }

    /// Those of a file's entries about whose meaning others say nothing.
    package static func unsaid(_ entries: [MetadataEntry], by others: [MetadataEntry]) -> [MetadataEntry] {
        let said = EntriesByMeaning(others)
        let names = Set(others.map(\.identifier))
        return entries.filter { entry in
            !names.contains(entry.identifier)
                && EntriesByMeaning([entry]).all.allSatisfy { said.statements(of: $0.meaning).isEmpty }
        }
    }

    /// Whether an entry is a picture.
    package static func isPicture(_ entry: MetadataEntry) -> Bool { entry.isArtwork }

    /// Values of one meaning that are compared with one another; no file but a hostile one has more.
    private static let maximumCompared = 256

    /// A text is said by one that only goes on, or stops, where a key has room for less: a year for a date.
    ///
    /// - Parameters:
    ///   - values: Of the same meaning, in the form that everything has.
    private static func says(_ text: String, _ values: [String], _ everything: Set<String>) -> Bool {
        let wanted = plain(text)
        if wanted.isEmpty || everything.contains(wanted) { return true }
        return values.contains { value in
            !value.isEmpty && (value.hasPrefix(wanted) || wanted.hasPrefix(value) || value.contains(wanted))
        }
    }

    /// A text without what formats change in it.
    private static func plain(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
            .replacingOccurrences(of: "\r\n", with: "\n").replacingOccurrences(of: "\r", with: "\n")
    }
}

/// Which of several entries that are about one thing is meant, where somebody lists entries for a file.
package enum MetadataPrecedence {
    /// The entries without those that later ones of other values stand in for.
    ///
    /// A common key has no place in any file, so that an entry of one was set by somebody, and what a source does not
    /// say was set too. Clients leave the source's own entries in their lists where these have no common key.
    /// Languages differ in peace, and where a format has a name several times, so do its values.
    ///
    /// - Parameters:
    ///   - entries: All that is asked for.
    ///   - source: What the source says by itself.
    /// - Returns: The entries, those that were set first, and as losses those that give way.
    package static func settled(_ entries: [MetadataEntry], over source: [MetadataEntry]) -> MetadataEdit {
        let known = Set(source)
        let first = settled(MetadataEdit(entries: entries)) { $0.keySpace == .common }
        return settled(first) { $0.keySpace == .common || !known.contains($0) }
    }

    private static func settled(_ edit: MetadataEdit, by isSet: (MetadataEntry) -> Bool) -> MetadataEdit {
        let (set, older) = (edit.entries.filter(isSet), edit.entries.filter { !isSet($0) })
        guard !set.isEmpty, !older.isEmpty else { return edit }
        let (new, old) = (EntriesByMeaning(set), EntriesByMeaning(older))
        var removed: Set<Int> = []
        var losses: [MetadataLoss] = []
        for statement in old.all {
            let others = new.statements(of: statement.meaning)
            guard let other = others.first, givesWay(statement, to: others),
                !canRepeat(statement, of: old, beside: others, of: new)
            else { continue }
            removed.formUnion(statement.indices)
            losses.append(statement.loss(of: old, keeping: other))
        }
        let left = older.indices.filter { !removed.contains($0) }.map { older[$0] }
        // Of several values readers show the first.
        return MetadataEdit(entries: set + left, losses: edit.losses + losses)
    }

    /// Whether what is said is another thing than others say, in no language of its own.
    private static func givesWay(_ statement: MetadataStatement, to others: [MetadataStatement]) -> Bool {
        let values = others.flatMap(\.values)
        guard !values.isEmpty else { return false }
        let said = Set(values.map(\.content))
        if statement.values.allSatisfy({ said.contains($0.content) }) { return false }
        let languages = Set(values.map(\.language))
        return languages.contains(nil)
            || statement.values.contains { $0.language == nil || languages.contains($0.language) }
    }

    /// Whether files have both, since the format takes a name several times.
    private static func canRepeat(
        _ statement: MetadataStatement, of entries: EntriesByMeaning, beside others: [MetadataStatement],
        of set: EntriesByMeaning
    ) -> Bool {
        guard [.vorbisComment, .matroska].contains(statement.keySpace) || statement.meaning == .field(.artwork) else {
            return false
        }
        let names = Set(statement.indices.map { entries.entries[$0].identifier })
        return others.allSatisfy { $0.indices.allSatisfy { names.contains(set.entries[$0].identifier) } }
    }
}

extension MetadataStatement {
    /// The loss of what is said for another statement's values.
    func loss(of statements: EntriesByMeaning, keeping source: MetadataStatement) -> MetadataLoss {
        MetadataLoss(
            item: statements.entries[indices[0]].identifier.rawValue,
            reason: "another \(meaning.name), of \(source.keySpace.prefix), is kept")
    }
}

extension MetadataFieldValue {
    /// The language, `nil` if it is none that can be told.
    fileprivate var language: String? {
        guard let languageTag, languageTag.lowercased() != "und" else { return nil }
        return LanguageCodes.primary(languageTag)
    }
}

extension MetadataEntry {
    /// Whether it is about the container or the coded samples of the file that it stands in, so that it is not true of
    /// another file made of it: the numbers that mkvmerge counts, the brand of an MP4 file, the program that muxed.
    ///
    /// Exports leave out just these, and audits miss all but these.
    ///
    /// - Parameter isSame: Whether the other file is of the same kind, where the name of the program that made the
    ///   sound may still be right.
    package func isOfContainer(staysSame isSame: Bool) -> Bool {
        if isTechnical { return true }
        guard let name = freeName else { return isProgram && isStale(isSame) }
        if Self.facts.contains(name) { return true }
        let isCounted = Self.statistics.contains(name) || name.hasPrefix("_statistics_")
        if isCounted, keySpace != .vorbisComment { return true }
        return name == "encoder" && isStale(isSame)
    }

    /// Whether it is what FFmpeg tells as metadata that is none: a fact of the container, which a new file has its own
    /// of, or what a track says in fields of its own.
    var isTechnical: Bool { keySpace == .libavformat && Self.technicalNames.contains(key.text) }

    /// The name of an entry whose key space has names of all kinds, in small letters.
    private var freeName: String? {
        switch keySpace {
        case .matroska, .quickTimeMetadata, .vorbisComment, .libavformat: return key.text.lowercased()
        case .iTunesFreeForm: return (key.text.split(separator: ".").last.map(String.init) ?? key.text).lowercased()
        case .id3: return key.text == "TXXX" ? (info ?? "").lowercased() : nil
        default: return nil
        }
    }

    /// Whether it names the program that wrote the file.
    private var isProgram: Bool {
        switch (keySpace, key.text) {
        case (.iTunes, "@too"), (.id3, "TSSE"), (.id3, "TSS"), (.audioFile, "ISFT"): true
        default: false
        }
    }

    private func isStale(_ isSame: Bool) -> Bool { !isSame || text?.hasPrefix("Lav") == true }

    /// Tags that mkvmerge and FFmpeg count for each track.
    private static let statistics: Set<String> = [
        "bps", "bps-eng", "duration", "duration-eng", "number_of_frames", "number_of_frames-eng", "number_of_bytes",
        "number_of_bytes-eng",
    ]
    /// Facts of MP4 files, which FFmpeg writes into other ones as tags, and one of VP8's and VP9's samples.
    private static let facts: Set<String> = [
        "major_brand", "minor_version", "compatible_brands", "handler_name", "vendor_id", "alpha_mode",
    ]
    private static let technicalNames: Set<String> = [
        "major_brand", "minor_version", "compatible_brands", "encoder", "creation_time", "language", "vendor_id",
        "handler_name", "duration", "DURATION", "variant_bitrate", "id3v2_priv.WM/MediaClassPrimaryID", "WMFSDKVersion",
        "WMFSDKNeeded", "IsVBR", "DeviceConformanceTemplate", "hasAudio", "hasVideo", "hasMetadata", "hasKeyframes",
        "canSeekToEnd", "datasize", "videosize", "audiosize", "lasttimestamp", "lastkeyframetimestamp",
        "lastkeyframelocation", "videodatarate", "audiodatarate", "videocodecid", "audiocodecid", "framerate",
        "audiosamplerate", "audiosamplesize", "stereo", "width", "height", "filesize", "totalduration", "totaldatarate",
        "bytelength",
    ]
}
