internal import Foundation
public import MediaEngine

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
