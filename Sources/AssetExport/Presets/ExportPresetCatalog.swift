internal import Foundation
package import MediaAsset
internal import MediaCore
public import MediaEngine
package import MediaIO
internal import MediaMetadata

/// Where presets are found by their names: in folders of the user's, then among
/// those that come with the library.
///
/// Documents are read anew each time. Beyond AVFoundation.
public struct ExportPresetCatalog: Sendable {
    /// Paths of folders of documents named `NAME.json`; an earlier one comes before a later one.
    public var folders: [String]
    /// Who opens the documents.
    private let access: FileAccess

    /// Makes a catalog of some folders, which need not exist.
    public init(folders: [String]) { self.init(folders: folders, access: .direct) }

    private init(folders: [String], access: FileAccess) { (self.folders, self.access) = (folders, access) }

    /// The catalog of the user that runs the process: `avtool/presets` in
    /// `$XDG_CONFIG_HOME`, or else in `~/.config`.
    public static var user: ExportPresetCatalog { user(.direct) }

    /// - Parameter access: Who opens the documents.
    package static func user(_ access: FileAccess) -> ExportPresetCatalog {
        ExportPresetCatalog(folders: [PresetFolder.user.path], access: access)
    }

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
        if PresetFolder.isPath(nameOrPath) { return try Self.entry(atPath: nameOrPath, access: access) }
        for folder in folders where !nameOrPath.isEmpty {
            let path = "\(folder)/\(nameOrPath).json"
            guard FileManager.default.fileExists(atPath: path) else { continue }
            let entry = try Self.entry(atPath: path, access: access)
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
    public static func entry(atPath path: String) throws -> Entry { try entry(atPath: path, access: .direct) }

    /// - Parameter access: Who opens it.
    package static func entry(atPath path: String, access: FileAccess) throws -> Entry {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw ExportPresetError(.noSuchFile, path: path, "no such file")
        }
        guard !isFolder.boolValue else { throw ExportPresetError(.unreadable, path: path, "is a folder") }
        let bytes: [UInt8]
        do {
            bytes = try WholeFile.read(path, limit: ExportPreset.maximumDocumentSize, access: access)
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

extension ExportPreset {
    /// Whether all samples stay as they are.
    var isPassthrough: Bool { !encodes }

    /// The kinds of files for people.
    package var fileTypeNames: String { fileTypes.map(\.name).joined(separator: ", ") }

    /// The kind of file to make if nobody says which.
    ///
    /// - Parameter filenameExtension: The source's, which tells what its container leaves open.
    package func usualFileType(for asset: AssetDescription, filenameExtension: String) -> AVFileType? {
        guard video == .passthrough || audio == .passthrough else { return fileTypes.first }
        let own = AVFileType(filenameExtension: filenameExtension).flatMap { fileTypes.contains($0) ? $0 : nil }
        if isPassthrough {
            return own ?? asset.likelyFileTypes.first { fileTypes.contains($0) } ?? fileTypes.first { $0 == .matroska }
        }
        let candidates = (own.map { [$0] } ?? []) + fileTypes
        return candidates.first { canCopy(asset.tracks, into: $0) } ?? candidates.first
    }
}

extension AssetDescription {
    /// The kinds of file that it may be, by its container.
    fileprivate var likelyFileTypes: [AVFileType] {
        let hasPictures = tracks.contains { $0.mediaType == .video }
        let names = container.split(separator: ",").map(String.init)
        let first: AVFileType? =
            containerType.isMovie
            ? (hasPictures ? .mov : .m4a)
            : containerType.isMatroska
                ? (hasPictures ? .matroska : .matroskaAudio) : names.first.flatMap { AVFileType(filenameExtension: $0) }
        return ([first] + names.dropFirst().map { AVFileType(filenameExtension: $0) }).compactMap(\.self)
    }
}

/// What one export is to have in place of what its preset says; `nil` leaves that.
///
/// Beyond AVFoundation.
public struct ExportOverrides: Hashable, Sendable {
    /// The quality of pictures on the encoder's scale, or of sound where no pictures are encoded.
    public var quality: Double?
    /// Bits for each second of pictures, on average; goes without `quality`.
    public var bitRate: Int64?
    /// The box in pixels that pictures have to fit into.
    public var size: ExportPreset.MaximumSize?
    /// Frames for each second, at most; none are added.
    public var frameRate: Double?
    /// Bits for each second of each track with sound, however many channels it has.
    public var audioBitRate: Int64?
    /// What is kept of pictures as they are shown.
    public var crop: ExportPreset.Crop?
    /// By how many degrees pictures are turned clockwise: 0, 90, 180 or 270.
    public var rotation: Int?

    /// Makes overrides that change nothing.
    public init() {}

    /// Whether they change nothing.
    public var isEmpty: Bool { self == ExportOverrides() }
}

extension ExportPreset {
    /// The preset with some of its values replaced.
    ///
    /// - Throws: ``ExportPresetError`` of the kind `invalidOverride`, whose key
    ///   path is the override's name and whose reason is what a document with
    ///   that value would be refused for.
    public func applying(_ overrides: ExportOverrides) throws -> ExportPreset {
        if overrides.quality != nil, overrides.bitRate != nil {
            throw Self.refusal("quality", "goes without a bit rate")
        }
        var preset = self
        if let quality = overrides.quality { try preset.override("quality") { try $0.setQuality(quality) } }
        if let rate = overrides.bitRate {
            try preset.override("bitRate") { preset in
                try preset.changePictures("bitRate") { encoding in
                    var passes = 1
                    if case .bitRate(_, let count) = encoding.rateControl { passes = count }
                    encoding.rateControl = .bitRate(rate, passes: passes)
                }
            }
        }
        if let size = overrides.size {
            try preset.override("size") { try $0.changePictures("size") { $0.maximumSize = size } }
        }
        if let rate = overrides.frameRate {
            try preset.override("frameRate") { try $0.changePictures("frameRate") { $0.maximumFrameRate = rate } }
        }
        if let crop = overrides.crop {
            try preset.override("crop") { try $0.changePictures("crop") { $0.crop = crop } }
        }
        if let rotation = overrides.rotation {
            try preset.override("rotation") { try $0.changePictures("rotation") { $0.rotation = rotation } }
        }
        if let rate = overrides.audioBitRate { try preset.override("audioBitRate") { try $0.setAudioBitRate(rate) } }
        return preset
    }

    /// Makes a change, which is checked by the rules for documents.
    private mutating func override(_ name: String, _ change: (inout ExportPreset) throws -> Void) throws {
        var changed = self
        try change(&changed)
        do {
            self = try ExportPreset(json: changed.json())
        } catch let error as ExportPresetError {
            throw Self.refusal(name, error.reason)
        } catch {
            throw Self.refusal(name, "is no number that can be used")
        }
    }

    private mutating func changePictures(_ name: String, _ change: (inout VideoEncoding) -> Void) throws {
        guard var encoding = videoEncoding else {
            throw Self.refusal(name, "the preset \(self.name) encodes no pictures")
        }
        change(&encoding)
        videoEncoding = encoding
    }

    private mutating func setQuality(_ quality: Double) throws {
        guard videoEncoding == nil, var sound = audioEncoding else {
            return try changePictures("quality") { encoding in
                var maximum: Int64?
                if case .constantQuality(_, let rate) = encoding.rateControl { maximum = rate }
                encoding.rateControl = .constantQuality(quality: quality, maximumBitRate: maximum)
            }
        }
        (sound.quality, sound.bitRates) = (quality, [:])
        audioEncoding = sound
    }

    private mutating func setAudioBitRate(_ rate: Int64) throws {
        guard var sound = audioEncoding else {
            throw Self.refusal("audioBitRate", "the preset \(name) encodes no sound")
        }
        (sound.quality, sound.bitRates) = (nil, Dictionary(uniqueKeysWithValues: (1...16).map { ($0, rate) }))
        audioEncoding = sound
    }

    private static func refusal(_ name: String, _ reason: String) -> ExportPresetError {
        ExportPresetError(.invalidOverride, keyPath: name, reason)
    }
}
