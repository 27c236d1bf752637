internal import Foundation
internal import MediaContainers
internal import MediaIO
internal import MediaMetadata

/// The metadata of a movie file, with the places that hold it.
struct MovieMetadata {
    /// A box of user data, or an item, and its entries.
    struct StoredItem {
        let box: Box
        /// At least one.
        let entries: [MetadataEntry]
        /// The number of its key, for an item with one.
        var keyNumber: UInt32?
    }

    /// What kinds of entries a box holds.
    enum Kind: Hashable {
        /// `udta`, entries of user data.
        case userData
        /// `ilst` with four-character types.
        case iTunes
        /// `ilst` with numbers of keys.
        case keyed
    }

    /// A box that holds stored items.
    struct ItemParent {
        let kind: Kind
        /// `udta` or `ilst`.
        let box: Box
        var storedItems: [StoredItem] = []
        /// The keys and their box, for items with numbers.
        var keys = KeyList()
        var keysBox: Box?
        /// Whether it has items that are no stored items.
        var hasUnreadItems = false
    }

    /// The movie or one of its tracks.
    struct Scope {
        /// `moov` or `trak`.
        let box: Box
        /// The track's number, `nil` for the movie.
        let trackID: Int64?
        var parents: [ItemParent] = []
        /// The first `udta` box.
        var userData: Box?

        /// All entries: those of one kind in file order.
        ///
        /// Which kind comes first does not depend on the file, so that it tells
        /// nothing about where free space was when they were written.
        var entries: [MetadataEntry] {
            [Kind.keyed, .iTunes, .userData].flatMap { kind in
                parents.filter { $0.kind == kind }.flatMap(\.storedItems).sorted { $0.box.start < $1.box.start }
                    .flatMap(\.entries)
            }
        }
    }

    let movieFile: MovieFile
    /// The movie, then its tracks.
    private(set) var scopes: [Scope] = []
    /// Boxes beside the movie.
    private(set) var outerItems: [StoredItem] = []
    private(set) var creationDate: Date?
    private(set) var problems: [String] = [] {
        didSet { if problems.count > Self.maximumProblems { problems.removeLast() } }
    }

    /// Bytes of values that are read in all: enough for many pictures.
    private var byteBudget: Int
    /// Boxes that are looked at in all, so that a file of nothing but headers is soon done with.
    private var boxBudget = 1 << 16
    /// Problems that are told of: who has more of them learns nothing from the rest.
    private static let maximumProblems = 100

    init(_ movieFile: MovieFile) {
        self.movieFile = movieFile
        byteBudget = Int(movieFile.file.limits.metadataSize)
        readOuterItems()
        guard let movie = movieFile.movie else {
            problems.append("there is no moov box")
            return
        }
        let children = boxes(in: movie.content)
        creationDate = MovieHeader(in: children, movieFile.reader)?.creationDate
        if children.contains(where: { $0.type == "cmov" }) { problems.append("moov: compressed, not read") }
        scopes.append(scope(movie, trackID: nil, children))
        for track in children where track.type == "trak" {
            let children = boxes(in: track.content)
            guard let header = TrackHeader(in: children, movieFile.reader) else {
                problems.append("trak at \(track.start): no readable header")
                continue
            }
            scopes.append(scope(track, trackID: Int64(header.trackID), children))
        }
    }

    // MARK: Boxes

    private mutating func boxes(in range: Range<UInt64>) -> [Box] {
        guard boxBudget > 0 else { return [] }
        let boxes = movieFile.reader.boxes(in: range)
        boxBudget -= boxes.count + 1
        if boxBudget <= 0 { problems.append("there are more boxes than are read") }
        return boxes
    }

    /// A box's content, `nil` and a problem if there is too much of it.
    mutating func content(of box: Box) -> [UInt8]? {
        let size = box.content.length
        guard size <= UInt64(byteBudget), let bytes = movieFile.file.read(box.content, limit: byteBudget) else {
            problems.append(
                "\(Self.name(box)) at \(box.start): more bytes than are read \(MediaLimits.Name.metadataSize.note)")
            return nil
        }
        byteBudget -= bytes.count
        return bytes
    }

    private static func name(_ box: Box) -> String {
        let name = MetadataKey.code(box.type.rawValue).text
        return name.unicodeScalars.allSatisfy { (32..<127).contains($0.value) } ? name : "box"
    }

    // MARK: User data and metadata

    private mutating func scope(_ box: Box, trackID: Int64?, _ children: [Box]) -> Scope {
        var scope = Scope(box: box, trackID: trackID)
        for child in children {
            if child.type == "udta" {
                if scope.userData == nil { scope.userData = child }
                readUserData(child, &scope)
            } else if child.type == "meta" {
                readMeta(child, &scope)
            }
        }
        return scope
    }

    private mutating func readUserData(_ userData: Box, _ scope: inout Scope) {
        var parent = ItemParent(kind: .userData, box: userData)
        for box in boxes(in: userData.content) {
            switch box.type {
            case "meta": readMeta(box, &scope)
            // Chapters, padding and the zeros at the end are no entries.
            case "chpl", "free", "skip", "wide", "\0\0\0\0": continue
            default:
                guard let content = content(of: box) else { continue }
                let entries = UserDataBox.entries(
                    type: box.type, content: content, container: FileMetadata.Container(of: movieFile))
                parent.storedItems.append(StoredItem(box: box, entries: entries))
            }
        }
        scope.parents.append(parent)
    }

    private mutating func readMeta(_ meta: Box, _ scope: inout Scope) {
        let children = boxes(in: movieFile.reader.children(of: meta))
        let handler = children.first { $0.type == "hdlr" }.flatMap {
            movieFile.reader.bytes(of: $0, limit: 12).fourCC(at: 8)
        }
        let keysBox = children.first { $0.type == "keys" }
        let isKeyed = handler == "mdta" || handler != "mdir" && keysBox != nil
        var keys = KeyList()
        if isKeyed {
            guard let keysBox, let content = content(of: keysBox) else {
                problems.append("meta at \(meta.start): no list of keys")
                return
            }
            keys = KeyList(content)
            keys.languages = lists("lang", children)
            keys.countries = lists("ctry", children)
        }
        for list in children where list.type == "ilst" {
            var parent = ItemParent(kind: isKeyed ? .keyed : .iTunes, box: list, keys: keys, keysBox: keysBox)
            for box in boxes(in: list.content) where box.type != "free" && box.type != "skip" {
                if let storedItem = item(box, isKeyed ? keys : nil) {
                    parent.storedItems.append(storedItem)
                } else {
                    parent.hasUnreadItems = true
                }
            }
            scope.parents.append(parent)
            // One list of keys cannot be changed for two.
            if isKeyed { break }
        }
    }

    private func lists(_ type: FourCC, _ children: [Box]) -> [[UInt16]] {
        guard let box = children.first(where: { $0.type == type }) else { return [] }
        return ItemLocale.lists(movieFile.reader.bytes(of: box))
    }

    private mutating func item(_ box: Box, _ keys: KeyList?) -> StoredItem? {
        let key = keys?[box.type.rawValue]
        guard keys == nil || key != nil else {
            problems.append("ilst: the item at \(box.start) has a number that no key has")
            return nil
        }
        guard let content = content(of: box) else { return nil }
        guard let keys, let key else {
            return StoredItem(box: box, entries: ItemList.iTunesEntries(type: box.type, content: content))
        }
        let entries = ItemList.keyedEntries(key: key, content: content, list: keys)
        return StoredItem(box: box, entries: entries, keyNumber: box.type.rawValue)
    }

    // MARK: Beside the movie

    private mutating func readOuterItems() {
        for box in movieFile.boxes {
            if box.type == "uuid", let storedItem = packet(box) {
                outerItems.append(storedItem)
            } else if box.type == "meta" {
                for child in boxes(in: movieFile.reader.children(of: box)) {
                    guard OuterMetadata.types.contains(child.type), let content = content(of: child) else { continue }
                    outerItems.append(StoredItem(box: child, entries: [OuterMetadata.entry(child.type, content)]))
                }
            }
        }
    }

    /// An XMP packet.
    private mutating func packet(_ box: Box) -> StoredItem? {
        let identifier = movieFile.reader.bytes(of: box, limit: 16)
        guard identifier == OuterMetadata.packetIdentifier, let content = content(of: box) else { return nil }
        return StoredItem(box: box, entries: [OuterMetadata.packet(Array(content.dropFirst(16)))])
    }
}
