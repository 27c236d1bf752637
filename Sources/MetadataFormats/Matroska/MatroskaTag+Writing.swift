internal import MediaIO
internal import MediaMetadata

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
