public import Foundation
package import MediaAsset
internal import MediaIO

extension ExportPreset {
    /// Reads a document.
    ///
    /// - Parameters:
    ///   - json: The document's text, of a mebibyte at most.
    ///   - path: Where it is from, for errors.
    /// - Throws: ``ExportPresetError`` of the kind `invalid`, with the place in the document. Encoders are not asked:
    ///   see ``checkEncoders(for:path:)``.
    public init(json: Data, path: String? = nil) throws {
        guard json.count <= Self.maximumDocumentSize else {
            throw ExportPresetError(
                .invalid, path: path, "a preset has \(Self.maximumDocumentSize) bytes at most")
        }
        do {
            self = try JSONDecoder().decode(ExportPreset.self, from: json)
        } catch let error as DecodingError {
            throw ExportPresetError(error, in: json, path: path)
        }
    }

    /// The document, its keys in alphabetical order.
    ///
    /// - Throws: An `EncodingError` for a number that JSON does not have.
    public func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    /// Bytes of a preset; the longest of ours has some thousand.
    static let maximumDocumentSize = 1 << 20

    /// Reads a preset, all of whose keys have to be known and whose values have to be in range.
    public init(from decoder: any Decoder) throws {
        let object = try PresetObject(
            decoder,
            keys: [
                "$schema", "name", "description", "avFoundation", "fileTypes", "video", "audio", "subtitles",
                "otherTracks", "chapters", "metadata", "fileLengthLimit",
            ])
        _ = try object.optional("$schema", as: String.self)
        name = try object.value("name")
        guard name.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._-]{0,63}/) != nil else {
            throw object.error("name", "must be letters, digits, '.', '-' and '_', 64 at most, a letter or digit first")
        }
        description = try object.value("description")
        guard (1...500).contains(description.count) else {
            throw object.error("description", "must have from 1 to 500 characters")
        }
        avFoundationName = try object.choice("avFoundation", of: AVFoundationPreset.documented)
        fileTypes = try Self.fileTypes(object)
        video = try object.value("video")
        audio = try object.value("audio")
        guard video != .none || audio != .none else {
            throw object.error("audio.mode", "must not be none where video.mode is none")
        }
        subtitles = try object.choice("subtitles", or: .keep)
        otherTracks = try object.choice("otherTracks", or: .keep)
        chapters = try object.choice("chapters", or: .keep)
        metadata = try object.choice("metadata", or: .keep)
        fileLengthLimit = try object.number("fileLengthLimit", in: 10_000...1 << 50)
    }

    private static func fileTypes(_ object: PresetObject) throws -> [AVFileType] {
        let names = try object.value("fileTypes", as: [String].self)
        let types = try names.map { name in
            guard let type = AVFileType(filenameExtension: name), type.isWritable,
                type.preferredFilenameExtension == name
            else { throw object.error("fileTypes", "must be of \(writableTypeNames.joined(separator: ", "))") }
            return type
        }
        guard !types.isEmpty, Set(types).count == types.count else {
            throw object.error("fileTypes", "must name one kind of file or more, each once")
        }
        return types
    }

    /// How documents name the kinds of files that can be written.
    static let writableTypeNames = AVFileType.writable.map(\.preferredFilenameExtension).sorted()

    /// Writes the document.
    public func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: PresetKey.self)
        try object.encode(name, forKey: PresetKey("name"))
        try object.encode(description, forKey: PresetKey("description"))
        try object.encodeIfPresent(avFoundationName, forKey: PresetKey("avFoundation"))
        try object.encode(fileTypes.map(\.preferredFilenameExtension), forKey: PresetKey("fileTypes"))
        try object.encode(video, forKey: PresetKey("video"))
        try object.encode(audio, forKey: PresetKey("audio"))
        try object.encode(subtitles, forKey: PresetKey("subtitles"))
        try object.encode(otherTracks, forKey: PresetKey("otherTracks"))
        try object.encode(chapters, forKey: PresetKey("chapters"))
        try object.encode(metadata, forKey: PresetKey("metadata"))
        try object.encodeIfPresent(fileLengthLimit, forKey: PresetKey("fileLengthLimit"))
    }
}

extension ExportPresetError {
    /// - Parameters:
    ///   - document: What was read.
    ///   - path: The document's file.
    init(_ error: DecodingError, in document: Data, path: String?) {
        func place(_ keys: [any CodingKey]) -> String { keys.map(\.stringValue).joined(separator: ".") }
        switch error {
        case .typeMismatch(let type, let context):
            self.init(.invalid, path: path, keyPath: place(context.codingPath), "must be \(Self.name(of: type))")
        case .valueNotFound(_, let context):
            self.init(.invalid, path: path, keyPath: place(context.codingPath), "must not be null")
        case .keyNotFound(let key, let context):
            self.init(.invalid, path: path, keyPath: place(context.codingPath + [key]), "is missing")
        case .dataCorrupted(let context):
            let error = JSONSyntax.placeOfError(in: document).map { "is not JSON: see \($0)" }
            self.init(.invalid, path: path, keyPath: place(context.codingPath), error ?? context.debugDescription)
        @unknown default:
            self.init(.invalid, path: path, "is not a preset")
        }
    }

    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is Bool.Type: "true or false"
        case is Int.Type, is Int64.Type: "a whole number"
        case is Double.Type: "a number"
        case is [String].Type, is [Any].Type: "a list"
        default: "an object"
        }
    }
}
