internal import AVToolCommands
internal import Foundation
package import MetadataFormats
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// The JSON documents that the command line reads.
package enum ToolDocuments {
    /// Reads a document of metadata or chapters, applies it and gives it back as it is then printed.
    package static func read(_ document: [UInt8], into file: inout MetadataFile) {
        let data = Data(document)
        do {
            try JSONDecoder().decode(JSONMetadataEdit.self, from: data).apply(to: &file)
        } catch let error as DecodingError {
            _ = error.place(in: data)
        } catch { return }
        _ = try? JSONEncoder().encode(JSONMetadata(source: "-", file.metadata))
    }
}

// What the documents' files name of the rest of the tool.

enum InputDocument {
    static func read(_ path: String) throws -> Data { throw Failure(.noSuchInput, path) }
}

protocol ResultDocument: Encodable, Sendable {}
