public import Foundation
public import MediaCore

/// Why a preset cannot be had; beyond AVFoundation.
public struct ExportPresetError: BridgedError, LocalizedError, Hashable {
    /// The kind of failure.
    public enum Kind: Sendable {
        /// There is no preset of that name.
        case unknownName
        /// There is no such file.
        case noSuchFile
        /// The file could not be read.
        case unreadable
        /// It is a preset of AVFoundation's that cannot be made here.
        case unavailable
        /// The document is not a valid preset.
        case invalid
        /// What it asks for is more than an encoder or a container can do.
        case impossible
        /// What was asked for in place of what the preset says is not possible.
        case invalidOverride
    }

    /// The kind of failure.
    public let kind: Kind
    /// The file that it lies with; `nil` for a preset that comes with the library.
    public let path: String?
    /// Where in the document: `video.rateControl.quality`; empty for the whole of it.
    public let keyPath: String
    /// The cause, and what is allowed.
    public let reason: String

    init(_ kind: Kind, path: String? = nil, keyPath: String = "", _ reason: String) {
        (self.kind, self.path, self.keyPath, self.reason) = (kind, path, keyPath, reason)
    }

    /// The file, the place and the cause, in one line.
    public var errorDescription: String? {
        ([path, keyPath.isEmpty ? nil : keyPath].compactMap { $0 } + [reason]).joined(separator: ": ")
    }
}
