import MediaMetadata

/// Short forms for tests' entries, and for what tests say about entries.
extension MetadataEntry {
    static func iTunes(_ key: String, _ value: MetadataValue) -> MetadataEntry {
        MetadataEntry(.iTunes, MetadataKey(fourCharacters: key) ?? .text(key), value)
    }

    static func iTunes(_ key: String, _ text: String) -> MetadataEntry { iTunes(key, .text(text)) }

    static func freeForm(_ name: String, _ text: String) -> MetadataEntry {
        MetadataEntry(.iTunesFreeForm, .text("com.apple.iTunes." + name), .text(text))
    }

    static func quickTime(_ key: String, _ text: String) -> MetadataEntry {
        MetadataEntry(.quickTimeMetadata, .text("com.apple.quicktime." + key), .text(text))
    }

    static func userData(_ key: String, _ text: String, _ languageTag: String? = nil) -> MetadataEntry {
        MetadataEntry(
            .quickTimeUserData, MetadataKey(fourCharacters: key) ?? .text(key), .text(text), languageTag: languageTag)
    }

    static func iso(_ key: String, _ text: String) -> MetadataEntry {
        MetadataEntry(.isoUserData, MetadataKey(fourCharacters: key) ?? .text(key), .text(text))
    }

    static func id3(_ frame: String, _ text: String, _ info: String? = nil) -> MetadataEntry {
        let key: MetadataKey =
            frame.count == 3 ? MetadataKey(fourCharacters: "\0" + frame) ?? .text(frame) : .text(frame)
        return MetadataEntry(.id3, key, .text(text), extras: info.map { [.info: .text($0)] } ?? [:])
    }

    static func vorbis(_ name: String, _ text: String) -> MetadataEntry {
        MetadataEntry(.vorbisComment, .text(name), .text(text))
    }

    static func matroska(_ name: String, _ text: String, level: Int64? = nil) -> MetadataEntry {
        let extras: [AVMetadataExtraAttributeKey: MetadataValue] =
            level.map { [AVMetadataExtraAttributeKey(rawValue: "targetTypeValue"): .integer($0)] } ?? [:]
        return MetadataEntry(.matroska, .text(name), .text(text), extras: extras)
    }

    static func property(_ name: String, _ text: String) -> MetadataEntry {
        MetadataEntry(.audioFile, .text(name), .text(text))
    }

    /// Identifier, description and value in one line.
    var line: String {
        let value =
            switch value {
            case .text(let text): text
            case .integer(let number): "\(number)"
            case .real(let number): "\(number)"
            case .data(let bytes): "\(bytes)"
            }
        return identifier.rawValue + (info.map { "[\($0)]" } ?? "") + "=" + value
    }
}

/// Pictures as far as anybody looks at them here: by their first bytes.
enum Pictures {
    static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1]
    static let otherJPEG: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 2]
    static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    static let webP: [UInt8] = Array("RIFF\0\0\0\0WEBPVP8 ".utf8)

    static func id3(_ bytes: [UInt8], type: String, _ description: String = "") -> MetadataEntry {
        MetadataEntry(
            .id3, .text("APIC"), .data(bytes), dataType: MetadataDataType.ofPicture(bytes),
            extras: [
                .dataType: .text("image/jpeg"), .dataTypeNamespace: .text("org.iana.media-type"),
                .pictureType: .text(type), .info: .text(description),
            ])
    }

    static func cover(_ bytes: [UInt8]) -> MetadataEntry {
        MetadataEntry(
            .iTunes, MetadataKey(fourCharacters: "covr") ?? .text("covr"), .data(bytes),
            dataType: MetadataDataType.ofPicture(bytes))
    }
}
