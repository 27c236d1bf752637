internal import Foundation
internal import MediaCore
package import MediaEngine
internal import MediaIO
internal import MediaMetadata

/// Where presets are found by their names: in folders of the user's, then among
/// those that come with the library.
///
/// Documents are read anew each time. Beyond AVFoundation.
public struct ExportPresetCatalog: Sendable {
    /// Paths of folders of documents named `NAME.json`; an earlier one comes before a later one.
    public var folders: [String]

    /// Makes a catalog of some folders, which need not exist.
    public init(folders: [String]) { self.folders = folders }

    /// The catalog of the user that runs the process: `avtool/presets` in
    /// `$XDG_CONFIG_HOME`, or else in `~/.config`.
    public static var user: ExportPresetCatalog { ExportPresetCatalog(folders: [PresetFolder.user.path]) }

    /// The presets that come with the library and nothing else.
    public static let builtIn = ExportPresetCatalog(folders: [])

    /// A preset and its document.
    public struct Entry: Sendable {
        /// What the document says.
        public let preset: ExportPreset
        /// The path of its file; `nil` if it comes with the library.
        public let path: String?
        /// The document as it was written.
        public let document: String
    }

    /// Finds a preset.
    ///
    /// A document of the user's comes before one of the same name that comes
    /// with the library. The names of AVFoundation's presets are looked up last.
    ///
    /// - Parameter nameOrPath: A path holds a `/` or ends in `.json`; all else is a name.
    /// - Throws: ``ExportPresetError`` of the kind `unknownName`, `noSuchFile`, `unreadable`, `unavailable` or
    ///   `invalid`; the last also for a document of another name than its file.
    public func entry(_ nameOrPath: String) throws -> Entry {
        if PresetFolder.isPath(nameOrPath) { return try Self.entry(atPath: nameOrPath) }
        for folder in folders where !nameOrPath.isEmpty {
            let path = "\(folder)/\(nameOrPath).json"
            guard FileManager.default.fileExists(atPath: path) else { continue }
            let entry = try Self.entry(atPath: path)
            guard entry.preset.name == nameOrPath else {
                throw ExportPresetError(
                    .invalid, path: path, keyPath: "name", "must be \(nameOrPath), as the file is called")
            }
            return entry
        }
        if let document = BuiltInPresets.documents[nameOrPath] { return try Self.entry(document, path: nil) }
        if let standing = AVFoundationPreset.byName[nameOrPath] { return try Self.entry(standing) }
        let near = EditDistance.nearest(to: nameOrPath, among: names)
        throw ExportPresetError(
            .unknownName,
            "there is no preset \(nameOrPath)"
                + (near.isEmpty
                    ? "; there are \(names.joined(separator: ", "))"
                    : ": do you mean \(near.prefix(3).joined(separator: " or "))?"))
    }

    /// Finds a preset; see ``entry(_:)``.
    ///
    /// - Throws: ``ExportPresetError`` if there is none of that name, or it cannot be read.
    public func preset(_ nameOrPath: String) throws -> ExportPreset { try entry(nameOrPath).preset }

    /// The names of all presets, those that come with the library first, in its own order.
    public var names: [String] {
        var names = BuiltInPresets.names
        for folder in folders {
            let own = PresetFolder(path: folder).documents.map { path in
                ((path as NSString).lastPathComponent as NSString).deletingPathExtension
            }
            names += own.filter { !names.contains($0) }
        }
        return names
    }

    /// Reads a document.
    ///
    /// - Throws: ``ExportPresetError`` of the kind `noSuchFile`, `unreadable` or `invalid`.
    public static func entry(atPath path: String) throws -> Entry {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw ExportPresetError(.noSuchFile, path: path, "no such file")
        }
        guard !isFolder.boolValue else { throw ExportPresetError(.unreadable, path: path, "is a folder") }
        let bytes: [UInt8]
        do {
            bytes = try WholeFile.read(path, limit: ExportPreset.maximumDocumentSize)
        } catch .tooLarge {
            throw ExportPresetError(
                .invalid, path: path, "a preset has \(ExportPreset.maximumDocumentSize) bytes at most")
        } catch {
            throw ExportPresetError(.unreadable, path: path, "cannot be read")
        }
        guard let document = String(validating: bytes, as: UTF8.self) else {
            throw ExportPresetError(.invalid, path: path, "is not UTF-8 text")
        }
        return try entry(document, path: path)
    }

    private static func entry(_ document: String, path: String?) throws -> Entry {
        Entry(preset: try ExportPreset(json: Data(document.utf8), path: path), path: path, document: document)
    }

    private static func entry(_ standing: AVFoundationPreset) throws -> Entry {
        switch standing.meaning {
        case .unavailable(let reason):
            throw ExportPresetError(.unavailable, "the preset \(standing.name) is not available: \(reason)")
        case .preset(let name, let fileTypes, let maximumSize):
            guard let document = BuiltInPresets.documents[name] else {
                throw ExportPresetError(.unknownName, "there is no preset \(name)")
            }
            let entry = try entry(document, path: nil)
            var preset = entry.preset
            if let fileTypes { preset.fileTypes = fileTypes }
            if let maximumSize { preset.videoEncoding?.maximumSize = maximumSize }
            guard preset != entry.preset else { return entry }
            (preset.name, preset.avFoundationName) = (standing.name, standing.name)
            return Entry(preset: preset, path: nil, document: String(decoding: try preset.json(), as: UTF8.self))
        }
    }
}
