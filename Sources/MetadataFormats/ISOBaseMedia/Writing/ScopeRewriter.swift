internal import MediaContainers
internal import MediaIO
internal import MediaMetadata

/// Puts new entries into the boxes of a movie or of a track.
struct ScopeRewriter {
    typealias ItemParent = MovieMetadata.ItemParent
    typealias Segment = FileRewrite.Segment

    let scope: MovieMetadata.Scope
    private(set) var edits: BoxEdits
    private(set) var losses: [MetadataLoss] = []
    private let knownKeys: Set<KeyList.Key>

    init(_ scope: MovieMetadata.Scope, edits: BoxEdits) {
        self.scope = scope
        self.edits = edits
        knownKeys = Set(scope.parents.flatMap(\.keys.keys))
    }

    /// - Parameter userData: A new box for `udta` that is no entry's.
    mutating func rewrite(_ entries: [MetadataEntry], beside userData: [UInt8] = []) {
        if !userData.isEmpty { addUserData(userData) }
        var byKind: [MovieMetadata.Kind: [MetadataEntry]] = [:]
        for entry in entries {
            let entry = normalized(entry)
            do {
                byKind[try kind(of: entry), default: []].append(entry)
            } catch {
                lose(entry, error.reason)
            }
        }
        for kind in [MovieMetadata.Kind.userData, .iTunes, .keyed] {
            let parents = scope.parents.filter { $0.kind == kind }
            let entries = byKind[kind] ?? []
            if entries != parents.flatMap(\.storedItems).flatMap(\.entries) { place(entries, kind, parents) }
        }
        if !newUserData.isEmpty { edits.append([.bytes(.box("udta", newUserData))], to: scope.box) }
    }

    private mutating func lose(_ entry: MetadataEntry, _ reason: String) {
        losses.append(MetadataLoss(item: entry.identifier.rawValue, reason: reason))
    }

    // MARK: Where entries belong

    /// An entry with four characters as the number that they are in these key spaces.
    private func normalized(_ entry: MetadataEntry) -> MetadataEntry {
        guard entry.keySpace.hasCodes, case .text(let text) = entry.key,
            let key = MetadataKey(fourCharacters: text)
        else { return entry }
        var entry = entry
        entry.key = key
        return entry
    }

    /// Types that are no entries where entries are.
    private static let reserved: Set<FourCC> = FourCC.freeSpace.union(["meta", "chpl", .none])

    private func kind(of entry: MetadataEntry) throws(UnfitValue) -> MovieMetadata.Kind {
        // Keys of other kinds in a list of keys are told from real ones by being there.
        if entry.extras[.dataTypeNamespace] == .text(DataTypeNamespace.quickTimeMetadata),
            let key = KeyList.Key(entry), knownKeys.contains(key)
        {
            return .keyed
        }
        switch (entry.keySpace, entry.key) {
        case (.quickTimeMetadata, .text(let text)):
            guard !text.isEmpty else { throw UnfitValue("the key is empty") }
            return .keyed
        case (.iTunesFreeForm, .text):
            guard !ItemList.freeFormName(entry).name.isEmpty else { throw UnfitValue("the key has no name") }
            return .iTunes
        case (.iTunes, .code(let code)):
            guard !Self.reserved.contains(FourCC(rawValue: code)) else {
                throw UnfitValue("the key has another meaning here")
            }
            let isWhole = entry.extras[.layout] == BoxLayout.content.value
            guard code != ITunesKeys.freeForm.rawValue || isWhole else {
                throw UnfitValue("free-form keys need a name")
            }
            return .iTunes
        case (.quickTimeUserData, .code(let code)), (.isoUserData, .code(let code)):
            guard !Self.reserved.contains(FourCC(rawValue: code)) else {
                throw UnfitValue("the key has another meaning here")
            }
            return .userData
        case (.quickTimeMetadata, _), (.iTunes, _), (.iTunesFreeForm, _), (.quickTimeUserData, _), (.isoUserData, _):
            throw UnfitValue("the key is of another kind than its key space has")
        default: throw UnfitValue("MP4 and QuickTime files have no place for this key space")
        }
    }

    // MARK: Units

    /// A place for new boxes: in which parent, before which position.
    private struct Place {
        var parent: Int
        var position: UInt64?
    }

    private mutating func place(_ entries: [MetadataEntry], _ kind: MovieMetadata.Kind, _ parents: [ItemParent]) {
        let storedItems = parents.enumerated().flatMap { index, parent in
            parent.storedItems.map { (parent: index, storedItem: $0) }
        }
        let placement = ItemPlacement(
            entries, among: storedItems.map(\.storedItem),
            canShare: kind == .userData ? UserDataBox.canShareBox : ItemList.canShareItem)
        var place = Place(parent: 0, position: parents.first?.storedItems.first?.box.start)
        var kept: Set<Int> = []
        var last = -1
        var groups: [(entries: [MetadataEntry], place: Place)] = []
        var moved: [(index: Int, place: Place)] = []
        // New boxes and moved ones in their order, each with its place.
        var order: [(group: Int?, moved: Int?)] = []
        for step in placement.steps {
            switch step {
            case .write(let group):
                order.append((groups.count, nil))
                groups.append((group, place))
            case .keep(let index) where index > last:
                kept.insert(index)
                last = index
                place = Place(
                    parent: storedItems[index].parent, position: storedItems[index].storedItem.box.range.upperBound)
            case .keep(let index):
                order.append((nil, moved.count))
                moved.append((index, place))
            }
        }
        var keyLists = parents.indices.map { parent in
            KeyNumbers(
                parents[parent],
                staying: kept.filter { storedItems[$0].parent == parent }.compactMap {
                    storedItems[$0].storedItem.keyNumber
                },
                needed: groups.filter { $0.place.parent == parent }.compactMap { $0.entries.first })
        }
        if parents.isEmpty { keyLists = [KeyNumbers()] }
        for index in storedItems.indices where !kept.contains(index) {
            edits.replace(storedItems[index].storedItem.box, with: [])
        }
        var new: [UInt8] = []
        for item in order {
            let place: Place
            let segments: [Segment]
            if let index = item.group {
                place = groups[index].place
                guard let bytes = box(groups[index].entries, kind, &keyLists[place.parent]) else { continue }
                if parents.isEmpty {
                    new += bytes
                    continue
                }
                segments = [.bytes(bytes)]
            } else if let index = item.moved {
                place = moved[index].place
                let storedItem = storedItems[moved[index].index]
                let key = storedItem.storedItem.keyNumber.flatMap { parents[storedItem.parent].keys[$0] }
                segments = self.segments(
                    of: storedItem.storedItem, number: key.map { keyLists[place.parent].number(of: $0) })
            } else {
                continue
            }
            insert(segments, at: place, parents)
        }
        for index in kept {
            let (parent, storedItem) = storedItems[index]
            guard let number = storedItem.keyNumber, case let new = keyLists[parent].number(ofOld: number),
                new != number
            else {
                continue
            }
            edits.replace(storedItem.box, with: segments(of: storedItem, number: new))
        }
        for (parent, list) in zip(parents, keyLists) { replaceKeys(of: parent, with: list) }
        if parents.isEmpty, !new.isEmpty { addHolder(kind, new, keyLists[0].list) }
    }

    private mutating func insert(_ segments: [Segment], at place: Place, _ parents: [ItemParent]) {
        let parent = parents[place.parent]
        if let position = place.position {
            edits.insert(segments, into: parent.box, at: position)
        } else {
            edits.append(segments, to: parent.box)
        }
    }

    /// A stored item as it is, but for the number of its key.
    private func segments(of storedItem: MovieMetadata.StoredItem, number: UInt32?) -> [Segment] {
        guard let number, number != storedItem.keyNumber else { return [.source(storedItem.box.range)] }
        var header: [UInt8] = []
        header.append(bigEndian: UInt32(8 + storedItem.box.content.count))
        header.append(bigEndian: number)
        return [.bytes(header), .source(storedItem.box.content)]
    }

    private mutating func replaceKeys(of parent: ItemParent, with numbers: KeyNumbers) {
        guard let box = parent.keysBox, parent.kind == .keyed, numbers.list.keys != parent.keys.keys else { return }
        edits.replace(box, with: numbers.list.keys.isEmpty ? [] : [.bytes(numbers.list.bytes)])
    }

    // MARK: New boxes

    /// The most bytes that a new box may take, well within what a size of 32 bits can say.
    private static let maximumSize = 1 << 30

    /// The box of entries that share one, `nil` and a loss if it cannot be.
    private mutating func box(
        _ entries: [MetadataEntry], _ kind: MovieMetadata.Kind, _ keys: inout KeyNumbers
    ) -> [UInt8]? {
        guard let first = entries.first else { return nil }
        do throws(UnfitValue) {
            let type: FourCC
            let content: [UInt8]
            switch kind {
            case .userData:
                guard case .code(let code) = first.key else { return nil }
                type = FourCC(rawValue: code)
                content = try UserDataBox.content(type, entries)
                for entry in entries { UserDataBox.languageLoss(entry, type).map { lose(entry, $0) } }
            case .iTunes:
                if case .code(let code) = first.key {
                    type = FourCC(rawValue: code)
                } else {
                    type = ITunesKeys.freeForm
                }
                content = ItemList.content(entries)
            case .keyed:
                guard let key = KeyList.Key(first) else { throw UnfitValue("the key is of another kind") }
                content = ItemList.content(entries)
                type = FourCC(rawValue: keys.number(of: key))
            }
            guard content.count < Self.maximumSize else { throw UnfitValue("the value is too large") }
            return .box(type, content)
        } catch {
            for entry in entries { lose(entry, error.reason) }
            return nil
        }
    }

    /// Makes the boxes around new stored items where there are none yet.
    private mutating func addHolder(_ kind: MovieMetadata.Kind, _ storedItems: [UInt8], _ keys: KeyList) {
        switch kind {
        case .userData: addUserData(storedItems)
        case .iTunes:
            let box = metaBox(handler: "mdir", manufacturer: "appl", [.box("ilst", storedItems)])
            guard let userData = scope.userData, !userData.content.isEmpty else { return addUserData(box) }
            // Many readers look at the first such box alone, and there may be one of QuickTime.
            edits.insert([.bytes(box)], into: userData, at: userData.content.lowerBound)
        case .keyed:
            let box = metaBox(handler: "mdta", manufacturer: .none, [keys.bytes, .box("ilst", storedItems)])
            edits.append([.bytes(box)], to: scope.box)
        }
    }

    /// The boxes of a `udta` box that the scope needs.
    private var newUserData: [UInt8] = []

    private mutating func addUserData(_ boxes: [UInt8]) {
        if let userData = scope.userData {
            edits.append([.bytes(boxes)], to: userData)
        } else {
            newUserData += boxes
        }
    }

    /// A `meta` box.
    ///
    /// That of iTunes has a version in all files. That of QuickTime has none:
    /// even in MP4 files many readers see it only so, and phones write it so.
    private func metaBox(handler: FourCC, manufacturer: FourCC, _ boxes: [[UInt8]]) -> [UInt8] {
        var header: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
        header.append(bigEndian: handler.rawValue)
        header.append(bigEndian: manufacturer.rawValue)
        header += [UInt8](repeating: 0, count: 9)
        let version: [UInt8] = handler == "mdir" ? [0, 0, 0, 0] : []
        return .box("meta", version + .box("hdlr", header) + boxes.flatMap { $0 })
    }
}

/// The numbers of keys while items come and go.
struct KeyNumbers {
    private(set) var list = KeyList()
    /// The number of each key's first mention.
    private var numbers: [KeyList.Key: UInt32] = [:]
    private var renumbered: [UInt32: UInt32] = [:]

    init() {}

    /// The keys that stay: those of stored items that stay, those that had none before, and those of new entries.
    init(_ parent: MovieMetadata.ItemParent, staying: [UInt32], needed: [MetadataEntry]) {
        let used = Set(parent.storedItems.compactMap(\.keyNumber))
        let staying = Set(staying)
        let needed = Set(needed.compactMap(KeyList.Key.init))
        for (index, key) in parent.keys.keys.enumerated() {
            let number = UInt32(index + 1)
            // Items that were not read need their numbers.
            let stays = staying.contains(number) || !used.contains(number) || needed.contains(key)
            guard stays || parent.hasUnreadItems else { continue }
            append(key)
            renumbered[number] = UInt32(list.keys.count)
        }
    }

    /// The number of a key, which is added if it is new.
    mutating func number(of key: KeyList.Key) -> UInt32 {
        if let number = numbers[key] { return number }
        append(key)
        return UInt32(list.keys.count)
    }

    private mutating func append(_ key: KeyList.Key) {
        list.keys.append(key)
        if numbers[key] == nil { numbers[key] = UInt32(list.keys.count) }
    }

    /// The number of a key that stays, by its old number.
    func number(ofOld number: UInt32) -> UInt32 { renumbered[number] ?? number }
}

/// What changes beside the movie when entries there are added or removed.
///
/// Boxes that go become free space of the same size, so that nothing moves.
struct OuterRewriter {
    /// What takes the place of ranges of the file, of the same size.
    private(set) var changes: [(range: Range<UInt64>, bytes: [UInt8])] = []
    /// Boxes to add at the end.
    private(set) var additions: [UInt8] = []
    private(set) var losses: [MetadataLoss] = []

    /// Whether an entry belongs beside the movie.
    static func holds(_ entry: MetadataEntry) -> Bool {
        [OuterMetadata.packetKeySpace, OuterMetadata.metaKeySpace].contains(entry.keySpace)
            && entry.extras[.dataTypeNamespace] == nil
    }

    init(_ entries: [MetadataEntry], among storedItems: [MovieMetadata.StoredItem]) {
        let placement = ItemPlacement(entries, among: storedItems) { _, _ in false }
        var kept: Set<Int> = []
        var packets: [[UInt8]] = []
        for step in placement.steps {
            switch step {
            case .keep(let index): kept.insert(index)
            case .write(let group):
                for entry in group {
                    if let box = Self.packetBox(entry) {
                        packets.append(box)
                    } else {
                        losses.append(
                            MetadataLoss(
                                item: entry.identifier.rawValue,
                                reason: "beside the movie only XMP packets can be written"))
                    }
                }
            }
        }
        for index in storedItems.indices where !kept.contains(index) {
            let box = storedItems[index].box
            let size = Int(box.range.length)
            let rest = { (packet: [UInt8]) in size - packet.count }
            var bytes: [UInt8] = []
            if box.type == "uuid", let fitting = packets.firstIndex(where: { rest($0) == 0 || rest($0) >= 8 }) {
                bytes = packets.remove(at: fitting)
            }
            if bytes.count < size { bytes += .box("free", [UInt8](repeating: 0, count: size - bytes.count - 8)) }
            changes.append((box.range, bytes))
        }
        additions = packets.flatMap { $0 }
    }

    private static func packetBox(_ entry: MetadataEntry) -> [UInt8]? {
        guard entry.keySpace == OuterMetadata.packetKeySpace, entry.key == OuterMetadata.packetKey else { return nil }
        switch entry.value {
        case .text(let text): return .box("uuid", OuterMetadata.packetIdentifier + text.utf8)
        case .data(let bytes): return .box("uuid", OuterMetadata.packetIdentifier + bytes)
        default: return nil
        }
    }
}
