internal import MediaFile

/// The titles that Matroska keeps outside of tags: the Segment's, and tracks' names.
///
/// They are entries of the key `TITLE` like titles in tags, and tell where they
/// are from by the extra `element`.
enum MatroskaTitle {
    static let key = "TITLE"

    /// The entry for a title.
    static func entry(_ title: String, element: String) -> MetadataEntry {
        MetadataEntry(
            .matroska, .text(key), .text(title), dataType: MetadataDataType.utf8,
            extras: [.element: .text(element)])
    }

    /// Takes the title out of the entries wanted; those left are for tags.
    ///
    /// Only entries that say that they are the element's are: what is a tag stays one.
    static func take(from entries: inout [MetadataEntry], elements: [String]) -> String? {
        var title: String?
        var isFound = false
        entries = entries.compactMap { entry in
            guard case .text(let element) = entry.extras[.element], elements.contains(element) else { return entry }
            if !isFound {
                title = entry.text
                isFound = true
                return nil
            }
            // There is one title; what else claims to be it becomes a tag.
            var entry = entry
            entry.extras[.element] = nil
            return entry
        }
        return title
    }

    /// A master's content with another text in one of its elements.
    ///
    /// - Parameter text: The text, `nil` for no such element.
    static func content(of master: [EBMLNode], setting id: UInt32, to text: String?) -> [UInt8] {
        var children = master.filter { $0.id != MatroskaID.crc32 && $0.id != id }.map { Array($0.bytes) }
        if let text { children.append(EBMLWriter.text(id, text)) }
        return EBMLWriter.content(children, withChecksum: master.haveChecksum)
    }
}

/// A track as far as metadata needs it.
struct MatroskaTrack {
    let number: Int64
    let uid: UInt64
    let name: String?
    /// The `TrackEntry`.
    let node: EBMLNode

    init?(_ node: EBMLNode, _ allowance: inout EBMLAllowance) {
        let fields = node.children(&allowance)
        guard let number = fields.first(MatroskaID.trackNumber)?.unsigned.flatMap({ Int64(exactly: $0) }) else {
            return nil
        }
        (self.number, self.node) = (number, node)
        uid = fields.first(MatroskaID.trackUID)?.unsigned ?? 0
        name = fields.first(MatroskaID.trackName)?.text
    }
}
