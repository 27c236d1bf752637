/// A type of data, by its uniform type identifier: `public.mpeg-4`.
///
/// Known are the types of films, sound, pictures and subtitles, what they conform to, and a few of text and archives.
///
/// - Note: Beside AVFoundation, on Apple's platforms, applications declare types of their own, and an extension that nobody has declared
///   makes a dynamic type (`dyn.…`); here it makes none.
public struct UTType: Hashable, Sendable, CustomStringConvertible {
    /// The identifier, in lower case for types that are known.
    public let identifier: String

    init(known identifier: String) { self.identifier = identifier }

    /// The type of an identifier, in upper or lower case; `nil` if it is not known.
    public init?(_ identifier: String) {
        let lowercased = identifier.lowercased()
        guard let row = UniformTypeTable.all.rows[lowercased] else { return nil }
        self.identifier = row.identifier
    }

    /// The type that a filename extension stands for.
    ///
    /// - Parameters:
    ///   - filenameExtension: Without its dot, in upper or lower case.
    ///   - supertype: What the type must conform to.
    /// - Returns: `nil` if no known type has it.
    public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
        self.init(tag: filenameExtension, tagClass: .filenameExtension, conformingTo: supertype)
    }

    /// The type that a MIME type stands for.
    ///
    /// - Parameters:
    ///   - mimeType: In upper or lower case, with or without parameters: `video/mp4; codecs="avc1"`.
    ///   - supertype: What the type must conform to.
    /// - Returns: `nil` if no known type has it, and for text that is no MIME type.
    public init?(mimeType: String, conformingTo supertype: UTType = .data) {
        self.init(tag: mimeType, tagClass: .mimeType, conformingTo: supertype)
    }

    /// The type that a name stands for.
    ///
    /// - Parameters:
    ///   - tag: A filename extension or a MIME type.
    ///   - tagClass: Which of them it is.
    ///   - supertype: What the type must conform to, nothing for `nil`.
    /// - Returns: `nil` if no known type has it.
    public init?(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) {
        guard let type = Self.types(tag: tag, tagClass: tagClass, conformingTo: supertype).first else { return nil }
        self = type
    }

    /// All types that a name stands for, the preferred one first.
    ///
    /// - Parameters:
    ///   - tag: A filename extension or a MIME type.
    ///   - tagClass: Which of them it is.
    ///   - supertype: What the types must conform to, nothing for `nil`.
    public static func types(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) -> [UTType] {
        let plain =
            tagClass == .mimeType
            ? String(tag.prefix { $0 != ";" }.filter { !$0.isWhitespace }).lowercased() : tag.lowercased()
        let identifiers = UniformTypeTable.all.byTag[tagClass]?[plain] ?? []
        return identifiers.map { UTType(known: $0) }.filter { type in
            supertype.map { type.conforms(to: $0) } ?? true
        }
    }

    /// A type that another program has declared.
    ///
    /// - Parameter parentType: What it is said to conform to; taken for nothing here.
    public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self = UTType(identifier) ?? UTType(known: identifier.lowercased())
    }

    /// A type that this program has declared.
    ///
    /// - Parameter parentType: What it is said to conform to; taken for nothing here.
    public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.init(importedAs: identifier, conformingTo: parentType)
    }

    private var row: UniformTypeTable.Row? { UniformTypeTable.all.rows[identifier] }

    /// The filename extension that the type's files have, without its dot; `nil` if there is none.
    public var preferredFilenameExtension: String? { row?.extensions.first }
    /// The type's MIME type, `nil` if there is none.
    public var preferredMIMEType: String? { row?.mimeTypes.first }
    /// All names of the type.
    public var tags: [UTTagClass: [String]] {
        var tags: [UTTagClass: [String]] = [:]
        if let extensions = row?.extensions, !extensions.isEmpty { tags[.filenameExtension] = extensions }
        if let types = row?.mimeTypes, !types.isEmpty { tags[.mimeType] = types }
        return tags
    }
    /// The type's name for people, in English; `nil` for a type that is not known.
    public var localizedDescription: String? { row?.name }
    /// The identifier.
    public var description: String { identifier }

    /// Whether somebody has declared the type: true for all known ones.
    public var isDeclared: Bool { row != nil }
    /// Whether the type was made up for a name that nobody has declared: never.
    public var isDynamic: Bool { false }
    /// Whether the type is common to all systems.
    public var isPublic: Bool { identifier.hasPrefix("public.") }

    /// What the type conforms to, at any distance, without itself.
    public var supertypes: Set<UTType> {
        var found: Set<UTType> = []
        var waiting = row?.supertypes ?? []
        while let next = waiting.popLast() {
            guard found.insert(UTType(known: next)).inserted else { continue }
            waiting += UniformTypeTable.all.rows[next]?.supertypes ?? []
        }
        return found
    }

    /// Whether the type is another one, or a kind of it.
    public func conforms(to type: UTType) -> Bool { self == type || supertypes.contains(type) }
    /// Whether the type is a kind of another one.
    public func isSubtype(of type: UTType) -> Bool { self != type && supertypes.contains(type) }
    /// Whether another type is a kind of this one.
    public func isSupertype(of type: UTType) -> Bool { type.isSubtype(of: self) }
}

extension UTType: Codable {
    /// Reads a type as its identifier.
    ///
    /// - Throws: What the decoder does, where there is no text.
    public init(from decoder: any Decoder) throws {
        self.init(importedAs: try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes a type as its identifier.
    ///
    /// - Throws: What the encoder does.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(identifier)
    }
}
