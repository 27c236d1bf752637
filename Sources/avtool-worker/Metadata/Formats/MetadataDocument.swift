internal import AVToolCommands
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A file's metadata in the form of another program.
struct MetadataDocument {
    let source: String
    let metadata: FileMetadata
    /// What is said in this form, with the names that people use.
    private(set) var items: [PlainMetadata.Item]
    /// How many items are data, which no text holds.
    private let dataCount: Int

    init(source: String, _ metadata: FileMetadata) {
        (self.source, self.metadata) = (source, metadata)
        items = Self.items(metadata.entries)
        dataCount = metadata.entries.count(where: \.isPlainData)
    }

    /// The items that are text or numbers.
    static func items(_ entries: [MetadataEntry]) -> [PlainMetadata.Item] {
        PlainMetadata(entries.filter { !$0.isPlainData }).items
    }

    /// What the text leaves out, a line for each kind.
    ///
    /// - Parameter missing: The names that the form has no place for.
    func notes(missing: [String] = []) -> [String] {
        var notes: [String] = []
        if dataCount > 0 {
            notes.append(
                "\(dataCount == 1 ? "an item that is" : "\(dataCount) items that are") data, such as a cover, left out")
        }
        if !missing.isEmpty {
            notes.append("left out, as this form has no place for it: \(missing.joined(separator: ", "))")
        }
        return notes
    }
}

extension MetadataEntry {
    /// Whether its value is data that mean nothing to people: not a pair of numbers.
    fileprivate var isPlainData: Bool { if case .data = value { numberPair == nil } else { false } }
}
