internal import MediaContainers
internal import MediaIO
package import MediaMetadata

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
        if let name = new.handlerName, name != old.handlerName, let box = boxes.first(where: { $0.type == "hdlr" }) {
            let content = HandlerName.content(reader.bytes(of: box), named: name, isQuickTime: isQuickTime)
            edits.replace(box, with: [.bytes(.box("hdlr", content))])
        }
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
