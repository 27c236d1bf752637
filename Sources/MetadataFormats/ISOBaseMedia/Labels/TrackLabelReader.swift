internal import MediaContainers
internal import MediaIO
internal import MediaMetadata

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
