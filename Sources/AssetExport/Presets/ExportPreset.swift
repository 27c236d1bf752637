public import Foundation
public import MediaAsset
public import MediaCore
public import MediaEngine

/// What an export makes of a file: the document of a preset.
///
/// The fields are explained in `presets/README.md`. What a preset makes of one
/// given track also depends on the track: no preset enlarges pictures, raises
/// frame rates or sample rates, or adds channels.
///
/// Reading a document checks the ranges given here; what is set in code is not checked so. Beyond AVFoundation.
public struct ExportPreset: Codable, Hashable, Sendable {
    /// What it is called by: up to 64 letters, digits, `.`, `-` and `_`, a letter or digit first.
    public var name: String
    /// What it is for, in one sentence of up to 500 characters.
    public var description: String
    /// The AVFoundation preset that it stands for; `nil` for none.
    public var avFoundationName: String?
    /// The kinds of files that it can make, at least one, each once, the preferred one first.
    public var fileTypes: [AVFileType]
    /// What becomes of pictures; not left out if sound is.
    public var video: VideoRule
    /// What becomes of sound.
    public var audio: AudioRule
    /// What becomes of subtitles.
    public var subtitles: Inclusion
    /// What becomes of timecode, timed metadata and attachments.
    public var otherTracks: Inclusion
    /// What becomes of chapters.
    public var chapters: Inclusion
    /// What becomes of metadata.
    public var metadata: Inclusion
    /// How many bytes the file may have, from 10,000 on; `nil` for any number.
    public var fileLengthLimit: Int64?

    /// Whether something is taken over.
    public enum Inclusion: String, Codable, CaseIterable, Sendable {
        /// It is, as far as the new file can hold it.
        case keep
        /// It is not.
        case drop
    }

    /// What becomes of tracks with pictures.
    public enum VideoRule: Hashable, Sendable {
        /// They are left out.
        case none
        /// Their samples stay as they are.
        case passthrough
        /// They are encoded anew.
        case encode(VideoEncoding)
    }

    /// What becomes of tracks with sound.
    public enum AudioRule: Hashable, Sendable {
        /// They are left out.
        case none
        /// Their samples stay as they are.
        case passthrough
        /// They are encoded anew.
        case encode(AudioEncoding)
    }
}

extension ExportPreset {
    /// How pictures are encoded.
    public typealias VideoEncoding = MediaEngine.VideoEncoding
    /// A part of pictures as they are shown.
    public typealias Crop = VideoEncoding.Crop
    /// A size in pixels that is not exceeded.
    public typealias MaximumSize = VideoEncoding.MaximumSize
    /// What bounds the amount of data for pictures.
    public typealias VideoRateControl = VideoEncoding.RateControl
    /// What becomes of HDR pictures.
    public typealias DynamicRange = VideoEncoding.DynamicRange
    /// How sound is encoded.
    public typealias AudioEncoding = MediaEngine.AudioEncoding
}

extension ExportPreset {
    /// Whether it encodes pictures or sound anew, rather than keep or drop them.
    public var encodes: Bool { videoEncoding != nil || audioEncoding != nil }

    /// How pictures are encoded; `nil` if they are not.
    public var videoEncoding: VideoEncoding? {
        get { if case .encode(let encoding) = video { encoding } else { nil } }
        set { if let newValue { video = .encode(newValue) } }
    }

    /// How sound is encoded; `nil` if it is not.
    public var audioEncoding: AudioEncoding? {
        get { if case .encode(let encoding) = audio { encoding } else { nil } }
        set { if let newValue { audio = .encode(newValue) } }
    }
}

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
