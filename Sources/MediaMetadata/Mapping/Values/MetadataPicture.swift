/// A picture with what a file says about it.
struct MetadataPicture: Hashable, Sendable {
    var data: [UInt8]
    /// `image/jpeg`.
    var mimeType: String
    /// What it shows, in ID3's words; `nil` if the file does not say.
    var type: String?
    /// A description of the user's own.
    var description: String?

    init(data: [UInt8], mimeType: String? = nil, type: String? = nil, description: String? = nil) {
        self.data = data
        self.mimeType = MetadataDataType.mimeType(ofPicture: data) ?? mimeType ?? "application/octet-stream"
        self.type = type
        self.description = description
    }

    /// The picture of an entry, `nil` if its value is no data.
    init?(_ entry: MetadataEntry) {
        guard case .data(let data) = entry.value else { return nil }
        func text(_ key: AVMetadataExtraAttributeKey) -> String? {
            if case .text(let text) = entry.extras[key] { text } else { nil }
        }
        let stated = text(.dataType).flatMap { $0.contains("/") ? $0 : nil }
        self.init(
            data: data, mimeType: stated ?? MetadataDataType.mimeType(of: entry.dataType),
            type: text(.pictureType), description: entry.info)
        if entry.keySpace == .matroska {
            // There the other description is the file's name.
            let text = text(.fileDescription) ?? ""
            let isType = text != PictureType.other && PictureType.labels.contains(text)
            (type, description) = isType ? (text, nil) : (nil, text.isEmpty ? nil : text)
        }
    }

    /// The type's name among value types, `nil` if it has none.
    var dataType: String? { MetadataDataType.ofPicture(mimeType: mimeType) }

    /// What goes with the picture in ID3, FLAC and Matroska.
    var extras: [AVMetadataExtraAttributeKey: MetadataValue] {
        [
            .dataType: .text(mimeType), .dataTypeNamespace: .text(MetadataDataType.mimeTypeNamespace),
            .pictureType: .text(type ?? PictureType.frontCover), .info: .text(description ?? ""),
        ]
    }

    /// Whether players may take it for the cover, the better the higher; ID3 has `Other` for the unspecified.
    var coverRank: Int {
        switch type {
        case PictureType.frontCover: 3
        case nil: 2
        case PictureType.other: 1
        default: 0
        }
    }
}

extension MetadataEntry {
    /// Whether it is a picture that belongs to the whole file.
    package var isArtwork: Bool {
        guard case .data = value else { return false }
        return commonKey == .commonKeyArtwork
    }

    /// A pair such as track 3 of 12, for values that hold one as bytes.
    package var numberPair: (number: Int, count: Int)? {
        guard keySpace == .iTunes, [0x7472_6B6E, 0x6469_736B].contains(codeOfKey), case .data(let bytes) = value,
            let pair = NumberPair(bytes: bytes)
        else { return nil }
        return (pair.number ?? 0, pair.total ?? 0)
    }

    private var codeOfKey: UInt32 { if case .code(let code) = key { code } else { 0 } }

    /// Whether it names a language as a tag does, whatever code it has for that.
    package func saysLanguage(_ tag: String) -> Bool {
        guard let text, EntryMeaning(self, MatroskaLevels([self]))?.meaning == .field(.language) else { return false }
        return LanguageCodes.primary(text) == LanguageCodes.primary(tag)
    }
}
