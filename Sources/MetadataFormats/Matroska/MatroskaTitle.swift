internal import Foundation
internal import MediaIO
internal import MediaMetadata

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

    /// The segment information's content with another date, in nanoseconds since the beginning of 2001.
    static func content(of master: [EBMLNode], dated date: Date?) -> [UInt8] {
        var children = master.filter { $0.id != MatroskaID.crc32 && $0.id != MatroskaID.dateUTC }
            .map { Array($0.bytes) }
        let nanoseconds = date.map { ($0.timeIntervalSinceReferenceDate * 1e9).rounded() } ?? 0
        if date != nil, let count = Int64(exactly: nanoseconds) {
            let number = EBMLWriter.number(UInt64(bitPattern: count), width: 8)
            children.append(EBMLWriter.element(MatroskaID.dateUTC, number))
        }
        return EBMLWriter.content(children, withChecksum: master.haveChecksum)
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
