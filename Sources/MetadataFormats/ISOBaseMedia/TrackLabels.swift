internal import Foundation
internal import MediaContainers
internal import MediaIO
package import MediaMetadata

/// Reads what a movie's track says of itself.
///
/// Source: ISO/IEC 14496-12, `mdhd`, `elng`, `hdlr`, `kind`; ISO/IEC 23009-1, roles; QuickTime File Format, `name`,
/// `tagc`.
struct TrackLabelReader {
    let reader: BoxReader

    /// The label of a `trak` box.
    func label(of track: Box, trackID: Int64) -> TrackLabel {
        var label = TrackLabel(trackID: trackID)
        let children = reader.boxes(in: track.content)
        if let media = children.first(where: { $0.type == "mdia" }) {
            let boxes = reader.boxes(in: media.content)
            label.languageTag = ISOChapters.languageTag(ofMedia: boxes, reader: reader)
            if let handler = boxes.first(where: { $0.type == "hdlr" }) {
                label.handlerName = HandlerName.text(of: reader.bytes(of: handler, limit: 1 << 12))
            }
        }
        for box in children.filter({ $0.type == "udta" }).flatMap({ reader.boxes(in: $0.content) }) {
            switch box.type {
            case "name" where label.name == nil: label.name = Self.text(reader.bytes(of: box, limit: 1 << 12)[...])
            case "kind": label.roles.formUnion(TrackRoleNames.role(ofKind: reader.bytes(of: box, limit: 1 << 10)))
            case "tagc":
                let tag = Self.text(reader.bytes(of: box, limit: 1 << 10)[...])
                label.roles.formUnion(tag.map(TrackRoleNames.role(ofCharacteristic:)) ?? [])
            default: break
            }
        }
        return label
    }

    /// Text up to a zero, `nil` for none.
    static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        let text = bytes.prefix { $0 != 0 }
        return text.isEmpty ? nil : TextCoding.utf8OrLatin1(text)
    }
}

/// The name in a handler box: QuickTime counts its bytes, MP4 ends it with zero; writers mix that up.
enum HandlerName {
    static func text(of content: [UInt8]) -> String? {
        guard content.count > 24 else { return nil }
        let isCounted = Int(content[24]) == content.count - 25 && content[24] != 0
        return TrackLabelReader.text(content[(isCounted ? 25 : 24)...])
    }

    /// A handler box's content with another name.
    static func content(_ content: [UInt8], named name: String, isQuickTime: Bool) -> [UInt8] {
        guard content.count >= 24 else { return content }
        let bytes = name.utf8Prefix(255)
        return Array(content.prefix(24)) + (isQuickTime ? [UInt8(bytes.count)] + bytes : bytes + [0])
    }
}

/// How files say what tracks are for.
enum TrackRoleNames {
    /// The scheme of DASH, which MP4 files use too.
    static let scheme = "urn:mpeg:dash:role:2011"

    private static let kinds: [(role: TrackLabel.Roles, kind: String)] = [
        (.forced, "forced-subtitle"), (.hearingImpaired, "caption"), (.visualImpaired, "description"),
        (.commentary, "commentary"), (.dub, "dub"),
    ]

    /// QuickTime's characteristics; the first of a role tells it, the others come along.
    private static let characteristics: [(role: TrackLabel.Roles, tags: [String])] = [
        (.forced, ["public.subtitles.forced-only"]),
        (
            .hearingImpaired,
            ["public.accessibility.transcribes-spoken-dialog", "public.accessibility.describes-music-and-sound"]
        ),
        (.visualImpaired, ["public.accessibility.describes-video"]), (.commentary, ["public.auxiliary-content"]),
        (.original, ["public.original-content"]), (.dub, ["public.translation.dubbed"]),
    ]

    static func role(ofKind content: [UInt8]) -> TrackLabel.Roles {
        let parts = content.dropFirst(4).split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].elementsEqual(scheme.utf8) else { return [] }
        let value = TrackLabelReader.text(parts[1])
        return kinds.first { $0.kind == value }?.role ?? []
    }

    static func role(ofCharacteristic tag: String) -> TrackLabel.Roles {
        characteristics.first { $0.tags.contains(tag) }?.role ?? []
    }

    /// The boxes of user data that say roles: characteristics, which Apple's players read in both kinds of file, and
    /// kinds, which are of MP4 only.
    static func boxes(_ roles: TrackLabel.Roles, isQuickTime: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        if !isQuickTime {
            for (role, kind) in kinds where roles.contains(role) {
                bytes += .box("kind", [0, 0, 0, 0] + Array(scheme.utf8) + [0] + Array(kind.utf8) + [0])
            }
        }
        for (role, tags) in characteristics where roles.contains(role) {
            for tag in tags { bytes += .box("tagc", Array(tag.utf8)) }
        }
        return bytes
    }

    /// Whether a box of user data says one of these roles.
    static func isRole(_ type: FourCC, _ content: [UInt8]) -> Bool {
        switch type {
        case "kind": !role(ofKind: content).isEmpty
        case "tagc": !(TrackLabelReader.text(content[...]).map(role(ofCharacteristic:)) ?? []).isEmpty
        default: false
        }
    }
}

/// Makes a movie's track say something else of itself.
///
/// Language and handler are in boxes of their own; name and roles are user data, which are entries.
struct TrackLabelWriter {
    let reader: BoxReader
    let isQuickTime: Bool

    /// Changes the headers of a `trak` box.
    func write(_ new: TrackLabel, replacing old: TrackLabel, of track: Box, to edits: inout BoxEdits) {
        guard let media = reader.box(["mdia"], in: track.content) else { return }
        let boxes = reader.boxes(in: media.content)
        if new.languageTag != old.languageTag || new.isForeign && needsOtherCode(new.languageTag, media, boxes) {
            setLanguage(new.languageTag, media, boxes, &edits)
        }
        if new.isOptional { disable(track, &edits) }
        if let name = new.handlerName, name != old.handlerName, let box = boxes.first(where: { $0.type == "hdlr" }) {
            let content = HandlerName.content(reader.bytes(of: box), named: name, isQuickTime: isQuickTime)
            edits.replace(box, with: [.bytes(.box("hdlr", content))])
        }
    }

    /// Takes a track out of those that are shown unless others are chosen.
    ///
    /// libavformat enables the first track of subtitles where none is to be shown.
    private func disable(_ track: Box, _ edits: inout BoxEdits) {
        guard let box = reader.box(["tkhd"], in: track.content) else { return }
        var content = reader.bytes(of: box)
        guard content.count > 3, content[3] & 1 == 1 else { return }
        content[3] &= 0xFE
        edits.replace(box, with: [.bytes(.box("tkhd", content))])
    }

    // MARK: Language

    /// A header's code for a language, and whether a box with the tag has to stand beside it.
    ///
    /// QuickTime's own numbers are what its older players know; these cannot tell regions and scripts, nor can three
    /// letters.
    private func code(for tag: String?) -> (code: UInt16, hasTag: Bool) {
        let (packed, extended) = ISOChapters.languageCode(of: tag)
        guard isQuickTime, let tag else { return (packed, extended != nil) }
        return (MacintoshText.number(ofLanguage: tag) ?? packed, true)
    }

    /// Whether the language is written in the other family's way, which this one's readers do not understand.
    private func needsOtherCode(_ tag: String?, _ media: Box, _ boxes: [Box]) -> Bool {
        guard let tag, let code = MediaHeader(in: boxes, reader)?.languageCode else { return false }
        // A number below 0x400 means nothing in MP4; QuickTime movies have the tag in any case.
        if isQuickTime { return !boxes.contains { $0.type == "elng" } && self.code(for: tag).code != code }
        return code < 0x400
    }

    private func setLanguage(_ tag: String?, _ media: Box, _ boxes: [Box], _ edits: inout BoxEdits) {
        guard let box = boxes.first(where: { $0.type == "mdhd" }), var header = MediaHeader(reader.bytes(of: box)),
            header.languageCode != nil
        else { return }
        let (code, hasTag) = code(for: tag)
        header.languageCode = code
        edits.replace(box, with: [.bytes(header.box)])
        let extended = hasTag ? tag.map { [UInt8].box("elng", [0, 0, 0, 0] + Array($0.utf8) + [0]) } ?? [] : []
        if let old = boxes.first(where: { $0.type == "elng" }) {
            edits.replace(old, with: extended.isEmpty ? [] : [.bytes(extended)])
        } else if !extended.isEmpty, let next = boxes.first(where: { $0.start > box.start }) {
            edits.insert([.bytes(extended)], into: media, at: next.start)
        }
    }

    // MARK: Entries

    /// A track's entries with another name and other roles.
    func entries(_ entries: [MetadataEntry], for new: TrackLabel, replacing old: TrackLabel) -> [MetadataEntry] {
        var result = entries
        let wanted = ISOBaseMediaFormat.entries(for: new, in: isQuickTime ? .quickTime : .isoBaseMedia)
        if new.name != old.name {
            result.removeAll(where: \.isTrackName)
            result += wanted.filter(\.isTrackName)
        }
        if new.roles != old.roles {
            result.removeAll(where: \.isTrackRole)
            result += wanted.filter(\.isTrackRole)
        }
        return result
    }
}

extension ISOBaseMediaFormat {
    package static func entries(for label: TrackLabel, in container: FileMetadata.Container) -> [MetadataEntry] {
        let isQuickTime = container == .quickTime
        let keySpace: AVMetadataKeySpace = isQuickTime ? .quickTimeUserData : .isoUserData
        let file = RandomAccessFile(bytes: TrackRoleNames.boxes(label.roles, isQuickTime: isQuickTime))
        let reader = BoxReader(file: file)
        let roles = reader.boxes(in: 0..<file.byteCount).flatMap { box in
            UserDataBox.entries(type: box.type, content: reader.bytes(of: box), container: container)
        }
        return (label.name.map { [UserDataBox.text(keySpace, "name", $0)] } ?? []) + roles
    }
}

extension MetadataEntry {
    /// Whether it is the name of a track.
    package var isTrackName: Bool {
        switch (keySpace, key) {
        case (.matroska, _): return extras[.element] == .text(MatroskaElementName.trackName)
        case (.quickTimeUserData, .code(let code)), (.isoUserData, .code(let code)):
            return FourCC(rawValue: code) == "name"
        default: return false
        }
    }

    /// Whether it says what a track is for.
    package var isTrackRole: Bool {
        guard [.quickTimeUserData, .isoUserData].contains(keySpace), case .code(let code) = key else { return false }
        switch (FourCC(rawValue: code), value) {
        case ("kind", .data(let bytes)): return TrackRoleNames.isRole("kind", bytes)
        case ("tagc", .text(let text)): return TrackRoleNames.isRole("tagc", Array(text.utf8))
        default: return false
        }
    }
}

extension TimedHeader {
    /// From 1904, where the format's clock begins, to 1970.
    private static var epoch: TimeInterval { 2_082_844_800 }

    /// When it was made, `nil` if nobody says; a year of five digits is a mistake.
    var creationDate: Date? {
        guard creationTime != 0, creationTime < 1 << 38 else { return nil }
        return Date(timeIntervalSince1970: TimeInterval(creationTime) - Self.epoch)
    }

    /// Says when it was made and changed, which is zero for `nil`.
    fileprivate mutating func setDate(_ date: Date?) {
        let seconds = date.map { max(0, min($0.timeIntervalSince1970 + Self.epoch, TimeInterval(1 << 38))) } ?? 0
        setDates(UInt64(seconds))
    }
}

/// Changes the dates in a movie's headers: that of the movie, and of its tracks and their media, which go with it.
struct HeaderDates {
    let reader: BoxReader
    /// `nil` for none, which is written as zero.
    let date: Date?

    func write(to movie: Box, _ edits: inout BoxEdits) {
        let children = reader.boxes(in: movie.content)
        for box in children where box.type == "mvhd" { set(box, MovieHeader.self, &edits) }
        for track in children where track.type == "trak" {
            for box in reader.boxes(in: track.content) where box.type == "tkhd" { set(box, TrackHeader.self, &edits) }
            if let box = reader.box(["mdia", "mdhd"], in: track.content) { set(box, MediaHeader.self, &edits) }
        }
    }

    private func set<Header: TimedHeader>(_ box: Box, _: Header.Type, _ edits: inout BoxEdits) {
        edits.change(box, reader) { bytes in
            guard var header = Header(bytes) else { return }
            header.setDate(date)
            bytes = header.fields.bytes
        }
    }
}
