internal import MediaIO
internal import MediaMetadata

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
