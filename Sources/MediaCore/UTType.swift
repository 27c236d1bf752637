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

extension UTType {
    /// Item: `public.item`.
    public static var item: UTType { UTType(known: "public.item") }
    /// Content: `public.content`.
    public static var content: UTType { UTType(known: "public.content") }
    /// Composite content: `public.composite-content`.
    public static var compositeContent: UTType { UTType(known: "public.composite-content") }
    /// Data: `public.data`.
    public static var data: UTType { UTType(known: "public.data") }
    /// Folder: `public.directory`.
    public static var directory: UTType { UTType(known: "public.directory") }
    /// Folder: `public.folder`.
    public static var folder: UTType { UTType(known: "public.folder") }
    /// Package: `com.apple.package`.
    public static var package: UTType { UTType(known: "com.apple.package") }
    /// URL: `public.url`.
    public static var url: UTType { UTType(known: "public.url") }
    /// Text: `public.text`.
    public static var text: UTType { UTType(known: "public.text") }
    /// Plain text: `public.plain-text`.
    public static var plainText: UTType { UTType(known: "public.plain-text") }
    /// UTF-8 text: `public.utf8-plain-text`.
    public static var utf8PlainText: UTType { UTType(known: "public.utf8-plain-text") }
    /// HTML: `public.html`.
    public static var html: UTType { UTType(known: "public.html") }
    /// XML: `public.xml`.
    public static var xml: UTType { UTType(known: "public.xml") }
    /// JSON: `public.json`.
    public static var json: UTType { UTType(known: "public.json") }
    /// Property list: `com.apple.property-list`.
    public static var propertyList: UTType { UTType(known: "com.apple.property-list") }
    /// Archive: `public.archive`.
    public static var archive: UTType { UTType(known: "public.archive") }
    /// ZIP archive: `public.zip-archive`.
    public static var zip: UTType { UTType(known: "public.zip-archive") }
    /// Gzip archive: `org.gnu.gnu-zip-archive`.
    public static var gzip: UTType { UTType(known: "org.gnu.gnu-zip-archive") }
    /// PDF document: `com.adobe.pdf`.
    public static var pdf: UTType { UTType(known: "com.adobe.pdf") }
    /// Playlist: `public.playlist`.
    public static var playlist: UTType { UTType(known: "public.playlist") }
    /// M3U playlist: `public.m3u-playlist`.
    public static var m3uPlaylist: UTType { UTType(known: "public.m3u-playlist") }
    /// Audiovisual content: `public.audiovisual-content`.
    public static var audiovisualContent: UTType { UTType(known: "public.audiovisual-content") }
    /// Movie: `public.movie`.
    public static var movie: UTType { UTType(known: "public.movie") }
    /// Video: `public.video`.
    public static var video: UTType { UTType(known: "public.video") }
    /// Audio: `public.audio`.
    public static var audio: UTType { UTType(known: "public.audio") }
    /// Image: `public.image`.
    public static var image: UTType { UTType(known: "public.image") }
    /// QuickTime movie: `com.apple.quicktime-movie`.
    public static var quickTimeMovie: UTType { UTType(known: "com.apple.quicktime-movie") }
    /// MPEG movie: `public.mpeg`.
    public static var mpeg: UTType { UTType(known: "public.mpeg") }
    /// MPEG-2 video: `public.mpeg-2-video`.
    public static var mpeg2Video: UTType { UTType(known: "public.mpeg-2-video") }
    /// MPEG-2 transport stream: `public.mpeg-2-transport-stream`.
    public static var mpeg2TransportStream: UTType { UTType(known: "public.mpeg-2-transport-stream") }
    /// MPEG-4 movie: `public.mpeg-4`.
    public static var mpeg4Movie: UTType { UTType(known: "public.mpeg-4") }
    /// MPEG-4 audio: `public.mpeg-4-audio`.
    public static var mpeg4Audio: UTType { UTType(known: "public.mpeg-4-audio") }
    /// Protected MPEG-4 audio: `com.apple.protected-mpeg-4-audio`.
    public static var appleProtectedMPEG4Audio: UTType { UTType(known: "com.apple.protected-mpeg-4-audio") }
    /// Protected MPEG-4 video: `com.apple.protected-mpeg-4-video`.
    public static var appleProtectedMPEG4Video: UTType { UTType(known: "com.apple.protected-mpeg-4-video") }
    /// AVI movie: `public.avi`.
    public static var avi: UTType { UTType(known: "public.avi") }
    /// MP3 audio: `public.mp3`.
    public static var mp3: UTType { UTType(known: "public.mp3") }
    /// Waveform audio: `com.microsoft.waveform-audio`.
    public static var wav: UTType { UTType(known: "com.microsoft.waveform-audio") }
    /// AIFF audio: `public.aiff-audio`.
    public static var aiff: UTType { UTType(known: "public.aiff-audio") }
    /// AIFF-C audio: `public.aifc-audio`.
    public static var aifc: UTType { UTType(known: "public.aifc-audio") }
    /// MIDI audio: `public.midi-audio`.
    public static var midi: UTType { UTType(known: "public.midi-audio") }
    /// JPEG image: `public.jpeg`.
    public static var jpeg: UTType { UTType(known: "public.jpeg") }
    /// PNG image: `public.png`.
    public static var png: UTType { UTType(known: "public.png") }
    /// GIF image: `com.compuserve.gif`.
    public static var gif: UTType { UTType(known: "com.compuserve.gif") }
    /// TIFF image: `public.tiff`.
    public static var tiff: UTType { UTType(known: "public.tiff") }
    /// Windows bitmap image: `com.microsoft.bmp`.
    public static var bmp: UTType { UTType(known: "com.microsoft.bmp") }
    /// Windows icon: `com.microsoft.ico`.
    public static var ico: UTType { UTType(known: "com.microsoft.ico") }
    /// Apple icon: `com.apple.icns`.
    public static var icns: UTType { UTType(known: "com.apple.icns") }
    /// HEIC image: `public.heic`.
    public static var heic: UTType { UTType(known: "public.heic") }
    /// HEIF image: `public.heif`.
    public static var heif: UTType { UTType(known: "public.heif") }
    /// HEIC sequence: `public.heics`.
    public static var heics: UTType { UTType(known: "public.heics") }
    /// WebP image: `org.webmproject.webp`.
    public static var webP: UTType { UTType(known: "org.webmproject.webp") }
    /// SVG image: `public.svg-image`.
    public static var svg: UTType { UTType(known: "public.svg-image") }
    /// Raw image: `public.camera-raw-image`.
    public static var rawImage: UTType { UTType(known: "public.camera-raw-image") }
    /// Digital negative: `com.adobe.raw-image`.
    public static var dng: UTType { UTType(known: "com.adobe.raw-image") }
    /// OpenEXR image: `com.ilm.openexr-image`.
    public static var exr: UTType { UTType(known: "com.ilm.openexr-image") }
    /// JPEG XL image: `public.jpeg-xl`.
    public static var jpegxl: UTType { UTType(known: "public.jpeg-xl") }
    /// Live photo: `com.apple.live-photo`.
    public static var livePhoto: UTType { UTType(known: "com.apple.live-photo") }
}

/// A kind of name for types of files: filename extensions, or MIME types.
public struct UTTagClass: RawRepresentable, Hashable, Sendable {
    /// The class's identifier.
    public let rawValue: String
    /// Makes a class of its identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Filename extensions, without their dots.
    public static let filenameExtension = UTTagClass(rawValue: "public.filename-extension")
    /// MIME types.
    public static let mimeType = UTTagClass(rawValue: "public.mime-type")
}
