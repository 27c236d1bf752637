internal import MediaContainers
internal import MediaIO
internal import MediaMetadata

/// A `Tag` element: what it is about and what it says.
struct MatroskaTag {
    /// A `SimpleTag` of the tag, with those in it.
    struct Unit {
        let bytes: ArraySlice<UInt8>
        let entries: [MetadataEntry]
    }

    let targets: MatroskaTargets
    /// The track whose entries these are.
    let trackNumber: Int64?
    let units: [Unit]
    let node: EBMLNode

    var entries: [MetadataEntry] { units.flatMap(\.entries) }

    /// Reads a tag.
    ///
    /// - Parameters:
    ///   - tracks: The number of the track of each UID.
    ///   - allowance: How much more may be read.
    init(_ node: EBMLNode, tracks: [UInt64: Int64], _ allowance: inout EBMLAllowance) {
        let fields = node.children(&allowance)
        targets = MatroskaTargets(fields.first(MatroskaID.targets))
        trackNumber = targets.singleTrackUID.flatMap { tracks[$0] }
        let extras = targets.extras(isOfTrack: trackNumber != nil)
        var units: [Unit] = []
        for simple in fields.all(MatroskaID.simpleTag) where allowance.isLeft {
            var entries: [MetadataEntry] = []
            Self.read(simple, path: [], extras: extras, into: &entries, &allowance)
            units.append(Unit(bytes: simple.bytes, entries: entries))
        }
        self.units = units
        self.node = node
    }

    private static func read(
        _ node: EBMLNode, path: [String], extras: [AVMetadataExtraAttributeKey: MetadataValue],
        into entries: inout [MetadataEntry], _ allowance: inout EBMLAllowance
    ) {
        guard allowance.allows(level: path.count + 1) else { return }
        let fields = node.children(&allowance)
        let nested = fields.all(MatroskaID.simpleTag)
        let path = path + [fields.first(MatroskaID.tagName)?.text ?? ""]
        let entry = entry(fields, path: path, extras: extras)
        // A tag that only holds others is told by their keys.
        let isHolder = entry.extras[.hasValue] != nil && !nested.isEmpty
        if !isHolder || entry.languageTag != nil || entry.extras[.isDefaultLanguage] != nil {
            entries.append(entry)
            // A long name must not come again and again in the keys of many.
            allowance.nodes -= entry.key.text.utf8.count / 256
        }
        for child in nested { read(child, path: path, extras: extras, into: &entries, &allowance) }
    }

    private static func entry(
        _ fields: [EBMLNode], path: [String], extras: [AVMetadataExtraAttributeKey: MetadataValue]
    ) -> MetadataEntry {
        let key = path.joined(separator: "/")
        var entry = MetadataEntry(.matroska, .text(key), .text(""), dataType: MetadataDataType.utf8, extras: extras)
        let string = fields.first(MatroskaID.tagString)
        if let text = string?.readableText {
            entry.value = .text(text)
        } else if let data = string ?? fields.first(MatroskaID.tagBinary) {
            let bytes = Array(data.content)
            entry.value = .data(bytes)
            entry.dataType = MetadataDataType.ofPicture(bytes) ?? MetadataDataType.raw
        } else {
            entry.extras[.hasValue] = .integer(0)
        }
        if key.split(separator: "/", omittingEmptySubsequences: false).count != path.count {
            entry.extras[.nestingDepth] = .integer(Int64(path.count))
        }
        if fields.first(MatroskaID.tagDefault)?.unsigned == 0 { entry.extras[.isDefaultLanguage] = .integer(0) }
        let isBCP47 = fields.first(MatroskaID.tagLanguageBCP47) != nil
        let language = fields.first(isBCP47 ? MatroskaID.tagLanguageBCP47 : MatroskaID.tagLanguage)?.text
        entry.languageTag = language.flatMap { MatroskaLanguage.tag($0, isBCP47: isBCP47) }
        return entry
    }
}

/// Languages as Matroska states them: ISO 639-2, the older codes where there
/// are two, and BCP 47, which goes first.
enum MatroskaLanguage {
    /// The BCP 47 tag, `nil` for no language.
    static func tag(_ text: String, isBCP47: Bool) -> String? {
        if isBCP47 { return text.isEmpty || text.lowercased() == "und" ? nil : text }
        // Before there were elements for BCP 47, a country could follow: `fre-ca`.
        let parts = text.split(separator: "-", maxSplits: 1)
        guard let code = parts.first, let tag = LanguageCodes.tag(ofISO639: String(code)) else { return nil }
        return parts.count == 2 ? "\(tag)-\(parts[1])" : tag
    }

    /// The elements for a language: that of ISO 639-2, and that of BCP 47 if only it says all.
    static func elements(_ tag: String?, iso639 id: UInt32, bcp47: UInt32) -> [[UInt8]] {
        let code = LanguageCodes.iso639(of: tag, isBibliographic: true)
        var elements = [EBMLWriter.text(id, code)]
        if let tag, self.tag(code, isBCP47: false) != tag { elements.append(EBMLWriter.text(bcp47, tag)) }
        return elements
    }
}

/// What a tag is about.
struct MatroskaTargets: Hashable {
    var typeValue: UInt64 = 50
    var type: String?
    var trackUIDs: [UInt64] = []
    var editionUIDs: [UInt64] = []
    var chapterUIDs: [UInt64] = []
    var attachmentUIDs: [UInt64] = []

    private static var uids: [(key: AVMetadataExtraAttributeKey, id: UInt32, path: WritableKeyPath<Self, [UInt64]>)] {
        [
            (.targetTrackUID, MatroskaID.tagTrackUID, \.trackUIDs),
            (.targetEditionUID, MatroskaID.tagEditionUID, \.editionUIDs),
            (.targetChapterUID, MatroskaID.tagChapterUID, \.chapterUIDs),
            (.targetAttachmentUID, MatroskaID.tagAttachmentUID, \.attachmentUIDs),
        ]
    }

    /// The only track that the tag is about, `nil` if it is about anything else.
    var singleTrackUID: UInt64? {
        trackUIDs.count == 1 && editionUIDs.isEmpty && chapterUIDs.isEmpty && attachmentUIDs.isEmpty
            ? trackUIDs[0] : nil
    }

    /// The whole file.
    init() {}

    /// What a `Targets` element says.
    ///
    /// A UID of zero means all, as none does.
    init(_ node: EBMLNode?) {
        let fields = node?.children ?? []
        typeValue = fields.first(MatroskaID.targetTypeValue)?.unsigned ?? 50
        type = fields.first(MatroskaID.targetType)?.text
        for kind in Self.uids {
            self[keyPath: kind.path] = fields.all(kind.id).compactMap(\.unsigned).filter { $0 != 0 }
        }
    }

    /// What an entry's extras say.
    ///
    /// - Parameter trackUID: The track that the entry is one of.
    init(_ extras: [AVMetadataExtraAttributeKey: MetadataValue], trackUID: UInt64?) {
        if case .integer(let value) = extras[.targetTypeValue], value >= 0 { typeValue = UInt64(value) }
        if case .text(let value) = extras[.targetType] { type = value }
        for kind in Self.uids {
            guard case .text(let value) = extras[kind.key] else { continue }
            self[keyPath: kind.path] = value.split(separator: " ").compactMap { UInt64($0) }.filter { $0 != 0 }
        }
        if let trackUID { trackUIDs = [trackUID] }
    }

    /// What entries have to say about it.
    ///
    /// - Parameter isOfTrack: Whether the entries are those of the track.
    func extras(isOfTrack: Bool) -> [AVMetadataExtraAttributeKey: MetadataValue] {
        var extras: [AVMetadataExtraAttributeKey: MetadataValue] = [:]
        if typeValue != 50 { extras[.targetTypeValue] = .integer(Int64(clamping: typeValue)) }
        if let type { extras[.targetType] = .text(type) }
        for kind in Self.uids where !(isOfTrack && kind.key == .targetTrackUID) {
            let uids = self[keyPath: kind.path]
            if !uids.isEmpty { extras[kind.key] = .text(uids.map(String.init).joined(separator: " ")) }
        }
        return extras
    }

    /// The `Targets` element.
    var bytes: [UInt8] {
        var fields = [EBMLWriter.unsigned(MatroskaID.targetTypeValue, typeValue)]
        if let type { fields.append(EBMLWriter.text(MatroskaID.targetType, type)) }
        for kind in Self.uids { fields += self[keyPath: kind.path].map { EBMLWriter.unsigned(kind.id, $0) } }
        return EBMLWriter.element(MatroskaID.targets, Array(fields.joined()))
    }
}

/// New content for the Tags of a file.
struct MatroskaTagWriter {
    /// What a written tag consists of.
    private enum Item {
        /// A `SimpleTag` of the file, by its place in its tag.
        case old(Int)
        case new(MetadataEntry)
    }

    /// A tag to be written.
    private struct Output {
        let targets: MatroskaTargets
        let old: MatroskaTag?
        var items: [Item] = []
    }

    private var outputs: [Output]
    private let oldTags: [MatroskaTag]

    init(_ oldTags: [MatroskaTag]) {
        self.oldTags = oldTags
        outputs = oldTags.map { Output(targets: $0.targets, old: $0) }
    }

    /// Puts in the entries of the file or of one track.
    ///
    /// - Parameters:
    ///   - entries: All entries wanted.
    ///   - number: The track's number, `nil` for the file.
    ///   - uid: The track's UID.
    mutating func add(_ entries: [MetadataEntry], track number: Int64? = nil, uid: UInt64? = nil) {
        var units: [(tag: Int, unit: Int)] = []
        for (tag, old) in oldTags.enumerated() where old.trackNumber == number {
            units += old.units.indices.map { (tag, $0) }
        }
        let matches = EntryMatcher.matches(entries, units.map { oldTags[$0.tag].units[$0.unit].entries })
        var position = 0
        var last: Int?
        while position < entries.count {
            if let match = matches[position] {
                let (tag, unit) = units[match]
                outputs[tag].items.append(.old(unit))
                last = tag
                position += oldTags[tag].units[unit].entries.count
            } else {
                let index = output(for: MatroskaTargets(entries[position].extras, trackUID: uid), last: last)
                outputs[index].items.append(.new(entries[position]))
                last = index
                position += 1
            }
        }
    }

    /// The tag for a new entry: the one written to last, another one about the same, or a new one.
    private mutating func output(for targets: MatroskaTargets, last: Int?) -> Int {
        if let last, outputs[last].targets == targets { return last }
        if let index = outputs.firstIndex(where: { $0.targets == targets }) { return index }
        outputs.append(Output(targets: targets, old: nil))
        return outputs.count - 1
    }

    /// The tags, each as it is to be stored.
    var tags: [[UInt8]] { outputs.compactMap(bytes) }

    private func bytes(of output: Output) -> [UInt8]? {
        guard let old = output.old else { return output.items.isEmpty ? nil : encoded(output) }
        let kept = output.items.compactMap { if case .old(let unit) = $0 { unit } else { nil } }
        if kept.count == output.items.count, kept == Array(old.units.indices) { return Array(old.node.bytes) }
        return output.items.isEmpty ? nil : encoded(output)
    }

    private func encoded(_ output: Output) -> [UInt8] {
        let fields = output.old?.node.children ?? []
        var children = [fields.first(MatroskaID.targets)?.bytes ?? output.targets.bytes[...]]
        var new: [MetadataEntry] = []
        for item in output.items {
            switch item {
            case .new(let entry): new.append(entry)
            case .old(let unit):
                children += MatroskaSimpleTag.tree(new).map { $0.bytes[...] }
                new = []
                if let old = output.old { children.append(old.units[unit].bytes) }
            }
        }
        children += MatroskaSimpleTag.tree(new).map { $0.bytes[...] }
        let known: Set<UInt32> = [MatroskaID.targets, MatroskaID.simpleTag]
        children += fields.meaningful.filter { !known.contains($0.id) }.map(\.bytes)
        let content = EBMLWriter.content(children, withChecksum: fields.haveChecksum)
        return EBMLWriter.element(MatroskaID.tag, content)
    }
}

/// Finds which stored units have all their entries among those wanted.
struct EntryMatcher {
    private let entries: [MetadataEntry]
    /// Where each entry is wanted, the first place last.
    private var places: [MetadataEntry: [Int]] = [:]
    private var isTaken: [Bool]

    private init(_ entries: [MetadataEntry]) {
        self.entries = entries
        isTaken = [Bool](repeating: false, count: entries.count)
        for (place, entry) in entries.enumerated().reversed() { places[entry, default: []].append(place) }
    }

    /// For the places of entries where a unit begins, which unit.
    ///
    /// Each unit is found where its entries follow one another: behind the unit
    /// before it if it is there, else at the first place that no other unit took.
    static func matches(_ entries: [MetadataEntry], _ units: [[MetadataEntry]]) -> [Int: Int] {
        var matcher = EntryMatcher(entries)
        var matches: [Int: Int] = [:]
        var next = 0
        for (index, unit) in units.enumerated() {
            guard let place = matcher.take(unit, next: next) else { continue }
            matches[place] = index
            next = place + unit.count
        }
        return matches
    }

    private mutating func take(_ unit: [MetadataEntry], next: Int) -> Int? {
        guard let first = unit.first, let place = isFree(unit, at: next) ? next : find(unit, first) else { return nil }
        for taken in place..<(place + unit.count) { isTaken[taken] = true }
        return place
    }

    private mutating func find(_ unit: [MetadataEntry], _ first: MetadataEntry) -> Int? {
        while let last = places[first]?.last, isTaken[last] { places[first]?.removeLast() }
        return places[first]?.last { isFree(unit, at: $0) }
    }

    private func isFree(_ unit: [MetadataEntry], at place: Int) -> Bool {
        place + unit.count <= entries.count && !isTaken[place..<(place + unit.count)].contains(true)
            && entries[place..<(place + unit.count)].elementsEqual(unit)
    }
}

/// A `SimpleTag` to be written.
struct MatroskaSimpleTag {
    private let name: String
    /// `nil` for one that only holds others.
    private let entry: MetadataEntry?
    private var children: [MatroskaSimpleTag] = []

    private init(name: String, entry: MetadataEntry?) { (self.name, self.entry) = (name, entry) }

    /// Makes tags of entries: a key's slashes lead to tags within tags.
    ///
    /// An entry goes into the last tag of the name before its slash; one that
    /// finds none gets one without value.
    static func tree(_ entries: [MetadataEntry]) -> [MatroskaSimpleTag] {
        var roots: [MatroskaSimpleTag] = []
        for entry in entries { insert(entry, names(of: entry)[...], into: &roots) }
        return roots
    }

    private static func insert(
        _ entry: MetadataEntry, _ names: ArraySlice<String>, into tags: inout [MatroskaSimpleTag]
    ) {
        guard let name = names.first else { return }
        if names.count == 1 {
            tags.append(MatroskaSimpleTag(name: name, entry: entry))
        } else {
            if tags.last?.name != name { tags.append(MatroskaSimpleTag(name: name, entry: nil)) }
            insert(entry, names.dropFirst(), into: &tags[tags.count - 1].children)
        }
    }

    /// The names that a key consists of, one for each level.
    private static func names(of entry: MetadataEntry) -> [String] {
        var depth = MatroskaLimit.depth
        if case .integer(let number) = entry.extras[.nestingDepth] { depth = Int(max(1, min(number, Int64(depth)))) }
        return entry.key.text.split(separator: "/", maxSplits: depth - 1, omittingEmptySubsequences: false)
            .map(String.init)
    }

    /// The element.
    var bytes: [UInt8] {
        var fields = [EBMLWriter.text(MatroskaID.tagName, name)]
        if let entry {
            fields += MatroskaLanguage.elements(
                entry.languageTag, iso639: MatroskaID.tagLanguage, bcp47: MatroskaID.tagLanguageBCP47)
            if entry.extras[.isDefaultLanguage] == .integer(0) {
                fields.append(EBMLWriter.unsigned(MatroskaID.tagDefault, 0))
            }
            fields += Self.value(of: entry)
        }
        return EBMLWriter.element(MatroskaID.simpleTag, Array((fields + children.map(\.bytes)).joined()))
    }

    private static func value(of entry: MetadataEntry) -> [[UInt8]] {
        switch entry.value {
        case .text(let text):
            text.isEmpty && entry.extras[.hasValue] == .integer(0)
                ? [] : [EBMLWriter.text(MatroskaID.tagString, text)]
        case .integer(let number): [EBMLWriter.text(MatroskaID.tagString, String(number))]
        case .real(let number): [EBMLWriter.text(MatroskaID.tagString, String(number))]
        case .data(let bytes): [EBMLWriter.element(MatroskaID.tagBinary, bytes)]
        }
    }
}
