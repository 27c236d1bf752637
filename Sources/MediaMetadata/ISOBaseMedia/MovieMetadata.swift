internal import Foundation
internal import ISOBaseMedia
internal import MediaFile

/// The metadata of a movie file, with the places that hold it.
struct MovieMetadata {
    /// A box of user data, or an item, and its entries.
    struct Unit {
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

    /// A box that holds units.
    struct Holder {
        let kind: Kind
        /// `udta` or `ilst`.
        let box: Box
        var units: [Unit] = []
        /// The keys and their box, for items with numbers.
        var keys = KeyList()
        var keysBox: Box?
        /// Whether it has items that are no units.
        var hasUnreadItems = false
    }

    /// The movie or one of its tracks.
    struct Owner {
        /// `moov` or `trak`.
        let box: Box
        /// The track's number, `nil` for the movie.
        let trackID: Int64?
        var holders: [Holder] = []
        /// The first `udta` box.
        var userData: Box?

        /// All entries: those of one kind in file order.
        ///
        /// Which kind comes first does not depend on the file, so that it tells
        /// nothing about where free space was when they were written.
        var entries: [MetadataEntry] {
            [Kind.keyed, .iTunes, .userData].flatMap { kind in
                holders.filter { $0.kind == kind }.flatMap(\.units).sorted { $0.box.start < $1.box.start }
                    .flatMap(\.entries)
            }
        }
    }

    let movieFile: MovieFile
    /// The movie, then its tracks.
    private(set) var owners: [Owner] = []
    /// Boxes beside the movie.
    private(set) var outerUnits: [Unit] = []
    private(set) var creationDate: Date?
    private(set) var problems: [String] = [] {
        didSet { if problems.count > Self.maximumProblems { problems.removeLast() } }
    }

    /// Bytes of values that are read in all: enough for many pictures.
    private var byteBudget = 64 << 20
    /// Boxes that are looked at in all, so that a file of nothing but headers is soon done with.
    private var boxBudget = 1 << 16
    /// Problems that are told of: who has more of them learns nothing from the rest.
    private static let maximumProblems = 100

    init(_ movieFile: MovieFile) {
        self.movieFile = movieFile
        readOuterUnits()
        guard let movie = movieFile.movie else {
            problems.append("there is no moov box")
            return
        }
        let children = boxes(in: movie.content)
        if let header = children.first(where: { $0.type == "mvhd" }) { readCreationDate(header) }
        if children.contains(where: { $0.type == "cmov" }) { problems.append("moov: compressed, not read") }
        owners.append(owner(movie, trackID: nil, children))
        for track in children where track.type == "trak" {
            let children = boxes(in: track.content)
            guard let trackID = MovieFile.trackID(of: track, reader: movieFile.reader) else {
                problems.append("trak at \(track.start): no readable header")
                continue
            }
            owners.append(owner(track, trackID: trackID, children))
        }
    }

    /// Seconds from 1904, where the format's clock begins, to 1970.
    private static let epoch: TimeInterval = 2_082_844_800

    private mutating func readCreationDate(_ header: Box) {
        let bytes = movieFile.reader.bytes(of: header, limit: 12)
        let seconds = bytes.first == 1 ? bytes.bigEndian64(at: 4) : bytes.bigEndian32(at: 4).map(UInt64.init)
        // A year of five digits is a mistake.
        guard let seconds, seconds != 0, seconds < 1 << 38 else { return }
        creationDate = Date(timeIntervalSince1970: TimeInterval(seconds) - Self.epoch)
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
            problems.append("\(Self.name(box)) at \(box.start): more bytes than are read")
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

    private mutating func owner(_ box: Box, trackID: Int64?, _ children: [Box]) -> Owner {
        var owner = Owner(box: box, trackID: trackID)
        for child in children {
            if child.type == "udta" {
                if owner.userData == nil { owner.userData = child }
                readUserData(child, &owner)
            } else if child.type == "meta" {
                readMeta(child, &owner)
            }
        }
        return owner
    }

    private mutating func readUserData(_ userData: Box, _ owner: inout Owner) {
        var holder = Holder(kind: .userData, box: userData)
        for box in boxes(in: userData.content) {
            switch box.type {
            case "meta": readMeta(box, &owner)
            // Chapters, padding and the zeros at the end are no entries.
            case "chpl", "free", "skip", "wide", "\0\0\0\0": continue
            default:
                guard let content = content(of: box) else { continue }
                let entries = UserDataBox.entries(
                    type: box.type, content: content, container: movieFile.container)
                holder.units.append(Unit(box: box, entries: entries))
            }
        }
        owner.holders.append(holder)
    }

    private mutating func readMeta(_ meta: Box, _ owner: inout Owner) {
        let children = boxes(in: MovieFile.children(of: meta, reader: movieFile.reader))
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
            var holder = Holder(kind: isKeyed ? .keyed : .iTunes, box: list, keys: keys, keysBox: keysBox)
            for box in boxes(in: list.content) where box.type != "free" && box.type != "skip" {
                if let unit = item(box, isKeyed ? keys : nil) {
                    holder.units.append(unit)
                } else {
                    holder.hasUnreadItems = true
                }
            }
            owner.holders.append(holder)
            // One list of keys cannot be changed for two.
            if isKeyed { break }
        }
    }

    private func lists(_ type: FourCC, _ children: [Box]) -> [[UInt16]] {
        guard let box = children.first(where: { $0.type == type }) else { return [] }
        return ItemLocale.lists(movieFile.reader.bytes(of: box))
    }

    private mutating func item(_ box: Box, _ keys: KeyList?) -> Unit? {
        let key = keys?[box.type.rawValue]
        guard keys == nil || key != nil else {
            problems.append("ilst: the item at \(box.start) has a number that no key has")
            return nil
        }
        guard let content = content(of: box) else { return nil }
        guard let keys, let key else {
            return Unit(box: box, entries: ItemList.iTunesEntries(type: box.type, content: content))
        }
        let entries = ItemList.keyedEntries(key: key, content: content, list: keys)
        return Unit(box: box, entries: entries, keyNumber: box.type.rawValue)
    }

    // MARK: Beside the movie

    private mutating func readOuterUnits() {
        for box in movieFile.boxes {
            if box.type == "uuid", let unit = packet(box) {
                outerUnits.append(unit)
            } else if box.type == "meta" {
                for child in boxes(in: MovieFile.children(of: box, reader: movieFile.reader)) {
                    guard OuterMetadata.types.contains(child.type), let content = content(of: child) else { continue }
                    outerUnits.append(Unit(box: child, entries: [OuterMetadata.entry(child.type, content)]))
                }
            }
        }
    }

    /// An XMP packet.
    private mutating func packet(_ box: Box) -> Unit? {
        let identifier = movieFile.reader.bytes(of: box, limit: 16)
        guard identifier == OuterMetadata.packetIdentifier, let content = content(of: box) else { return nil }
        return Unit(box: box, entries: [OuterMetadata.packet(Array(content.dropFirst(16)))])
    }
}
